"""The tools in the process, over fake use cases, by the Python SDK's client in both eras of the protocol."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from cn_daemon.application.libraries.command_errors import ClimptNotFoundError
from cn_daemon.application.libraries.verbatim_answer import VerbatimAnswer
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.interfaces.mcp import listeners, waiting
from cn_daemon.interfaces.mcp.table import NOT_OFFERED, TOOLS, offered
from cn_daemon.settings import Settings
from cn_shared.errors import LanguageServerError
from cn_shared.verbs import VERBS
from cn_shared.wire import LanguageServerStatus, LibraryStatus
from tests.fakes.door import Door
from tests.fakes.services import FOUND, INSPECTED, MAPPED, FakeHandler

GOLDEN = Path(__file__).parent.parent / "golden" / "mcp_tools.json"
ERAS = ("legacy", "auto")
WHOLE = {"content": "", "commands": [], "canonical_id": "x", "link": "x", "path": "x", "success": True}
Talk = Callable[[Client], Awaitable[Any]]


def talked(door: Door, talk: Talk, era: str = "auto", **options: Any) -> Any:
    """What `talk` gives, with a client of that era."""

    async def run() -> Any:
        transports = await door.app.state.mcp.ready()
        try:
            async with Client(transports.server.sdk, mode=era, **options) as client:
                return await talk(client)
        finally:
            await door.app.state.mcp.close()

    return asyncio.run(run())


def called(door: Door, tool: str, era: str = "auto", /, **arguments: Any) -> types.CallToolResult:
    result: types.CallToolResult = talked(door, lambda client: client.call_tool(tool, arguments), era)
    return result


def text(result: types.CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, types.TextContent)
    return content.text


def error(result: types.CallToolResult) -> dict[str, Any]:
    assert result.is_error
    document: dict[str, Any] = json.loads(text(result))
    return document


@pytest.fixture
def door() -> Door:
    return Door()


@pytest.fixture
def structured(door: Door) -> Door:
    """The same under the setting `mcp_structured`."""
    door.services.settings = Settings(mcp_structured=True)
    return door


def test_every_verb_is_a_tool_or_says_why_not() -> None:
    assert {row.verb for row in TOOLS} | NOT_OFFERED == {verb.name for verb in VERBS}
    assert len({row.name for row in TOOLS}) == len(TOOLS)
    for verb in VERBS:
        if verb.name not in NOT_OFFERED:
            assert verb.tool in {row.name for row in TOOLS}


@pytest.mark.parametrize("era", ERAS)
def test_the_list_of_tools_is_golden(door: Door, era: str) -> None:
    """All of them. GOLDEN=write in the environment writes it anew."""
    door.services.settings = Settings(mcp_tools=("all",))
    listed = talked(door, lambda client: client.list_tools(), era)
    told = [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed.tools]
    written = json.dumps(told, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    if os.environ.get("GOLDEN") == "write":
        GOLDEN.write_text(written)
    assert written == GOLDEN.read_text()
    for tool in listed.tools:
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        assert tool.output_schema is None


def names(door: Door) -> set[str]:
    return {tool.name for tool in talked(door, lambda client: client.list_tools()).tools}


CODE = {"find", "grep", "inspect", "map_file", "status", "overview", "changed", "diagnostics"}
SETS = {
    "climpt": {"search", "describe", "execute", "reload"},
    "commands": {"search_commands", "get_command", "list_commands", "invoke_command"},
    "reports": {"search_reports", "list_command_reports", "get_report", "get_report_link"},
}


def characters(door: Door) -> int:
    """What a session pays for before its first question: a token is 4.2 of them."""
    listed = talked(door, lambda client: client.list_tools()).tools
    return len(
        json.dumps([tool.model_dump(by_alias=True, exclude_none=True) for tool in listed], separators=(",", ":"))
    )


def test_code_is_a_few_tools(door: Door) -> None:
    """8 and 1,200 tokens at most; there were 25, of 4,500."""
    assert names(door) == CODE
    assert len(CODE) <= 8
    assert characters(door) < 4_500


@pytest.mark.parametrize(
    ("libraries", "sets"),
    [
        ((), ()),
        (("climpt",), ("climpt",)),
        (("markdown",), ("commands",)),
        (("catalog", "reports"), ("commands", "reports")),
    ],
)
def test_the_tools_of_a_library_are_listed_where_there_is_one(
    door: Door, libraries: tuple[str, ...], sets: tuple[str, ...]
) -> None:
    rows = [LibraryStatus(name, "ready", 3) for name in libraries]
    door.services.rows = [*rows, LibraryStatus("markdown", "ready", 0, "cannot be read")]
    assert names(door) == CODE.union(*(SETS[name] for name in sets))


def test_with_every_library_the_list_stays_short(door: Door) -> None:
    """2,400 tokens at most."""
    door.services.rows = [LibraryStatus(name, "ready", 3) for name in ("climpt", "markdown", "reports")]
    assert names(door) == CODE.union(*SETS.values())
    assert characters(door) < 10_400


@pytest.mark.parametrize("era", ERAS)
def test_a_library_that_appears_is_told(door: Door, era: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listeners, "LOOK_S", 0.02)
    heard = asyncio.Event()

    async def hear(message: Any) -> None:
        if "tool" in type(message).__name__.lower():
            heard.set()

    async def talk(client: Client) -> set[str]:
        async with contextlib.AsyncExitStack() as stack:
            if era == "auto":
                stream = await stack.enter_async_context(client.listen(tools_list_changed=True))
                following = asyncio.ensure_future(_each(stream, hear))
                stack.callback(following.cancel)
            assert {tool.name for tool in (await client.list_tools()).tools} == CODE
            await asyncio.sleep(0.1)
            assert not heard.is_set()
            door.services.rows = [LibraryStatus("climpt", "ready", 3)]
            await asyncio.wait_for(heard.wait(), 10)
            return {tool.name for tool in (await client.list_tools(cache_mode="bypass")).tools}

    options = {"message_handler": hear} if era == "legacy" else {}
    assert talked(door, talk, era, **options) == CODE | SETS["climpt"]


async def _each(stream: Any, hear: Callable[[Any], Awaitable[None]]) -> None:
    async for event in stream:
        await hear(event)


def test_the_sets_that_a_setting_names_are_listed_alone(door: Door) -> None:
    door.services.settings = Settings(mcp_tools=("commands", "climpt"))
    assert names(door) == SETS["commands"] | SETS["climpt"]
    door.services.settings = Settings(mcp_tools=("all",))
    assert names(door) == {row.name for row in TOOLS}


def test_claude_code_is_told_what_to_keep_at_hand(door: Door) -> None:
    """Read by 2.1.197: what has neither is kept from its model until a search finds it."""
    door.services.settings = Settings(mcp_tools=("all",))
    for tool in talked(door, lambda client: client.list_tools()).tools:
        told = tool.meta or {}
        assert (told.get("anthropic/alwaysLoad") is True) == (tool.name in CODE)
        assert ("anthropic/searchHint" in told) == (tool.name in {"search", "search_commands", "search_reports"})


@pytest.mark.parametrize("relation", ["refs", "callers", "callees", "impls", "types", "hover"])
def test_a_relation_is_what_the_tool_of_its_name_answers(door: Door, relation: str) -> None:
    given = {"query": "User", "depth": 2, "limit": 7, "relation": relation.upper()}
    found, by_name = called(door, "find", **given), called(door, relation, query="User")
    assert text(found) == text(by_name)
    handler = door.services.handlers[relation]
    assert isinstance(handler, FakeHandler)
    asked, plain = handler.asked
    # A depth or a limit that this relation has no use for is no mistake.
    assert asked == plain | {key: value for key, value in given.items() if key in ("depth", "limit") and key in plain}
    assert ("depth" in asked) == (relation in ("callers", "types"))
    assert not door.services.find.asked


def test_several_questions_in_one_call(door: Door) -> None:
    found = called(door, "find", queries=["User", "`Cart.total()`", {"symbol": "Row", "file": "a.ts"}], limit=7)
    assert [asked["query"] for asked in door.services.find.asked] == ["User", "`Cart.total()`", "a.ts:Row"]
    assert {asked["limit"] for asked in door.services.find.asked} == {7}
    heads = [block.text.splitlines()[:2] for block in found.content if isinstance(block, types.TextContent)]
    assert heads == [[f"# {asked}", "Class User src/user.ts:3:14"] for asked in ("User", "`Cart.total()`", "a.ts:Row")]
    assert (found.meta or {})["cn/outcome"] == "found"
    assert not found.is_error


def test_one_of_several_questions_that_fails_takes_none_of_the_others_answers(door: Door) -> None:
    handler = door.services.handlers["callers"]
    assert isinstance(handler, FakeHandler)
    found = called(door, "find", queries=["User", ""], relation="callers")
    told = [block.text for block in found.content if isinstance(block, types.TextContent)]
    assert told[0].startswith("# User\n")
    assert "query must not be empty" in told[1]
    assert (found.is_error, (found.meta or {})["cn/outcome"]) == (False, "partial")
    assert called(door, "find", queries=["", ""]).is_error
    questions = ["User", None, 5, ["User"], {"nonsense": 1}, {"query": {"symbol": "User"}}]
    odd = called(door, "find", queries=questions, limit=7)
    told = [block.text for block in odd.content if isinstance(block, types.TextContent)]
    assert ["error" in one for one in told] == [False, True, False, True, True, False]
    assert [one.partition("\n")[0] for one in told] == ["# User", "# None", "# 5", "# ['User']", "# 1", "# User"]
    assert error(called(door, "find", queries=[]))["error"]["parameter"] == "queries"


def test_several_documents_stand_in_one(structured: Door) -> None:
    found = called(structured, "find", queries=["User", "Cart"])
    assert found.structured_content is not None
    assert [one["total"] for one in found.structured_content["answers"]] == [3, 3]


def test_what_the_schema_of_a_tool_has_not_is_another_tools(structured: Door) -> None:
    structured.services.find.answer = MAPPED
    told = error(called(structured, "find", query="src/user.ts"))["error"]
    assert (told["code"], told["hint"]) == ("other_answer", "Call map_file.")
    structured.services.settings = Settings()
    assert text(called(structured, "find", query="src/user.ts")).startswith("src/user.ts · 3 symbols")


def test_relations_by_the_names_of_other_programs(door: Door) -> None:
    by_own_name = text(called(door, "find", query="User", relation="impls"))
    assert text(called(door, "find", query="User", relation="implementations")) == by_own_name
    for word in ("references", "definition", "Go-To"):
        called(door, "find", query="User", relation=word.replace("-", ""))
    assert [asked["mode"] for asked in door.services.find.asked] == ["both", "definition", "definition"]


def test_relations_that_are_none(door: Door) -> None:
    called(door, "find", query="User", relation="definition")
    called(door, "find", query="User", relation=None)
    called(door, "find", query="User", depth=3, mode="reference")
    assert [asked["mode"] for asked in door.services.find.asked] == ["definition", "both", "reference"]
    told = error(called(door, "find", query="User", relation="owners"))["error"]
    assert told["message"].startswith("relation must be 'definition', 'refs'")
    assert (
        error(called(door, "find", relation="hover", qerry="x"))["error"]["message"] == "hover has no argument 'qerry'."
    )


@pytest.mark.parametrize("era", ERAS)
def test_find(door: Door, era: str) -> None:
    found = called(door, "find", era, query="User")
    assert door.services.find.asked == [{"query": "User", "mode": "both", "limit": 50}]
    assert text(found).startswith("Class User src/user.ts:3:14\n")
    assert found.structured_content is None
    assert found.meta is not None
    assert (found.meta["cn/outcome"], found.meta["cn/total"]) == ("found", 3)


@pytest.mark.parametrize("era", ERAS)
def test_documents_with_their_schemas_are_for_who_asks(structured: Door, era: str) -> None:
    """Claude Code and Codex show their model nothing else, and a document is three times as long as the text."""
    listed = talked(structured, lambda client: client.list_tools(), era)
    for tool in listed.tools:
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)
    found = called(structured, "find", era, query="User")
    assert text(found).startswith("Class User src/user.ts:3:14\n")
    assert found.structured_content["total"] == 3


@pytest.mark.parametrize("slip", ["symbol", "q", "symbol_name", "Query", "NAME"])
def test_what_agents_write_for_query(door: Door, slip: str) -> None:
    assert not called(door, "find", **{slip: "User"}).is_error


@pytest.mark.parametrize(
    ("tool", "given", "asked"),
    [
        ("map_file", {"file_path": "a.ts"}, {"file_path": "a.ts", "limit": 150}),
        ("map_file", {"path": "a.ts", "cursor": None}, {"file_path": "a.ts", "limit": 150}),
        ("inspect", {"id": "x", "expand": "Surround", "lines": "7"},
         {"target_id": "x", "expand": "surround", "lines": 7}),
        ("inspect", {"target_id": "x"}, {"target_id": "x", "expand": "block", "lines": 5}),
        ("find", {"query": "x", "limit": 3.0}, {"query": "x", "limit": 3, "mode": "both"}),
        ("search", {"query": "x"}, {"query": "x", "agent": "climpt"}),
        ("describe", {"c1": "git", "c2": "x", "c3": ""}, {"c1": "git", "c2": "x", "c3": "", "agent": "climpt"}),
        ("execute", {"c1": "g", "c2": "x", "c3": "y", "options": {"edition": "e"}},
         {"c1": "g", "c2": "x", "c3": "y", "agent": "climpt", "options": {"edition": "e"}}),
        ("execute", {"c1": "g", "c2": "x", "c3": "y", "options": '{"file": "a"}'},
         {"c1": "g", "c2": "x", "c3": "y", "agent": "climpt", "options": {"file": "a"}}),
        ("invoke_command", {"name": "x", "args": "some text"},
         {"command_id": "x", "context": {"arguments": "some text"}}),
        ("get_command", {"command_name": "x"}, {"command_id": "x"}),
        ("get_command", {"canonicalId": "md:x"}, {"command_id": "md:x"}),
        ("list_commands", {}, {"page_size": 50}),
        ("search_reports", {"query": "x", "command_filter": None}, {"query": "x"}),
        ("search_reports", {"query": "x", "date_from": "2025-01"}, {"query": "x", "since": "2025-01"}),
        ("list_command_reports", {"command_name": "x"}, {"command": "x", "limit": 20}),
        ("get_report_link", {"report_path": "a.md"}, {"path": "a.md"}),
        # Everything: where no registry is, there is no agent climpt either, and other libraries are to be read.
        ("reload", {}, {}),
        ("reload", {"agent": "climpt"}, {"agent": "climpt"}),
    ],
)  # fmt: skip
def test_arguments_reach_the_use_case(door: Door, tool: str, given: dict[str, Any], asked: dict[str, Any]) -> None:
    verb = next(row.verb for row in TOOLS if row.name == tool)
    handler = door.services.handlers[verb]
    assert isinstance(handler, FakeHandler)
    if isinstance(handler.answer, PlainAnswer) and not next(row.array for row in TOOLS if row.name == tool):
        handler.answer = PlainAnswer(WHOLE)
    called(door, tool, **given)
    assert handler.asked == [asked]


@pytest.mark.parametrize(
    ("tool", "given", "sentence"),
    [
        ("find", {}, "query is missing."),
        ("find", {"query": ""}, "query must not be empty."),
        ("find", {"query": {"a": 1}}, "find has no argument 'a'."),
        ("find", {"query": {"query": {"query": "x"}}}, "query must be a string."),
        ("find", {"qerry": "x"}, "find has no argument 'qerry'."),
        ("find", {"query": "x", "limit": "many"}, "limit must be a whole number."),
        ("find", {"query": "x", "limit": -1}, "limit must be at least 0."),
        ("find", {"query": "x", "limit": "--5"}, "limit must be a whole number."),
        ("find", {"query": "x", "limit": True}, "limit must be a whole number."),
        ("find", {"query": "x", "mode": "all"}, "mode must be 'definition', 'reference' or 'both'."),
        ("status", {"x": 1}, "status has no argument 'x'."),
        ("get_command", {}, "One of canonical_id and command_name is needed."),
        ("execute", {"c1": "a", "c2": "b", "c3": "", "options": 5}, "options must be an object."),
        ("invoke_command", {"command_name": "a", "dry_run": "perhaps"}, "dry_run must be true or false."),
    ],
)
def test_a_bad_argument_is_told_in_a_sentence(door: Door, tool: str, given: dict[str, Any], sentence: str) -> None:
    told = error(called(door, tool, **given))["error"]
    assert (told["code"], told["message"]) == ("bad_request", sentence)


@pytest.mark.parametrize("era", ERAS)
def test_a_failure_is_the_documented_json(door: Door, era: str) -> None:
    door.services.find.answer = LanguageServerError("server_died", "It died.", "Ask again.", restarts=1)
    assert error(called(door, "find", era, query="x")) == {
        "error": {"code": "server_died", "message": "It died.", "hint": "Ask again.", "restarts": 1}
    }
    door.services.commands["describe"].answer = ClimptNotFoundError("git", "nope", "x", "Did you mean …?")
    told = error(called(door, "describe", era, c1="git", c2="nope", c3="x"))
    assert (told["error"], told["c1"], told["c2"], told["c3"]) == ("Command not found", "git", "nope", "x")


def test_advice_names_tools_and_not_what_is_typed_at_a_shell(door: Door) -> None:
    typed = "`cn map FILE` lists it, cn reports list too; cn config show and cn doctor are no tools."
    spoken = "`map_file FILE` lists it, list_command_reports too; cn config show and cn doctor are no tools."
    door.services.find.answer = LanguageServerError("server_died", "It died.", typed)
    assert error(called(door, "find", query="x"))["error"]["hint"] == spoken
    door.services.find.answer = replace(FOUND, hint=typed, more_candidates=typed)
    assert text(called(door, "find", query="x")).count(spoken) == 2
    door.services.find.answer = replace(FOUND, next="50")
    assert "more: cursor=50\n" in text(called(door, "find", query="x"))
    door.services.settings = Settings(mcp_structured=True)
    door.services.find.answer = replace(FOUND, hint=typed, more_candidates=typed)
    found = called(door, "find", query="x").structured_content
    assert found is not None
    assert (found["hint"], found["moreCandidates"]) == (spoken, spoken)


def test_a_defect_is_told_without_a_traceback(door: Door) -> None:
    door.services.find.answer = RuntimeError("secret detail")
    told = called(door, "find", query="x")
    assert error(told)["error"]["code"] == "internal_error"
    assert "secret" not in text(told)


def test_a_tool_that_is_not_there(door: Door) -> None:
    async def talk(client: Client) -> None:
        with pytest.raises(MCPError, match="no tool 'ripgrep'"):
            await client.call_tool("ripgrep", {})

    talked(door, talk)


def test_an_array_stands_under_a_key_and_its_text_is_the_documented_array(structured: Door) -> None:
    rows = [{"c1": "git", "c2": "a", "c3": "b", "description": "d", "score": 0.5}]
    structured.services.commands["search"].answer = PlainAnswer(rows, next="3")
    found = called(structured, "search", query="x")
    assert [content.text for content in found.content if isinstance(content, types.TextContent)] == [
        json.dumps(rows, separators=(",", ":")),
        "next: 3",
    ]
    assert found.structured_content == {"results": rows, "next": "3"}


@pytest.mark.parametrize("tool", ["search", "search_commands", "list_commands"])
def test_what_is_missing_is_told_where_agents_look(structured: Door, tool: str) -> None:
    """It stood in `_meta` alone, which clients keep to themselves."""
    verb = "search" if tool != "list_commands" else "commands"
    rows: Any = [] if verb == "search" else {"commands": [], "total": 0}
    structured.services.commands[verb].answer = PlainAnswer(
        rows, partial="still indexing markdown", stale="away", hint="Ask again."
    )
    given = {} if tool == "list_commands" else {"query": "x"}
    found = called(structured, tool, **given)
    assert found.structured_content["completeness"] == {"status": "partial", "reason": "still indexing markdown"}
    assert (found.structured_content["stale"], found.structured_content["hint"]) == ("away", "Ask again.")
    first, *more = [content.text for content in found.content if isinstance(content, types.TextContent)]
    if tool == "search":
        assert json.loads(first) == rows
        assert more == ["partial (still indexing markdown)", "stale (away)", "hint: Ask again."]
    else:
        assert "partial (still indexing markdown)\nstale (away)\nhint: Ask again.\n" in first


def test_what_a_command_printed(structured: Door) -> None:
    structured.services.commands["execute"].answer = VerbatimAnswer("Do this — carefully.\n".encode())
    found = called(structured, "execute", c1="a", c2="b", c3="c")
    assert text(found) == "Do this — carefully.\n"
    assert found.structured_content == {"content": "Do this — carefully.\n"}


@pytest.mark.parametrize("budget", [None, 100, 2000])
def test_long_code_comes_in_pages(structured: Door, budget: int | None) -> None:
    code = "".join(f"  line {number};\n" for number in range(3000))
    structured.services.inspect.answer = replace(INSPECTED, result=replace(INSPECTED.result, code=code))

    async def talk(client: Client) -> str:
        whole, cursor = "", None
        while True:
            page = await client.call_tool("inspect", {"targetId": "x", "cursor": cursor, "budget": budget})
            piece = page.structured_content["result"]["code"].removesuffix("\n") + "\n"
            assert text(page).partition("\n")[2].startswith(piece)
            assert len(text(page)) < (budget or 5000) * 4 + 200
            whole += piece
            cursor = page.structured_content.get("next")
            if cursor is None:
                return whole
            assert f"more: cursor={cursor}\n" in text(page)

    assert talked(structured, talk) == code


@pytest.mark.parametrize("budget", [None, 100, 2000])
def test_a_long_command_comes_in_pages(door: Door, budget: int | None) -> None:
    """With a budget it came whole."""
    content = "".join(f"Step {number}.\n" for number in range(3000))
    door.services.commands["get"].answer = PlainAnswer({"canonical_id": "md:x", "content": content})

    async def talk(client: Client) -> str:
        whole, cursor = "", None
        while True:
            page = text(await client.call_tool("get_command", {"id": "md:x", "cursor": cursor, "budget": budget}))
            assert len(page) < (budget or 5000) * 4 + 200
            whole += "".join(line for line in page.splitlines(keepends=True) if line.startswith("Step"))
            found = re.search(r"^characters .* more: cursor=(\d+)$", page, re.MULTILINE)
            if found is None:
                return whole
            cursor = found[1]

    assert talked(door, talk) == content


def test_a_path_that_is_not_utf8_leaves_readable(door: Door) -> None:
    assert FOUND.definition is not None
    odd = replace(FOUND.definition, file_path="src/b\udcff.ts")
    door.services.find.answer = replace(FOUND, definition=odd)
    found = called(door, "find", query="x")
    assert "\\udcff" in text(found)


@pytest.mark.parametrize("era", ERAS)
def test_long_work_reports_progress(door: Door, era: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "FIRST_S", 0.02)
    monkeypatch.setattr(waiting, "EVERY_S", 0.02)
    door.services.find.delay_s = 0.3
    door.services.servers = [LanguageServerStatus("tsserver", "loading", detail="project 2 of 5")]
    door.services.rows = [LibraryStatus("reports", "indexing", 0), LibraryStatus("climpt", "ready", 3)]
    heard: list[tuple[float, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, message))

    async def talk(client: Client) -> types.CallToolResult:
        return await client.call_tool("find", {"query": "x"}, progress_callback=hear)

    assert not talked(door, talk, era).is_error
    assert len(heard) > 2
    assert heard[0][1] == "tsserver loading: project 2 of 5 · reports being read"
    assert sorted(heard) == heard


@pytest.mark.parametrize("era", ERAS)
def test_a_cancelled_call_cancels_the_use_case(door: Door, era: str) -> None:
    door.services.find.delay_s = 30

    async def talk(client: Client) -> None:
        call = asyncio.ensure_future(client.call_tool("find", {"query": "x"}))
        async with asyncio.timeout(5):
            while not door.services.find.asked:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        call.cancel()
        await asyncio.wait_for(door.services.find.cancelled.wait(), 5)

    talked(door, talk, era)
    assert door.info.activity.in_flight == 0


def test_every_output_matches_its_schema(structured: Door) -> None:
    for name in ("find", "inspect", "map_file", "status"):
        given = {"find": {"query": "x"}, "inspect": {"targetId": "x"}, "map_file": {"filePath": "x"}}.get(name, {})
        result = called(structured, name, **given)
        jsonschema.validate(
            result.structured_content, offered(["find", "inspect", "map", "status"])[name].output_schema
        )
