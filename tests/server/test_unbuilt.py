"""Packages of a workspace that are not built: what imports them uses their sources, in answers that are complete."""

from __future__ import annotations

import json
import re
import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.settings import Settings
from tests.server.desk import Desk, place

pytestmark = [pytest.mark.server, pytest.mark.slow]

TYPED = {".": {"types": "./dist/index.d.ts", "default": "./dist/index.js"}}
NEXT = {"module": "nodenext"}
BUNDLED = {"module": "esnext", "moduleResolution": "bundler"}
# What package.json says, and how the project reads it.
WAYS: dict[str, tuple[dict[str, object], dict[str, str]]] = {
    "typed": ({"exports": TYPED}, BUNDLED),
    "script": ({"exports": "./dist/index.js", "type": "module"}, NEXT),
    "main": (
        {"main": "dist/index.js", "types": "dist/index.d.ts"},
        {"module": "esnext", "moduleResolution": "bundler"},
    ),
    "module": ({"main": "dist/index.js", "types": "dist/index.d.ts", "type": "module"}, NEXT),
    "folder": ({"main": "dist/"}, BUNDLED),
    "stem": ({"main": "./dist/index", "types": "./dist"}, BUNDLED),
}


@pytest.fixture(params=["typescript", "native"])
def desk(request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path: Path) -> Iterator[Desk]:
    """Of each test alone: with the packages of all, a server that is told of one more looks at every import anew."""
    desk = Desk(tmp_path.resolve() / "work", Settings(server=request.param))
    yield desk
    assert desk.close() == []


def monorepo(desk: Desk, name: str, way: str, *, installed: bool = True) -> None:
    """Two packages below a folder; the second one imports the first one."""
    manifest, options = WAYS[way]
    told = {"types": [], "strict": True, "skipLibCheck": True, **options}
    for one in "ab":
        desk.write(
            {
                f"{name}/{one}/package.json": json.dumps({"name": f"@{name}/{one}", **manifest}),
                f"{name}/{one}/tsconfig.json": json.dumps({"compilerOptions": told, "include": ["src"]}),
            }
        )
    desk.write(
        {
            f"{name}/a/src/user.ts": f"export class User{name} {{\n  grow() {{}}\n}}\nexport default User{name};\n",
            f"{name}/a/src/index.ts": 'export * from "./user.js";\nexport { default } from "./user.js";\n',
            f"{name}/b/src/use.ts": f"""
                import Default, {{ User{name} }} from "@{name}/a";
                new User{name}().grow();
                new Default().grow();
                """,
        }
    )
    if installed:
        folder = desk.root / name / "b/node_modules" / f"@{name}"
        folder.mkdir(parents=True)
        (folder / "a").symlink_to("../../../a")


def grown(name: str, *lines: int) -> list[str]:
    return [f"{name}/b/src/use.ts:{line}" for line in lines]


@pytest.mark.parametrize("installed", [True, False], ids=["installed", "bare"])
@pytest.mark.parametrize("way", WAYS)
def test_members_of_what_is_imported(desk: Desk, way: str, installed: bool) -> None:
    name = f"{way}{'in' if installed else 'out'}"
    monorepo(desk, name, way, installed=installed)
    assert desk.uses(f"User{name}.grow") == grown(name, 2, 3)
    assert [one for one in desk.uses(f"User{name}") if "/b/" in one] == grown(name, 1, 1, 2, 3)
    assert place(desk.find(f"{name}/b/src/use.ts:3:15").definition) == f"{name}/a/src/user.ts:2:3"


def test_what_the_sources_hand_on_as_types(desk: Desk) -> None:
    monorepo(desk, "kind", "typed")
    desk.write(
        {
            "kind/a/src/index.ts": 'export type * from "./user.js";\nexport type * as all from "./user.js";\n',
            "kind/b/src/use.ts": """
                import type { Userkind, all } from "@kind/a";
                export const one = (user: Userkind) => user.grow();
                export const more = (user: all.Userkind) => user.grow();
                """,
        }
    )
    assert desk.uses("Userkind.grow") == grown("kind", 2, 3)


