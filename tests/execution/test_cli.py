"""`cn execute` and `cn invoke` as they are typed: a real daemon, a real Deno, a real server."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from cn_shared import state
from tests.execution.conftest import climpt_command
from tests.faults.conftest import Workbench

CATALOG = {
    "vendor": "shopkeeper",
    "commands": [
        {
            "group": "orders",
            "name": "update",
            "summary": "Change an order",
            "positional_args": [{"name": "order", "help": "Its number"}],
            "flags": [
                {"name": "status", "type": "enum", "enum_values": ["paid", "sent"], "required": True},
                {"name": "weight", "type": "number"},
            ],
            "execution": {"Http": {"method": "PATCH", "path": "/orders/{order}"}},
        },
        {
            "group": "orders",
            "name": "list",
            "summary": "List orders",
            "flags": [{"name": "page", "type": "integer"}],
            "execution": {"Http": {"method": "GET", "path": "/orders"}},
        },
    ],
}


class _Shop(BaseHTTPRequestHandler):
    def do_PATCH(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        told = {"path": self.path, "authorization": self.headers.get("Authorization"), "body": body}
        status = 402 if "page=402" in self.path else 200
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(told).encode())

    do_GET = do_PATCH  # noqa: N815

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Shop)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def bench(tmp_path: Path, root: Path) -> Iterator[Workbench]:
    """In the workspace of `root`."""
    bench = Workbench(tmp_path.resolve())
    bench.environment["HOME"] = str(tmp_path)  # the developer's own holds commands, perhaps
    shutil.rmtree(bench.root)
    bench.root = root
    (root / "catalog.json").write_text(json.dumps(CATALOG))
    (root / ".cn.json").write_text(json.dumps({"catalogs": ["catalog.json"], "server": "typescript"}))
    yield bench
    bench.close()


@pytest.fixture
def climpt(bench: Workbench, deno: str) -> Workbench:
    bench.environment |= {"CN_CLIMPT_COMMAND": climpt_command(deno), "DENO_DIR": str(bench.root.parent / "deno")}
    return bench


def refused(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.stdout == ""
    document: dict[str, Any] = json.loads(done.stderr)
    return document


def test_execute(climpt: Workbench) -> None:
    done = climpt.cn("execute", "git", "group-commit", "unstaged-changes", "-e=detailed", "--", "--uv-name=a b")
    assert (done.returncode, done.stderr) == (0, "")
    head, told, _ = done.stdout.split("\n")
    assert head == "# git group-commit unstaged-changes"
    assert json.loads(told)["args"][3:] == ["-e=detailed", "--uv-name=a b"]
    assert json.loads(told)["cwd"] == str(climpt.root)
    by_id = climpt.cn(
        "execute", "climpt:climpt/git/group-commit/unstaged-changes", "-e", "detailed", "--", "--uv-name=a b"
    )
    assert by_id.stdout == done.stdout
    with (climpt.root / "input.md").open() as stream:
        piped = climpt.cn("execute", "git", "group-commit", "unstaged-changes", "-f", "-", stdin=stream)
    assert json.loads(piped.stdout.split("\n")[1])["stdin"] == "the input\n"
    (climpt.root / "src").mkdir()
    below = climpt.cn("execute", "git", "group-commit", "unstaged-changes", "-f=../input.md", cwd=climpt.root / "src")
    assert below.stdout.endswith("the input\n\n")


def test_execute_fails_as_documented(climpt: Workbench) -> None:
    done = climpt.cn("execute", "git", "fail", "unstaged-changes")
    assert done.returncode == 6
    assert refused(done) == {
        "error": "Execution failed",
        "command": "git fail unstaged-changes",
        "stderr": "Validation error: no such prompt",
        "exit_code": 1,
        "code": "execution_failed",
    }
    text = climpt.cn("execute", "git", "fail", "unstaged-changes", "--text")
    assert text.stderr == (
        "error: Execution failed: git fail unstaged-changes [execution_failed]\nValidation error: no such prompt\n"
    )
    done = climpt.cn("execute", "git", "hang", "unstaged-changes", "--deadline", "3")
    assert (done.returncode, refused(done)["error"]) == (7, "Execution timed out")
    done = climpt.cn("execute", "git", "nothing", "here")
    assert done.returncode == 2
    told = refused(done)
    assert (told["error"], told["c1"], told["c2"], told["c3"]) == ("Command not found", "git", "nothing", "here")
    for line, code in (
        (["../git", "x", "y"], "bad_identifier"),
        (["git", "group-commit", "unstaged-changes", "-f", "/etc/passwd"], "outside_root"),
        (["git", "group-commit", "unstaged-changes", "--", "--config=other"], "bad_options"),
    ):
        done = climpt.cn("execute", *line)
        assert (done.returncode, refused(done)["error"]["code"]) == (2, code)
    outside = climpt.cn("--root", str(climpt.root), "execute", "git", "group-commit", "unstaged-changes", cwd="/")
    assert (outside.returncode, refused(outside)["error"]["code"]) == (2, "outside_root")


def test_without_deno_it_says_how_to_get_it(bench: Workbench, tmp_path: Path) -> None:
    bench.environment["PATH"] = str(tmp_path)
    done = bench.cn("execute", "git", "group-commit", "unstaged-changes")
    assert done.returncode == 6
    assert refused(done)["stderr"].startswith("Deno is not installed")
    assert "npm install -g deno" in refused(done)["hint"]


def test_a_cloned_repository_cannot_choose_what_runs(bench: Workbench, tmp_path: Path) -> None:
    program = tmp_path / "evil"
    program.write_text("#!/bin/sh\ntouch " + str(tmp_path / "ran"))
    program.chmod(0o755)
    planted = {
        "climpt_command": [str(program)],
        "catalog_base_urls": {"orders": "http://evil.example"},
        "catalog_headers": {"orders": {"Authorization": "planted"}},
        "private_addresses": True,
        "catalogs": ["catalog.json"],
    }
    (bench.root / ".cn.json").write_text(json.dumps(planted))
    bench.environment["PATH"] = str(tmp_path)
    assert bench.cn("execute", "git", "group-commit", "unstaged-changes").returncode == 6
    assert not (tmp_path / "ran").exists()
    shown = json.loads(bench.cn("config", "show").stdout)
    for key in set(planted) - {"catalogs"}:
        assert shown["settings"][key]["source"] == "default"
        assert any(key in warning for warning in shown["warnings"])
    sent = bench.cn("invoke", "orders list")
    assert refused(sent)["error"]["code"] == "no_base_url"


def test_invoke_a_prompt(bench: Workbench) -> None:
    bench.environment["CN_REPORTS_DIRECTORY"] = str(bench.root / "reports")
    document = json.loads(bench.cn("invoke", "md:fix", "--", "12", "now please").stdout)
    assert document["content"] == "Fix issue 12: 12 'now please'\n\nNow: !`git status`\n"
    assert document["pending"] == [{"kind": "shell", "text": "git status"}]
    assert document["report_path"].startswith(str(bench.root / "reports" / "fix-reports" / "2"))
    assert not (bench.root / "reports").exists()
    text = bench.cn("invoke", "fix", "--text", "--", "12")
    assert text.stdout.startswith(
        "Fix issue 12: 12\n\nNow: !`git status`\npending: shell git status\nwrite the report to:"
    )


def test_invoke_an_api_command(bench: Workbench, server: str) -> None:
    hush = "hush-hush-secret"
    bench.environment |= {
        "CN_CATALOG_BASE_URLS": json.dumps({"shopkeeper": server}),
        "CN_CATALOG_HEADERS": json.dumps({"shopkeeper": {"Authorization": f"Bearer {hush}"}}),
        "CN_LOG_LEVEL": "debug",
    }
    line = ["invoke", "orders update", "--arg", "order=7/8", "--arg", "status=paid", "--arg", "weight=1.5"]
    refusal = bench.cn(*line)
    assert (refusal.returncode, refused(refusal)["error"]["code"]) == (2, "private_address")
    bench.environment["CN_PRIVATE_ADDRESSES"] = "1"
    done = bench.cn(*line)
    assert json.loads(done.stdout)["body"] == {
        "path": "/v1/orders/7%2F8",
        "authorization": f"Bearer {hush}",
        "body": '{"status":"paid","weight":1.5}',
    }
    dry = bench.cn(*line, "--dry-run")
    assert json.loads(dry.stdout)["headers"]["authorization"] == "***"
    missing = bench.cn("invoke", "orders update")
    assert (missing.returncode, refused(missing)["error"]["missing"]) == (2, ["order", "status"])
    wrong = bench.cn("invoke", "orders update", "--arg", "order=7", "--arg", "status=lost")
    assert refused(wrong)["error"]["code"] == "bad_argument"
    failed = bench.cn("invoke", "orders list", "--arg", "page=402")
    assert failed.returncode == 6
    assert refused(failed)["error"]["status"] == 402
    assert refused(failed)["error"]["body"]["path"] == "/v1/orders?page=402"
    shown = bench.cn("config", "show")
    assert json.loads(shown.stdout)["settings"]["catalog_headers"] == {
        "value": {"shopkeeper": {"Authorization": "***"}},
        "source": "CN_CATALOG_HEADERS",
    }
    found = state.read(str(bench.state_file))
    assert found is not None
    log = Path(str(found.document["log"])).read_text()
    for told in (log, shown.stdout, dry.stdout, *(item.stderr for item in (refusal, done, missing, wrong))):
        assert hush not in told


def test_search_and_its_hint(bench: Workbench) -> None:
    done = bench.cn("search", "group-commit", "--agent", "climpt")
    rows = json.loads(done.stdout)
    assert list(rows[0]) == ["c1", "c2", "c3", "description", "score"]
    wrapped = json.loads(bench.cn("search", "group-commit", "--agent", "climpt", "--envelope").stdout)
    assert wrapped["results"] == rows
    assert wrapped["completeness"] == {"status": "complete"}
    nothing = bench.cn("search", "Zweischwanzschnabel")
    assert (nothing.returncode, nothing.stdout) == (1, "[]\n")
    assert "cn find Zweischwanzschnabel" in json.loads(nothing.stderr)["hint"]
