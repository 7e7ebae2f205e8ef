"""`python -m cn_daemon.serving`: what `cn serve` becomes. A shared library for other machines.

No state file, no lock, no idle clock, nothing written but a cache: any number of these may serve one library.
Without a root it offers commands and reports only; running programs is left to workspaces.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import logging
import os
import secrets
import signal
import socket
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from cn_daemon import bootstrap
from cn_daemon.application.ports import Answer, Call, Handler
from cn_daemon.interfaces.daemon import DaemonInfo
from cn_daemon.interfaces.gate import Reach
from cn_daemon.interfaces.http import create_app
from cn_daemon.interfaces.mcp.door import Door
from cn_daemon.logfile import Formatter
from cn_daemon.server import Server
from cn_daemon.settings import load
from cn_shared import environment
from cn_shared.errors import CnError, ForbiddenError, InputError
from cn_shared.folders import cache_folder

log = logging.getLogger(__name__)

TOKEN = "CN_TOKEN"
TOKEN_LENGTH = 16
# For strangers: a library's verbs. Whatever needs a workspace or runs programs on this machine is not among them.
LIBRARY = frozenset({
    "search", "describe", "get", "commands", "reload", "invoke",
    "reports search", "reports list", "reports show", "reports link",
})  # fmt: skip
# Nobody's over a network: it tells of this machine.
HIDDEN = frozenset({"config show"})


def main(arguments: list[str] | None = None) -> int:
    """Serve until asked to stop; the exit code."""
    options = _options(arguments)
    try:
        # Taken out of the environment: what is run from here must not inherit it.
        token = _token(os.environ.pop(TOKEN, ""), options.insecure_no_token)
        prefix = _prefix(options.prefix)
        with contextlib.ExitStack() as stack:
            root = Path(options.root) if options.root else _nowhere(stack)
            return asyncio.run(_serve(options, root.resolve(), token, prefix))
    except CnError as error:
        print(f"error: {error.message} [{error.code}]", *([f"hint: {error.hint}"] if error.hint else []), sep="\n",
              file=sys.stderr)  # fmt: skip
        return error.exit_code


def _nowhere(stack: contextlib.ExitStack) -> Path:
    """An empty folder, in the place of a workspace.

    The same one every time, because what is kept of the libraries goes by it.
    """
    folder = cache_folder() / "serve"
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not any(folder.iterdir()):
            return folder
    return Path(stack.enter_context(tempfile.TemporaryDirectory()))


async def _serve(options: argparse.Namespace, root: Path, token: str, prefix: str) -> int:
    config = Path(options.config).absolute() if options.config else None
    if config is not None and not config.is_file():
        raise InputError("no_config", f"There is no settings file {config}.")
    # What strangers use is kept nowhere.
    settings = replace(load(root, environment.values(), config), usage=False)
    level = getattr(logging, settings.log_level.upper())
    handler = logging.StreamHandler()
    handler.setFormatter(Formatter(token))
    logging.basicConfig(level=level, handlers=[handler])
    listener = _listen(options.host, options.port)
    with contextlib.closing(listener):
        port = listener.getsockname()[1]
        services = bootstrap.Services(root, settings, Path(os.devnull))
        wanted = services.handlers.keys() - HIDDEN if options.root else LIBRARY
        handlers = {name: one for name, one in services.handlers.items() if name in wanted}
        if not options.root:
            handlers["invoke"] = _harmless(services, handlers["invoke"])
        services.handlers = handlers
        info = DaemonInfo(root, os.getpid(), port, Path(os.devnull), Path(os.devnull), config=config)
        reach = Reach(_hosts(options), frozenset(options.allowed_origin), not options.insecure_no_token)
        app = create_app(
            services, token=token, on_shutdown=lambda: None, info=info, reach=reach, stateless=options.stateless
        )
        stopping = asyncio.Event()

        def stop() -> None:
            server.force_exit = stopping.is_set()  # the second signal is impatient
            app.state.mcp.hang_up()
            stopping.set()

        def started() -> None:
            for warning in settings.warnings:
                log.warning("%s", warning)
            print(
                f"cn serves on http://{options.host}:{port}{prefix}/mcp and {prefix}/sse", file=sys.stderr, flush=True
            )

        server = Server(_Prefixed(app, prefix) if prefix else app, stopping, started)
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop)
        starting = asyncio.create_task(_start(services, app.state.mcp, has_workspace=bool(options.root)))
        try:
            await server.serve(sockets=[listener])
        finally:
            starting.cancel()
            await app.state.mcp.close()
            await services.close()
    return 0


def _harmless(services: bootstrap.Services, invoke: Handler) -> Handler:
    """`invoke`, for what runs no program here: Climpt would."""

    @functools.wraps(invoke)
    async def answer(call: Call, command_id: str, **parameters: Any) -> Answer:
        command = await (await services.library.get()).commands.find(call, command_id)
        if command.execution_type == "climpt":
            hint = "Run it in a workspace: cn execute"
            raise ForbiddenError("not_offered", "This server runs no Climpt commands.", hint)
        return await invoke(call, command_id=command_id, **parameters)

    return answer


async def _start(services: bootstrap.Services, mcp: Door, *, has_workspace: bool) -> None:
    """Read the library before the first question. has_workspace: with what a workspace has besides."""
    try:
        if has_workspace:
            await asyncio.gather(services.start(), services.settle())
        call = Call(None, time.monotonic() + services.settings.request_timeout_s)
        for verb in ("commands", "reports list"):
            if verb in services.handlers:
                await services.handlers[verb](call)
        await mcp.ready()
    except Exception:
        log.exception("the library could not be read")


class _Prefixed:
    """Takes requests with the prefix and without it: some proxies strip it and some do not.

    The prefix is the root path, so that the address for messages, which `/sse` tells its client, has it too.
    """

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app = app
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            path = scope["path"]
            if path == self._prefix or path.startswith(self._prefix + "/"):
                path = path[len(self._prefix) :] or "/"
            scope = {**scope, "path": path, "root_path": self._prefix}
        await self._app(scope, receive, send)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="cn serve")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8811)
    parser.add_argument("--prefix", default="")
    parser.add_argument("--config")
    parser.add_argument("--root")
    parser.add_argument("--allowed-host", action="append", default=[])
    parser.add_argument("--allowed-origin", action="append", default=[])
    parser.add_argument("--stateless", action="store_true")
    parser.add_argument("--insecure-no-token", action="store_true")
    return parser.parse_args(arguments)


def _token(given: str, without: bool) -> str:
    if without:
        return given or secrets.token_hex(32)  # nobody knows it, and nobody is asked for it
    if len(given) < TOKEN_LENGTH or not given.isascii() or not given.isprintable():
        hint = f"Set {TOKEN}, for example to the output of: openssl rand -hex 32"
        raise InputError("no_token", f"{TOKEN} must hold a token of {TOKEN_LENGTH} characters or more.", hint)
    return given


def _prefix(given: str) -> str:
    prefix = "/" + given.strip("/") if given.strip("/") else ""
    if any(character in prefix for character in "?#% \\") or "//" in prefix:
        raise InputError("bad_prefix", f"{given!r} is not a path.", "Such as /csp/acmt.")
    return prefix


def _hosts(options: argparse.Namespace) -> frozenset[str]:
    own = () if options.host in ("0.0.0.0", "::", "") else (options.host,)
    return frozenset({*own, *options.allowed_host})


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM,
                                                                flags=socket.AI_PASSIVE)[0]  # fmt: skip
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        raise InputError("no_port", f"{host}:{port} cannot be listened on: {error.strerror}.") from None
    return listener


if __name__ == "__main__":
    sys.exit(main())