def test_a_package_that_imports_itself(desk: Desk) -> None:
    desk.write(
        {
            "self/package.json": json.dumps({"name": "self", "exports": TYPED}),
            "self/tsconfig.json": json.dumps({"compilerOptions": {"types": [], **NEXT}}),
            "self/src/index.ts": "export class Self {\n  own() {}\n}\n",
            "self/test/use.ts": 'import { Self } from "self";\nexport const one = new Self();\none.own();\n',
            # Its types come by way of what does not name the class.
            "self/test/more.ts": 'import { one } from "./use.js";\none.own();\n',
        }
    )
    assert desk.uses("Self.own") == ["self/test/more.ts:2", "self/test/use.ts:3"]


def test_what_comes_through_further_packages(desk: Desk) -> None:
    monorepo(desk, "chain", "typed")
    desk.write(
        {
            "chain/b/src/index.ts": 'import { Userchain } from "@chain/a";\nexport const made = new Userchain();\n',
            "chain/c/package.json": '{"name": "@chain/c"}',
            "chain/c/tsconfig.json": json.dumps({"compilerOptions": {"types": [], **NEXT}}),
            "chain/c/last.ts": 'import { made } from "@chain/b";\nmade.grow();\n',
        }
    )
    assert desk.uses("Userchain.grow") == [*grown("chain", 2, 3), "chain/c/last.ts:2"]


@pytest.mark.parametrize("first", ["", "Gives"], ids=["cold", "known"])
def test_aliases_of_the_tsconfig_of_what_is_led_to(desk: Desk, first: str) -> None:
    """Who is led there from another project has another tsconfig, which does not know them."""
    name = f"alias{first.lower()}"
    options = {"types": [], "strict": True, **BUNDLED}
    paths = {f"@{name}/*": ["./*/src"]}
    desk.write(
        {
            f"{name}/tsconfig.json": json.dumps({"compilerOptions": {**options, "paths": paths}, "include": ["*/src"]}),
            f"{name}/x/package.json": json.dumps({"name": f"@{name}/x", "exports": TYPED}),
            f"{name}/y/package.json": json.dumps({"name": f"@{name}/y", "exports": TYPED}),
            f"{name}/x/src/index.ts": f"export class X{name} {{\n  grow() {{}}\n}}\n",
            f"{name}/y/src/index.ts": f"""
                import {{ X{name} }} from "@{name}/x";
                export class Gives{name} {{
                  made = new X{name}();
                }}
                """,
            f"{name}/apart/tsconfig.json": json.dumps({"compilerOptions": options}),
            f"{name}/apart/use.ts": f'import {{ Gives{name} }} from "@{name}/y";\nnew Gives{name}().made.grow();\n',
        }
    )
    if first:
        assert desk.uses(f"{name}/x/src/index.ts#X{name}") == [f"{name}/y/src/index.ts:{line}" for line in (1, 3)]
    assert desk.uses(f"X{name}.grow") == [f"{name}/apart/use.ts:2"]


@pytest.mark.parametrize("first", ["", "Gives"], ids=["cold", "known"])
def test_aliases_of_the_tsconfig_of_what_is_imported_by_its_path(desk: Desk, first: str) -> None:
    """By files of no project, as tests are, and of another one, neither of which knows them."""
    name = f"path{first.lower()}"
    options = {"types": [], "strict": True, **BUNDLED}
    paths = {f"@{name}/*": ["./src/*"]}
    uses = f'import {{ Gives{name} }} from "../src/gives";\nnew Gives{name}().made.grow();\n'
    desk.write(
        {
            f"{name}/tsconfig.json": json.dumps({"compilerOptions": {**options, "paths": paths}, "include": ["src"]}),
            f"{name}/package.json": json.dumps({"name": f"app-{name}"}),
            f"{name}/src/thing.ts": f"export class X{name} {{\n  grow() {{}}\n}}\n",
            f"{name}/src/gives.ts": f"""
                import {{ X{name} }} from "@{name}/thing";
                export class Gives{name} {{
                  made = new X{name}();
                }}
                """,
            f"{name}/test/use.ts": uses,
            f"{name}/apart/tsconfig.json": json.dumps({"compilerOptions": options}),
            f"{name}/apart/use.ts": uses,
        }
    )
    if first:
        assert desk.uses(f"{name}/src/thing.ts#X{name}") == [f"{name}/src/gives.ts:{line}" for line in (1, 3)]
    both = [f"{name}/apart/use.ts:2", f"{name}/test/use.ts:2"]
    assert desk.uses(f"X{name}.grow") == both
    desk.replace(f"{name}/src/gives.ts", (desk.root / f"{name}/src/gives.ts").read_text().replace("made =", "own ="))
    assert desk.uses(f"X{name}.grow") == []
    desk.replace(f"{name}/test/use.ts", uses.replace(".made", ".own"))
    assert desk.uses(f"X{name}.grow") == both[1:]


