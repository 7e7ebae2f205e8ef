"""With the setting `bindings`, what names decide is answered without a language server, and the rest as ever."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.adapters.compilers.bindings import Bindings
from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.interfaces.text import render
from cn_daemon.settings import Settings
from cn_shared.errors import LanguageServerError
from tests.server.desk import TSCONFIG, Desk, place, places

pytestmark = pytest.mark.server

FILES = {
    "tsconfig.json": TSCONFIG,
    "user.ts": """
        /** Whoever asks. */
        export class User {
          grow() {}
        }
        export const made = new User();
    """,
    "index.ts": 'export { User as Person } from "./user";\n',
    "use.ts": """
        import { Person } from "./index";
        export function run() {
          new Person().grow();
        }
    """,
}


@pytest.fixture
def own(toolchain: Toolchain, tmp_path: Path) -> Iterator[Desk]:
    """A workspace of one test, of which no server runs yet."""
    desk = Desk(tmp_path.resolve() / "work", Settings(bindings="on"))
    desk.write(FILES)
    yield desk
    assert desk.close() == []


def started(desk: Desk) -> list[str]:
    """The language servers, without what answers names."""
    servers = desk.services.language_servers()
    return [one.name for one in servers if one.state != "stopped" and one.name != "bindings"]


USES = ["index.ts:1", "index.ts:1", "use.ts:1", "use.ts:3", "user.ts:5"]


@pytest.mark.parametrize("query", ["User", "user.ts:2:14", "use.ts:3:7", "index.ts:1:10"])
def test_a_class_is_found_without_a_server(own: Desk, query: str) -> None:
    answer = own.find(query)
    assert place(answer.definition) == "user.ts:2:14"
    assert places(answer.references or []) == USES
    assert answer.completeness.status == "complete"
    assert started(own) == []


def test_so_are_its_uses_callers_outline_and_code(own: Desk) -> None:
    refs = own.run(own.ask("refs", query="User"))
    assert [(file.file_path, file.total) for file in refs.files] == [("index.ts", 2), ("use.ts", 2), ("user.ts", 1)]
    callers = own.run(own.ask("callers", query="User"))
    assert sorted(one.symbol.name for one in callers.callers) == ["made", "run"]
    assert own.rows("user.ts") == ["2 Class User", "3 Method User.grow", "5 Constant made"]
    shown = own.inspect("user.ts:3:3")
    assert (shown.result.name, shown.result.kind) == ("User.grow", "Method")
    assert own.inspect("User").result.documentation == "Whoever asks."
    assert started(own) == []


def test_what_is_called_and_what_inherits_is_told_by_types_without_a_server(own: Desk) -> None:
    own.write({"heir.ts": 'import { Person } from "./index";\nexport class Heir extends Person {}\n'})
    assert place(own.find("use.ts:3:16").definition) == "user.ts:3:3"
    callees = own.run(own.ask("callees", query="run"))
    assert [one.symbol.name for one in callees.callees] == ["User", "grow"]
    first = own.run(own.ask("callees", query="run", limit=1))
    assert ([one.symbol.name for one in first.callees], first.total, first.next) == (["User"], 2, "1")
    last = own.run(own.ask("callees", query="run", limit=1, cursor="1"))
    assert ([one.symbol.name for one in last.callees], last.next) == (["grow"], None)
    assert [place(one) for one in own.run(own.ask("impls", query="User")).implementations] == ["heir.ts:2:14"]
    assert [one.symbol.name for one in own.run(own.ask("types", query="Heir")).supertypes] == ["User"]
    assert set(started(own)) <= {"types"}


def test_a_member_is_decided_by_types_without_a_server(own: Desk) -> None:
    assert own.uses("User.grow") == ["use.ts:3"]
    assert started(own) == ["types"]


def test_what_names_leave_open_is_decided_by_types(own: Desk) -> None:
    own.write({"all.ts": 'import * as all from "./user";\nexport const held = { all };\nheld.all.User;\n'})
    assert own.uses("User") == ["all.ts:3", *USES]
    assert started(own) == ["types"]


def test_so_are_constructors(own: Desk) -> None:
    own.write({"plan.ts": "export class Plan {\n  constructor() {}\n}\nexport const one = new Plan();\n"})
    assert own.uses("Plan.constructor") == ["plan.ts:4"]
    assert started(own) == ["types"]


def test_a_server_that_is_named_is_not_started_for_what_names_decide(own: Desk) -> None:
    assert places(own.find("User", server="typescript").references or []) == USES
    assert started(own) == []


def test_without_the_parser_the_native_server_answers(
    toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of TypeScript 6 is had where its parser is. No other TypeScript stands in for the pinned parser, not even
    one of the workspace that the user vouched for."""
    asked: list[str] = []

    async def missing(root: Path, settings: Settings, *_: object, **__: object) -> Toolchain:
        asked.append(settings.typescript_source)
        raise LanguageServerError("provisioning_failed", "There is no network.")

    monkeypatch.setattr("cn_daemon.adapters.compilers.starting.provision", missing)
    own = Desk(tmp_path.resolve() / "work", Settings(server="native"))
    own.write(FILES)
    assert own.rows("use.ts") == ["2 Function run"]
    assert own.rows("user.ts") == ["2 Class User", "3 Method User.grow", "5 Variable made"]
    answer = own.find("User")
    assert places(answer.references or []) == USES
    assert started(own) == ["typescript-native"]
    assert answer.completeness.note == "answered without bindings: There is no network."
    assert answer.completeness.status == "partial"
    assert str(answer.completeness.reason).startswith("only the language server was asked")
    assert own.services.language_servers()[-1].detail == "There is no network."
    assert set(asked) == {"bundled"}
    assert own.close() == []


