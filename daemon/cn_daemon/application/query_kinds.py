"""What else may be asked where a symbol is: a file, a folder, lines, names by pattern.

A slip gets its answer: that of the verb which answers such a question, whichever verb was asked.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from cn_daemon.application.ports import Answer, Call, Handler, Workspace
from cn_daemon.application.surveys.by_pattern import ByPattern
from cn_daemon.domain import ids, name_patterns
from cn_daemon.domain.ids import Name
from cn_daemon.domain.name_patterns import NamePattern
from cn_shared.errors import CnError, InputError, NotFoundError
from cn_shared.wire import FindAnswer

# The parameter by which a verb is given its symbol, as the wire spells it.
SUBJECTS = {
    "inspect": "targetId",
    **dict.fromkeys(("find", "refs", "callers", "callees", "impls", "types", "hover"), "query"),
}
# So many symbols of a pattern are named to whoever wanted one.
NAMED = 10
# Of a path and a name together, in characters.
LONGEST_PATH = 1000


class QueryKinds:
    """handler: the use case of a verb."""

    def __init__(self, workspace: Workspace, patterns: ByPattern, handler: Callable[[str], Awaitable[Handler]]) -> None:
        self._workspace = workspace
        self._patterns = patterns
        self._handler = handler

    def forgiving(self, verb: str, handler: Handler) -> Handler:
        """The use case of a verb, which answers all such questions."""

        @functools.wraps(handler)
        async def answer(call: Call, **parameters: Any) -> Answer:
            key = _key(parameters)
            query = self._joined(str(parameters[key]), call)
            try:
                return await self._answer(verb, handler, call, {**parameters, key: query})
            except NotFoundError as error:
                path, near = str(error.data.get("file")), _near(error)
                if not _is_end(path, near) or path not in query:
                    raise
                full_query = query.replace(path, near[0], 1)
                return await self._answer(verb, handler, call, {**parameters, key: full_query})

        return answer

    def of_folder(self, handler: Handler) -> Handler:
        """The overview of a folder; of a file its outline."""

        @functools.wraps(handler)
        async def answer(call: Call, folder: str | None = None, **parameters: Any) -> Answer:
            if folder and self._workspace.kind(folder, call.cwd) == "file":
                return await (await self._handler("map"))(call, file_path=folder)
            return await handler(call, folder=folder, **parameters)

        return answer

    def _joined(self, query: str, call: Call) -> str:
        """`path name`, `name path` and `name in path` as `path:name`."""
        words = [word for word in query.split() if word != "in"] if len(query) < LONGEST_PATH else []
        if len(words) == 2:
            for path, name in (words, words[::-1]):
                if self._workspace.kind(path, call.cwd) == "file" and isinstance(ids.parse(name), Name):
                    return f"{path}:{name}"
        return query

    def of_file(self, handler: Handler) -> Handler:
        """The outline of a file; of a folder its overview."""

        @functools.wraps(handler)
        async def answer(call: Call, file_path: str, **parameters: Any) -> Answer:
            if self._workspace.kind(file_path, call.cwd) == "folder":
                return await (await self._handler("overview"))(call, folder=file_path)
            try:
                return await handler(call, file_path=file_path, **parameters)
            except NotFoundError as error:
                near = _near(error)
                if _is_end(file_path, near):
                    return await handler(call, file_path=near[0], **parameters)
                if file_path.isidentifier():
                    error.hint = f"A file is outlined; a symbol is shown by: cn inspect {file_path}"
                raise

        return answer

    async def _answer(self, verb: str, handler: Handler, call: Call, parameters: dict[str, Any]) -> Answer:
        query = str(parameters[_key(parameters)]).strip().strip("`")
        if ids.passage(query) is not None:
            return await (await self._handler("inspect"))(call, target_id=query)
        kind = self._workspace.kind(query, call.cwd) if "/" in query or "." in query else ""
        if kind == "file":
            paging = {name: parameters[name] for name in ("limit", "cursor") if parameters.get(name) is not None}
            return await (await self._handler("map"))(call, file_path=query, **paging)
        if kind == "folder":
            return await (await self._handler("overview"))(call, folder=query)
        pattern = name_patterns.read(query) if ids.parse(query) is None else None
        if pattern is not None:
            return await self._by_pattern(verb, handler, call, parameters, pattern)
        wanted = ids.parse(query) or ids.parse(ids.undressed(query))
        if isinstance(wanted, Name) and wanted.path and self._workspace.kind(wanted.path, call.cwd) == "folder":
            return await self._in_folder(verb, handler, call, parameters, wanted)
        return await self._symbol(handler, call, parameters, query)

    async def _symbol(self, handler: Handler, call: Call, parameters: dict[str, Any], query: str) -> Answer:
        """What the verb says; of what is no symbol what is said of its path."""
        try:
            answer = await handler(call, **parameters)
        except InputError as error:
            if error.code not in ("symbol_not_found", "bad_query"):
                raise
            other = await self._path(call, query, spelled=error.code == "bad_query" and "/" in query)
            other = other or await self._spelled_alike(handler, call, parameters, query, _near(error))
            if other is None:
                raise
            return other
        if not isinstance(answer, FindAnswer) or answer.outcome() != "empty":
            return answer
        other = await self._path(call, query)
        return other or await self._spelled_alike(handler, call, parameters, query, answer.suggestions or ()) or answer

    async def _spelled_alike(
        self, handler: Handler, call: Call, parameters: dict[str, Any], query: str, near: Sequence[str]
    ) -> Answer | None:
        """The one name that differs in capitals and underscores alone, where nothing has the one that was asked for."""
        wanted = ids.parse(query)
        if not isinstance(wanted, Name) or not query.endswith(wanted.name):
            return None
        alike = [name for name in near if _plain(name) == _plain(wanted.name)]
        if len(alike) != 1:
            return None
        try:
            answer = await handler(call, **{**parameters, _key(parameters): query.removesuffix(wanted.name) + alike[0]})
        except InputError:
            return None
        if not isinstance(answer, FindAnswer):
            return answer
        if answer.outcome() == "empty":
            return None
        return replace(answer, hint=f"Nothing is called {wanted.name}; this is {alike[0]}. {answer.hint or ''}".strip())

    async def _path(self, call: Call, query: str, *, spelled: bool = False) -> Answer | None:
        """The overview of a folder, the outline of the file whose path ends so, or None.

        spelled: whether it can be nothing but a path. Raises NotFoundError with the files that it may be.
        """
        if self._workspace.kind(query, call.cwd) == "folder":
            return await (await self._handler("overview"))(call, folder=query)
        if any(map(str.isspace, query)) or not (spelled or "." in query):
            return None
        try:
            self._workspace.resolve(query, call.cwd)
        except NotFoundError as error:
            near = _near(error)
            if _is_end(query, near):
                return await (await self._handler("map"))(call, file_path=near[0])
            if spelled or any(path.endswith(f"/{query}") for path in near):
                raise
        return None

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
        query = parameters[key]
        if not matches:
            message = f"No symbol is known that fits {query}." if reason else f"No symbol fits {query}."
            raise NotFoundError("symbol_not_found", message, hint=reason or found.hint or "")
        named = ", ".join(f"{ref.name} {ref.id}" for ref in matches)
        more = ", …" if found.next or reason else ""
        raise InputError(
            "several_symbols", f"More than one symbol may be {query}.", hint=f"Ask about one: {named}{more}"
        )


def _key(parameters: dict[str, Any]) -> str:
    return "target_id" if "target_id" in parameters else "query"


def _plain(name: str) -> str:
    return name.replace("_", "").casefold()


def _near(error: CnError) -> list[str]:
    """The files, or the names, that are near to the one that is not there."""
    near = error.data.get("near")
    return near if isinstance(near, list) else []


def _is_end(path: str, near: Sequence[str]) -> bool:
    """Whether it is the end of one file's path, and of no other's."""
    return len(near) == 1 and f"/{near[0]}".endswith(f"/{path.removeprefix('./')}")