def test_aliases_of_a_tsconfig_that_leaves_out_what_imports_by_them(desk: Desk) -> None:
    """Tests that are not to be built, beside the sources or apart, which their runner gives the tsconfig's aliases."""
    desk.write(
        {
            "out/tsconfig.json": json.dumps(
                {
                    "compilerOptions": {"types": [], "strict": True, **BUNDLED, "paths": {"@out/*": ["./src/*"]}},
                    "include": ["src"],
                    "exclude": ["**/*.spec.ts"],
                }
            ),
            "out/package.json": '{"name": "app-out"}',
            "out/src/thing.ts": "export class Out {\n  leave() {}\n}\n",
            "out/src/thing.spec.ts": 'import { Out } from "@out/thing";\nnew Out().leave();\n',
            "out/test/thing.ts": 'import { Out } from "@out/thing";\nnew Out().leave();\n',
        }
    )
    assert desk.uses("Out.leave") == ["out/src/thing.spec.ts:2", "out/test/thing.ts:2"]
    assert desk.uses("Out") == [f"out/{path}.ts:{line}" for path in ("src/thing.spec", "test/thing") for line in (1, 2)]


@pytest.mark.parametrize("first", ["", "Core"], ids=["cold", "known"])
def test_what_only_a_project_that_imports_it_is_led_to(desk: Desk, first: str) -> None:
    """An application beside a package has aliases for what that imports, and the package's own tsconfig has none."""
    name = f"beside{first.lower()}"
    options = {"types": [], "strict": True, **BUNDLED}
    paths = {f"@{name}/core": ["../../core/src"], f"@{name}/ui": ["../src"]}
    desk.write(
        {
            f"{name}/core/package.json": json.dumps({"name": f"@{name}/core", "exports": TYPED}),
            f"{name}/core/tsconfig.json": json.dumps({"compilerOptions": options, "include": ["src"]}),
            f"{name}/core/src/index.ts": f"""
                export class Core{name} {{
                  scroll = 1;
                }}
                export interface Options {{
                  size: number;
                }}
                """,
            f"{name}/ui/package.json": json.dumps({"name": f"@{name}/ui", "exports": TYPED}),
            f"{name}/ui/tsconfig.json": json.dumps({"compilerOptions": options, "include": ["src"]}),
            f"{name}/ui/src/index.ts": f"""
                import type {{ Options }} from "@{name}/core";
                export function make{name}(options: Options & {{ scroll: number }}) {{
                  return options.scroll;
                }}
                """,
            f"{name}/ui/e2e/tsconfig.json": json.dumps({"compilerOptions": {**options, "paths": paths}}),
            f"{name}/ui/e2e/use.ts": f"""
                import {{ Core{name} }} from "@{name}/core";
                import {{ make{name} }} from "@{name}/ui";
                make{name}({{ size: 1, scroll: new Core{name}().scroll }});
                """,
        }
    )
    if first:
        assert desk.uses(f"{name}/core/src/index.ts#Core{name}") == [f"{name}/ui/e2e/use.ts:{line}" for line in (1, 3)]
    assert desk.uses(f"Core{name}.scroll") == [f"{name}/ui/e2e/use.ts:3"]


def test_written_under_a_running_daemon(desk: Desk) -> None:
    monorepo(desk, "life", "typed")
    assert desk.uses("Userlife.grow") == grown("life", 2, 3)
    desk.write({"life/b/src/other.ts": 'import { Userlife } from "@life/a";\nnew Userlife().grow();\n'})
    assert desk.uses("Userlife.grow") == ["life/b/src/other.ts:2", *grown("life", 2, 3)]
    desk.write({"life/b/src/use.ts": 'import D from "@life/a";\n\nnew D().grow();\n'})
    assert desk.uses("Userlife.grow") == ["life/b/src/other.ts:2", *grown("life", 3)]
    (desk.root / "life/b/src/other.ts").unlink()
    assert desk.uses("Userlife.grow") == grown("life", 3)
    (desk.root / "life/b/src/use.ts").rename(desk.root / "life/b/src/moved.ts")
    assert desk.uses("Userlife.grow") == ["life/b/src/moved.ts:3"]
    (desk.root / "life/a/src/index.ts").write_text('export { default } from "./user.js";\n')
    assert desk.uses("Userlife.grow") == ["life/b/src/moved.ts:3"]


