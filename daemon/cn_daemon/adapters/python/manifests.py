"""The folders that a Python project's files name as those from which modules are imported, and what it depends on.

Read as data alone: of `setup.py` the literals. What cannot be read says nothing. Sources: the PyPA's pyproject.toml
specification; the documentation of setuptools, hatch, Poetry, flit, PDM, uv, maturin, scikit-build-core; that of
pytest, ty, pyright, mypy and pyrefly for the paths that a checker or a test run adds.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from cn_daemon.adapters import json_text, toml_text
from cn_daemon.adapters.patient_files import read_file

_LARGEST_BYTES = 1 << 20
# In pyproject.toml: keys that name such folders (a text, texts, or a table whose values are some); `*` is any key.
_FOLDERS = (
    "tool.setuptools.packages.find.where", "tool.hatch.build.sources", "tool.hatch.build.targets.*.sources",
    "tool.hatch.build.dev-mode-dirs", "tool.poetry.packages.*.from", "tool.pdm.build.package-dir",
    "tool.uv.build-backend.module-root", "tool.maturin.python-source", "tool.pytest.ini_options.pythonpath",
    "tool.pytest.pythonpath", "tool.ty.environment.root", "tool.ty.environment.extra-paths", "tool.ty.src.root",
    "tool.pyright.extraPaths", "tool.pyright.executionEnvironments.*.root",
    "tool.pyright.executionEnvironments.*.extraPaths", "tool.basedpyright.extraPaths",
    "tool.basedpyright.executionEnvironments.*.root", "tool.basedpyright.executionEnvironments.*.extraPaths",
    "tool.mypy.mypy_path", "tool.pyrefly.search-path",
)  # fmt: skip
# Those that name packages, which are imported from the folder above.
_PACKAGES = (
    "tool.hatch.build.packages", "tool.hatch.build.targets.*.packages", "tool.scikit-build.wheel.packages",
)  # fmt: skip
_PACKAGE_DIR = "tool.setuptools.package-dir"
# In files of the ini format, by section and key.
_INI = (
    ("options.packages.find", "where"), ("tool:pytest", "pythonpath"), ("pytest", "pythonpath"), ("mypy", "mypy_path"),
)  # fmt: skip
# The roots that a checker's own file names, as if they stood in pyproject.toml.
_OWN = {"ty.toml": "ty", "pyrightconfig.json": "pyright", "pyrefly.toml": "pyrefly"}
_INI_FILES = frozenset({"setup.cfg", "pytest.ini", "tox.ini", "mypy.ini", ".mypy.ini", ".pytest.ini"})
NAMES = frozenset({"pyproject.toml", "setup.py", *_OWN, *_INI_FILES})
# Where one of these stands, a project lies.
PROJECTS = frozenset({"pyproject.toml", "setup.py", "setup.cfg"})
# By what Poetry's dependencies are wanted in some installations alone.
_CONDITIONS = frozenset({"optional", "markers", "python", "platform"})
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")


Allowed = Callable[[str], bool]


def folders(path: str, allowed: Allowed | None = None) -> list[str]:
    """The folders that a file of `NAMES` names, absolute and normal, in its order; they need not be there. allowed:
    whether a file that really lies there may be read."""
    above, name = os.path.split(path)
    try:
        text = read_file(path, _LARGEST_BYTES, allowed).decode("utf-8-sig")
        told = list(_setup(text) if name == "setup.py" else _ini(text) if name in _INI_FILES else _document(name, text))
    except (OSError, ValueError, RecursionError):
        return []
    return list(dict.fromkeys(os.path.normpath(os.path.join(above, one)) for one in told))


def dependencies(paths: Iterable[str], allowed: Allowed | None = None) -> list[str]:
    """The distributions that these pyproject.toml want installed whatever the platform, by their normalised names
    (PEP 503), without those that the files describe themselves. allowed: as for `folders`."""
    wanted: dict[str, None] = {}
    own: set[str] = set()
    for path in paths:
        try:
            document = toml_text.load(read_file(path, _LARGEST_BYTES, allowed).decode("utf-8-sig"))
        except (OSError, ValueError, RecursionError):
            continue
        own.update(map(normal, [*_at(document, "project.name"), *_at(document, "tool.poetry.name")]))
        told = [one for one in _at(document, "project.dependencies") if ";" not in one]
        poetry: Any = next(_values(document, "tool.poetry.dependencies".split(".")), {})
        if isinstance(poetry, Mapping):
            told += [
                name for name, one in poetry.items() if not (isinstance(one, Mapping) and one.keys() & _CONDITIONS)
            ]
        found = (_REQUIREMENT.match(one) for one in told)
        wanted.update(dict.fromkeys(normal(one[1]) for one in found if one))
    return [name for name in wanted if name not in own and name != "python"]


def normal(name: str) -> str:
    """A distribution's name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _document(name: str, text: str) -> Iterator[str]:
    """Of pyproject.toml and the checkers' own files."""
    document = json_text.load(text.encode()) if name.endswith(".json") else toml_text.load(text)
    if name in _OWN:
        document = {"tool": {_OWN[name]: document}}
    for keys in _FOLDERS:
        yield from _split(_at(document, keys))
    for keys in _PACKAGES:
        yield from map(os.path.dirname, _at(document, keys))
    yield from _package_dirs(next(_values(document, _PACKAGE_DIR.split(".")), {}))


