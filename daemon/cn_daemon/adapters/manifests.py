"""What the workspace's package.json, deno.json and tsconfig files say of names that modules are imported by."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from cn_daemon.adapters import json_text
from cn_daemon.adapters.patient_files import read_file
from cn_daemon.application.ports import NO_JSON, Packages

_ENTRIES = ("source", "main", "module", "types", "typings", "browser", "svelte")
# What is not closed reaches to the end: looked for its end at every such beginning, a text could take minutes.
_STRING = r'("[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z))'
_STRING_OR_COMMENT = re.compile(rf"{_STRING}|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_STRING_OR_LAST_COMMA = re.compile(rf"{_STRING}|,(?=\s*[}}\]])", re.DOTALL)
_LARGEST_BYTES = 8 << 20
# They map what modules are imported by, as `imports` of a package.json does.
OF_DENO = ("deno.json", "deno.jsonc", "import_map.json")
_MANIFESTS = ("/package.json", *(f"/{name}" for name in OF_DENO))


Allowed = Callable[[str], bool]


def is_manifest(path: str) -> bool:
    """Whether that file says by what names the modules of its folder are imported."""
    return path.endswith(_MANIFESTS)


def packages(files: Iterable[str], allowed: Allowed) -> Packages:
    """By the package.json, deno.json and tsconfig files among `files`; those that cannot be read say nothing.
    allowed: whether a file that really lies there may be read."""
    folders: dict[str, str] = {}
    targets: set[str] = set()
    roots: set[str] = set()
    flaws: dict[str, str] = {}
    extended: dict[str, set[str]] = {}
    for path in sorted(files):
        read = _read(path, allowed)
        folder = os.path.dirname(path)
        if not is_manifest(path):
            flaws[path] = _flaw(path, read, allowed)
            for base in [place for place, _ in _extended(path, read, allowed)][1:]:
                extended.setdefault(base, set()).add(path)
            targets.update(os.path.normpath(os.path.join(folder, _base(read), one)) for one in _paths(read))
            continue
        name = read.get("name")
        if "workspaces" in read or "workspace" in read:
            roots.add(folder)
        if isinstance(name, str):
            _place(folders, name, folder, roots)
        targets.update(os.path.normpath(os.path.join(folder, one)) for one in _entries(read))
    return Packages(folders, frozenset(targets), flaws, extended)


def _flaw(path: str, config: dict[str, Any], allowed: Allowed) -> str:
    """Why some of what a tsconfig says is not known, or nothing."""
    unread = ""
    for place, read in _extended(path, config, allowed):
        missing = (base for base in _extends(read) if not _is_there(os.path.dirname(place), base, allowed))
        if base := next(missing, ""):
            return f"extends {base}, which is not there"
        if not read and not _is_json(place, allowed):
            unread = NO_JSON
    return unread


def _extended(path: str, config: dict[str, Any], allowed: Allowed) -> Iterator[tuple[str, dict[str, Any]]]:
    """A tsconfig and, the nearest first, what it extends; what is not there says nothing."""
    pending, seen = [(path, config)], {path}
    while pending:
        place, read = pending.pop()
        yield place, read
        for base in _extends(read):
            found = _base_path(os.path.dirname(place), base)
            if found and found not in seen:
                seen.add(found)
                pending.append((found, _read(found, allowed)))


def package_of(specifier: str) -> str:
    """`@a/b` of `@a/b/c`, `a` of `a/b`, `/a` of `/a/b`."""
    parts = specifier.split("/")
    if not parts[0] and len(parts) > 1:
        return f"/{parts[1]}"
    return "/".join(parts[:2]) if specifier.startswith("@") and len(parts) > 1 else parts[0]


def circular(files: Iterable[str], allowed: Allowed) -> list[str]:
    """What these tsconfigs come back to as they extend one another: what extends itself, by another one or without."""
    return sorted({found for path in files for found in _coming_back((path,), allowed)})


def _coming_back(chain: tuple[str, ...], allowed: Allowed) -> Iterator[str]:
    """chain: tsconfigs, each of which is extended by the one before it."""
    *_, last = chain
    for base in {_base_path(os.path.dirname(last), base) for base in _extends(_read(last, allowed))} - {""}:
        if base in chain:
            yield base
        else:
            yield from _coming_back((*chain, base), allowed)


def _base_path(folder: str, base: str) -> str:
    """The file that a tsconfig in a folder extends, there or not; nothing when it is of a package that is not there."""
    if base.startswith((".", "/")):
        path = os.path.normpath(os.path.join(folder, base))
        return path if path.endswith(".json") else f"{path}.json"
    name = package_of(base)
    package = next(filter(os.path.isdir, (f"{above}/node_modules/{name}" for above in _above(folder))), "")
    if not package:
        return ""
    path = os.path.realpath(package) + base.removeprefix(name)
    files = [path] if path.endswith(".json") else [f"{path}.json", f"{path}/tsconfig.json"]
    return next(filter(os.path.isfile, files), files[-1])


def _above(folder: str) -> Iterator[str]:
    """A folder and those above it, the nearest first."""
    yield folder
    while folder := folder.rpartition("/")[0]:
        yield folder


def _extends(config: dict[str, Any]) -> list[str]:
    bases = config.get("extends")
    listed = [bases] if isinstance(bases, str) else bases if isinstance(bases, list) else []
    return [base for base in listed if isinstance(base, str) and base]


def _is_there(folder: str, base: str, allowed: Allowed) -> bool:
    """Whether a tsconfig in a folder may extend it: a path, or a package of which anything is installed."""
    if base.startswith((".", "/")):
        path = os.path.join(folder, base)
        there = filter(os.path.exists, (path, f"{path}.json"))
        return any(allowed(os.path.realpath(one)) for one in there)
    return any(os.path.exists(f"{one}/node_modules/{package_of(base)}") for one in _above(folder))


def _place(folders: dict[str, str], name: str, folder: str, roots: Collection[str]) -> None:
    """Of packages of one name, the outer one of two in one another has it, and a workspace only where it is alone."""
    before = folders.setdefault(name, folder)
    around = before.startswith(f"{folder}/")
    if before in roots or (around and folder not in roots):
        folders[name] = folder


def _read(path: str, allowed: Allowed) -> dict[str, Any]:
    try:
        read = json_text.load(_text(path, allowed).encode())
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def _is_json(path: str, allowed: Allowed) -> bool:
    """Whether a file is JSON with comments; what is empty, or cannot be read, is for the compiler as well."""
    try:
        text = _text(path, allowed)
        return not text.strip() or isinstance(json_text.load(text.encode()), dict)
    except OSError:
        return True
    except ValueError:
        return False


def _text(path: str, allowed: Allowed) -> str:
    """What a manifest holds, as JSON. Raises OSError."""
    text = read_file(path, _LARGEST_BYTES, allowed).decode("utf-8-sig", "replace")
    if not path.endswith("/package.json"):
        for noise in (_STRING_OR_COMMENT, _STRING_OR_LAST_COMMA):
            text = noise.sub(lambda match: match[1] or "", text)
    return text


def _base(config: dict[str, Any]) -> str:
    """What the paths of a tsconfig's aliases are relative to, from its folder."""
    options = config.get("compilerOptions")
    base = options.get("baseUrl") if isinstance(options, dict) else None
    return base if isinstance(base, str) else ""


