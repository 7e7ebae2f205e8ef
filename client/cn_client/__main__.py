"""The `cn` command: find the daemon (or have it started), ask, copy its bytes.

The fast path for what is plain, click for the rest. Only this module chooses the exit code.
"""

import atexit
import os
import sys
import time

import cn_client.isolation  # noqa: F401  # before all others
from cn_client.call import accepted, ask, patience_s, workspace, write
from cn_client.connection import ConnectionLostError, OutOfTimeError, Reply
from cn_client.invocation import Invocation, read
from cn_shared import __version__
from cn_shared.state import live

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_INTERRUPTED = 130


def main() -> "NoReturn":
    """Carry out sys.argv and end the process."""
    _open_standard()
    code = carry_out(sys.argv[1:])
    atexit._run_exitfuncs()
    # The interpreter would now free itself, object by object, for 2 ms: a tenth of a warm call.
    os._exit(code)


def _open_standard() -> None:
    """A caller may have closed stdin, stdout or stderr: the next thing opened, a socket, would take its place."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def carry_out(arguments: list[str]) -> int:
    """Carry out a command line: answer on stdout, errors on stderr, the exit code returned."""
    call = None
    try:
        if arguments[:1] == ["mcp"] and (len(arguments) == 1 or (len(arguments) == 3 and arguments[1] == "--root")):
            from cn_client import pump

            return pump.run(arguments[2] if len(arguments) == 3 else None)
        if arguments == ["hook"]:
            from cn_client import hook

            return hook.run()
        call = read(arguments)
        if call is None:
            from cn_client import cli

            return cli.run(arguments, run)
        return run(call)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as error:
        from cn_client import output

        return output.failure(error, call.format if call else None)


def run(call: Invocation) -> int:
    """Carry one verb's call out: the answer on stdout, a refusal on stderr; the exit code.

    Raises InputError, NoDaemonError, DeadlineError, InternalError.
    """
    if call.others:
        from cn_client import several

        return several.run(call, run)
    if call.verb.name == "stop":
        from cn_client import shutdown

        return shutdown.run(call)
    if call.verb.name in ("mcp", "serve", "init", "hook", "doctor", "logs", "completion"):
        from cn_client import doors

        return doors.run(call)
    if call.verb.name == "trust":
        from cn_client import trusting

        return trusting.run(call)
    accept = accepted(call.format) + (f"; budget={call.budget}" if call.budget else "")
    end = time.monotonic() + patience_s(call)
    root = workspace(call.root)
    if call.verb.runs:
        from cn_client import piped

        piped.take(call, end)
    state = live(root)
    if state is None or (call.verb.starts and state.version != __version__):
        return run_cold(call, root, accept, end)
    try:
        reply = ask(state, call, accept, end)
    except ConnectionLostError as lost:
        # It ended between its state file and our question: ask another one. Only what reads may be asked
        # twice.
        if call.verb.reads:
            return run_cold(call, root, accept, end)
        from cn_client.launcher import gone

        raise gone(state, lost) from None
    except OutOfTimeError:
        from cn_client.launcher import late

        raise late(state, patience_s(call)) from None
    return deliver(reply, call.format)


def run_cold(call: Invocation, root: str, accept: str, end: float) -> int:
    """The same, when no daemon answered at first."""
    from cn_client import launcher

    return deliver(launcher.ask_anew(call, root, accept, end), call.format)


def deliver(reply: Reply, format: str | None) -> int:
    """Write the reply where it belongs.

    The exit code. Raises InternalError for a reply that is no daemon's of ours.
    """
    if reply.exit is None:
        from cn_shared.errors import InternalError

        raise InternalError("bad_reply", f"The daemon's reply (HTTP {reply.status}) is not one of cn's.")
    if reply.status < 400:
        write(1, reply.body)
        hint = reply.headers.get("cn-hint")
        if hint:
            from cn_client import output

            output.note(hint, format)
    else:
        from cn_client import output

        output.refusal(reply.body, format)
    return reply.exit


if __name__ == "__main__":
    main()