def test_what_others_reach_begins_to_import(desk: Desk) -> None:
    """The file that does is none of those that hold the name."""
    monorepo(desk, "late", "typed")
    desk.write(
        {
            "late/b/src/makes.ts": "export const made: any = 1;\n",
            "late/b/src/uses.ts": 'import { made } from "./makes.js";\nmade.grow();\n',
        }
    )
    assert desk.uses("Userlate.grow") == grown("late", 2, 3)
    desk.write({"late/b/src/makes.ts": 'import Default from "@late/a";\nexport const made = new Default();\n'})
    assert desk.uses("Userlate.grow") == [*grown("late", 2, 3), "late/b/src/uses.ts:2"]


def test_what_was_led_before_it_was_asked_about_changes(desk: Desk) -> None:
    monorepo(desk, "led", "typed")
    made = 'import Default from "@led/a";\nexport const made = new Default();\n'
    desk.write(
        {
            "led/c/package.json": '{"name": "@led/c"}',
            "led/c/tsconfig.json": json.dumps({"compilerOptions": {"types": [], **NEXT}}),
            "led/c/makes.ts": made,
            "led/c/uses.ts": 'import { made } from "./makes.js";\nmade.grow();\n',
        }
    )
    assert desk.uses("Userled.grow") == [*grown("led", 2, 3), "led/c/uses.ts:2"]
    assert desk.uses("led/c/makes.ts#made") == ["led/c/uses.ts:1", "led/c/uses.ts:2"]
    desk.write({"led/c/makes.ts": f"{made}made.grow();\n"})
    assert desk.uses("Userled.grow") == [*grown("led", 2, 3), "led/c/makes.ts:3", "led/c/uses.ts:2"]


def test_the_sources_export_a_name_no_more(desk: Desk) -> None:
    monorepo(desk, "lost", "typed")
    index = (desk.root / "lost/a/src/index.ts").read_text()
    assert desk.uses("Userlost.grow") == grown("lost", 2, 3)
    desk.write({"lost/a/src/index.ts": 'export { default } from "./user.js";\n'})
    assert desk.find("Userlost.grow").completeness.status == "partial"
    desk.write({"lost/a/src/index.ts": index})
    assert desk.uses("Userlost.grow") == grown("lost", 2, 3)


def test_installed_and_taken_away_again(desk: Desk) -> None:
    """git ignores what is installed: of its changes nobody is told."""
    monorepo(desk, "taken", "typed")
    desk.write({"taken/.gitignore": "node_modules\n"})
    link = desk.root / "taken/b/node_modules/@taken/a"
    assert desk.uses("Usertaken.grow") == grown("taken", 2, 3)
    link.unlink()
    written = "export declare class Usertaken {\n  grow(): void;\n}\nexport default Usertaken;\n"
    desk.write({"taken/b/node_modules/@taken/a/dist/index.d.ts": written})
    shutil.copy(desk.root / "taken/a/package.json", link)
    assert desk.uses("taken/a/src/user.ts#Usertaken.grow") == []
    shutil.rmtree(link)
    assert desk.uses("taken/a/src/user.ts#Usertaken.grow") == grown("taken", 2, 3)


@pytest.mark.parametrize("reached", [True, False])
def test_built_but_not_installed(desk: Desk, reached: bool) -> None:
    """reached: the file was looked at for another question before."""
    name = f"order{reached}"
    monorepo(desk, name, "typed", installed=False)
    monorepo(desk, f"{name}too", "typed", installed=False)
    written = f"export declare class User{name} {{\n  grow(): void;\n}}\nexport default User{name};\n"
    desk.write(
        {
            f"{name}/a/dist/index.d.ts": written,
            f"{name}/c/package.json": f'{{"name": "@{name}/c"}}',
            f"{name}/c/tsconfig.json": json.dumps({"compilerOptions": {"types": [], **NEXT}}),
            f"{name}/c/led.ts": f"""
                import {{ User{name}too }} from "@{name}too/a";
                import {{ use }} from "./makes.js";
                export const led = [User{name}too, use];
                """,
            f"{name}/c/makes.ts": f'import Default from "@{name}/a";\nexport const use = new Default();\nuse.grow();\n',
        }
    )
    if reached:
        desk.uses(f"User{name}too")
    assert desk.uses(f"{name}/a/src/user.ts#User{name}.grow") == [*grown(name, 2, 3), f"{name}/c/makes.ts:3"]


