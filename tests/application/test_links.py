"""Files that hold a name and show no use: which of their imports are followed, and what is said of the rest."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from cn_daemon.application.context import Context
from cn_daemon.application.documents import Documents
from cn_daemon.application.modules import leads
from cn_daemon.application.modules.leads import Leads
from cn_daemon.application.ports import Changes, Hit, Packages, Site
from cn_daemon.application.uses.links import LinkCheck, Links
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.source.text import Position, Span
from tests.fakes.navigation import FakeLanguageServer, FakeWords, FakeWorkspace, path_of

NAME = Span(Position(1, 14), Position(1, 20))
USE = 'import { Widget } from "@x/a";\n'


class Words(FakeWords):
    """Of a workspace of packages `@x/…` below `packages`. changes: what the next question is told."""

    changes = Changes()

    def packages(self) -> Packages:
        names = sorted({path.split("/")[3] for path in self._workspace.texts})
        return Packages({f"@x/{name}": path_of(f"packages/{name}") for name in names}, frozenset())

    def tail(self, reader: str) -> Changes:
        told, self.changes = self.changes, Changes()
        return told


@dataclass
class Monorepo:
    """users: how many folders of package b import Widget of package a. lost: those of package c, where a is unknown."""

    users: int = 1
    lost: int = 0
    words: Words = field(init=False)
    server: FakeLanguageServer = field(init=False)

    def __post_init__(self) -> None:
        self.users_of = {"b": self.users, "c": self.lost}
        self.paths = [f"packages/{name}/{n:03}/use.ts" for name, count in self.users_of.items() for n in range(count)]
        texts = {"packages/a/widget.ts": "export class Widget {\n}\n", **dict.fromkeys(self.paths, USE)}
        self.workspace = FakeWorkspace(texts)
        self.words = Words(self.workspace)
        self.server = FakeLanguageServer(self.workspace)
        self.leads = Leads(self.words)
        there = Hit(path_of("packages/a/widget.ts"), NAME)
        for path in self.paths:
            if path.startswith("packages/b/"):
                self.server.defined[Site(path_of(path), Position(1, USE.index("@") + 2))] = [there]

    def check(self) -> Links:
        widget = Declaration(path_of("packages/a/widget.ts"), "Widget", "Class", NAME, NAME)
        self.leads.refresh()
        check = LinkCheck(self.leads, Context(self.words, self.server, Documents(self.workspace), 0.0))
        return asyncio.run(check.check(Symbol((widget,)), {"Widget"}, [path_of(path) for path in self.paths]))


def test_an_import_that_leads_nowhere_is_told_behind_many_that_lead_somewhere() -> None:
    """The check once ended in silence after 40 folders."""
    monorepo = Monorepo(users=100, lost=1)
    assert (
        monorepo.check().reason
        == "imports of @x/a lead nowhere, in packages/c/000/use.ts:1 at least (is the workspace installed and built?)"
    )
    assert [one for one in monorepo.server.asked if one != "load"] == ["definitions"] * 3  # two ways in, one mention


def test_files_of_one_project_and_package_are_asked_about_once() -> None:
    monorepo = Monorepo(users=100)
    assert monorepo.check() == Links([], "")
    assert monorepo.check() == Links([], "")
    assert [one for one in monorepo.server.asked if one != "load"] == ["definitions"]


def test_a_package_that_is_not_there_is_asked_for_once() -> None:
    """Not for each of its modules: the answer is partial anyway."""
    monorepo = Monorepo(users=0, lost=3)
    for number, path in enumerate(monorepo.paths):
        monorepo.workspace.texts[path_of(path)] = USE.replace("@x/a", f"@x/a/part{number}")
    assert (
        monorepo.check().reason
        == "imports of @x/a lead nowhere, in packages/c/000/use.ts:1 at least (is the workspace installed and built?)"
    )
    assert [one for one in monorepo.server.asked if one != "load"] == ["definitions"] * 2


@pytest.mark.parametrize(
    ("changes", "asked"),
    [
        (Changes(changed=frozenset({path_of("packages/b/000/use.ts")})), 1),
        (Changes(changed=frozenset({path_of("packages/b/tsconfig.json")})), 2),
        (Changes(deleted=frozenset({path_of("node_modules")})), 2),
        (Changes(created=frozenset({path_of("packages/b/new.ts")})), 2),
    ],
)
def test_what_is_kept_is_asked_again_when_it_may_lead_elsewhere(changes: Changes, asked: int) -> None:
    monorepo = Monorepo()
    monorepo.check()
    monorepo.words.changes = changes
    monorepo.check()
    assert len(monorepo.server.asked) == asked


def test_what_is_not_asked_any_more_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leads, "CHECKS", 0)
    assert "a file holds the name" in Monorepo().check().reason


def test_a_module_of_nodejs_is_none_of_the_workspaces(monkeypatch: pytest.MonkeyPatch) -> None:
    """`path` leads nowhere where @types/node is not installed, and a source of that name is another's."""
    monorepo = Monorepo(users=0, lost=1)
    monorepo.workspace.texts[path_of(monorepo.paths[0])] = 'import { Widget } from "path";\n'
    monkeypatch.setattr(monorepo.words, "leads_inside", lambda module: True)
    assert monorepo.check() == Links([], "")
    monorepo.workspace.texts[path_of(monorepo.paths[0])] = 'import { Widget } from "tool";\n'
    assert "imports of tool lead nowhere" in monorepo.check().reason


