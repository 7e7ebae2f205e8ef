"""`find` asked of the bindings as well, with `CN_BINDINGS=shadow`: what differs is in the daemon's log alone."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

from cn_daemon.adapters.compilers.bindings import Bindings, Bound
from cn_daemon.adapters.language_servers.sources import ENDINGS
from cn_daemon.application.ports import Answer, Call, Handler
from cn_shared.errors import CnError
from cn_shared.wire import FindAnswer

log = logging.getLogger(__name__)

_WITHIN_S = 60.0
_SHOWN = 5


class Shadow:
    """find: the use case that answers."""

    def __init__(self, bindings: Bindings, find: Handler) -> None:
        self._bindings = bindings
        self._find = find
        self._comparing: set[asyncio.Task[None]] = set()

    async def find(self, call: Call, query: str, **parameters: Any) -> Answer:
        answer = await self._find(call, query, **parameters)
        if isinstance(answer, FindAnswer) and answer.definition is not None and _is_whole(answer):
            task = asyncio.create_task(self._compare(query, answer))
            self._comparing.add(task)
            task.add_done_callback(self._comparing.discard)
        return answer

    async def settle(self) -> None:
        """Until all that was asked is compared."""
        await asyncio.gather(*self._comparing)

    async def _compare(self, query: str, answer: FindAnswer) -> None:
        definition = answer.definition
        assert definition is not None
        deadline = asyncio.get_running_loop().time() + _WITHIN_S
        try:
            place = definition.file_path, definition.line - 1, definition.character - 1
            found = await self._bindings.at(*place, deadline)
        except CnError as error:
            log.info("bindings: %s: %s", query, error.message)
            return
        for symbol in found.symbols:
            # Members are the compilers', and locals nobody's but their file's.
            if "::" not in symbol.key and "@" not in symbol.key.rpartition("/")[2]:
                log.info("bindings: %s: %s", query, difference(answer, symbol))


def difference(answer: FindAnswer, symbol: Bound) -> str:
    """In words: what the answer has and the bindings have not, and the other way round."""
    answered = {(one.file_path, one.line, one.character) for one in answer.references or ()}
    bound = {(one.path, one.line + 1, one.character + 1) for one in symbol.references}
    parts = [f"{len(bound & answered)} alike"]
    for what, places in (("missing", answered - bound), ("more", bound - answered)):
        if places:
            shown = ", ".join(f"{path}:{line}:{character}" for path, line, character in sorted(places)[:_SHOWN])
            parts.append(f"{len(places)} {what} ({shown})")
    if symbol.doubts:
        first = symbol.doubts[0]
        parts.append(f"{len(symbol.doubts)} doubts ({first.path}:{first.line + 1}: {first.reason})")
    if answer.completeness.status != "complete":
        parts.append(f"the answer is {answer.completeness.status}")
    return "; ".join(parts)


def _is_whole(answer: FindAnswer) -> bool:
    """Whether all its references are in it, and they are TypeScript's."""
    assert answer.definition is not None
    script = Path(answer.definition.file_path).suffix in ENDINGS and not answer.definition.external
    return script and answer.references is not None and len(answer.references) == answer.total
