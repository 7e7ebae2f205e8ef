"""The `cn` command: the fast path for what is plain, click for the rest. Only this module chooses the exit code."""

import sys

from cn_client.invocation import read

_INTERRUPTED = 130


def main() -> int:
    """Carry out sys.argv; the exit code."""
    return carry_out(sys.argv[1:])


def carry_out(arguments: list[str]) -> int:
    """Carry out a command line: answer on stdout, errors on stderr, the exit code returned."""
    try:
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
    sys.exit(main())