def test_one_word_is_a_package_where_no_project_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """`require("redis")` where redis is not installed, beside an example of that name."""
    monorepo = Monorepo(users=0, lost=1)
    monkeypatch.setattr(monorepo.words, "leads_inside", lambda module: True)
    monkeypatch.setattr(monorepo.server, "project", lambda path: "")
    monorepo.workspace.texts[path_of(monorepo.paths[0])] = 'import { Widget } from "redis";\n'
    assert monorepo.check() == Links([], "")
    monorepo.workspace.texts[path_of(monorepo.paths[0])] = 'import { Widget } from "session/redis";\n'
    assert "imports of session lead nowhere" in monorepo.check().reason


def test_without_a_project_each_folder_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monorepo = Monorepo(users=3)
    monkeypatch.setattr(monorepo.server, "project", lambda path: "")
    assert monorepo.check() == Links([], "")
    assert len(monorepo.server.asked) == 3


@pytest.mark.parametrize("example", ["/* {} */", "// {}", "/**\n{}\n */", "const example = `\n{}\n`;"])
def test_an_example_in_a_comment_was_taken_for_an_import_that_leads_nowhere(example: str) -> None:
    monorepo = Monorepo(lost=1)
    text = f"{example.format(USE.strip())}\nx.Widget;\n"
    monorepo.workspace.texts[path_of("packages/c/000/use.ts")] = text
    assert monorepo.check().reason == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (USE + "new Widget();\n", True),  # the import, and no more
        ('import * as x from "@x/a";\nnew x.Widget();\n', True),  # nothing is known of it
        ('import "@x/a";\nexport class Widget {}\n', False),  # another
        ('const a = require("@x/a");\nvar Widget = a();\n', False),
        ('import "@x/a";\nnew Widget();\n', False),  # a global
        ('import "@x/a";\nimport { Widget } from "vitest";\n', False),  # what is not installed is not ours
        ('const { Widget } = await import("@x/a");\n', True),  # its own definition
        ('import "@x/a";\nimport { Widget } from "./own";\n', False),  # another's
    ],
)
def test_all_names_in_files_that_import_from_nowhere_were_taken_for_uses(text: str, told: bool) -> None:
    monorepo = Monorepo(users=0, lost=1)
    path = path_of(monorepo.paths[0])
    monorepo.workspace.texts[path] = text
    line = next(number for number, line in enumerate(text.splitlines(), 1) if "Widget" in line)
    place = Position(line, text.splitlines()[line - 1].index("Widget") + 1)
    own = Hit(path_of("packages/c/000/own.ts") if "./own" in text else path, Span(place, place))
    monorepo.server.defined[Site(path, place)] = [] if "new " in text.splitlines()[line - 1] else [own]
    assert bool(monorepo.check().reason) is told
