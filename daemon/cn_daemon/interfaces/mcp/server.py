"""The MCP server: one for all transports and both eras of the protocol, over the same use cases as HTTP.

The SDK's low-level server, because tools, prompts and resources come from tables and libraries and not from
Python functions, and their schemas must be exact. Importing this module imports the SDK.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError
from pydantic_core import PydanticSerializationError, to_json

from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Call
from cn_daemon.interfaces import spellings
from cn_daemon.interfaces.calls import passed_over
from cn_daemon.interfaces.mcp import arguments, caller, results, waiting
from cn_daemon.interfaces.mcp.asking import Asking
from cn_daemon.interfaces.mcp.listeners import Listeners
from cn_daemon.interfaces.mcp.prompts import Prompts
from cn_daemon.interfaces.mcp.resources import Resources, templates
from cn_daemon.interfaces.mcp.table import Offered, listed, offered
from cn_daemon.interfaces.mcp.tool import Tool
from cn_shared import __version__
from cn_shared.errors import CnError, InputError, InternalError

log = logging.getLogger(__name__)

# How long a list of tools waits for libraries that are being read; whoever was early is notified of them later.
READ_S = 1.0
# Claude Code reads them: it keeps tools from its model until a search finds them, unless they say otherwise.
ALWAYS_LOAD, SEARCH_HINT = "anthropic/alwaysLoad", "anthropic/searchHint"

# What a client is sent about the server, once: which tools there are for what, and in which order.
_NAVIGATION = (
    "Code (TypeScript, JavaScript, Python, C, C++, Go, Rust, PHP, Bash): find a name instead of grepping for it, "
    "then inspect a place from the answer instead of reading the file; grep finds other text; map_file outlines a file "
    "before you read it. Every answer says whether it is complete. `budget` bounds any answer, in tokens."
)
_LIBRARIES = (
    "Where tools for them are listed: search_commands, get_command, invoke_command for what the user wants done; "
    "search_reports, get_report before you analyse something anew; search, describe, execute for Climpt commands."
)

Context = ServerRequestContext[Any, Any]


class _Sdk(Server[Any]):
    """Tells of its notifications on every transport: the SDK's HTTP one asks without options."""

    def create_initialization_options(self, *args: Any, **kwargs: Any) -> InitializationOptions:
        args = args or (NotificationOptions(prompts_changed=True, resources_changed=True, tools_changed=True),)
        return super().create_initialization_options(*args, **kwargs)