def _split(told: Iterable[str]) -> Iterator[str]:
    """Some take several in one text."""
    for one in told:
        yield from filter(None, re.split(r"[,;:\n]\s*", one))


def _package_dirs(told: Any) -> Iterator[str]:
    """Of setuptools' `package_dir`: the folder of every package by "", of one by its name."""
    for name, folder in told.items() if isinstance(told, Mapping) else ():
        if isinstance(folder, str) and not name:
            yield folder
        elif isinstance(folder, str) and folder.split("/")[-1] == name.split(".")[-1]:
            yield "/".join(folder.split("/")[: -len(name.split("."))])


def _at(document: Any, keys: str) -> list[str]:
    """The texts at keys joined by dots: one, those of a list, or the keys of a table."""
    found: list[str] = []
    for value in _values(document, keys.split(".")):
        several = value if isinstance(value, (list, Mapping)) else [value]
        found += [one for one in several if isinstance(one, str)]
    return found


def _values(document: Any, keys: list[str]) -> Iterator[Any]:
    if not keys:
        yield document
    elif keys[0] == "*":
        inner = document.values() if isinstance(document, Mapping) else document if isinstance(document, list) else ()
        for one in inner:
            yield from _values(one, keys[1:])
    elif isinstance(document, Mapping) and keys[0] in document:
        yield from _values(document[keys[0]], keys[1:])


def _ini(text: str) -> Iterator[str]:
    import configparser  # late: a start needs none

    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ValueError(str(error)) from None
    for section, key in _INI:
        for one in _split([parser.get(section, key, fallback="")]):
            yield from one.split()
    rows = (row.partition("=") for row in parser.get("options", "package_dir", fallback="").split("\n"))
    yield from _package_dirs({name.strip(): folder.strip() for name, sign, folder in rows if sign})


def _setup(text: str) -> Iterator[str]:
    """Of setup.py: what is literal in `package_dir={…}` and `find_packages(where="src")`."""
    import ast  # late: as above

    from cn_daemon.domain.source import python_parser

    tree = python_parser.module(text)
    for call in ast.walk(tree) if tree is not None else ():
        if not isinstance(call, ast.Call):
            continue
        named = {one.arg: one.value for one in call.keywords}
        if isinstance(table := named.get("package_dir"), ast.Dict):
            pairs = zip(table.keys, table.values, strict=True)
            yield from _package_dirs({_literal(key): _literal(value) for key, value in pairs if key is not None})
        called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        where = named.get("where") or next(iter(call.args), None)
        if called in ("find_packages", "find_namespace_packages") and where is not None and (told := _literal(where)):
            yield told


def _literal(node: Any) -> str:
    value = getattr(node, "value", None)
    return value if isinstance(value, str) else ""
