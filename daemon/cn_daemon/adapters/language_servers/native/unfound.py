"""Which packages TypeScript 7 does not find that older compilers found.

`moduleResolution: node`, the default beside `module: commonjs`, passed over the `exports` of a package, and took its
`types` or `main`. TypeScript 7 keeps to the `exports`, which may lead nowhere for it, or to scripts without types.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from cn_daemon.adapters import json_text
from cn_daemon.adapters.patient_files import read_file

_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies")
_CONDITIONS = frozenset({"types", "import", "require", "default"})
_TYPES = {".js": ".d.ts", ".mjs": ".d.mts", ".cjs": ".d.cts"}
_TYPED = (".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx")


def is_old(options: Mapping[str, Any]) -> bool:
    """Whether compilers before 6 looked for packages so, by the options that a tsconfig sets."""
    told = options.get("moduleResolution")
    if told is not None:
        return str(told).lower() in ("node", "node10")
    return str(options.get("module", "")).lower() == "commonjs"


def unfound(folder: str) -> frozenset[str]:
    """The packages that the package.json nearest to a folder depends on, and of which only those found the types."""
    while not os.path.isfile(f"{folder}/package.json") and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    manifest = _read(folder)
    groups = (manifest.get(group) for group in _DEPENDENCIES)
    names = {name for group in groups if isinstance(group, dict) for name in group}
    return frozenset(name for name in names if _is_unfound(_installed(folder, name)))


def _is_unfound(place: str) -> bool:
    manifest = _read(place) if place else {}
    exports = manifest.get("exports")
    if exports is None:
        return False
    if isinstance(exports, dict) and any(key.startswith(".") for key in exports):
        exports = exports.get(".")
    before = (manifest.get(field) for field in ("types", "typings", "main"))
    older = any(_has_types(place, one) for one in (*before, "index.d.ts") if isinstance(one, str))
    return older and not any(_has_types(place, target) for target in _targets(exports))


def _targets(told: Any) -> Iterator[str]:
    if isinstance(told, str):
        yield told
    elif isinstance(told, list):
        for one in told:
            yield from _targets(one)
    elif isinstance(told, dict):
        for condition, one in told.items():
            if condition in _CONDITIONS or condition.startswith("types@"):
                yield from _targets(one)


def _has_types(place: str, target: str) -> bool:
    stem, ending = os.path.splitext(target)
    named = target if target.endswith(_TYPED) else stem + _TYPES.get(ending, f"{ending}.d.ts")
    return os.path.isfile(os.path.join(place, named))


def _installed(folder: str, name: str) -> str:
    while True:
        place = f"{folder}/node_modules/{name}"
        if os.path.isdir(place):
            return place
        if folder == os.path.dirname(folder):
            return ""
        folder = os.path.dirname(folder)


def _read(place: str) -> dict[str, Any]:
    try:
        read = json_text.load(read_file(f"{place}/package.json"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}
