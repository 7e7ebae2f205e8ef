"""Read your own writes: what happens to files beside being written. Every answer is right at once, on both servers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.settings import Settings
from tests.server.desk import TSCONFIG, Desk, place, places
from tests.server.test_gaps import use

pytestmark = [pytest.mark.server, pytest.mark.slow]


@pytest.fixture(scope="module", params=["typescript", "native"])
def desk(
    request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    desk = Desk(tmp_path_factory.mktemp("events").resolve() / "work", Settings(server=request.param))
    yield desk
    assert desk.close() == []


def both(*paths: str) -> list[str]:
    """The import and the use in each file."""
    return sorted(f"{path}:{line}" for path in paths for line in (1, 2))


def test_a_folder_of_300_files_is_renamed(desk: Desk) -> None:
    desk.write({"moved/tsconfig.json": TSCONFIG, "moved/thing.ts": "export class Moved {}\n"})
    desk.write({f"moved/one/deep/f{number:03}.ts": use("Moved", "../../thing") for number in range(300)})
    names = [f"f{number:03}.ts" for number in range(300)]
    assert desk.uses("Moved") == both(*(f"moved/one/deep/{name}" for name in names))
    (desk.root / "moved/one").rename(desk.root / "moved/two")
    assert desk.uses("Moved") == both(*(f"moved/two/deep/{name}" for name in names))
    shutil.move(desk.root / "moved/two", desk.root / "moved/two/../three")
    shutil.rmtree(desk.root / "moved/three/deep")
    assert desk.uses("Moved") == []


def test_a_name_changes_its_case_only(desk: Desk) -> None:
    desk.write({"cased/tsconfig.json": TSCONFIG, "cased/thing.ts": "export class Cased {}\n"})
    desk.write({"cased/use.ts": use("Cased", "./thing")})
    for before, after in (("use.ts", "Use.ts"), ("Use.ts", "USE.ts"), ("USE.ts", "use.ts")):
        assert desk.uses("Cased") == both(f"cased/{before}")
        (desk.root / "cased" / before).rename(desk.root / "cased" / after)
    (desk.root / "cased/thing.ts").rename(desk.root / "cased/Thing.ts")
    desk.write({"cased/use.ts": use("Cased", "./Thing")})
    assert place(desk.find("Cased").definition) == "cased/Thing.ts:1:14"
    assert desk.uses("Cased") == both("cased/use.ts")


def test_a_link_to_a_package_is_swapped(desk: Desk) -> None:
    """What the imports of its name lead to is another package then."""
    for version in ("first", "second"):
        desk.write(
            {
                f"swap/{version}/package.json": '{"name": "swapped", "types": "index.ts"}',
                f"swap/{version}/tsconfig.json": TSCONFIG,
                f"swap/{version}/index.ts": f"export class Swap {{ {version}() {{}} }}\n",
            }
        )
    desk.write({"swap/app/tsconfig.json": TSCONFIG, "swap/app/use.ts": use("Swap", "swapped")})
    modules = desk.root / "swap/app/node_modules"
    modules.mkdir()
    for now, other in (("first", "second"), ("second", "first"), ("first", "second")):
        (modules / "fresh").symlink_to(desk.root / "swap" / now)
        (modules / "fresh").replace(modules / "swapped")
        assert desk.uses(f"swap/{now}/index.ts:Swap") == both("swap/app/use.ts")
        assert desk.uses(f"swap/{other}/index.ts:Swap") == []


def test_uses_by_a_link_to_a_folder_were_left_out_in_silence(desk: Desk) -> None:
    """To the compiler a file behind such a link is another one."""
    desk.write({"linked/real/thing.ts": "export class Linked {}\n", "linked/tsconfig.json": TSCONFIG})
    desk.write({"linked/use.ts": use("Linked", "./current/thing")})
    assert desk.uses("linked/real/thing.ts:Linked") == []
    assert "imports of ./current/thing lead nowhere" in str(desk.find("linked/use.ts:2:5").completeness.reason)
    for _ in range(2):
        (desk.root / "linked/current").symlink_to("real")
        assert desk.uses("linked/real/thing.ts:Linked") == both("linked/use.ts")
        assert desk.uses("linked/use.ts:2:5") == both("linked/use.ts")
        (desk.root / "linked/current").unlink()


def test_a_file_gives_way_to_a_folder_and_comes_back(desk: Desk) -> None:
    desk.write({"turned/tsconfig.json": TSCONFIG, "turned/use.ts": use("Turned", "./thing")})
    thing = desk.root / "turned/thing"
    for _ in range(2):
        desk.write({"turned/thing.ts": "export class Turned {}\n"})
        assert place(desk.find("Turned").definition) == "turned/thing.ts:1:14"
        assert desk.uses("Turned") == both("turned/use.ts")
        thing.with_suffix(".ts").unlink()
        desk.write({"turned/thing/index.ts": "// moved\nexport class Turned {}\n"})
        assert place(desk.find("Turned").definition) == "turned/thing/index.ts:2:14"
        assert desk.uses("Turned") == both("turned/use.ts")
        shutil.rmtree(thing)


def test_a_file_becomes_a_folder_of_its_own_name(desk: Desk) -> None:
    desk.write({"same/tsconfig.json": TSCONFIG, "same/thing.ts": "export class Same {}\n"})
    desk.write({"same/use.ts": use("Same", "./thing")})
    assert desk.uses("Same") == both("same/use.ts")
    (desk.root / "same/thing.ts").unlink()
    desk.write({"same/thing.ts/inner.ts": "export class Same {}\n", "same/use.ts": use("Same", "./thing.ts/inner")})
    assert place(desk.find("Same").definition) == "same/thing.ts/inner.ts:1:14"
    assert desk.uses("Same") == both("same/use.ts")


def test_a_tsconfig_takes_a_file_in_and_lets_it_go(desk: Desk) -> None:
    """What is in no project is led to by the alias all the same."""

    def configured(*include: str) -> None:
        options = {"types": [], "paths": {"@taken/*": ["./src/*"]}}
        desk.replace("taken/tsconfig.json", json.dumps({"compilerOptions": options, "include": include}))

    desk.write(
        {
            "taken/package.json": '{"name": "taken-in"}',
            "taken/src/thing.ts": "export class TakenIn {}\n",
            "taken/tests/use.ts": use("TakenIn", "@taken/thing"),
        }
    )
    for _ in range(2):
        configured("src", "tests")
        assert desk.uses("TakenIn") == both("taken/tests/use.ts")
        configured("src")
        assert desk.uses("TakenIn") == both("taken/tests/use.ts")


@pytest.mark.parametrize("base", ["./common.json", "@x/configs/strict.json"])
def test_what_a_tsconfig_extends_changed_and_was_read_as_before(desk: Desk, base: str) -> None:
    """It may have any name, and be in a package of the workspace."""
    folder = f"extends{base[0]}".replace("@", "package").replace(".", "path")
    file = f"{folder}/common.json" if base.startswith(".") else f"{folder}/configs/strict.json"
    source = f"{folder}/src/thing.ts"
    desk.write(
        {
            f"{folder}/configs/package.json": '{"name": "@x/configs"}',
            f"{folder}/tsconfig.json": json.dumps({"extends": base, "include": ["src"]}),
            source: "export class Based {}\n",
            f"{folder}/src/use.ts": use("Based", "@based/thing"),
        }
    )
    (desk.root / folder / "node_modules/@x").mkdir(parents=True)
    (desk.root / folder / "node_modules/@x/configs").symlink_to(desk.root / folder / "configs")
    to = "./src/*" if base.startswith(".") else "../src/*"
    for _ in range(2):
        for paths in ({}, {"paths": {"@based/*": [to]}}):
            desk.replace(file, json.dumps({"compilerOptions": {"types": [], **paths}}))
            answer = desk.find(f"{source}:Based", limit=0)
            assert places(answer.references or []) == (both(f"{folder}/src/use.ts") if paths else [])
        (desk.root / file).unlink()
        assert desk.find(f"{source}:Based").references == []


def test_a_tsconfig_that_came_back_was_not_seen(desk: Desk) -> None:
    """What is open had been told to stand in no project."""
    options = '{"compilerOptions": {"types": [], "paths": {"@back/*": ["./*"]}}}'
    desk.write({f"back/{one}/tsconfig.json": options for one in ("a", "b")})
    desk.write({f"back/{one}/thing.ts": f"export class Back{one.upper()} {{}}\n" for one in ("a", "b")})
    desk.write({f"back/{one}/use.ts": use(f"Back{one.upper()}", "@back/thing") for one in ("a", "b")})
    for _ in range(2):
        assert desk.uses("BackA") == both("back/a/use.ts")
        assert desk.uses("BackB") == both("back/b/use.ts")
        for one in ("a", "b"):
            (desk.root / f"back/{one}/tsconfig.json").unlink()
            assert desk.find(f"Back{one.upper()}").references == []
        desk.write({f"back/{one}/tsconfig.json": options for one in ("a", "b")})


def test_a_file_that_came_back_was_taken_for_one_of_no_project(desk: Desk) -> None:
    """Where its tsconfig had changed meanwhile, and was asked of another file: which it does not hold."""

    def configured(**options: object) -> str:
        return json.dumps({"compilerOptions": {"types": [], **options}, "include": ["src"]})

    desk.write({"comes/thing.ts": "export class Comes {}\n", "comes/tsconfig.json": '{"files": ["thing.ts"]}'})
    imports = {"comes/app/src/use.ts": use("Comes", "@thing"), "comes/app/beside.ts": use("Comes", "@thing")}
    desk.write({"comes/app/tsconfig.json": configured(), **imports})
    for paths in ({"@thing": ["../thing.ts"]}, {"@thing": ["../thing"]}):
        (desk.root / "comes/app/src/use.ts").unlink()
        desk.find("Comes")
        desk.replace("comes/app/tsconfig.json", configured(paths=paths))
        desk.find("Comes")
        desk.write(imports)
        assert place(desk.find("comes/app/src/use.ts:2:5").definition) == "comes/thing.ts:1:14"


def test_a_package_takes_another_name(desk: Desk) -> None:
    options = '{"compilerOptions": {"module": "NodeNext", "types": []}}'
    desk.write({"renamed/tsconfig.json": options, "renamed/src/index.ts": "export class Renamed {}\n"})
    for now, before in (("late-name", "early-name"), ("early-name", "late-name")):
        desk.write({"renamed/package.json": json.dumps({"name": now, "exports": "./src/index.ts"})})
        desk.write({"renamed/use.ts": use("Renamed", now)})
        assert desk.uses("Renamed") == both("renamed/use.ts"), now
        desk.write({"renamed/use.ts": use("Renamed", before)})
        assert desk.find("Renamed").references == []


@pytest.mark.parametrize("odd", [b"// caf\xe9\n", b"// \0\n"], ids=["latin-1", "zeros"])
def test_a_file_that_is_no_utf8_any_more_was_answered_for_as_it_was(desk: Desk, odd: bytes) -> None:
    """Where it holds the project open, and tsserver, handed no other text, went on with the one that it had."""
    desk.write({"odd/tsconfig.json": TSCONFIG, "odd/thing.ts": "export class Odd {}\n"})
    text = use("Odd", "./thing")
    for number in range(3):
        desk.write({f"odd/use{number}.ts": text})
        desk.find(f"odd/use{number}.ts:2:5")
    for _ in range(2):
        assert desk.uses("Odd") == both("odd/use0.ts", "odd/use1.ts", "odd/use2.ts")
        for number in range(3):
            (desk.root / f"odd/use{number}.ts").write_bytes(odd + text.encode())
        told = places(desk.find("Odd", limit=0).references or [])
        assert told == [f"odd/use{number}.ts:{line}" for number in range(3) for line in (2, 3)]
        desk.write({f"odd/use{number}.ts": text for number in range(3)})


@pytest.mark.parametrize("kept", [50])
def test_more_changes_than_are_kept_were_told_in_part(
    toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    """Of a server that asks late: the files that came, went and changed meanwhile are more than the log holds."""
    monkeypatch.setattr("cn_daemon.adapters.identifier_index._CHANGES_KEPT", kept)
    for server in ("typescript", "native"):
        desk = Desk(tmp_path_factory.mktemp("late").resolve() / "work", Settings(server=server))
        desk.write({"tsconfig.json": TSCONFIG, "thing.ts": "export class Late {}\n"})
        desk.write({f"old{number}.ts": use("Late", "./thing") for number in range(40)})
        desk.write({f"kept{number}.ts": "export {};\n" for number in range(40)})
        assert desk.uses("Late") == both(*(f"old{number}.ts" for number in range(40)))
        for number in range(40):
            (desk.root / f"old{number}.ts").unlink()
        desk.write({f"new{number}.ts": use("Late", "./thing") for number in range(60)})
        desk.write({f"kept{number}.ts": use("Late", "./thing") for number in range(40)})
        desk.run(desk.services.code.made.words.refresh())
        desk.write({f"other{number}.ts": "export const other = 1;\n" for number in range(60)})
        names = [f"new{number}.ts" for number in range(60)] + [f"kept{number}.ts" for number in range(40)]
        assert desk.uses("Late") == both(*names)
        assert desk.close() == []


def test_another_project_begins_to_import(desk: Desk) -> None:
    """Of what its files hold, the one that holds the project open and another one."""
    desk.write({f"begins/{one}/tsconfig.json": TSCONFIG for one in ("a", "b")})
    desk.write({"begins/a/thing.ts": "export class Begun {\n  begin() {}\n}\n"})
    uses = []
    before = "export function f(x: any) {\n  x.begin();\n}\n"
    desk.write({f"begins/b/{name}.ts": before for name in ("one", "two")})
    assert desk.uses("Begun.begin") == []
    for name in ("one", "two"):
        imported = 'import { Begun } from "../a/thing";\n'
        desk.write({f"begins/b/{name}.ts": imported + before.replace("any", "Begun")})
        uses.append(f"begins/b/{name}.ts:3")
        assert desk.uses("Begun.begin") == uses