def test_a_module_of_a_package_that_tells_no_exports(desk: Desk) -> None:
    """As of one that is published from another folder than its own."""
    monorepo(desk, "parts", "main")
    taken = 'const {{ Userparts: Own }} = require("{}");\nnew Own();\n'.format
    desk.write({"parts/b/src/part.ts": 'import { Userparts } from "@parts/a/user";\nnew Userparts().grow();\n'})
    desk.write({"parts/b/run.js": taken("@parts/a/user.js"), "parts/b/dist.js": taken("@parts/a/dist/user")})
    assert desk.uses("Userparts.grow") == sorted([*grown("parts", 2, 3), "parts/b/src/part.ts:2"])
    scripts = [f"parts/b/{path}.js:{line}" for path in ("dist", "run") for line in (1, 1, 2)]
    told = [one for one in desk.uses("Userparts") if one.endswith(tuple(map("js:{}".format, (1, 2))))]
    assert told == scripts


def test_a_reference_leads_to_the_sources_in_one_project_alone(desk: Desk) -> None:
    """What a file of that project imports told of those that no tsconfig lists."""
    monorepo(desk, "refer", "typed")
    told = {"composite": True, "rootDir": "src", "outDir": "dist", "types": [], "strict": True, **BUNDLED}
    for one, references in (("a", []), ("b", [{"path": "../a"}])):
        tsconfig = {"compilerOptions": told, "include": ["src"], "references": references}
        desk.write({f"refer/{one}/tsconfig.json": json.dumps(tsconfig)})
    desk.write({"refer/b/more/run.ts": 'import { Userrefer } from "@refer/a";\nnew Userrefer().grow();\n'})
    for query in ("Userrefer.grow", "refer/b/src/use.ts:3:15", "refer/b/more/run.ts:2:17"):
        assert desk.uses(query) == ["refer/b/more/run.ts:2", *grown("refer", 2, 3)]


def test_the_outline_of_what_is_led_is_asked_for_in_a_question(desk: Desk) -> None:
    """For what it declares by that name, of its text on disk: the uses came of that text where no tsconfig lists it."""
    monorepo(desk, "lent", "typed")
    (desk.root / "lent/b/tsconfig.json").unlink()
    desk.write(
        {
            "lent/b/src/use.ts": 'import { Userlent } from "@lent/a";\nexport const grow = new Userlent().grow;\n',
            "lent/b/src/other.ts": "export const other = 1;\n",
        }
    )
    assert [one for one in desk.uses("Userlent") if "/b/" in one] == grown("lent", 1, 2)
    assert desk.uses("Userlent.grow") == grown("lent", 2)


def test_declarations_that_hand_on_what_is_to_be_built(desk: Desk) -> None:
    """Asked about themselves first."""
    desk.write(
        {
            "auto/package.json": json.dumps({"name": "auto", "exports": {"./whole": {"types": "./whole.d.ts"}}}),
            "auto/tsconfig.json": json.dumps({"compilerOptions": {"types": [], **NEXT}, "include": ["src"]}),
            "auto/whole.d.ts": 'import { Whole } from "./dist/index.js";\n\nexport default Whole;\n',
            "auto/src/index.ts": "export class Whole {\n  part() {}\n}\n",
            "auto/test/tsconfig.json": json.dumps({"compilerOptions": {"types": [], **NEXT}}),
            "auto/test/use.ts": 'import Whole from "auto/whole";\nnew Whole().part();\n',
        }
    )
    assert place(desk.find("auto/whole.d.ts:3:16").definition) == "auto/src/index.ts:1:14"
    assert desk.uses("Whole.part") == ["auto/test/use.ts:2"]


@pytest.mark.parametrize("way", ["typed", "folder", "stem"])
def test_built_under_a_running_daemon(desk: Desk, way: str) -> None:
    monorepo(desk, "comes", way)
    desk.write({"comes/.gitignore": "dist\n"})
    assert desk.uses("Usercomes.grow") == grown("comes", 2, 3)
    written = "export declare class Usercomes {\n  grow(): void;\n}\nexport default Usercomes;\n"
    desk.write({"comes/a/dist/user.d.ts": written})
    desk.write({"comes/a/dist/index.d.ts": 'export * from "./user.js";\nexport { default } from "./user.js";\n'})
    assert desk.uses("Usercomes.grow") == grown("comes", 2, 3)
    shutil.rmtree(desk.root / "comes/a/dist")
    assert desk.uses("Usercomes.grow") == grown("comes", 2, 3)


