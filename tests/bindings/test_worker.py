"""The worker as a process: what it answers, and that no text ends or holds it for long."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import stat
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from cn_daemon.adapters.compilers.bindings import WORKER, Bindings, Bound
from cn_daemon.adapters.compilers.worker import Program, Worker
from cn_daemon.adapters.identifier_index import IdentifierIndex
from cn_daemon.adapters.language_servers.languages import indexed, is_project_file
from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.application.ports import Site
from cn_daemon.domain.source.text import Position
from cn_shared.errors import LanguageServerError

pytestmark = pytest.mark.server

T = TypeVar("T")


class Desk:
    """A workspace and its worker; questions are asked as the daemon would."""

    def __init__(self, root: Path, toolchain: Toolchain) -> None:
        self.root = root
        root.mkdir()
        (root / ".cn.json").write_text("{}")
        self.index = IdentifierIndex(root, indexed, is_project_file)
        program = Program([str(toolchain.node)], toolchain.tsserver.parent.parent)

        async def provided(_: bool) -> Program:
            return program

        self.program = provided
        self.facts = root.parent / "facts" / "work"
        self.bindings = Bindings(root, self.index, provided, root.parent / "log", dict(os.environ), self.facts)
        self.loop = asyncio.new_event_loop()

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def asked(self, question: Callable[[float], Awaitable[T]], within_s: float = 60.0) -> T:
        async def ask() -> T:
            await self.index.refresh()
            return await question(self.loop.time() + within_s)

        return self.loop.run_until_complete(ask())

    def site(self, name: str) -> Site:
        """Where the one file `a.ts` declares it."""
        [path] = self.root.glob("**/a.ts")
        lines = path.read_text().split("\n")
        found = [(number, one) for number, line in enumerate(lines, 1) for one in re.finditer(rf"(?<= ){name}\b", line)]
        return Site(str(path), Position(found[0][0], found[0][1].start() + 1))

    def at(self, site: Site, within_s: float = 60.0) -> Sequence[Bound]:
        return self.asked(lambda deadline: self.bindings.at(site, deadline), within_s)

    def importing(self, places: Sequence[tuple[str, int, int]]) -> list[int]:
        sites = [Site(str(self.root / path), Position(line, character)) for path, line, character in places]
        imported = self.asked(lambda deadline: self.bindings.importing(sites, "", deadline)).at
        return [count for count, _ in imported]

    def bound(self, name: str) -> Bound:
        [bound] = self.at(self.site(name))
        return bound

    def uses(self, name: str) -> list[str]:
        bound = self.bound(name)
        assert bound.doubts == []
        return [f"{place.path}:{place.line}:{place.character}" for place in bound.references]

    def end(self) -> None:
        """End the process, as an end of the daemon would."""
        self.loop.run_until_complete(self.bindings.close())

    def close(self) -> None:
        self.loop.run_until_complete(self.bindings.close())
        self.loop.close()
        self.index.close()


@pytest.fixture
def desk(toolchain: Toolchain, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path.resolve() / "work", toolchain)
    yield desk
    desk.close()


def test_words_are_asked_for_until_no_name_is_new(desk: Desk) -> None:
    desk.write("a.ts", "export class Foo {}\n")
    desk.write("b.ts", 'export { Foo as Bar } from "./a";\n')
    desk.write("c.ts", 'import { Bar } from "./b";\nnew Bar();\n')
    assert desk.uses("Foo") == ["b.ts:0:9", "b.ts:0:16", "c.ts:0:9", "c.ts:1:4"]


def test_the_form_of_a_text_is_told_before_the_files_are_known(desk: Desk) -> None:
    """`cn map` may be the first question: the process was never told of the files that the index found afterwards."""
    desk.write("path/a.ts", "const A = class {};\nexport default A;\n")
    desk.write("b.ts", 'export { default as B } from "./path/a";\n')
    texts = [{"path": "a.ts", "text": "class A {}"}]
    desk.loop.run_until_complete(desk.bindings.formed("outline", texts, desk.loop.time() + 60))
    assert desk.uses("A") == ["b.ts:0:9", "b.ts:0:20", "path/a.ts:1:15"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_a_text_is_decoded_by_its_byte_order_mark(desk: Desk, encoding: str) -> None:
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    desk.write("a.ts", "export const made = 1;\n")
    (desk.root / "b.ts").write_bytes(f'{mark}import {{ made }} from "./a";\nmade;\n'.encode(encoding))
    assert desk.uses("made") == ["b.ts:0:9", "b.ts:1:0"]


def test_what_was_written_is_seen(desk: Desk) -> None:
    desk.write("a.ts", "export class Foo {}\n")
    assert desk.uses("Foo") == []
    desk.write("b.ts", 'import { Foo } from "./a";\n')
    assert desk.uses("Foo") == ["b.ts:0:9"]
    desk.write("b.ts", 'import { Foo as F } from "./a";\nF;\n')
    assert desk.uses("Foo") == ["b.ts:0:9", "b.ts:0:16", "b.ts:1:0"]
    (desk.root / "b.ts").unlink()
    assert desk.uses("Foo") == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bad.ts", "{x," * 60_000 + "x; x.Foo;"),
        ("bad.ts", "x; " + "x.Foo," * 30_000),
        ("bad.ts", "x: " + "x:" * 90_000 + " x.Foo"),
        ("bad.mdx", "import " * 100_000 + "Foo"),
        ("bad.mdx", "\n" * 300_000 + "Foo"),
        ("bad.mdx", "```\n~~~\n" * 50_000 + "Foo"),
        ("yarn.lock", "a" * 1_000_000),
        ("package-lock.json", '"' * 1_000_000),
    ],
    ids=["lists", "members", "colons", "imports", "empty-lines", "fences", "lock", "quotes"],
)
def test_texts_that_are_only_looked_through_take_linear_time(desk: Desk, name: str, text: str) -> None:
    desk.write("a.ts", "export class Foo {}\n")
    desk.write("good.ts", 'import { Foo } from "./a";\nimport x from "unknown";\n')
    desk.write(name, text)
    begun = time.monotonic()
    [bound] = desk.at(desk.site("Foo"), within_s=30.0)
    assert ("good.ts", 0) in {(place.path, place.line) for place in bound.references}
    assert time.monotonic() - begun < 30.0


def test_an_extended_tsconfig_that_is_generated_later_is_seen(desk: Desk) -> None:
    desk.write(".gitignore", ".gen\n")
    desk.write("src/a.ts", "export class Foo {}\n")
    desk.write("b.ts", 'import { Foo } from "x/a";\n')
    desk.write("tsconfig.json", '{"extends": "./.gen/tsconfig.json"}')
    assert desk.bound("Foo").doubts
    desk.write(".gen/tsconfig.json", '{"compilerOptions": {"paths": {"x/*": ["../src/*"]}}}')
    assert desk.uses("Foo") == ["b.ts:0:9"]


def test_of_homonyms_each_is_counted_by_the_files_that_import_it(desk: Desk) -> None:
    desk.write("a.ts", "export class Service {}\n")
    desk.write("b.ts", "export class Service {}\n")
    desk.write("c.ts", "class Service {}\nfunction f(Service: number) {}\n")
    for name in ("d", "e"):
        desk.write(f"{name}.ts", 'import { Service } from "./b";\n')
    assert desk.importing([("a.ts", 1, 14), ("b.ts", 1, 14), ("c.ts", 1, 7)]) == [0, 2, 0]
    # Through an alias and a barrel; the default's importers choose its name. What imports nothing is not counted.
    desk.write("tsconfig.json", '{"compilerOptions": {"paths": {"@/*": ["./*"]}}}')
    desk.write("barrel.ts", 'export * from "./a";\n')
    desk.write("default.ts", "export default class Service { run() {} }\n")
    for name in ("f", "g", "h"):
        desk.write(f"{name}.ts", 'import { Service as S } from "@/barrel";\n')
    for name in ("i", "j", "k", "l"):
        desk.write(f"{name}.ts", 'import Other from "@/default";\n')
    for name in ("m", "n", "o", "p", "q"):
        desk.write(f"{name}.ts", "declare const it: any; it.Service; // Service\n")
    places = [("default.ts", 1, 32), ("a.ts", 1, 14), ("b.ts", 1, 14), ("c.ts", 2, 12), ("f.ts", 1, 100)]
    assert desk.importing(places) == [4, 3, 2, 0, 0]


def test_importers_of_what_a_list_exports_count_by_the_name_it_has_there(desk: Desk) -> None:
    desk.write("a.ts", "const one = 1;\nclass Two {}\nexport { one as first, Two as default };\n")
    desk.write("b.ts", 'import Second, { first } from "./a";\n')
    desk.write("c.ts", 'import { first } from "./a";\n')
    places = [("a.ts", 1, 7), ("a.ts", 2, 7), ("a.ts", 3, 10)]
    assert desk.importing(places) == [2, 1, 2]


def test_what_a_file_adds_to_a_module_is_decided_by_names_where_one_tsconfig_governs_all_files(desk: Desk) -> None:
    desk.write("tsconfig.json", "{}")
    desk.write("src/a.ts", "export interface Foo {}\n")
    desk.write("src/b.ts", 'import type { Foo } from "./a";\n')
    desk.write("tests/c.ts", 'export {};\ndeclare module "../src/a" { interface Foo { c: 1 } }\n')
    assert (desk.bound("Foo").scope, len(desk.bound("Foo").definitions)) == ("module", 2)
    desk.write("tests/tsconfig.json", "{}")
    assert desk.bound("Foo").scope == "shared"


def test_a_tsconfig_that_appears_is_seen(desk: Desk) -> None:
    desk.write("src/a.ts", "export class Foo {}\n")
    desk.write("b.ts", 'import { Foo } from "@/a";\n')
    bound = desk.bound("Foo")
    assert [(place.path, place.line) for place in bound.doubts] == [("b.ts", 0)]
    desk.write("tsconfig.json", '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}')
    assert desk.uses("Foo") == ["b.ts:0:9"]


def test_an_import_map_of_deno_that_appears_is_seen(desk: Desk) -> None:
    desk.write("src/a.ts", "export class Foo {}\n")
    desk.write("b.ts", 'import { Foo } from "@/a.ts";\n')
    assert desk.bound("Foo").doubts
    desk.write("deno.json", '{"importMap": "import_map.json"}')
    assert desk.bound("Foo").doubts
    desk.write("import_map.json", '{"imports": {"@/": "./src/"}}')
    assert desk.uses("Foo") == ["b.ts:0:9"]


def test_a_process_that_dies_between_questions_is_started_again(desk: Desk) -> None:
    desk.write("a.ts", "export class Foo {}\nFoo;\n")
    assert desk.uses("Foo") == ["a.ts:1:0"]
    process = desk.bindings._process
    assert process is not None
    process.kill()
    desk.loop.run_until_complete(process.wait())
    assert desk.uses("Foo") == ["a.ts:1:0"]


def test_a_process_that_hangs_is_replaced_within_a_question(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cn_daemon.adapters.process_tree.IDLE_S", 1.0)
    desk.write("a.ts", "export class Foo {}\nFoo;\n")
    assert desk.uses("Foo") == ["a.ts:1:0"]
    before = desk.bindings._process
    assert before is not None
    before.send_signal(signal.SIGSTOP)
    assert desk.uses("Foo") == ["a.ts:1:0"]
    assert desk.bindings._process is not before


def while_parsed(desk: Desk, path: str, number: signal.Signals, name: str, within_s: float) -> Sequence[Bound]:
    """The answer to a question during which the process gets a signal: while it parses that text."""
    begun = asyncio.Event()

    async def send() -> None:
        bindings = desk.bindings
        while bindings._note is None or bindings._note.read()[0] != path:  # noqa: ASYNC110 (another process writes it)
            await asyncio.sleep(0.001)
        begun.set()
        assert bindings._process is not None
        bindings._process.send_signal(number)

    async def ask() -> Sequence[Bound]:
        await desk.index.refresh()
        sending = asyncio.create_task(send())
        try:
            return await desk.bindings.at(desk.site(name), desk.loop.time() + within_s)
        finally:
            assert begun.is_set()
            await sending

    return desk.loop.run_until_complete(ask())


# Longer to parse than to look into what is parsed.
SLOW = "Foo;\n" + "f(a, b => b);\n" * 100_000


def test_a_text_that_ends_the_process_is_a_doubt_of_the_same_answer_until_it_changes(desk: Desk) -> None:
    desk.write("a.ts", "export class Foo {}\nFoo;\n")
    desk.write("bad.ts", SLOW)
    [bound] = while_parsed(desk, "bad.ts", signal.SIGKILL, "Foo", 60.0)
    assert [(place.path, place.line) for place in bound.references] == [("a.ts", 1)]
    doubts = [("bad.ts", "the parser fails: its text ended a process")]
    assert [(place.path, place.reason) for place in bound.doubts] == doubts
    assert [(place.path, place.reason) for place in desk.bound("Foo").doubts] == doubts
    desk.write("bad.ts", 'import { Foo } from "./a";\n')
    assert desk.uses("Foo") == ["a.ts:1:0", "bad.ts:0:9"]


def test_a_text_that_takes_the_time_is_a_doubt_of_the_next_answer(desk: Desk) -> None:
    desk.write("a.ts", "export class Foo {}\nFoo;\n")
    assert desk.uses("Foo") == ["a.ts:1:0"]
    desk.write("bad.ts", SLOW)
    with pytest.raises(LanguageServerError, match=r"not done in time at bad\.ts"):
        while_parsed(desk, "bad.ts", signal.SIGSTOP, "Foo", 5.0)
    bound = desk.bound("Foo")
    assert [(place.path, place.line) for place in bound.references] == [("a.ts", 1)]
    assert [place.path for place in bound.doubts] == ["bad.ts"]


def test_a_question_ends_at_its_deadline_and_the_next_is_answered(desk: Desk) -> None:
    desk.write("a.ts", "export class Foo {}\nFoo;\n")
    with pytest.raises(LanguageServerError, match="not done in time"):
        desk.at(desk.site("Foo"), within_s=0.001)
    assert desk.uses("Foo") == ["a.ts:1:0"]


@pytest.mark.parametrize(
    "text",
    [
        "`" * 8192 + "Foo",
        "Foo" + "(" * 20_000,
        "Foo" + "+Foo" * 50_000,
        "Foo" + ".a" * 20_000,
        'import { Foo } from "./a";' * 20_000,
        "/*" * 100_000 + "Foo",
        "x = '" + "a" * 5_000_000 + "'; Foo",
        "\0\ufffd Foo \u2028",
    ],
    ids=["backticks", "brackets", "operators", "members", "imports", "comment", "one-line", "odd-signs"],
)
def test_one_bad_text_costs_itself(desk: Desk, text: str) -> None:
    desk.write("a.ts", "export class Foo {}\n")
    desk.write("bad.ts", text)
    desk.write("good.ts", 'import { Foo } from "./a";\nFoo;\n')
    bound = desk.bound("Foo")
    told = {(place.path, place.line, place.character) for place in bound.references}
    assert {("good.ts", 0, 9), ("good.ts", 1, 0)} <= told


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def foreign(path: Path) -> None:
    path.write_bytes(b"\0" * 100_000)


def linked(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def gone(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("damage", [cut, foreign, linked, gone])
def test_what_was_parsed_is_found_by_the_next_process_whatever_happened_to_the_file(
    damage: Callable[[Path], None], desk: Desk
) -> None:
    desk.write("a.ts", "export class Foo {}\n")
    for name in "bcd":
        desk.write(f"{name}.ts", f'import {{ Foo }} from "./a";\nexport const {name} = Foo;\n')
    uses = desk.uses("Foo")
    size = until_written(desk)
    desk.end()
    before = desk.facts.read_bytes()
    assert desk.uses("Foo") == uses
    desk.end()
    assert desk.facts.read_bytes() == before  # nothing was parsed anew
    damage(desk.facts)
    assert desk.uses("Foo") == uses
    assert until_written(desk) == size
    assert stat.S_IMODE(desk.facts.lstat().st_mode) == 0o600


def until_written(desk: Desk) -> int:
    """It is written after the answer, and before the next."""
    desk.bound("Foo")
    desk.bound("Foo")
    return desk.facts.lstat().st_size


def test_two_daemons_of_a_workspace_have_one_writer(desk: Desk, toolchain: Toolchain) -> None:
    desk.write("a.ts", "export class Foo {}\nFoo;\n")
    assert desk.uses("Foo") == ["a.ts:1:0"]
    size = until_written(desk)
    other = Bindings(desk.root, desk.index, desk.program, desk.root.parent / "log", dict(os.environ), desk.facts)
    desk.write("b.ts", 'import { Foo } from "./a";\n')

    async def ask() -> None:
        await desk.index.refresh()
        for _ in range(3):
            [bound] = await other.at(desk.site("Foo"), desk.loop.time() + 60)
            assert [place.path for place in bound.references] == ["a.ts", "b.ts"]
        assert desk.facts.stat().st_size == size
        await other.close()

    desk.loop.run_until_complete(ask())
    assert desk.uses("Foo") == ["a.ts:1:0", "b.ts:0:9"]
    assert until_written(desk) > size


def test_who_stops_waiting_ends_no_process(desk: Desk) -> None:
    desk.write("a.ts", "export class Foo {}\nFoo;\n")
    assert desk.uses("Foo") == ["a.ts:1:0"]
    before = desk.bindings._process

    async def gone() -> None:
        task = asyncio.create_task(desk.bindings.at(desk.site("Foo"), desk.loop.time() + 60))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    desk.loop.run_until_complete(gone())
    assert desk.uses("Foo") == ["a.ts:1:0"]
    assert desk.bindings._process is before


def test_nothing_is_prepared_while_a_question_is_answered(desk: Desk) -> None:
    """A question asks this process several times: what is prepared meanwhile would hold it up."""
    over = asyncio.Event()
    asked: list[str] = []
    prepared = asyncio.Event()

    async def quiet() -> None:
        await over.wait()

    class Listed(Bindings):
        async def _ask(self, method: str, parameters: Mapping[str, Any]) -> Any:
            asked.append(method)
            if method == "prepare":
                prepared.set()
            return await super()._ask(method, parameters)

    desk.write("a.ts", "export class Foo {}\nFoo;\n")
    desk.bindings = Listed(desk.root, desk.index, desk.program, desk.root.parent / "log", dict(os.environ), None, quiet)
    assert desk.uses("Foo") == ["a.ts:1:0"] == desk.uses("Foo")
    assert "prepare" not in asked
    over.set()
    desk.loop.run_until_complete(asyncio.wait_for(prepared.wait(), 60))


class Waiting(Worker):
    """Its process answers when the time of a question is over, or nobody waits for it."""

    async def wait(self, within_s: float) -> int:
        async def ask() -> int:
            answered: int = await self._ask("wait", {"ms": within_s * 1000})
            return answered

        return await self._in_turn(ask, asyncio.get_running_loop().time() + within_s + 60)


@pytest.fixture
def waiting(desk: Desk, tmp_path: Path) -> Waiting:
    script = tmp_path / "waiting.mjs"
    script.write_text(
        f"""import {{ lateness, serve }} from "{WORKER.parent.parent / "process.mjs"}";
        let answered = 0;
        function wait({{ ms }}) {{
          const isLate = lateness(ms);
          while (!isLate());
          return ++answered;
        }}
        serve({{ open: () => ({{}}), update: () => ({{}}), wait }});"""
    )
    return Waiting("w", script, 100, desk.root, desk.index, desk.program, tmp_path / "log", dict(os.environ))


def test_what_nobody_waits_for_holds_nobody_up(desk: Desk, waiting: Waiting) -> None:
    async def gone() -> int:
        await desk.index.refresh()
        assert await waiting.wait(0.0) == 1
        # One that is being answered, one that waits for its turn.
        tasks = [asyncio.create_task(waiting.wait(600.0)) for _ in range(2)]
        while not waiting._answers:  # noqa: ASYNC110 (nothing tells of it)
            await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        try:
            return await waiting.wait(0.0)
        finally:
            await waiting.close()

    assert desk.loop.run_until_complete(gone()) == 3


def test_a_process_is_stuck_when_it_works_for_long_and_not_when_others_do(
    desk: Desk, waiting: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cn_daemon.adapters.compilers.worker._STUCK_S", 0.5)

    async def ask() -> None:
        await desk.index.refresh()
        assert await waiting.wait(0.0) == 1
        asked = asyncio.create_task(waiting.wait(0.1))
        while not waiting._answers:  # noqa: ASYNC110 (nothing tells of it)
            await asyncio.sleep(0.01)
        assert waiting._process is not None
        waiting._process.send_signal(signal.SIGSTOP)
        await asyncio.wait([asked], timeout=2.0)
        waiting._process.send_signal(signal.SIGCONT)
        assert await asked == 2
        try:
            with pytest.raises(LanguageServerError, match="the process was stuck"):
                await waiting.wait(60.0)
        finally:
            await waiting.close()

    desk.loop.run_until_complete(ask())


def test_files_beyond_the_root_are_not_read(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "secret.ts").write_text("export class Foo {}\n")
    desk.write("a.ts", 'export { Foo } from "../secret";\nexport const Foo2 = 1;\n')
    (desk.root / "link.ts").symlink_to(tmp_path / "secret.ts")
    desk.write("b.ts", 'export { Foo } from "./link";\n')
    assert [one.definitions for one in desk.at(desk.site("Foo"))] == [[]]


def test_generated_code_that_git_ignores_and_a_tsconfig_lists_is_told_as_it_is_now(desk: Desk) -> None:
    desk.write(".gitignore", "gen\nbuild\n*.own.ts\n")
    desk.write("tsconfig.json", '{"compilerOptions": {"outDir": "build"}}')
    desk.write("src/a.ts", "export const made = 1;\n")
    desk.write("src/gen/deep/b.ts", 'import { made } from "../../a";\n')
    desk.write("build/c.ts", 'import { made } from "../src/a";\n')
    desk.write("node_modules/d/gen/d.ts", 'import { made } from "../../../src/a";\n')
    assert desk.uses("made") == ["src/gen/deep/b.ts:0:9"]
    desk.write("src/gen/deep/b.ts", 'import { made as other } from "../../a";\nother;\n')
    assert desk.uses("made") == ["src/gen/deep/b.ts:0:9", "src/gen/deep/b.ts:0:17", "src/gen/deep/b.ts:1:0"]
    desk.write("src/gen/deep/more/e.ts", 'import { other } from "../f";\nother;\n')
    desk.write("src/gen/deep/f.ts", 'export { made as other } from "../../a";\n')
    (desk.root / "src/gen/deep/b.ts").unlink()
    told = [f"src/gen/deep/{place}" for place in ("f.ts:0:9", "f.ts:0:17", "more/e.ts:0:9", "more/e.ts:1:0")]
    assert desk.uses("made") == told
    desk.write("src/g.own.ts", 'import { made } from "./a";\n')
    assert desk.uses("made") == ["src/g.own.ts:0:9", *told]
    desk.write("tsconfig.json", '{"include": ["src"], "exclude": ["**/more"]}')
    assert desk.uses("made") == ["src/g.own.ts:0:9", *told[:2]]
    desk.write(".gitignore", "build\n*.own.ts\n")
    assert desk.uses("made") == ["src/g.own.ts:0:9", *told]
    desk.write(".gitignore", "gen\nbuild\n")
    assert desk.uses("made") == ["src/g.own.ts:0:9", *told[:2]]


def test_generated_code_that_git_ignores_and_a_source_imports_is_told_as_it_is_now(desk: Desk) -> None:
    desk.write(".gitignore", "made\n*.gen.ts\n")
    desk.write("tsconfig.json", '{"include": ["src"]}')
    desk.write("src/a.ts", "export const own = 1;\n")
    desk.write("src/b.ts", "export {};\n")
    desk.write("made/c.ts", 'import { own } from "../src/a";\nimport "./deep/d";\n')
    desk.write("made/deep/e.ts", 'import { own } from "../../src/a";\n')
    desk.write("more.gen.ts", 'import { own } from "./src/a";\n')
    assert desk.uses("own") == []
    desk.write("src/b.ts", 'import "../made/c";\nimport "../more.gen";\n')
    assert desk.uses("own") == ["made/c.ts:0:9", "more.gen.ts:0:9"]
    desk.write("made/deep/d.ts", 'import { own } from "../../src/a";\n')
    assert desk.uses("own") == ["made/c.ts:0:9", "made/deep/d.ts:0:9", "more.gen.ts:0:9"]
    (desk.root / "made/c.ts").unlink()
    assert desk.uses("own") == ["more.gen.ts:0:9"]
    desk.write("made/c.ts", 'export { own } from "../src/a";\n')
    assert desk.uses("own") == ["made/c.ts:0:9", "more.gen.ts:0:9"]
