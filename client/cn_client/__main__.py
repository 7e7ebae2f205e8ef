"""The `cn` command.

The fast path for what is plain, click for the rest. Only this module chooses the exit code.
"""

import atexit
import os
import sys

from cn_client.invocation import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_INTERRUPTED = 130


def main() -> "NoReturn":
    """Carry out sys.argv and end the process."""
    _open_standard()
    code = carry_out(sys.argv[1:])
    atexit._run_exitfuncs()
    # The interpreter would now take itself apart, object by object, for 2 ms: a tenth of a warm call.
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
        call = read(arguments)
        if call is None:
            from cn_client import cli

            return cli.run(arguments)
        from cn_client.call import run

        return run(call)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as error:
        from cn_client import output

        return output.failure(error, call.format if call else None)


if __name__ == "__main__":
    main()