def test_what_is_told_of_the_file_itself(desk: Desk) -> None:
    """It is open with another text: neither its outline nor a block may be of that."""
    monorepo(desk, "own", "script")
    text = (desk.root / "own/b/src/use.ts").read_text() + 'import whole = require("@own/a");\nexport class Last {}\n'
    desk.write({"own/b/src/use.ts": text})
    assert desk.uses("Userown.grow") == grown("own", 2, 3)
    assert place(desk.find("Last").definition) == "own/b/src/use.ts:5:14"
    assert desk.inspect("own/b/src/use.ts:5:14").result.code == "export class Last {}"


BEHIND = """
    export const one: typeof import("@NAME/a").UserNAME | null = null;
    export const two = async () => new (await import("@NAME/a")).UserNAME().grow();
    export const three = async () => { const { UserNAME } = await import("@NAME/a"); new UserNAME().grow(); };
    export const four = () => import("@NAME/a").then((all) => new all.UserNAME().grow());
    const five: import("@NAME/a").UserNAME[] = []; five[0]?.grow(); export class Behind {} five[1]?.grow();
    import { UserNAME as six } from "@NAME/a"; new six().grow();
    """


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["unix", "windows"])
def test_code_behind_an_import_in_its_line(desk: Desk, end: str) -> None:
    name = "behind" if end == "\n" else "windows"
    monorepo(desk, name, "typed")
    text = textwrap.dedent(BEHIND).lstrip("\n").replace("NAME", name)
    lines = text.splitlines()
    desk.write({f"{name}/b/src/use.ts": text.replace("\n", end)})

    def standing(word: str, *numbers: int) -> list[str]:
        """Each place of a word in these lines."""
        found = (
            (number, at.start() + 1) for number in numbers for at in re.finditer(rf"\b{word}\b", lines[number - 1])
        )
        return [f"{name}/b/src/use.ts:{number}:{character}" for number, character in found]

    def used(query: str) -> list[str]:
        answer = desk.find(query, limit=0)
        assert answer.completeness.status == "complete", answer
        return sorted(str(place(one)) for one in answer.references or () if "/b/" in one.file_path)

    assert used(f"User{name}.grow") == sorted(standing("grow", 2, 3, 4, 5, 6))
    # What a pattern takes is a variable from there on.
    taken = [*standing(f"User{name}", 1, 2), standing(f"User{name}", 3)[0], *standing(f"User{name}", 4, 5, 6)]
    assert used(f"User{name}") == sorted([*taken, *standing("six", 6)])
    for site in standing("grow", 2, 3, 4, 5, 6):
        assert place(desk.find(site).definition) == f"{name}/a/src/user.ts:2:3", site
    assert standing("Behind", 5) == [place(desk.find(f"{name}/b/src/use.ts#Behind").definition)]
    desk.write({f"{name}/b/src/use.ts": text.replace("\n", end).replace("export const four = ", "export const four =")})
    lines[3] = lines[3].replace("export const four = ", "export const four =")
    assert used(f"User{name}.grow") == sorted(standing("grow", 2, 3, 4, 5, 6))


def test_what_a_script_takes_of_what_it_requires_in_one_line(desk: Desk) -> None:
    monorepo(desk, "once", "script")
    desk.write(
        {
            "once/b/run.js": """
                const { Useronce } = require("@once/a"), more = new Useronce();
                more.grow(); const made = require("@once/a").Useronce; new made().grow();
                """
        }
    )
    assert [one for one in desk.uses("Useronce.grow") if "run" in one] == ["once/b/run.js:2", "once/b/run.js:2"]


def test_what_the_comments_of_a_script_import(desk: Desk) -> None:
    monorepo(desk, "noted", "typed")
    desk.write(
        {
            "noted/b/run.js": """
                /** @type {import("@noted/a").Usernoted} */
                let one;
                one.grow();
                /** @param {import("@noted/a").Usernoted} two the user's */
                export const given = (two) => two.grow();
                """,
            "noted/b/run.mjs": """
                /** @import { Usernoted } from "@noted/a" */
                /** @param {Usernoted} one */
                export const given = (one) => one.grow();
                """,
        }
    )
    assert [one for one in desk.uses("Usernoted.grow") if "run" in one] == [
        "noted/b/run.js:3",
        "noted/b/run.js:5",
        "noted/b/run.mjs:3",
    ]


