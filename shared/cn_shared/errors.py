"""The errors of cn, and how each leaves the process.

CnError
├── InputError               exit 2, HTTP 400   the request cannot be carried out as asked
│   ├── NotFoundError                HTTP 404   no such file, symbol, id, line, route
│   ├── ForbiddenError               HTTP 403   outside the readable roots, or not trusted
│   └── UnauthorizedError            HTTP 401   no token, or a wrong one
├── NoDaemonError            exit 4, HTTP 503   nothing answers and nothing could be started
├── LanguageServerError      exit 5, HTTP 502   a language server could not be had, died, or answered nonsense
├── ExecutionError           exit 6, HTTP 502   the executed command failed
├── DeadlineError            exit 7, HTTP 504   time ran out before anything was known
└── InternalError            exit 5, HTTP 500   a defect of cn; the log has the traceback

On the wire every one of them is `{"error": {"code", "message", "hint"?, …data}}`.
"""

EXIT_FOUND = 0
EXIT_EMPTY = 1
EXIT_ERRORS = 1  # of the compiler's, where it was asked for them
EXIT_INPUT = 2
EXIT_PARTIAL = 3
EXIT_NO_DAEMON = 4
EXIT_LANGUAGE_SERVER = 5
EXIT_EXECUTION = 6
EXIT_DEADLINE = 7

OUTCOME_EXITS = {"found": EXIT_FOUND, "empty": EXIT_EMPTY, "partial": EXIT_PARTIAL}


class CnError(Exception):
    """An error with a stable `code` (snake_case), a sentence, what to do about it, and data for machines."""

    exit_code = EXIT_LANGUAGE_SERVER
    status = 500

    def __init__(self, code: str, message: str, hint: str = "", **data: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.data = data

    def document(self) -> dict[str, object]:
        """The body that every door answers with."""
        error: dict[str, object] = {"code": self.code, "message": self.message}
        if self.hint:
            error["hint"] = self.hint
        return {"error": {**error, **self.data}}


class InputError(CnError):
    exit_code = EXIT_INPUT
    status = 400


class NotFoundError(InputError):
    status = 404


class ForbiddenError(InputError):
    status = 403


class UnauthorizedError(InputError):
    status = 401


class NoDaemonError(CnError):
    exit_code = EXIT_NO_DAEMON
    status = 503


class LanguageServerError(CnError):
    status = 502


class ExecutionError(CnError):
    exit_code = EXIT_EXECUTION
    status = 502


class DeadlineError(CnError):
    exit_code = EXIT_DEADLINE
    status = 504


class InternalError(CnError):
    status = 500
