"""Commands, prompts, resources and reports over a real library, by a real daemon."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from tests.faults.conftest import Workbench
from tests.mcp import library
from tests.mcp.http import over_http

LONG = "# Long\n\n" + "".join(f"Step {number}: look at everything once more.\n" for number in range(1500))
Talk = Callable[[Client], Awaitable[None]]


def talked(bench: Workbench, talk: Talk, era: str = "auto", **options: Any) -> None:
    found = bench.start()

    async def run() -> None:
        async with over_http(f"http://127.0.0.1:{found.port}", found.token, era, **options) as client:
            await talk(client)

    asyncio.run(asyncio.wait_for(run(), 60))


@pytest.fixture(scope="module")
def stocked(warm_bench: Workbench) -> Workbench:
    """A workspace with a Climpt registry, and a library that the user's settings name; answers with documents."""
    warm_bench.environment["CN_MCP_STRUCTURED"] = "1"
    folder = warm_bench.root.parent / "library"
    config = json.loads(library.write(folder, commands=130, reports=120).read_text())
    for key, name in config.items():
        warm_bench.environment["CN_" + key.upper()] = str(folder / name)
    (folder / "Commands" / "long_one.md").write_text(LONG)
    library.write_registry(warm_bench.root)
    return warm_bench


def test_the_three_climpt_steps(stocked: Workbench) -> None:
    async def talk(client: Client) -> None:
        found = await client.call_tool("search", {"query": "group changes and commit", "agent": "climpt"})
        [row] = json.loads(found.content[0].text)  # type: ignore[union-attr]
        assert set(row) == {"c1", "c2", "c3", "description", "score"}
        described = await client.call_tool("describe", {key: row[key] for key in ("c1", "c2", "c3")})
        assert described.structured_content["commands"][0]["options"]["edition"] == ["default", "detailed"]
        missed = await client.call_tool("execute", {"agent": "climpt", "c1": "git", "c2": "nope", "c3": "x"})
        assert missed.is_error
        told = json.loads(missed.content[0].text)  # type: ignore[union-attr]
        assert (told["error"], told["c1"], told["c2"]) == ("Command not found", "git", "nope")

    talked(stocked, talk)


def test_markdown_commands_and_reports(stocked: Workbench) -> None:
    async def talk(client: Client) -> None:
        found = await client.call_tool("search_commands", {"query": "analyse a log", "max_results": 3})
        assert found.structured_content["results"][0]["canonical_id"] == "md:analyze_log"
        whole = await client.call_tool("get_command", {"command_name": "analyze_log"})
        assert whole.structured_content["content"] == library.ANALYZE
        asked = {"command_name": "analyze_log", "context": {"arguments": "server.log"}}
        rendered = (await client.call_tool("invoke_command", asked)).structured_content
        assert "Read server.log" in rendered["content"]
        assert "analyze_log-reports/" in rendered["report_path"]
        reports = await client.call_tool(
            "search_reports", {"query": "decode_response", "command_filter": "analyze_log"}
        )
        assert reports.structured_content["reports"][0]["path"] == library.REPORT
        read = await client.call_tool("get_report", {"report_path": library.REPORT})
        assert "decode_response" in read.content[0].text  # type: ignore[union-attr]
        assert (await client.call_tool("get_report", {"report_path": "../../etc/passwd"})).is_error

    talked(stocked, talk)


def test_a_long_prompt_comes_in_pages(stocked: Workbench) -> None:
    """One of 121 kB was 35,000 tokens in one answer."""

    async def talk(client: Client) -> None:
        whole, cursor, pages = "", None, 0
        while True:
            asked = {"command_name": "long_one", **({"cursor": cursor} if cursor else {})}
            page = await client.call_tool("invoke_command", asked)
            assert len(page.content[0].text) < 21_000  # type: ignore[union-attr]
            assert "long_one-reports/" in page.content[0].text  # type: ignore[union-attr]
            whole += page.structured_content["content"]
            pages += 1
            cursor = page.structured_content.get("next")
            if cursor is None:
                break
        assert whole == LONG
        assert pages == 4
        asked = {"command_name": "climpt:climpt/git/group-commit/unstaged-changes", "cursor": "1"}
        again = await client.call_tool("invoke_command", asked)
        assert json.loads(again.content[0].text)["error"]["code"] == "bad_cursor"  # type: ignore[union-attr]

    talked(stocked, talk)


