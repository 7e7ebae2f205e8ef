"""Read your own writes: whatever was written before the question is in the answer. No sleep, ten rounds each."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from tests.server.desk import TSCONFIG, Desk, place, places

pytestmark = pytest.mark.server


@pytest.fixture
def rounds(pytestconfig: pytest.Config) -> range:
    return range(50 if pytestconfig.getoption("long") else 10)


@pytest.fixture(scope="module")
def desk(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Names are answered without a server, as they are for whoever sets nothing."""
    desk = Desk(tmp_path_factory.mktemp("desk").resolve() / "work")
    yield desk
    assert desk.close() == []


@pytest.fixture
def folder(desk: Desk, request: pytest.FixtureRequest) -> str:
    """A project with one declaration and one use, asked about once."""
    name = request.function.__name__.removeprefix("test_")
    desk.write(
        {
            f"{name}/tsconfig.json": TSCONFIG,
            f"{name}/src/thing.ts": f"export class {mark(name)} {{\n  go() {{}}\n}}\n",
            f"{name}/src/use.ts": use(name),
        }
    )
    assert desk.uses(mark(name)) == [f"{name}/src/use.ts:1", f"{name}/src/use.ts:2"]
    return name


def mark(folder: str) -> str:
    return "Thing" + folder.title().replace("_", "")


def use(folder: str, times: int = 1, source: str = "./thing") -> str:
    return f'import {{ {mark(folder)} }} from "{source}";\n' + f"new {mark(folder)}();\n" * times


def leads_nowhere(desk: Desk, folder: str) -> str:
    """Where an import does, by an answer that is partial for it."""
    answer = desk.find(mark(folder), limit=0)
    reason = str(answer.completeness.reason)
    assert " imports what leads nowhere" in reason
    return reason.partition(" ")[0]


def base(folder: str) -> list[str]:
    return [f"{folder}/src/use.ts:1", f"{folder}/src/use.ts:2"]


def test_created(desk: Desk, folder: str, rounds: range) -> None:
    expected = base(folder)
    for number in rounds:
        desk.write({f"{folder}/src/new{number:02}.ts": use(folder)})
        expected += [f"{folder}/src/new{number:02}.ts:1", f"{folder}/src/new{number:02}.ts:2"]
        assert desk.uses(mark(folder)) == sorted(expected)


def test_edited(desk: Desk, folder: str, rounds: range) -> None:
    for number in rounds:
        desk.write({f"{folder}/src/use.ts": use(folder, number % 5)})
        assert desk.uses(mark(folder)) == [f"{folder}/src/use.ts:{line + 1}" for line in range(number % 5 + 1)]


def test_deleted(desk: Desk, folder: str, rounds: range) -> None:
    for number in rounds:
        desk.write({f"{folder}/src/brief.ts": use(folder)})
        assert len(desk.uses(mark(folder))) == 4, number
        (desk.root / folder / "src" / "brief.ts").unlink()
        assert desk.uses(mark(folder)) == base(folder), number


def test_renamed(desk: Desk, folder: str, rounds: range) -> None:
    source = desk.root / folder / "src"
    for number in rounds:
        (source / ("use.ts" if number == 0 else f"use{number - 1}.ts")).rename(source / f"use{number}.ts")
        assert desk.uses(mark(folder)) == [f"{folder}/src/use{number}.ts:1", f"{folder}/src/use{number}.ts:2"]


def test_replaced(desk: Desk, folder: str, rounds: range) -> None:
    for number in rounds:
        desk.replace(f"{folder}/src/use.ts", use(folder, number % 5))
        assert desk.uses(mark(folder)) == [f"{folder}/src/use.ts:{line + 1}" for line in range(number % 5 + 1)]


def test_declaration_moved(desk: Desk, folder: str, rounds: range) -> None:
    """Of the file that declares it: as a rule the one that is held open."""
    for number in rounds:
        text = "\n" * (number % 7) + f"export class {mark(folder)} {{}}\n"
        if number % 2:
            desk.replace(f"{folder}/src/thing.ts", text)
        else:
            desk.write({f"{folder}/src/thing.ts": "// first line\n" + text})
        answer = desk.find(mark(folder))
        assert place(answer.definition) == f"{folder}/src/thing.ts:{number % 7 + (1 if number % 2 else 2)}:14"
        assert [ref.line for ref in answer.references or ()] == [1, 2]


