"""Where the imports of files may lead, by their texts."""

from __future__ import annotations

import pytest

from cn_daemon.application.documents import Documents
from cn_daemon.application.modules import reach
from cn_daemon.application.modules.reach import Reach, Steps
from cn_daemon.application.ports import Packages
from tests.fakes.navigation import FakeWords, FakeWorkspace, path_of

PACKAGES = Packages(
    {"@x/a": path_of("a"), "@x/z": path_of("z")},
    frozenset({"installed"}),
    ways={
        "@x/a": (path_of("a/dist/esm/index.js"), path_of("a/types/index.d.ts")),
        path_of("a"): (path_of("a/dist/esm/index.js"),),
        "@/*": (path_of("a/src/*"),),
        "react": (path_of("node_modules/preact"),),
    },
)
TEXTS = {
    "a/src/index.ts": 'export * from "./widget.js";\nimport "./style.css";\n',
    "a/src/widget.ts": 'import "@/deep";\n',
    "a/src/deep/index.ts": "",
    "a/src/other.ts": "",
    "a/test/use.ts": "",
}


class Words(FakeWords):
    def packages(self) -> Packages:
        return PACKAGES

    def leads_inside(self, module: str) -> bool:
        return module in ("other", "path")


def reached(text: str, steps: Steps | None = None) -> set[str]:
    """What a file `a/test/use.ts` of that text reaches, itself left out, from the workspace's folder."""
    workspace = FakeWorkspace({**TEXTS, "a/test/use.ts": text})
    way = Reach(Words(workspace), Documents(workspace), steps or Steps())
    return {place.removeprefix(path_of("")) for place in way.places(path_of("a/test/use.ts"))} - {"a/test/use.ts"}


SOURCES = {"a/src/index.ts", "a/src/widget.ts", "a/src/deep/index.ts"}


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ('import { a } from "@x/a";', SOURCES),  # not built
        ('const a = require("..");', SOURCES),  # by its folder
        ('import("../dist/cjs/widget.js");', SOURCES - {"a/src/index.ts"}),
        ('import { a } from "../src/index?raw";', SOURCES),
        ('import a = require(/* first */ "../src/other");', {"a/src/other.ts"}),
        ('import { a } from "installed";\nimport "react";\nimport "path";\nimport "./logo.svg";', set()),
        (' * import { a } from "./none";\nthrow "as in `import(\'./none\')`";', set()),  # examples
    ],
)
def test_imports_are_followed_to_sources(text: str, places: set[str]) -> None:
    assert reached(text) == places


@pytest.mark.parametrize("module", ["./none", "@x/a/none", "@/none"])
def test_what_is_not_there_may_be_made_of_all_of_its_package(module: str) -> None:
    assert {f"a/{end}" for end in ("", "src/other.ts", "src/index.ts")} <= reached(f'import {{ a }} from "{module}";')


def test_a_name_that_some_source_has_leads_anywhere() -> None:
    assert "/" in reached('import { a } from "other";')


def test_what_is_kept_of_a_file_is_of_its_text() -> None:
    steps = Steps()
    assert reached('import "../src/other";', steps) == {"a/src/other.ts"}
    assert reached('import "../src/deep";', steps) == {"a/src/deep/index.ts"}


def test_a_question_does_not_follow_imports_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "FOLLOWED", 1)
    assert "/" in reached('import { a } from "@x/a";')
