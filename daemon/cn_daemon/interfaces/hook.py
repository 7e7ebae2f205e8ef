"""What `cn hook` adds to an agent's search: the answers to the names in it, by its deadline, in at most 400 tokens."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints
from starlette.requests import Request
from starlette.responses import Response

from cn_daemon.application.ports import Call
from cn_daemon.interfaces.calls import Calls
from cn_daemon.interfaces.phrases import count
from cn_daemon.interfaces.replies import PLAIN, encode
from cn_daemon.interfaces.requests import call_of, from_body
from cn_daemon.interfaces.tokens import estimated
from cn_shared.errors import CnError
from cn_shared.grepping import names
from cn_shared.wire import FindAnswer

PATIENCE_S = 0.2  # of a request that brings no deadline
_TO_WRITE_S = 0.01  # before the deadline, what is known is sent
# A question that must hurry has no time for names alone to decide, and would have language servers load projects.
_UNHURRIED_S = 60.0
_MOST = 400  # of all that is added
_HEAD = "cn, exactly:"
_VERDICT = re.compile(r"^(?:partial|complete)\b", re.MULTILINE)
_USES = 30  # places of all of them


Text = Annotated[str, StringConstraints(max_length=1_000_000)]


class HookRequest(BaseModel):
    """What an agent's tool was given: a shell's command line, or a pattern and where it was searched for."""

    model_config = ConfigDict(extra="forbid")
    command: Text | list[Text] | None = None
    cmd: Text | list[Text] | None = None
    pattern: Text | None = None
    path: Text | None = None
    glob: Text | None = None


async def answered(calls: Calls, request: Request) -> Response:
    """The text to add; nothing when no symbol was searched for, or none is known in time. Raises InputError."""
    tool = from_body(HookRequest, await request.body())
    call = call_of(request, PATIENCE_S)
    wanted = names({name: value for name, value in tool.items() if value})
    unhurried = Call(call.cwd, call.deadline + _UNHURRIED_S)
    texts: dict[str, str] = {}
    asking = [asyncio.ensure_future(_ask(calls, unhurried, name, len(wanted), texts)) for name in wanted]
    if asking:
        done, late = await asyncio.wait(asking, timeout=max(0.0, call.deadline - _TO_WRITE_S - time.monotonic()))
        for task in late:
            task.cancel()
        for task in done:
            task.result()
    added = [texts[name] for name in wanted if texts.get(name)]
    return Response(encode("\n".join([_HEAD, *added]) if added else ""), 200, {"Cn-Exit": "0"}, PLAIN)


async def _ask(calls: Calls, call: Call, name: str, of: int, texts: dict[str, str]) -> None:
    """Put what is known of one of so many names into `texts`: where it is declared, then all of it."""
    # Not before the first question.

    for mode in ("definition", "both"):
        try:
            answer = await calls.carry_out("find", call, {"query": name, "mode": mode, "limit": _USES // of})
        except CnError:  # nothing, or many
            return
        if not isinstance(answer, FindAnswer):  # a file, say
            return
        texts[name] = worded(answer, name, (_MOST - estimated(_HEAD)) // of)
        if not texts[name]:
            return


def worded(answer: FindAnswer, name: str, tokens: int) -> str:
    """What is known of the symbol of that name, as text of at most so many tokens, and how to have the rest.

    Nothing where it is no symbol, or not even its first line has room.
    """
    if answer.definition is None or answer.definition.name != name.rpartition(".")[2]:
        return ""
    # It holds for what is shown, and the reason would cost tokens here.
    partial = answer.outcome() == "partial" or answer.references is None
    verdict = "there may be more uses" if partial else f"all {count(answer.total, 'reference')}"
    more = f"{verdict}: cn --text find {name}"
    # Not before the first question.
    from cn_daemon.interfaces.stages import bare_found
    from cn_daemon.interfaces.text import render

    unpaged = replace(answer, next=None, hint=None)
    lines: list[str] = []
    for one in (unpaged, bare_found(replace(unpaged, candidates=[], more_candidates=None))):
        text = render(one, color=False)
        lines = (_VERDICT.split(text)[0] if partial else text).splitlines()
        shown = "\n".join([*lines, more] if partial or answer.next else lines)
        if estimated(shown) < tokens:  # and a line end
            return shown
    while lines and estimated("\n".join([*lines, more, ""])) > tokens:
        lines.pop()
    while len(lines) > 1 and not lines[-1].startswith(" "):  # a file without its places
        lines.pop()
    return "\n".join([*lines, more]) if lines else ""
