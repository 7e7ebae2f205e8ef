"""What else may be asked where a symbol is: a file, a folder, lines, names by pattern.

A slip gets its answer: that of the verb which answers such a question, whichever verb was asked.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import Any

from cn_daemon.application.ports import Answer, Call, Handler, Workspace
from cn_daemon.application.surveys.by_pattern import ByPattern
from cn_daemon.domain import ids, name_patterns
from cn_daemon.domain.ids import Name
from cn_daemon.domain.name_patterns import NamePattern
from cn_shared.errors import InputError, NotFoundError
from cn_shared.wire import FindAnswer

# The parameter by which a verb is told its symbol, as the wire spells it.
SUBJECTS = {
    "inspect": "targetId",
    **dict.fromkeys(("find", "refs", "callers", "callees", "impls", "types", "hover"), "query"),
}
# So many symbols of a pattern are named to whoever wanted one.
NAMED = 10


class Asked:
    """handler: the use case of a verb."""

    def __init__(self, workspace: Workspace, patterns: ByPattern, handler: Callable[[str], Awaitable[Handler]]) -> None:
        self._workspace = workspace
        self._patterns = patterns
        self._handler = handler

    def forgiving(self, verb: str, handler: Handler) -> Handler:
        """The use case of a verb, which answers all such questions."""

        @functools.wraps(handler)
        async def answer(call: Call, **parameters: Any) -> Answer:
            return await self._answer(verb, handler, call, parameters)

        return answer

    async def _answer(self, verb: str, handler: Handler, call: Call, parameters: dict[str, Any]) -> Answer:
        asked = str(parameters[_key(parameters)]).strip().strip("`")
        if ids.passage(asked) is not None:
            return await (await self._handler("inspect"))(call, target_id=asked)
        kind = self._workspace.kind(asked, call.cwd) if "/" in asked or "." in asked else ""
        if kind == "file":
            paging = {name: parameters[name] for name in ("limit", "cursor") if parameters.get(name) is not None}
            return await (await self._handler("map"))(call, file_path=asked, **paging)
        if kind == "folder":
            return await (await self._handler("overview"))(call, folder=asked)
        pattern = name_patterns.read(asked) if ids.parse(asked) is None else None
        if pattern is not None:
            return await self._by_pattern(verb, handler, call, parameters, pattern)
        wanted = ids.parse(asked) or ids.parse(ids.undressed(asked))
        if isinstance(wanted, Name) and wanted.path and self._workspace.kind(wanted.path, call.cwd) == "folder":
            return await self._in_folder(verb, handler, call, parameters, wanted)
        return await self._symbol(handler, call, parameters, asked)

    async def _symbol(self, handler: Handler, call: Call, parameters: dict[str, Any], asked: str) -> Answer:
        """What the verb says. A folder has its overview when no symbol is called like it, and of what is spelled like a
        path the files are told that are near."""
        folder = self._workspace.kind(asked, call.cwd) == "folder"
        try:
            answer = await handler(call, **parameters)
        except NotFoundError as error:
            if not folder or error.code != "symbol_not_found":
                raise
        except InputError as error:
            if error.code == "bad_query" and "/" in asked and not any(map(str.isspace, asked)):
                self._workspace.resolve(asked, call.cwd)
            raise
        else:
            nothing = isinstance(answer, FindAnswer) and answer.outcome() == "empty" and not answer.candidates
            if not (folder and nothing):
                return answer
        return await (await self._handler("overview"))(call, folder=asked)

    async def _in_folder(
        self, verb: str, handler: Handler, call: Call, parameters: dict[str, Any], wanted: Name
    ) -> Answer:
        """A symbol by its name below a folder; that of the root is any."""
        if str(wanted.path).rstrip("/") in ("", ".", str(self._workspace.root)):
            name = ".".join((*wanted.containers, wanted.name))
            return await handler(call, **{**parameters, _key(parameters): name})
        pattern = name_patterns.exactly(wanted.name)._replace(containers=wanted.containers, path=wanted.path)
        return await self._by_pattern(verb, handler, call, parameters, pattern)

    async def _by_pattern(
        self, verb: str, handler: Handler, call: Call, parameters: dict[str, Any], pattern: NamePattern
    ) -> Answer:
        """find lists what fits; whoever wants one symbol, or names it, gets it when it is known to be the only one."""
        lists, key = verb == "find", _key(parameters)
        limit, cursor = (parameters.get("limit", 200), parameters.get("cursor")) if lists else (NAMED, None)
        server = str(parameters.get("server") or "auto")
        found = await self._patterns.find(call, pattern, limit, cursor, server)
        matches, reason = found.matches or [], found.completeness.reason
        only = len(matches) == 1 and found.next is None and not cursor and not reason
        if only and (not lists or len(pattern.words) == 1):
            return await handler(call, **{**parameters, key: matches[0].id})
        if lists:
            return found
        asked = parameters[key]
        if not matches:
            message = f"No symbol is known that fits {asked}." if reason else f"No symbol fits {asked}."
            raise NotFoundError("symbol_not_found", message, hint=reason or found.hint or "")
        named = ", ".join(f"{ref.name} {ref.id}" for ref in matches)
        more = ", …" if found.next or reason else ""
        raise InputError(
            "several_symbols", f"More than one symbol may be {asked}.", hint=f"Ask about one: {named}{more}"
        )


def _key(parameters: dict[str, Any]) -> str:
    return "target_id" if "target_id" in parameters else "query"