def test_names_that_the_sources_do_not_export(desk: Desk) -> None:
    """What the build is made of is not known then."""
    monorepo(desk, "more", "typed")
    desk.write({"more/b/src/makes.ts": 'import { make } from "@more/a";\nmake().grow();\n'})
    answer = desk.find("Usermore.grow")
    assert answer.completeness.status == "partial"
    assert "makes.ts:2" in str(answer.completeness.reason)


def test_a_name_under_which_another_package_is_installed(desk: Desk) -> None:
    """It was led to the package of that name while the other one's source was away, and ever after."""
    monorepo(desk, "mislinked", "main")
    link = desk.root / "mislinked/b/node_modules/@mislinked/a"
    link.unlink()
    link.symlink_to("../../../c")
    desk.write({"mislinked/c/package.json": '{"name": "@mislinked/c", "main": "src/index.ts"}'})
    before = desk.find("Usermislinked.grow", limit=0)
    desk.write({"mislinked/c/src/index.ts": "export class Usermislinked {}\n"})
    after = desk.find("Usermislinked.grow", limit=0)
    assert (before.total, before.completeness.status) == (0, "partial")
    assert (after.total, after.completeness.status) == (0, "complete")


def test_a_package_that_was_moved_and_not_installed_again(desk: Desk) -> None:
    monorepo(desk, "moved", "main")
    (desk.root / "moved/a").rename(desk.root / "moved/elsewhere")
    assert desk.uses("Usermoved.grow") == grown("moved", 2, 3)


def test_objects_that_implement_were_passed_over(desk: Desk) -> None:
    """Also by an import that leads to nothing, of which the answer said that it was complete."""
    monorepo(desk, "impl", "typed")
    desk.write(
        {
            "impl/a/src/index.ts": """
                export interface Shelf { put(name: string): string }
                export function fill(shelf: Shelf) { return shelf.put("a"); }
                """,
            "impl/b/src/use.ts": """
                import { fill, type Shelf } from "@impl/a";
                export const shelf: Shelf = { put: (name) => name };
                fill({ put(name) { return name; } });
                """,
        }
    )

    def impls(query: str) -> tuple[str, list[str]]:
        answer = desk.run(desk.ask("impls", query=query))
        desk.note()
        return answer.completeness.status, [str(place(one)) for one in answer.implementations]

    assert impls("Shelf") == ("complete", ["impl/b/src/use.ts:2:29"])
    assert impls("Shelf.put") == ("complete", ["impl/b/src/use.ts:2:31", "impl/b/src/use.ts:3:8"])
    desk.write({"impl/b/src/lost.ts": 'import { fill } from "@impl/a/gone.js";\nfill({ put: (name) => name });\n'})
    assert impls("Shelf.put") == ("partial", ["impl/b/src/use.ts:2:31", "impl/b/src/use.ts:3:8"])


@pytest.mark.parametrize("imports", ['import { use } from "@adds/a";', "export {};"])
def test_what_declare_module_adds_had_no_uses(desk: Desk, imports: str) -> None:
    """Also where nothing else of its file leads to the package, and asked there first."""
    monorepo(desk, "adds", "typed")
    desk.write(
        {
            "adds/a/src/index.ts": """
                export interface Options { first: 1 }
                export function use(it: Options) { return it.first; }
                """,
            "adds/b/src/adds.ts": f"""
                {imports}
                declare module "@adds/a" {{ interface Options {{ more: 2 }} }}
                """,
            "adds/b/src/use.ts": """
                import { use, type Options } from "@adds/a";
                export const options: Options = { first: 1, more: 2 };
                use(options) + options.more;
                """,
        }
    )
    assert desk.uses("adds/b/src/adds.ts:2:48") == ["adds/b/src/use.ts:2", "adds/b/src/use.ts:3"]
    uses = ["adds/a/src/index.ts:2", "adds/b/src/use.ts:1", "adds/b/src/use.ts:2"]
    assert desk.uses("adds/b/src/adds.ts#Options") == uses
    assert desk.uses("adds/a/src/index.ts#Options") == uses
    assert [row.name for row in desk.map("adds/b/src/adds.ts").symbols] == ["@adds/a", "Options", "more"]