def test_lists_are_paged(stocked: Workbench) -> None:
    async def talk(client: Client) -> None:
        names: list[str] = []
        cursor = None
        while True:
            given = {"page_size": 60, **({"cursor": cursor} if cursor else {})}
            page = (await client.call_tool("list_commands", given)).structured_content
            names += [row["canonical_id"] for row in page["commands"]]
            cursor = page.get("next")
            if not cursor:
                break
        assert len(names) == len(set(names)) == 132
        prompts: list[str] = []
        listed = await client.list_prompts()
        prompts += [prompt.name for prompt in listed.prompts]
        while listed.next_cursor:
            listed = await client.list_prompts(cursor=listed.next_cursor)
            prompts += [prompt.name for prompt in listed.prompts]
        assert len(set(prompts)) == 132
        uris: list[str] = []
        resources = await client.list_resources()
        uris += [str(one.uri) for one in resources.resources]
        while resources.next_cursor:
            resources = await client.list_resources(cursor=resources.next_cursor)
            uris += [str(one.uri) for one in resources.resources]
        assert sum(uri.startswith("cn://commands/") for uri in uris) == 132
        assert sum(uri.startswith("cn://reports/") for uri in uris) == 120

    talked(stocked, talk)


def test_the_setting_says_how_many_a_search_answers_with_and_suggestions_need_no_query(stocked: Workbench) -> None:
    """`max_search_results` was that of the command line alone: a tool told ten."""
    command, manifest = stocked.root.parent / "library" / "Commands" / "jest-tests.md", stocked.root / "package.json"
    command.write_text("---\ndescription: Run jest\n---\n")
    manifest.write_text('{"devDependencies": {"jest": "1"}}')

    async def talk(client: Client) -> None:
        for tool, key, query in (
            ("search_commands", "results", "do number"),
            ("search_reports", "reports", "nothing"),
        ):
            for asked, count in (({}, 4), ({"max_results": 6}, 6)):
                found = await client.call_tool(tool, {"query": query, **asked})
                assert len(found.structured_content[key]) == count, tool
        suggested = await client.call_tool("search_commands", {"suggest": True})
        assert suggested.structured_content["results"][0]["canonical_id"] == "md:jest-tests"
        told = await asyncio.to_thread(stocked.cn, "search", "--suggest", "--json")
        assert json.loads(told.stdout)[0]["match_reason"] == "the workspace has jest (package.json)"

    settings = stocked.root / ".cn.json"
    before = settings.read_text() if settings.exists() else "{}"
    settings.write_text('{"max_search_results": 4}')
    try:
        talked(stocked, talk)
    finally:
        settings.write_text(before)
        manifest.unlink()
        command.unlink()


def test_prompts_and_resources(stocked: Workbench) -> None:
    async def talk(client: Client) -> None:
        prompts = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
        prompt = prompts["analyze_log"]
        assert [(one.name, one.description) for one in prompt.arguments or ()] == [("arguments", "[path]")]
        rendered = await client.get_prompt("analyze_log", {"arguments": "server.log"})
        assert "Read server.log" in rendered.messages[0].content.text  # type: ignore[union-attr]
        read = await client.read_resource("cn://commands/md:analyze_log")
        assert read.contents[0].text == library.ANALYZE  # type: ignore[union-attr]
        read = await client.read_resource("cn://reports/" + library.REPORT)
        assert "decode_response" in read.contents[0].text  # type: ignore[union-attr]
        assert len((await client.list_resource_templates()).resource_templates) == 2
        for uri in ("cn://commands/md:none", "cn://other/x", "cn://reports/../x"):
            with pytest.raises(MCPError):
                await client.read_resource(uri)
        with pytest.raises(MCPError, match="no prompt 'none'"):
            await client.get_prompt("none", {})

    talked(stocked, talk)


def test_a_reload_by_anybody_is_told_to_open_sessions(stocked: Workbench) -> None:
    heard: list[str] = []

    async def hear(message: Any) -> None:
        heard.append(type(message).__name__)

    async def talk(client: Client) -> None:
        await asyncio.sleep(0.5)  # the stream for notifications is opened after the introduction
        done = await asyncio.to_thread(stocked.cn, "reload", "--json")
        assert done.returncode == 0, done.stderr
        async with asyncio.timeout(10):
            while len(heard) < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.05)

    talked(stocked, talk, "legacy", message_handler=hear)
    assert heard[:2] == ["PromptListChangedNotification", "ResourceListChangedNotification"]
