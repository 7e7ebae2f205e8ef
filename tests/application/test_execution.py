"""execute and invoke, over faked programs and servers."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.application.libraries.api_calls import ApiCalls
from cn_daemon.application.libraries.climpt import Climpt
from cn_daemon.application.libraries.execution import Execution
from cn_daemon.application.libraries.execution_errors import ProgramError, ProgramTimeoutError
from cn_daemon.application.libraries.library_ports import HttpResponse
from cn_daemon.application.libraries.program_ports import Ran
from cn_daemon.application.libraries.prompting import Prompting
from cn_daemon.application.libraries.tool_calls import ToolCalls
from cn_daemon.application.libraries.verbatim_answer import VerbatimAnswer
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Call
from cn_daemon.domain.libraries.climpt_line import DEFAULT_COMMAND
from cn_daemon.domain.libraries.commands import Argument, Catalog, ClimptCall, Command, HttpCall, McpCall
from cn_daemon.settings import Settings
from cn_shared.errors import CnError
from tests.fakes.execution import ROOT, FakeCommands, FakeHttpCaller, FakeRunner, FakeToolServers
from tests.fakes.libraries import FakeUsage

CALL = Call(None, 1000.0)
GIT = Command(
    "climpt:climpt/git/group-commit/unstaged-changes",
    "group-commit",
    "climpt",
    "climpt",
    climpt=ClimptCall("climpt", "git", "group-commit", "unstaged-changes"),
)
ODD = Command(
    "climpt:inspector/code/check/", "check", "climpt", "climpt", climpt=ClimptCall("inspector", "code", "check", "")
)
LOG = Command("md:analyze/log", "analyze/log", "markdown", "prompt", path="/mnt/Commands/analyze/log.md")
APPS = Command(
    "apps info",
    "apps info",
    "catalog",
    "http",
    path="/home/ann/catalogs/heroku_platform.json",
    positional_args=(Argument("app", required=True, place="path"),),
    flags=(Argument("page", kind="integer"),),
    catalog=Catalog("Platform API", vendor="heroku"),
    http=HttpCall("GET", "/apps/{app}", ("https://api.heroku.com",)),
)
TOOL = Command("apps tool", "apps tool", "catalog", "mcp", mcp=McpCall("server", "tool"))
TICKET = Command(
    "mcp:tickets/open", "open", "mcp", "mcp", flags=(Argument("title"), Argument("urgent", kind="boolean")),
    mcp=McpCall("tickets", "open"),
)  # fmt: skip
TRUSTED = Settings(
    catalog_base_urls={"heroku": "https://u:pw@api.example.com/v1"},
    catalog_headers={"Heroku": {"Authorization": "Bearer hush"}},
)


class Bench:
    def __init__(self, settings: Settings = TRUSTED, reports: Path | None = Path("/mnt/Reports")) -> None:
        self.settings = settings
        self.runner = FakeRunner()
        self.caller = FakeHttpCaller()
        self.servers = FakeToolServers()
        self.usage = FakeUsage()
        commands = FakeCommands([GIT, ODD, LOG, APPS, TOOL, TICKET], {LOG.canonical_id: "Look at $1.\n!`ls`\n"})
        self.execution = Execution(
            commands,
            Climpt(self.runner, lambda: self.settings),
            Prompting(lambda: self.settings, lambda: reports, lambda: datetime(2025, 11, 25, 8, 30, 59)),
            ApiCalls(self.caller, lambda: self.settings),
            ToolCalls(self.servers),
            self.usage,
        )

    def execute(self, *identifiers: str, **rest: Any) -> Any:
        return asyncio.run(self.execution.execute(CALL, *identifiers, **rest))

    def invoke(self, command: str, **rest: Any) -> Any:
        return asyncio.run(self.execution.invoke(CALL, command, **rest))

    def document(self, command: str, **rest: Any) -> Any:
        answer = self.invoke(command, **rest)
        assert isinstance(answer, PlainAnswer)
        return answer.document


@pytest.fixture
def bench() -> Bench:
    return Bench()


def refusal(action: Any, *arguments: Any, **rest: Any) -> CnError:
    with pytest.raises(CnError) as refused:
        action(*arguments, **rest)
    return refused.value


def test_climpt_is_run_as_specified(bench: Bench) -> None:
    answer = bench.execute(
        "git", "group-commit", "unstaged-changes", edition="detailed", options={"uv": {"n": 1}}, more=["--x"], stdin="ü"
    )
    assert answer == VerbatimAnswer(b"do this\n")
    own = ["--config=git", "group-commit", "unstaged-changes", "--uv-n=1", "-e=detailed", "--x"]
    assert bench.runner.ran == [
        {
            "argv": ["/usr/bin/deno", *DEFAULT_COMMAND[1:], *own],
            "folder": ROOT,
            "stdin": "ü".encode(),
            "deadline": 1000.0,
        }
    ]


def test_an_empty_c3_and_another_agent(bench: Bench) -> None:
    bench.execute("code", "check", agent="inspector", options=["-e=x"])
    assert bench.runner.ran[0]["argv"][len(DEFAULT_COMMAND) :] == ["--config=inspector-code", "check", "-e=x"]


def test_a_configured_command_line(bench: Bench) -> None:
    bench.settings = Settings(climpt_command=("climpt", "--local"))
    bench.runner.programs = {"climpt": Path("/opt/climpt")}
    bench.execute("git", "group-commit", "unstaged-changes")
    assert bench.runner.ran[0]["argv"][:3] == ["/opt/climpt", "--local", "--config=git"]


def test_a_canonical_id_is_invoked(bench: Bench) -> None:
    assert bench.execute(GIT.canonical_id, edition="x", more=["-y"]) == VerbatimAnswer(b"do this\n")
    assert bench.runner.ran[0]["argv"][-3:] == ["unstaged-changes", "-e=x", "-y"]
    assert bench.execute("md:analyze/log", more=["a.log"]).document["content"] == "Look at a.log.\n!`ls`\n"


def test_a_context_becomes_options(bench: Bench) -> None:
    bench.invoke(GIT.canonical_id, context={"edition": "x", "options": ["-a=y"], "arguments": "--uv-a='b c'"})
    assert bench.runner.ran[0]["argv"][-3:] == ["-a=y", "-e=x", "--uv-a=b c"]


def test_a_dry_run_runs_nothing(bench: Bench) -> None:
    document = bench.execute("git", "group-commit", "unstaged-changes", dry_run=True).document
    assert document["argv"][-1] == "unstaged-changes"
    assert document["cwd"] == str(ROOT)
    assert bench.runner.ran == []


def test_errors_of_climpt_are_worded_as_documented(bench: Bench) -> None:
    assert refusal(bench.execute, "git", "no", "such").document() == {
        "error": "Command not found",
        "c1": "git",
        "c2": "no",
        "c3": "such",
        "code": "command_not_found",
    }
    bench.runner.answer = Ran(3, b"half", "it broke")
    failed = refusal(bench.execute, "code", "check", agent="inspector")
    assert failed.document() == {
        "error": "Execution failed",
        "command": "inspector-code check",
        "stderr": "it broke",
        "exit_code": 3,
        "code": "execution_failed",
    }
    assert (failed.exit_code, failed.status) == (6, 502)
    bench.runner.answer = ProgramTimeoutError("so far")
    late = refusal(bench.execute, "git", "group-commit", "unstaged-changes")
    assert late.document() == {
        "error": "Execution timed out",
        "command": "git group-commit unstaged-changes",
        "stderr": "so far",
        "code": "execution_timed_out",
        "hint": "Allow more time with --deadline, or with the setting execute_timeout_s.",
    }
    assert (late.exit_code, late.status) == (7, 504)
    bench.runner.answer = ProgramError("too_much_output", "It printed too much.", "See the limit.")
    assert (
        refusal(bench.execute, "git", "group-commit", "unstaged-changes").document()["stderr"] == "It printed too much."
    )


def test_a_missing_deno_says_how_to_get_it(bench: Bench) -> None:
    bench.runner.programs = {}
    missing = refusal(bench.execute, "git", "group-commit", "unstaged-changes")
    assert missing.document()["error"] == "Execution failed"
    assert "Deno is not installed" in str(missing.document()["stderr"])
    assert "npm install -g deno" in missing.hint
    assert "climpt_command" in missing.hint
    bench.settings = Settings(climpt_command=("nothing",))
    assert "nothing" in str(refusal(bench.execute, "git", "group-commit", "unstaged-changes").document()["stderr"])


@pytest.mark.parametrize(
    ("words", "rest", "code"),
    [
        (("--allow-all", "x", "y"), {}, "bad_identifier"),
        (("git", "-x", "y"), {}, "bad_identifier"),
        (("git", "../x", "y"), {}, "bad_identifier"),
        (("git", "x", "y"), {"agent": "../climpt"}, "bad_identifier"),
        (("git", "group-commit", "unstaged-changes"), {"more": ["--config=meta"]}, "bad_options"),
        (("git", "group-commit", "unstaged-changes"), {"options": ["-c", "meta"]}, "bad_options"),
        (("git", "group-commit", "unstaged-changes"), {"options": {"config": "meta"}}, "bad_options"),
        (("git", "group-commit", "unstaged-changes"), {"options": {"a b": "x"}}, "bad_options"),
        (("git", "group-commit", "unstaged-changes"), {"options": [1]}, "bad_options"),
        (("git", "group-commit", "unstaged-changes"), {"arg": ["a=b"]}, "bad_usage"),
        (("git", "group-commit", "unstaged-changes"), {"file": "/etc/passwd"}, "outside_root"),
        (("git", "group-commit", "unstaged-changes"), {"more": ["-f", "../x"]}, "outside_root"),
        (("git", "group-commit", "unstaged-changes"), {"options": {"file": "../x"}}, "outside_root"),
        (("apps tool",), {}, "not_executable"),
        (("apps info",), {"arg": ["app"]}, "bad_argument"),
    ],
)
def test_what_is_refused_runs_nothing(bench: Bench, words: tuple[str, ...], rest: dict[str, Any], code: str) -> None:
    refused = refusal(bench.execute, *words, **rest)
    assert (refused.code, refused.exit_code) == (code, 2)
    assert bench.runner.ran == []
    assert bench.caller.sent == []


def test_a_tool_of_a_server_is_called_with_typed_arguments(bench: Bench) -> None:
    bench.servers.result = {
        "content": [{"type": "text", "text": "Opened 7."}, {"type": "image", "data": "x"}],
        "structuredContent": {"id": 7},
    }
    answer = bench.document("mcp:tickets/open", arg=["title=Broken", "urgent=true", "more=1"])
    assert answer == {
        "content": 'Opened 7.\n{"type": "image", "data": "x"}',
        "structured_content": {"id": 7},
    }
    given = {"title": "Broken", "urgent": True, "more": "1"}
    assert bench.servers.called == [(McpCall("tickets", "open"), given)]
    dry = bench.document("mcp:tickets/open", context={"title": "x"}, dry_run=True)
    assert dry == {"server": "tickets", "tool": "open", "arguments": {"title": "x"}}
    bench.servers.result = {"content": [{"type": "text", "text": "No such queue"}], "isError": True}
    refused = refusal(bench.invoke, "mcp:tickets/open")
    assert (refused.code, refused.message, refused.exit_code) == ("tool_failed", "No such queue", 6)
    assert refusal(bench.invoke, "mcp:tickets/open", arg=["urgent=soon"]).code == "bad_argument"


def test_shell_characters_are_only_characters(bench: Bench) -> None:
    bench.execute("git", "group-commit", "unstaged-changes", edition="$(reboot); `x` | y > z", more=["; rm -rf /"])
    assert bench.runner.ran[0]["argv"][-2:] == ["-e=$(reboot); `x` | y > z", "; rm -rf /"]


def test_a_prompt_is_rendered(bench: Bench) -> None:
    assert bench.document("md:analyze/log", context={"arguments": "server.log", "mode": 3}, stdin="piped") == {
        "content": "Look at server.log.\n!`ls`\n\nmode: 3\nstdin: piped\n",
        "pending": [{"kind": "shell", "text": "ls"}],
        "report_path": "/mnt/Reports/analyze/log-reports/2025-11-25-server-log-083059.md",
    }
    assert "mode: fast" in bench.document("md:analyze/log", arg=["mode=fast"])["content"]
    assert bench.document("md:analyze/log", dialect="cursor", more=["x"])["content"] == "Look at $1.\n!`ls`\n\nx\n"
    bench.settings = Settings(prompt_dialect="cursor")
    assert bench.document("md:analyze/log")["content"] == "Look at $1.\n!`ls`\n"


def test_without_a_reports_folder_no_report_is_proposed() -> None:
    assert set(Bench(reports=None).document("md:analyze/log")) == {"content", "pending"}


@pytest.mark.parametrize("arguments", ["../../etc/passwd", "a/b", "..", "", "\0", "ü" * 200])
def test_a_report_stays_in_its_folder(bench: Bench, arguments: str) -> None:
    path = Path(bench.document("md:analyze/log", context={"arguments": arguments})["report_path"])
    assert path.parent == Path("/mnt/Reports/analyze/log-reports")
    assert path.name.startswith("2025-11-25-")
    assert len(path.name.encode()) < 255


def test_an_api_command_is_sent_where_the_settings_say(bench: Bench) -> None:
    assert bench.document("apps info", arg=["app=shop", "page=2"]) == {
        "status": 200,
        "headers": {"content-type": "application/json"},
        "body": {"ok": True},
    }
    sent = bench.caller.sent[0]
    assert (sent.method, sent.url) == ("GET", "https://u:pw@api.example.com/v1/apps/shop?page=2")
    assert sent.headers["authorization"] == "Bearer hush"
    bench.document("apps info", more=["shop"], stdin='{"page": 3}')
    assert bench.caller.sent[1].url.endswith("/apps/shop?page=3")


@pytest.mark.parametrize("key", ["HEROKU", "platform api", "heroku_platform", "apps"])
def test_a_catalog_goes_by_several_names(bench: Bench, key: str) -> None:
    bench.settings = Settings(catalog_base_urls={key: "https://one.example"})
    bench.document("apps info", arg=["app=shop"])
    assert bench.caller.sent[0].url == "https://one.example/apps/shop"


def test_a_catalog_alone_cannot_say_where_it_goes(bench: Bench) -> None:
    bench.settings = Settings()
    refused = refusal(bench.invoke, "apps info", arg=["app=shop"])
    assert refused.code == "no_base_url"
    assert '"catalog_base_urls": {"heroku": "https://api.heroku.com"}' in refused.hint
    assert bench.document("apps info", arg=["app=shop"], dry_run=True)["url"] == "https://api.heroku.com/apps/shop"
    assert bench.caller.sent == []


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x", "api.example.com", "https://", "https://x/?a=b"])
def test_a_base_url_is_http(bench: Bench, url: str) -> None:
    bench.settings = Settings(catalog_base_urls={"heroku": url})
    assert refusal(bench.invoke, "apps info", arg=["app=x"]).code == "bad_base_url"


def test_a_dry_run_shows_no_secret(bench: Bench) -> None:
    document = bench.document("apps info", arg=["app=shop"], dry_run=True)
    assert document["headers"]["authorization"] == "***"
    assert document["url"] == "https://***@api.example.com/v1/apps/shop"
    assert "hush" not in json.dumps(document)
    assert bench.caller.sent == []


def test_another_status_is_an_error_with_the_body(bench: Bench) -> None:
    bench.caller.answer = HttpResponse(422, {"content-type": "application/json"}, b'{"message":"no"}', False)
    failed = refusal(bench.invoke, "apps info", arg=["app=shop"])
    assert failed.document() == {
        "error": {
            "code": "http_status",
            "message": "apps info was answered 422.",
            "status": 422,
            "body": {"message": "no"},
        }
    }
    assert failed.exit_code == 6
    bench.caller.answer = HttpResponse(302, {"location": "https://u:p@other.example/x"}, b"", False)
    moved = refusal(bench.invoke, "apps info", arg=["app=shop"])
    assert (moved.code, moved.data["location"]) == ("redirected", "https://***@other.example/x")


def test_a_bounded_body_is_text(bench: Bench) -> None:
    bench.caller.answer = replace_body(b'{"a":')
    assert bench.document("apps info", arg=["app=shop"])["body"] == '{"a":'
    assert bench.document("apps info", arg=["app=shop"])["truncated"] is True


def replace_body(body: bytes) -> HttpResponse:
    return HttpResponse(200, {"content-type": "application/json"}, body, True)


@pytest.mark.parametrize("stdin", ["[1]", "x", '{"page"'])
def test_what_is_piped_into_an_api_command_is_an_object(bench: Bench, stdin: str) -> None:
    assert refusal(bench.invoke, "apps info", arg=["app=x"], stdin=stdin).code == "bad_stdin"


def test_too_many_words(bench: Bench) -> None:
    assert refusal(bench.invoke, "apps info", more=["a", "b"]).code == "unknown_argument"


def test_config_show_masks() -> None:
    from cn_daemon.application import configuration

    settings = replace(
        TRUSTED,
        climpt_command=("a", "b"),
        node=Path("/n"),
        sources={"catalog_headers": "CN_CATALOG_HEADERS"},
        warnings=["w"],
    )
    document = configuration.show(settings).document
    assert document["settings"]["catalog_headers"] == {
        "value": {"Heroku": {"Authorization": "***"}},
        "source": "CN_CATALOG_HEADERS",
    }
    assert document["settings"]["catalog_base_urls"]["value"] == {"heroku": "https://***@api.example.com/v1"}
    assert document["settings"]["climpt_command"]["value"] == ["a", "b"]
    assert document["settings"]["node"]["value"] == "/n"
    assert document["settings"]["server"] == {"value": "auto", "source": "default"}
    assert document["warnings"] == ["w"]
    assert "hush" not in json.dumps(document)


def test_what_is_carried_out_is_watched_and_what_is_shown_or_fails_is_not() -> None:
    bench = Bench()
    bench.execute("git", "group-commit", "unstaged-changes")
    bench.invoke("md:analyze/log")
    assert bench.usage.noted == [GIT.canonical_id, LOG.canonical_id]
    bench.execute("git", "group-commit", "unstaged-changes", dry_run=True)
    bench.invoke("apps info", arg=["app=shop"], dry_run=True)
    bench.runner.answer = Ran(1, b"", "no")
    for failing in (
        lambda: bench.execute("git", "group-commit", "unstaged-changes"),
        lambda: bench.invoke("apps tool"),
    ):
        with pytest.raises(CnError):
            failing()
    assert bench.usage.noted == [GIT.canonical_id, LOG.canonical_id]