def test_the_process_of_the_bindings_is_among_the_servers(own: Desk) -> None:
    assert own.uses("User") == USES
    bindings = own.services.language_servers()[-1]
    assert (bindings.name, bindings.state) == ("bindings", "ready")
    assert bindings.pid is not None
    assert own.find("User").completeness.note is None


def test_all_imports_of_a_name_counted_for_one_of_the_files_that_export_it(own: Desk) -> None:
    """Those of a library, too."""
    own.write(
        {
            "own/context.ts": "export class Context {}\n",
            "own/index.ts": "export type { Context } from './context'\nexport * from './view'\n",
            "own/view/context.ts": "export interface Context {}\nlet a: Context\nlet b: Context\n",
            "own/view/index.ts": "import type { Context } from './context'\nlet c: Context\n",
            "own/a.ts": "import { Context } from './context'\n",
            "own/b.ts": "import type { Context as C } from '.'\n",
            "own/c.ts": "import { Context } from 'library'\n",
        }
    )
    for limit, more in ((1, []), (0, [("own/view/context.ts", 1)])):
        answer = own.run(own.ask("overview", folder="own", limit=limit))
        assert [(one.symbol.file_path, one.files) for one in answer.symbols] == [("own/context.ts", 3), *more]


def test_an_overview_says_when_nobody_counts_imports(own: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def stuck(*_: Any) -> Any:
        raise LanguageServerError("timed_out", "bindings: the process was not done in time")

    monkeypatch.setattr(Bindings, "most_imported", stuck)
    answer = own.run(own.ask("overview"))
    assert answer.symbols == []
    assert answer.completeness.reason == "bindings: the process was not done in time"


def test_who_answered_is_told_where_it_is_asked_for(own: Desk) -> None:
    assert own.find("User").explained is None
    named = own.run(own.ask("find", query="User", explain=True))
    assert [(one.name, one.uses, one.doubts) for one in named.explained] == [("bindings", len(USES), 0)]
    typed = own.run(own.ask("find", query="User.grow", explain=True))
    assert [(one.name, one.uses) for one in typed.explained] == [("bindings", None), ("types", 1)]
    assert all(one.requests for one in typed.explained)
    assert "asked: types · " in render(typed, color=False)
