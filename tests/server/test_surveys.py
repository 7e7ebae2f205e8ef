"""overview, changed and diagnostics on both TypeScript servers, over a workspace that git keeps."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cn_shared.errors import InputError, NotFoundError
from cn_shared.surveys import ChangedAnswer, ChangedFile
from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

FILES = {
    "package.json": '{"name": "shop"}',
    "tsconfig.json": TSCONFIG,
    "test/tsconfig.json": '{"extends": "../tsconfig.json", "include": ["."]}',
    "src/user.ts": """
        export class User {
          constructor(public name: string) {}
          rename(name: string) {
            this.name = name;
          }
          shout() {
            return this.name.toUpperCase();
          }
        }
        export function unused() {}
        """,
    "src/app.ts": """
        import { User } from "./user";
        export function main() {
          const user = new User("Ann");
          user.rename("Bea");
          return user.shout();
        }
        """,
    "src/deep/down/below/leaf.ts": "export const leaf = 1;\n",
    "test/user.test.ts": 'import { User } from "../src/user";\nnew User("t").rename("u");\n',
    "notes.md": "Nothing.\n",
}
CHANGED_USER = """\
export class User {
  constructor(public name: string) {}
  rename(name: string, loud = false) {
    this.name = loud ? name.toUpperCase() : name;
  }
  whisper() {
    return this.name.toLowerCase();
  }
}
export function unused() {}
"""


@pytest.fixture(scope="module", params=["typescript", "native"])
def server(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def ask(desk: Desk, server: str) -> Any:
    def asked(verb: str, **parameters: Any) -> Any:
        return desk.run(desk.ask(verb, server=server, **parameters))

    return asked


def git(root: Path, *arguments: str) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=root, env=environ, check=True, capture_output=True, timeout=30)


@pytest.fixture(autouse=True)
def workspace(desk: Desk) -> None:
    """As it was committed, whatever the test before changed."""
    if not (desk.root / ".git").exists():
        desk.write(FILES)
        git(desk.root, "init")
        git(desk.root, "add", ".")
        git(desk.root, "commit", "-m", "first")
    git(desk.root, "reset", "--hard")
    git(desk.root, "clean", "-fd")


def told(answer: ChangedAnswer) -> dict[str, list[str]]:
    """`change Container.name uses user,user` of every symbol, by file."""

    def rows(file: ChangedFile) -> list[str]:
        return [
            " ".join(
                filter(
                    None,
                    (
                        one.change,
                        ".".join(filter(None, (one.symbol.container, one.symbol.name))),
                        str(one.total),
                        ",".join(str(user.name) for user in one.users),
                    ),
                )
            )
            for one in file.symbols
        ]

    return {f"{file.status} {file.file_path}": rows(file) for file in answer.files}


def test_nothing_changed(ask: Any) -> None:
    answer = ask("changed")
    assert (answer.files, answer.outcome()) == ([], "empty")


def test_changed_symbols_and_who_uses_them(ask: Any, desk: Desk) -> None:
    desk.replace("src/user.ts", CHANGED_USER)
    desk.write({"src/fresh.ts": "export function fresh() {}\n", "notes.md": "Something.\n"})
    git(desk.root, "mv", "src/deep/down/below/leaf.ts", "src/leaf.ts")
    answer = ask("changed")
    assert told(answer) == {
        "modified notes.md": [],
        "renamed src/leaf.ts": [],
        "modified src/user.ts": ["changed User.rename 2 main", "added User.whisper 0", "removed User.shout 1"],
        "added src/fresh.ts": ["added fresh 0"],
    }
    assert answer.completeness.status == "partial"
    assert str(answer.completeness.reason).startswith("only the language server was asked")
    (renamed,) = (file for file in answer.files if file.status == "renamed")
    assert renamed.old_path == "src/deep/down/below/leaf.ts"


def test_a_branch_is_compared_with_where_it_began(ask: Any, desk: Desk) -> None:
    git(desk.root, "checkout", "-q", "-B", "side", "main")
    (desk.root / "src/app.ts").unlink()
    git(desk.root, "commit", "-qam", "without")
    git(desk.root, "checkout", "-q", "-B", "work", "main")
    desk.replace("src/user.ts", CHANGED_USER)
    try:
        assert list(told(ask("changed", rev="side"))) == ["modified src/user.ts"]
        git(desk.root, "reset", "--hard", "side")
        assert told(ask("changed", rev="main")) == {"deleted src/app.ts": ["removed main 0"]}
    finally:
        git(desk.root, "checkout", "-qf", "main")


@pytest.mark.parametrize("rev", ["--output=stolen", "no-such", "a b", ""])
def test_no_revision(ask: Any, desk: Desk, rev: str) -> None:
    with pytest.raises((InputError, NotFoundError)) as refused:
        ask("changed", rev=rev)
    assert refused.value.code in ("bad_revision", "unknown_revision")
    assert not (desk.root / "stolen").exists()


def test_complaints_come_with_the_edit_and_go_with_it(ask: Any, desk: Desk) -> None:
    assert ask("diagnostics", files=["src/app.ts"]).diagnostics == []
    desk.replace("src/user.ts", CHANGED_USER)
    answer = ask("diagnostics")
    assert [(one.file_path, one.line, one.severity, one.code) for one in answer.diagnostics] == [
        ("src/app.ts", 5, "error", "TS2339")
    ]
    assert "shout" in answer.diagnostics[0].message
    assert (answer.total, answer.files, answer.completeness.status) == (1, 4, "complete")
    desk.replace("src/app.ts", "export const broken = ;\nexport const other: string = 1;\n")
    first = ask("diagnostics", files=["src/app.ts"], limit=1)
    assert (len(first.diagnostics), first.total, first.next) == (1, 2, "1")
    second = ask("diagnostics", files=["src/app.ts"], limit=1, cursor=first.next)
    assert [one.code for one in (*first.diagnostics, *second.diagnostics)] == ["TS1109", "TS2322"]


def test_overview(ask: Any) -> None:
    answer = ask("overview")
    assert (answer.folder, answer.files, answer.projects) == (".", 4, ["test/tsconfig.json", "tsconfig.json"])
    assert [(row.name, row.path) for row in answer.packages] == [("shop", ".")]
    assert {row.path: row.files for row in answer.folders} == {"src": 3, "src/deep": 1, "test": 1}
    assert answer.symbols == []
    assert answer.completeness.reason == "bindings are off: which symbols most files import is not known"
    below = ask("overview", folder="src/deep")
    assert (below.folder, below.files, [row.path for row in below.folders]) == (
        "src/deep",
        1,
        ["src/deep/down", "src/deep/down/below"],
    )
    for folder in ("nowhere", "..", "/etc"):
        with pytest.raises(NotFoundError, match="No folder"):
            ask("overview", folder=folder)