def test_folder_moved(desk: Desk, folder: str) -> None:
    source = desk.root / folder / "src"
    desk.write({f"{folder}/src/part0/deep/a.ts": use(folder, 1, "../../thing")})
    for number in range(10):
        assert f"{folder}/src/part{number}/deep/a.ts:2" in desk.uses(mark(folder))
        assert len(desk.uses(mark(folder))) == 4
        (source / f"part{number}").rename(source / f"part{number + 1}")
    shutil.rmtree(source / "part10")
    assert desk.uses(mark(folder)) == base(folder)


def test_import_that_led_nowhere(desk: Desk, folder: str) -> None:
    """A module that appears mends the imports that waited for it, though it never says the name itself."""
    for number in range(10):
        desk.write({f"{folder}/src/late{number}.ts": use(folder, 1, f"./barrel{number}")})
        assert leads_nowhere(desk, folder) == f"{folder}/src/late{number}.ts:1"
        desk.write({f"{folder}/src/barrel{number}.ts": 'export * from "./thing";\n'})
        assert f"{folder}/src/late{number}.ts:2" in desk.uses(mark(folder)), number


def test_what_git_ignores_and_a_tsconfig_or_an_import_brings_in(desk: Desk, folder: str) -> None:
    """Generated code: no watched file, and read by the compiler all the same."""
    made, named, outside = f"{folder}/src/made/one.ts", f"{folder}/src/two.gen.ts", f"{folder}/made/three.ts"
    desk.write(
        {
            f"{folder}/.gitignore": "made\n*.gen.ts\n",
            f"{folder}/tsconfig.json": TSCONFIG.replace("{", '{"include": ["src"], ', 1),
            f"{folder}/src/brings.ts": 'import "../made/three";\n',
            made: use(folder, source="../thing"),
            named: use(folder),
            outside: use(folder, source="../src/thing"),
        }
    )
    for number in range(5):
        times = number % 3
        there = [made, named, outside, *([f"{folder}/src/made/four.ts"] if number % 2 else [])]
        for path in there:
            source = "./thing" if path == named else os.path.relpath(f"{folder}/src/thing", os.path.dirname(path))
            desk.write({path: use(folder, times, source)})
        expected = base(folder) + [f"{path}:{line + 1}" for path in there for line in range(times + 1)]
        for server in ("typescript", "native"):
            answer = desk.find(mark(folder), limit=0, server=server)
            assert (answer.completeness.status, places(answer.references or [])) == ("complete", sorted(expected))
        if number % 2:
            (desk.root / there[-1]).unlink()
    desk.write({f"{folder}/src/late/made/five.ts": use(folder, source="../../thing")})
    expected = [*expected, f"{folder}/src/late/made/five.ts:1", f"{folder}/src/late/made/five.ts:2"]
    for server in ("typescript", "native"):
        answer = desk.find(mark(folder), limit=0, server=server)
        assert (answer.completeness.status, places(answer.references or [])) == ("complete", sorted(expected))


def test_configuration_changed(desk: Desk, folder: str, rounds: range) -> None:
    """What tsconfig.json takes in counts; a use that is no part of it is one in a project of its own."""
    desk.write({f"{folder}/src/aliased.ts": use(folder, 1, "@app/thing")})
    assert leads_nowhere(desk, folder) == f"{folder}/src/aliased.ts:1"
    paths = '{"compilerOptions": {"types": [], "strict": true, "paths": {"@app/*": ["./src/*"]}}}'
    for _ in rounds[::5]:
        desk.write({f"{folder}/tsconfig.json": paths})
        assert f"{folder}/src/aliased.ts:2" in desk.uses(mark(folder))
        desk.replace(f"{folder}/tsconfig.json", TSCONFIG)
        assert leads_nowhere(desk, folder) == f"{folder}/src/aliased.ts:1"


def test_many_at_once(desk: Desk, folder: str) -> None:
    """A formatter, a checkout: two hundred files, then the question."""
    for round_ in range(2):
        for number in range(200):
            desk.replace(f"{folder}/src/f{number:03}.ts", "\n" * round_ + use(folder))
        expected = [f"{folder}/src/f{number:03}.ts:{line + round_}" for number in range(200) for line in (1, 2)]
        assert desk.uses(mark(folder)) == sorted(base(folder) + expected)
    for number in range(200):
        os.unlink(desk.root / folder / "src" / f"f{number:03}.ts")
    assert desk.uses(mark(folder)) == base(folder)


def test_outline_and_code(desk: Desk, folder: str, rounds: range) -> None:
    path = f"{folder}/src/thing.ts"
    for number in rounds:
        desk.replace(path, f"export class Round{number} {{\n  go() {{ return {number}; }}\n}}\n")
        assert desk.rows(path) == [f"1 Class Round{number}", f"2 Method Round{number}.go"]
        assert f"return {number};" in desk.inspect(f"{path}#Round{number}.go").result.code