def _paths(config: dict[str, Any]) -> Iterator[str]:
    """The paths that the aliases of a tsconfig stand for; `*` is none."""
    options = config.get("compilerOptions")
    paths = options.get("paths") if isinstance(options, dict) else None
    for alias, targets in paths.items() if isinstance(paths, dict) else ():
        if alias != "*" and isinstance(targets, list):
            yield from (target for target in targets if isinstance(target, str))


def _entries(manifest: dict[str, Any]) -> Iterator[str]:
    """The paths of the modules that a package gives to others, and of those that its own `imports` name."""
    if isinstance(manifest.get("name"), str):
        yield from (target for field in _ENTRIES if isinstance(target := manifest.get(field), str))
        yield from _targets(manifest.get("exports"))
    imports = manifest.get("imports")
    for alias, targets in imports.items() if isinstance(imports, dict) else ():
        # Of a folder, as import maps have it: https://developer.mozilla.org/docs/Web/HTML/Element/script/type/importmap
        rest = "*" if alias.endswith("/") else ""
        yield from (target + rest for target in _targets(targets) if target.startswith("."))


def _targets(target: Any) -> Iterator[str]:
    """The paths among conditions in conditions."""
    if isinstance(target, str):
        yield target
    elif isinstance(target, (list, dict)):
        for one in target.values() if isinstance(target, dict) else target:
            yield from _targets(one)
