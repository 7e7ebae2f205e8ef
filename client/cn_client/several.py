"""Several questions in one call: `cn find User Cart.total`."""

from __future__ import annotations

from collections.abc import Callable

from cn_client import output
from cn_client.call import accepted, write
from cn_client.invocation import Invocation
from cn_shared.errors import CnError

# `cn find class User` asks about one symbol.
_DECLARING = (
    "class",
    "interface",
    "function",
    "const",
    "type",
    "enum",
    "namespace",
    "new",
    "def",
    "struct",
    "fn",
    "func",
)


def run(call: Invocation, carry: Callable[[Invocation], int]) -> int:
    """Answer each: in text below its question, in JSON one document a line. The highest of the exit codes."""
    named = accepted(call.format).startswith("text/plain")
    name = next(parameter.name for parameter in call.verb.parameters if parameter.several)
    values = [str(call.parameters[name]), *call.others]
    if values[0] in _DECLARING and len(values) == 2:
        values = [" ".join(values)]
    codes = []
    for value in values:
        parameters = {**call.parameters, name: value}
        one = Invocation(call.verb, parameters, call.root, call.format, call.deadline_s, call.budget)
        if named and len(values) > 1:
            write(1, f"# {value}\n".encode(errors="surrogateescape"))
        try:
            codes.append(carry(one))
        except CnError as error:
            codes.append(output.failure(error, call.format))
    return max(codes)
