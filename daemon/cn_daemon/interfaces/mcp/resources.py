"""Commands and reports as resources: `cn://commands/<id>` and `cn://reports/<path>`."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, unquote

import mcp_types as types
from mcp.shared.exceptions import MCPError

from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Call
from cn_daemon.interfaces.mcp.asking import Asking
from cn_shared.errors import InputError, NotFoundError
from cn_shared.verbs import LONGEST

PAGE = 100
COMMANDS, REPORTS = "cn://commands/", "cn://reports/"
_MARKDOWN, _JSON = "text/markdown", "application/json"


class Resources:
    """Listed a page at a time: first the commands, then the reports."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    async def page(self, call: Call, cursor: str | None) -> types.ListResourcesResult:
        """Raises CnError. cursor: `commands` or `reports`, a colon, and the use case's own."""
        kind, _, inner = (cursor or "commands:").partition(":")
        if kind == "commands":
            parameters: dict[str, object] = {"cursor": inner or None, "page_size": PAGE}
            document = (await self._answer("commands", call, parameters)).document
            following: str | None = f"commands:{document['next']}" if document.get("next") else "reports:"
            listed = [_command(row) for row in document["commands"]]
            if listed or following != "reports:":
                return types.ListResourcesResult(resources=listed, next_cursor=following)
            inner = ""
        answer = await self._answer("reports list", call, {"cursor": inner or None, "limit": PAGE})
        following = f"reports:{answer.next}" if answer.next else None
        return types.ListResourcesResult(resources=[_report(row) for row in answer.document], next_cursor=following)

    async def read(self, call: Call, uri: str) -> types.ReadResourceResult:
        """Raises MCPError for an address of nothing, CnError."""
        try:
            if uri.startswith(COMMANDS):
                id = unquote(uri.removeprefix(COMMANDS))
                document = (await self._answer("get", call, {"command_id": id})).document
                if "content" in document:
                    return _read(uri, document["content"], _MARKDOWN)
                return _read(uri, json.dumps(document, ensure_ascii=False, indent=1), _JSON)
            if uri.startswith(REPORTS):
                path = unquote(uri.removeprefix(REPORTS))
                answer = await self._answer("reports show", call, {"path": path})
                return _read(uri, answer.document["content"], _MARKDOWN)
        except NotFoundError as error:
            raise MCPError(types.INVALID_PARAMS, error.message, {"uri": uri, **error.document()}) from None
        raise MCPError(types.INVALID_PARAMS, f"There is no resource {uri}.", {"uri": uri})

    async def _answer(self, verb: str, call: Call, parameters: dict[str, object]) -> PlainAnswer:
        for name, value in parameters.items():
            if isinstance(value, str) and len(value) > LONGEST:
                raise InputError("bad_request", f"{name} must have at most {LONGEST} characters.", parameter=name)
        answer = await self._asking.answer(verb, call, parameters)
        assert isinstance(answer, PlainAnswer)
        return answer


def templates() -> types.ListResourceTemplatesResult:
    return types.ListResourceTemplatesResult(
        resource_templates=[
            types.ResourceTemplate(
                name="command",
                title="A command's definition",
                uri_template=COMMANDS + "{canonical_id}",
                description="An id from search_commands, percent-encoded.",
            ),
            types.ResourceTemplate(
                name="report",
                title="A report",
                uri_template=REPORTS + "{+path}",
                description="A path from search_reports.",
                mime_type=_MARKDOWN,
            ),
        ]
    )


def _command(row: dict[str, Any]) -> types.Resource:
    return types.Resource(
        uri=COMMANDS + quote(row["canonical_id"], safe=":/"),
        name=row["canonical_id"],
        title=row["name"],
        description=row["summary"] or None,
        mime_type=_MARKDOWN if row["source"] == "markdown" else _JSON,
    )


def _report(row: dict[str, Any]) -> types.Resource:
    return types.Resource(
        uri=REPORTS + quote(row["path"]),
        name=row["report_name"],
        title=row["title"] or None,
        description=row["summary"] or None,
        mime_type=_MARKDOWN,
        size=row["file_size"],
    )


def _read(uri: str, text: str, kind: str) -> types.ReadResourceResult:
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, text=text, mime_type=kind)])