class McpServer:
    """What clients meet. `sdk` is what the transports run."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking
        self._tools = offered(asking.verbs)
        self.listeners = Listeners(asking.revision, asking.toolsets)
        self.sdk = _Sdk(
            "cn",
            version=__version__,
            title="cn: code navigation and commands",
            instructions=_instructions(self._tools),
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            **self._library_handlers(asking),
            on_subscriptions_listen=ListenHandler(self.listeners.bus),
            get_tool_input_schema=lambda name: self._tools[name].input_schema if name in self._tools else None,
        )
        # The tracing middleware that comes first by default costs each call a span that nobody reads.
        self.sdk.middleware.clear()
        self.sdk.add_notification_handler("notifications/initialized", types.NotificationParams, self._initialized)

    def _library_handlers(self, asking: Asking) -> dict[str, Any]:
        """Prompts and resources, where there are commands."""
        if "commands" not in asking.verbs:
            return {}
        prompts, resources = Prompts(asking), Resources(asking)

        def call(context: Context) -> Call:
            return caller.call(context.request, asking.patience_s("commands"))

        async def list_prompts(context: Context, params: Any) -> Any:
            return await prompts.page(call(context), params.cursor)

        async def get_prompt(context: Context, params: types.GetPromptRequestParams) -> Any:
            return await prompts.get(call(context), params.name, params.arguments or {})

        async def list_resources(context: Context, params: Any) -> Any:
            return await resources.page(call(context), params.cursor)

        async def list_templates(context: Context, params: Any) -> Any:
            return templates()

        async def read_resource(context: Context, params: types.ReadResourceRequestParams) -> Any:
            return await resources.read(call(context), str(params.uri))

        return {
            "on_list_prompts": _translated(list_prompts),
            "on_get_prompt": _translated(get_prompt),
            "on_list_resources": _translated(list_resources),
            "on_list_resource_templates": list_templates,
            "on_read_resource": _translated(read_resource),
        }

    async def _initialized(self, context: Context, _: types.NotificationParams) -> None:
        self.listeners.add(context.session)

    async def _list_tools(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        structured = await self._structured()
        chosen = await self._toolsets()
        return types.ListToolsResult(tools=[_listed(one, structured) for one in listed(self._tools.values(), chosen)])

    async def _toolsets(self) -> Collection[str]:
        """Those that this client chose, else those that have something to tell of."""
        named = str(caller.OPTIONS.get({}).get("tools") or "").split(",")
        chosen = [word for word in named if word] or (await self._asking.settings()).mcp_tools
        there = await self._asking.toolsets(READ_S)
        self.listeners.listed(there)
        return chosen or there

    async def _structured(self) -> bool:
        """Whether this client wants documents beside the text."""
        settings = await self._asking.settings()
        return bool(caller.OPTIONS.get({}).get("structured")) or settings.mcp_structured

    async def _call_tool(self, context: Context, params: types.CallToolRequestParams) -> Any:
        one = self._tools.get(params.name)
        if one is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r}.", {"tools": list(self._tools)})
        try:
            given = params.arguments or {}
            questions = spellings.several(one.tool.verb, given)
            if questions is not None:
                return results.together([await self._answered_alone(context, one, each, given) for each in questions])
            return await self._answered(context, *arguments.directed(self._tools, one, given))
        except CnError as error:
            return results.failure(error)
        except Exception:
            log.exception("the tool %s failed", params.name)
            hint = "The log has the details: the tool status names it."
            return results.failure(InternalError("internal_error", "cn met a defect of its own.", hint))

    async def _answered_alone(
        self, context: Context, one: Offered, given: dict[str, Any], call: dict[str, Any]
    ) -> tuple[str, dict[str, Any]]:
        """One of several questions, as it was asked, and its result. call: the arguments of all of them."""
        try:
            chosen, read = arguments.directed(self._tools, one, given)
            return results.question_of(chosen.tool, read), await self._answered(context, chosen, read)
        except CnError as error:
            own = (str(value) for name, value in given.items() if name not in call or call[name] != value)
            return " ".join(own), results.failure(error)

    async def _answered(self, context: Context, one: Offered, given: dict[str, Any]) -> dict[str, Any]:
        parameters, own = arguments.read(one, given)
        call = caller.call(context.request, self._asking.patience_s(one.tool.verb))
        if own.get("cursor") and one.tool.verb == "invoke":
            await self._page_of_a_prompt(call, parameters)
        answer = await waiting.with_progress(
            self._asking.answer(one.tool.verb, call, parameters, caller.gone(context.request)),
            self._asking.services,
            lambda seconds, message: context.session.report_progress(seconds, None, message),
        )
        if one.tool.verb == "reload":
            await self.listeners.changed()
        structured = await self._structured()
        if structured:
            results.check_schema(one.tool, answer)
        result = results.result(
            one.tool,
            answer,
            own.get("cursor"),
            own.get("budget"),
            first=passed_over(one.tool.verb, parameters),
            structured=structured,
        )
        try:
            to_json(result)
        except PydanticSerializationError:
            result = results.encodable(result)
        return result

    async def _page_of_a_prompt(self, call: Call, parameters: dict[str, object]) -> None:
        """Raises InputError (`bad_cursor`) for what would be sent or run once more for the rest of its answer."""
        found = await self._asking.answer("get", call, {"command_id": parameters["command_id"]})
        if not isinstance(found, PlainAnswer) or found.document["execution_type"] != "prompt":
            raise InputError("bad_cursor", "Only what a prompt says comes in pages.", "Leave the cursor out.")


def _translated(handler: Callable[[Context, Any], Awaitable[Any]]) -> Callable[[Context, Any], Awaitable[Any]]:
    """A prompt or a resource has no error of its own: what cn says becomes the protocol's, the document its data."""

    async def answered(context: Context, params: Any) -> Any:
        try:
            return await handler(context, params)
        except CnError as error:
            message = " ".join(filter(None, (error.message, error.hint)))
            raise MCPError(types.INTERNAL_ERROR, message, error.document()) from None

    return answered


def _listed(one: Offered, structured: bool) -> types.Tool:
    tool = one.tool
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=one.input_schema,
        output_schema=one.output_schema if structured else None,
        annotations=_annotations(tool),
        _meta={ALWAYS_LOAD: True} if tool.toolset == "code" else {SEARCH_HINT: tool.hint} if tool.hint else None,
    )


def _annotations(tool: Tool) -> types.ToolAnnotations:
    """Of what only reads, the protocol reads nothing but that, and whether it leaves the machine."""
    if tool.reads:
        return types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return types.ToolAnnotations(
        read_only_hint=False,
        destructive_hint=tool.destroys,
        idempotent_hint=tool.repeatable,
        open_world_hint=tool.open_world,
    )


def _instructions(tools: Collection[str]) -> str:
    """A paragraph per family of tools that is there."""
    texts = [text for name, text in (("find", _NAVIGATION), ("search_commands", _LIBRARIES)) if name in tools]
    return "\n".join([*texts, "Errors carry a hint: follow it. A long answer ends in a cursor for the rest."])
