"""What refs, callers, types and inspect tell where they are asked for a part, for more, or for all that hangs together
(what they find: tests/cases/relations.test)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_shared.errors import InputError
from cn_shared.relations import Caller, CallersAnswer, Relative
from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

FILES = {
    "package.json": '{"name": "shapes", "private": true}',
    "tsconfig.json": TSCONFIG.replace('"strict"', '"jsx": "preserve", "experimentalDecorators": true, "strict"'),
    "src/save.ts": """
        /** Writes it down. */
        export function save(name: string, count = 1) {
          return `${name} ${count}`;
        }
        export default save;
        """,
    "src/store.ts": """
        import { save } from "./save";
        import keep from "./save";
        export interface Store {
          put(name: string): string;
        }
        export class FileStore implements Store {
          put(name: string) {
            return save(name, name.length);
          }
        }
        export class LoudStore extends FileStore {
          override put(name: string) {
            return super.put(name.toUpperCase());
          }
        }
        export const memory: Store = {
          put: (name) => name,
        };
        export const handlers = { save, later: () => keep.call(null, "x") };
        export type Saver = typeof save;
        """,
    "src/app.ts": """
        import { FileStore, LoudStore, Store, handlers } from "./store";
        function pick(loud: boolean): Store {
          return loud ? new LoudStore() : new FileStore();
        }
        export function main() {
          const store = pick(true);
          store.put("a");
          store.put("b");
          [1].map((one) => pick(one > 0));
          handlers.later();
          return main2();
        }
        function main2(): string {
          return Math.random() > 1 ? main() : "";
        }
        main();
        """,
    "test/tsconfig.json": '{"extends": "../tsconfig.json", "include": ["."]}',
    "test/save.test.ts": """
        import writeDown, { save as written } from "../src/save";
        export function check() {
          return written("t") + writeDown("u");
        }
        """,
}


@pytest.fixture(scope="module")
def desk(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """With names and types: they tell what inherits."""
    desk = Desk(tmp_path_factory.mktemp("relations").resolve() / "work")
    yield desk
    assert desk.close() == []


@pytest.fixture(scope="module", params=["typescript", "native"])
def ask(request: pytest.FixtureRequest, desk: Desk) -> Any:
    """Ask a verb of one of the two servers."""

    def asked(verb: str, query: str, **parameters: Any) -> Any:
        named = {"target_id" if verb == "inspect" else "query": query}
        answer = desk.run(desk.ask(verb, server=request.param, **named, **parameters))
        assert answer.completeness is None or answer.completeness.status == "complete", answer
        return answer

    return asked


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


def tree(callers: Sequence[Caller]) -> list[Any]:
    """`Container.name:lines` of each, a list below it for a deeper level."""
    rows: list[Any] = []
    for caller in callers:
        name = ".".join(filter(None, (caller.symbol.container, caller.symbol.name)))
        assert caller.total >= len(caller.uses) > 0
        rows.append(f"{name}:{','.join(str(use.line) for use in caller.uses)}" + ("^" if caller.repeated else ""))
        if caller.callers:
            rows.append(tree(caller.callers))
    return rows


def relatives(rows: Iterable[Relative]) -> list[Any]:
    told: list[Any] = []
    for one in rows:
        told.append(f"{one.relation} {one.symbol.name}" + ("^" if one.repeated else ""))
        if one.further:
            told.append(relatives(one.further))
    return told


def test_refs_tell_what_each_mention_does_and_where_it_stands(ask: Any) -> None:
    answer = ask("refs", "save")
    told = {
        file.file_path: [f"{use.line} {use.role} {use.within or '-'}" for use in file.uses] for file in answer.files
    }
    assert told == {
        "src/save.ts": ["5 use -"],
        "src/store.ts": [
            "1 import -",
            "2 import -",
            "8 call FileStore.put",
            "19 use handlers.save",
            "19 call handlers.later",
            "20 use Saver",
        ],
        "test/save.test.ts": ["1 import -", "1 import -", "1 import -", "3 call check", "3 call check"],
    }
    assert [file.test for file in answer.files] == [None, None, True]
    assert answer.total == 12


def test_refs_go_on_where_they_were_cut(ask: Any) -> None:
    first = ask("refs", "save", limit=3)
    assert (sum(len(file.uses) for file in first.files), first.total, first.next) == (3, 12, "3")
    assert (len(first.files[-1].uses), first.files[-1].total) == (2, 6)
    rest = ask("refs", "save", limit=0, cursor=first.next)
    assert (sum(len(file.uses) for file in rest.files), rest.next) == (9, None)


def test_callers_of_callers_end_where_they_meet(ask: Any) -> None:
    answer = ask("callers", "pick", depth=4)
    assert tree(answer.callers) == ["main:6,9", ["main2:14", ["main:11^"], "app.ts:16"]]


def test_callers_go_on_where_they_were_cut(ask: Any) -> None:
    first: CallersAnswer = ask("callers", "save", limit=2)
    second: CallersAnswer = ask("callers", "save", limit=9, cursor=first.next)
    assert (len(first.callers), len(second.callers), second.next) == (2, 3, None)


def test_types_up_and_down(ask: Any) -> None:
    answer = ask("types", "FileStore")
    assert relatives(answer.supertypes) == ["implements Store"]
    assert relatives(answer.subtypes) == ["extends LoudStore"]
    below = ask("types", "Store").subtypes
    assert relatives(below) == ["implements FileStore", ["extends LoudStore"]]
    assert relatives(ask("types", "Store", depth=1).subtypes) == ["implements FileStore"]
    with pytest.raises(InputError, match="no class or interface"):
        ask("types", "save")


def test_one_inspect_tells_all_that_hangs_together(ask: Any) -> None:
    answer = ask("inspect", "Store", parts=["all"])
    assert answer.result.code.startswith("export interface Store {")
    assert [row.name for row in answer.members] == ["put"]
    assert [place.name for place in answer.implementations] == ["FileStore", "LoudStore", "memory"]
    assert (answer.callers, answer.tests) == ([], [])
    answer = ask("inspect", "save", without=["impls"])
    # What calls most comes first; a test is no caller but a test.
    assert [place.name for place in answer.callers] == ["put", "save", "later"]
    assert [(file.file_path, file.total) for file in answer.tests] == [("test/save.test.ts", 5)]
    assert (answer.members, answer.implementations) == ([], None)
    plain = ask("inspect", "save")
    assert (plain.completeness, plain.members, plain.callers, plain.tests) == (None, None, None, None)
    with pytest.raises(InputError, match="no part 'callees'"):
        ask("inspect", "save", parts=["callees"])