def test_what_is_taken_in_a_callback_by_the_type_of_what_is_to_be_built(desk: Desk) -> None:
    """As tests take what they mock. The servers look there in functions that have a name."""
    desk.write(
        {
            "package.json": '{"name": "parts", "type": "module", "main": "dist/index.js", "types": "dist/index.d.ts"}',
            "tsconfig.json": '{"compilerOptions": {"module": "nodenext", "outDir": "dist"}, "include": ["src"]}',
            "src/index.ts": 'export * from "./part.js";\n',
            "src/part.ts": "export function part() {}\n",
            "test/part.ts": """
                declare function test(run: (load: () => Promise<unknown>) => void): void;
                test(async (load) => {
                  const { part } = (await load()) as typeof import("../dist/index.js");
                });
                test(async (load) => {
                  const { part } = (await load()) as typeof import("../dist/part.js");
                });
                test((load) => {
                  const { part } = load() as any;
                });
                """,
        }
    )
    assert desk.uses("src/part.ts#part") == ["test/part.ts:3", "test/part.ts:6"]


def test_what_takes_an_alias_of_several_types_used_a_member_of_who_implements_that(desk: Desk) -> None:
    """By one server and another, and in some projects: where one project holds all, compilers do not look there."""
    config = json.dumps({"compilerOptions": {"strict": True, "types": [], **BUNDLED}, "include": ["src"]})
    desk.write(
        {
            "kin/core/package.json": '{"name": "kin-core", "main": "./dist/index.js", "types": "./dist/index.d.ts"}',
            "kin/core/tsconfig.json": config,
            "kin/core/src/index.ts": """
                interface Emitter { emit(): void }
                export type Adapter = {
                  stopped?(): void;
                } & Emitter;
                export interface Plain { halted?(): void }
                export const stop = (one: Adapter, two: Plain) => [one.stopped?.(), two.halted?.()];
                export class Own implements Adapter { emit() {} stopped() {} }
                """,
            "kin/user/package.json": '{"name": "kin-user", "dependencies": {"kin-core": "*"}}',
            "kin/user/tsconfig.json": config,
            "kin/user/src/index.ts": """
                import type { Adapter, Plain } from "kin-core";
                export class User implements Adapter, Plain { emit() {} stopped() {} halted() {} }
                export const end = (one: User) => [one.stopped(), one.halted()];
                """,
        }
    )
    core, own = "kin/core/src/index.ts", ["kin/user/src/index.ts:3"]
    for _ in range(2):
        assert desk.uses("User.stopped") == own
        assert desk.uses("User.halted") == [f"{core}:5", f"{core}:6", *own]
        assert desk.uses("Own.stopped") == []
        assert desk.uses("Adapter.stopped") == [f"{core}:6"]


def test_what_is_brought_by_a_file_that_no_question_names(desk: Desk) -> None:
    """The same answer whether the import was looked at before or not."""
    desk.write(
        {
            "package.json": json.dumps({"name": "big", "exports": TYPED}),
            "tsconfig.json": json.dumps({"compilerOptions": {"types": [], **BUNDLED}, "include": ["src"]}),
            "src/index.ts": 'import "./port";\nexport class Big {}\n',
            "src/port.ts": """
                export {};
                declare global {
                  interface Port {
                    open(): void;
                  }
                }
                export const opened = (port: Port) => port.open();
                """,
            "cloud/tsconfig.json": json.dumps({"compilerOptions": {"types": [], **BUNDLED}}),
            "cloud/worker.d.ts": "interface Port {\n  shut(): void;\n}\ndeclare const own: Port;\n",
            "cloud/use.ts": 'import { Big } from "big";\nnew Big();\n',
        }
    )
    merged = ["cloud/worker.d.ts:4", "src/port.ts:7"]
    assert desk.uses("cloud/worker.d.ts:1:11") == merged
    assert desk.uses("Big") == ["cloud/use.ts:1", "cloud/use.ts:2"]
    assert desk.uses("cloud/worker.d.ts:1:11") == merged
    # One that comes later brings it as well.
    desk.write({"cloud/use.ts": "export {};\n"})
    assert desk.uses("cloud/worker.d.ts:1:11") == merged[:1]
    desk.write({"cloud/more.ts": 'import "big";\n'})
    assert desk.uses("cloud/worker.d.ts:1:11") == merged
