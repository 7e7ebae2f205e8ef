"""What leaves by HTTP: bodies, headers, and every refusal in the one error shape.

InputError
├── MethodError               405   the route exists, not for this method
├── SlowBodyError             408   the body did not arrive in time
├── ChangedEnvironmentError   412   set up under another environment: POST /environment, then ask again
└── BodyTooLargeError         413   the body is over the limit
"""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from cn_daemon.application.libraries.verbatim_answer import VerbatimAnswer
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Answer
from cn_shared.errors import CnError, InputError, UnauthorizedError
from cn_shared.wire import document

JSON = "application/json"
PLAIN = "text/plain; charset=utf-8"
# What a sentence in a header keeps as it is; the rest is percent-encoded.
_SAFE = " ,.:;'/()="
_BUDGET = re.compile(r"\bbudget=([^;,\s]*)")

# JSON leaves these as they are: what `ink` makes visible, beyond ASCII. On a terminal U+80 to U+9F would steer it;
# U+61C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069 show text in another order; U+E0000 to U+E007F nobody sees.
_STEERING = re.compile(
    rb"\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]|\xf3\xa0[\x80\x81][\x80-\xbf]"
)


class MethodError(InputError):
    status = 405


class AmbiguousBodyError(InputError):
    """Whose end two readers would see in two places."""


class SlowBodyError(InputError):
    status = 408


class ChangedEnvironmentError(InputError):
    status = 412


class BodyTooLargeError(InputError):
    status = 413


def prepare() -> None:
    """Import what some answers are written with, while nothing else is to do: their first one need not wait for it."""
    from cn_daemon.interfaces import budget, text  # noqa: F401


def answer_reply(answer: Answer, accept: str, verb: str = "", command: str = "", first: int | None = None) -> Response:
    """A verb's answer, as JSON or as text, with its outcome and exit code in the headers.

    command: what asks the same again, without a budget. first: see `budget.fitted`. What a command printed leaves
    as it is, whatever `accept` says.
    """
    outcome = answer.outcome()
    headers = {"Cn-Outcome": outcome, "Cn-Exit": str(answer.exit_code())}
    if isinstance(answer, VerbatimAnswer):
        return Response(answer.content, 200, headers, PLAIN)
    plain, color = wants_text(accept), wants_color(accept)

    def written(one: Answer, left_out: str = "") -> bytes:
        if plain:
            from cn_daemon.interfaces import text  # late: JSON needs it not

            return encode(text.render(one, color=color, verb=verb, left_out=left_out))
        return json_bytes(_json(one, accept, left_out))

    left_out, tokens = "", _budget(accept)
    if tokens is not None:
        from cn_daemon.interfaces import budget

        answer, left_out = budget.fitted(answer, tokens, lambda one: len(written(one)), command, first)
    if isinstance(answer, PlainAnswer):
        headers |= beside(answer, left_out)
        if not plain and "envelope=1" not in accept and (beside_it := _hint(answer)):
            headers["Cn-Hint"] = _sentence(beside_it)
    return Response(written(answer, left_out), 200, headers, PLAIN if plain else JSON)


def _hint(answer: PlainAnswer) -> str:
    """What the caller of a bare document gets beside it: they see no other header."""
    partial = f"The answer is partial: {answer.partial}." if answer.partial else ""
    stale = f"It may be old: {answer.stale}." if answer.stale else ""
    return " ".join(filter(None, (answer.hint, partial, stale)))


def _json(answer: Answer, accept: str, left_out: str) -> object:
    if isinstance(answer, PlainAnswer):
        return envelope(answer, left_out) if "envelope=1" in accept else answer.document
    fields: dict[str, object] = document(answer)
    return {**fields, "leftOut": left_out} if left_out else fields


def _budget(accept: str) -> int | None:
    """`budget=500` of `Accept`, in tokens. Raises InputError (`bad_header`)."""
    found = _BUDGET.search(accept)
    if found is None:
        return None
    if not (found[1].isdecimal() and found[1].isascii() and 0 < len(found[1]) < 10):
        raise InputError("bad_header", "The budget of Accept must be a whole number of tokens.", header="Accept")
    return int(found[1])


def _sentence(words: str) -> str:
    """A sentence as a header holds it."""
    return quote(words, safe=_SAFE, errors="backslashreplace")


def beside(answer: PlainAnswer, left_out: str = "") -> dict[str, str]:
    """What a bare array cannot say of itself, as headers; sentences are percent-encoded."""
    headers = {"X-Cn-Completeness": "partial" if answer.partial else "complete"}
    if answer.partial:
        headers["X-Cn-Reason"] = _sentence(answer.partial)
    if left_out:
        headers["X-Cn-Left-Out"] = _sentence(left_out)
    if answer.total is not None:
        headers["X-Cn-Total"] = str(answer.total)
    if answer.next:
        headers["X-Cn-Next"] = quote(answer.next)
    if answer.stale:
        headers["X-Cn-Stale"] = _sentence(answer.stale)
    return headers


def envelope(answer: PlainAnswer, left_out: str = "") -> dict[str, object]:
    """The same in the document, for `--envelope`."""
    completeness = {"status": "partial", "reason": answer.partial} if answer.partial else {"status": "complete"}
    wrapped: dict[str, object] = {"results": answer.document, "total": answer.total, "completeness": completeness}
    extras = {"next": answer.next, "stale": answer.stale, "hint": answer.hint, "left_out": left_out}
    return wrapped | {name: value for name, value in extras.items() if value}


def error_reply(error: CnError, accept: str = "") -> Response:
    """The error's document, its HTTP status, and the exit code of the process that asked.

    `Accept: text/plain; errors=json` wants answers as text and errors as documents: `cn` itself asks so.
    """
    from cn_daemon.interfaces import text

    headers = {"Cn-Exit": str(error.exit_code)}
    if isinstance(error, UnauthorizedError):
        headers["WWW-Authenticate"] = "Bearer"
    # The client prints answers to stdout and errors to stderr: one may be a terminal while the other is not.
    if wants_text(accept) and "errors=json" not in accept:
        return Response(encode(text.error(error, color=wants_color(accept))), error.status, headers, PLAIN)
    return Response(json_bytes(error.document()), error.status, headers, JSON)


def plain_reply(body: dict[str, Any]) -> Response:
    """A small document that is no verb's answer."""
    return Response(json_bytes(body), 200, {"Cn-Exit": "0"}, JSON)


def json_bytes(value: object) -> bytes:
    """Compact JSON and a line end. A file name that is not UTF-8 keeps its odd bytes as `\\udcXX` escapes."""
    try:
        written = to_json(value) + b"\n"
    except ValueError:
        return (json.dumps(value, separators=(",", ":")) + "\n").encode()
    return written if written.isascii() else _STEERING.sub(_escaped, written)


def _escaped(found: re.Match[bytes]) -> bytes:
    return json.dumps(found[0].decode())[1:-1].encode()


def encode(rendered: str) -> bytes:
    return rendered.encode("utf-8", "backslashreplace")


def accept_of(request: Request) -> str:
    return request.headers.get("accept", "")


def wants_text(accept: str) -> bool:
    """Whether `Accept` names text/plain before JSON. `*/*` and a browser's list mean JSON."""
    if "text/plain" not in accept:
        return False
    for part in accept.split(","):
        kind = part.partition(";")[0].strip().lower()
        if kind in ("text/plain", JSON):
            return kind == "text/plain"
    return False


def wants_color(accept: str) -> bool:
    return any(part.strip() == "color=1" for part in accept.replace(",", ";").split(";"))
