"""Tests as folders of one workspace."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from benchmarks.fourslash.tests import Test

# As the harness of TypeScript 7 has them.
_OPTIONS = {"target": "esnext", "module": "esnext", "moduleResolution": "bundler", "jsx": "preserve", "strict": True}
_CONFIG = re.compile(r"/[jt]sconfig\.json$", re.IGNORECASE)
_LISTS = {"lib", "types", "typeroots"}
_OTHERS = {"statebaseline", "tsc", "usecasesensitivefilenames", "noimplicitreferences"}


def write(test: Test, folder: Path) -> None:
    """Raises OSError where a name is none here."""
    for path, text in test.files.items():
        target = folder / path[1:]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8"))
    for link, to in test.links.items():
        (folder / link[1:]).parent.mkdir(parents=True, exist_ok=True)
        (folder / link[1:]).symlink_to(folder / to[1:])
    if not any(map(_CONFIG.search, test.files)):
        (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": _options(test)}), "utf-8")


def _options(test: Test) -> dict[str, Any]:
    given = {
        key: value.split(",") if key.lower() in _LISTS else _value(value)
        for key, value in test.options.items()
        if key.lower() not in _OTHERS
    }
    own = {key.lower() for key in given}
    defaults: dict[str, Any] = {key: value for key, value in _OPTIONS.items() if key.lower() not in own}
    if "module" in own:
        defaults.pop("moduleResolution", None)
    if any(re.search(r"\.[cm]?jsx?$", path) for path in test.files):
        defaults["allowJs"] = True
    return {**defaults, **{_spelled(key): value for key, value in given.items()}}


def _spelled(key: str) -> str:
    return key[0].lower() + key[1:] if key != "allowJS" else "allowJs"


def _value(text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    return text
