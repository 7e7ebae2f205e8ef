"""The process of the bindings: the provisioned Node.js, the pinned TypeScript, and the language servers' sandbox."""

from __future__ import annotations

import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path

from cn_daemon.adapters.compilers.bindings import WORKER, Bindings
from cn_daemon.adapters.compilers.types import Types
from cn_daemon.adapters.compilers.worker import Index, Program
from cn_daemon.adapters.disclosure import Disclosure
from cn_daemon.adapters.language_servers import sandbox
from cn_daemon.adapters.language_servers.provisioning import provision
from cn_daemon.adapters.language_servers.provisioning.components import provision_components
from cn_daemon.adapters.language_servers.provisioning.node import Node
from cn_daemon.adapters.language_servers.provisioning.versions import parse
from cn_daemon.adapters.language_servers.provisioning.wanted import wanted
from cn_daemon.adapters.programs import lean
from cn_daemon.settings import Settings
from cn_shared.errors import LanguageServerError
from cn_shared.folders import cache_folder
from cn_shared.state import root_key

log = logging.getLogger(__name__)

WORKERS = WORKER.parent.parent


def bindings(
    root: Path,
    index: Index,
    settings: Settings,
    environment: Mapping[str, str],
    log_file: Path,
    quiet: Callable[[], Awaitable[None]],
) -> Bindings:
    """Those of a workspace, which tell the form of its texts whatever the setting says. Nothing is started. quiet: as
    of `Bindings`."""
    program = _program(root, settings, environment)
    return Bindings(root, index, program, log_file, lean(environment), _facts(root, settings), quiet)


def types(root: Path, index: Index, settings: Settings, environment: Mapping[str, str], log_file: Path) -> Types | None:
    """What answers for members, when it is wanted. Nothing is started."""
    if settings.bindings == "off":
        return None
    program = _program(root, settings, environment)
    return Types(root, index, program, log_file, lean(environment), lambda: _is_old(root))


def _is_old(root: Path) -> bool:
    requested = wanted(root)
    return requested is not None and requested.version is not None and (parse(requested.version) or (6,)) < (6,)


def _program(root: Path, settings: Settings, environment: Mapping[str, str]) -> Callable[[bool], Awaitable[Program]]:
    """How to get what starts a worker."""

    disclosure = Disclosure(root, environment)

    async def program(components: bool) -> Program:
        # The pinned one, whatever TypeScript a workspace asks for, unless the user's setting names another: what is
        # asked of a parser is no public part of it, and tests hold it for that one.
        bundled = replace(settings, typescript_source="bundled")
        tools = await provision(root, bundled, log.info, environ=environment)
        package = tools.tsserver.parent.parent
        node = Node(tools.node, tools.node_version)
        parsers = await _parsers(root, settings, node, environment) if components else None
        command = [str(tools.node)]
        allowed = [folder.rstrip("/") for folder in disclosure.folders()]
        if settings.sandbox:
            readable: list[str | Path] = [package, WORKERS, tools.node, os.path.realpath(tools.node), *allowed]
            command = sandbox.confined(command, [], [*readable, *([parsers] if parsers else [])])
        return Program(command, package, parsers, allowed)

    return program


async def _parsers(root: Path, settings: Settings, node: Node, environment: Mapping[str, str]) -> Path | None:
    """None where they cannot be had: then the scripts of components are read alone, and answers say so."""
    try:
        parsers = await provision_components(root, settings, node, log.info, environ=environment)
        return Path(os.path.realpath(parsers))  # the compiler names files by where links lead
    except (LanguageServerError, OSError) as error:
        log.warning("components: %s", error)
        return None


def _facts(root: Path, settings: Settings) -> Path | None:
    try:
        return (settings.cache_directory or cache_folder()) / "facts" / root_key(str(root))
    except OSError:
        return None  # there is no folder to keep them in
