"""Names that no import brings: what is declared for a whole project, and beside what a package or the library has."""

from __future__ import annotations

import pytest

from tests.server.desk import Desk, place, places

pytestmark = pytest.mark.server

LIBRARY = """
    declare namespace shared { interface Known { known: number } }
    declare module "listed" { export interface Options { size: number } }
    """
OWN = """
    import type { Options } from "listed";
    export {};
    declare global {
      interface Window { NAME: number }
      namespace shared { interface Known { NAME: number } }
    }
    declare module "listed" { interface Options { NAME: string } }
    export function take(one: Window, two: shared.Known, three: Options) {
      return [one.NAME, two.NAME, three.NAME];
    }
    """
APART = '{"compilerOptions": {"strict": true, "types": ["shared"], "lib": ["es2022", "dom"]}, "include": ["."]}'
FILES = {
    "node_modules/@types/shared/index.d.ts": LIBRARY,
    "node_modules/@types/shared/package.json": '{"name": "@types/shared", "version": "1.0.0", "types": "index.d.ts"}',
    "one/tsconfig.json": APART,
    "one/own.ts": OWN.replace("NAME", "uno"),
    "one/use.ts": "export const first = (one: Window, two: shared.Known) => [one, two];\n",
    "two/tsconfig.json": APART,
    "two/own.ts": OWN.replace("NAME", "dos"),
    "one/takes.ts": "export const { Event = class {} } = globalThis;\nexport const taken = Event;\n",
    "two/event.ts": "export const event = (one: Event) => one;\n",
    "three/tsconfig.json": APART,
    "three/imports.ts": 'import { Event } from "../one/takes";\nexport const event = Event;\n',
    "two/use.ts": "export const second = (one: Window, two: shared.Known) => [one, two];\n",
}


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("name", "uses"),
    [
        ("Window", ["one/own.ts:8", "one/use.ts:1"]),
        ("shared", ["one/own.ts:8", "one/use.ts:1"]),
        ("Known", ["one/own.ts:8", "one/use.ts:1"]),
        ("Options", ["one/own.ts:1", "one/own.ts:8"]),
    ],
)
def test_a_global_is_not_the_one_that_another_project_adds_to_the_same(
    desk: Desk, name: str, uses: list[str], server: str
) -> None:
    """Both add to what a library declares: the compiler merges what is in one program."""
    desk.find("dos", server=server)
    answer = desk.find(f"one/own.ts#{name}", server=server)
    assert (answer.completeness.status, places(answer.references or [])) == ("complete", uses)


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_of_what_is_merged_with_a_librarys_the_workspaces_own_is_told_first(desk: Desk, server: str) -> None:
    answer = desk.find("one/use.ts:1:28", server=server)
    assert place(answer.definition) == "one/own.ts:4:13"
    assert any("lib.dom" in one.file_path for one in answer.candidates)


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_globals_user_that_another_project_has_loaded(desk: Desk, server: str) -> None:
    """Only the project that its own folder means has the global."""
    desk.write(
        {
            "far/types/far.d.ts": "interface Distant { far: number }\n",
            "far/app/tsconfig.json": '{"compilerOptions": {"types": []}, "include": [".", "../types"]}',
            "far/app/user.ts": "export const user = (one: Distant) => one;\n",
            "far/main/tsconfig.json": '{"compilerOptions": {"types": []}, "include": ["."]}',
            "far/main/main.ts": 'import { user } from "../app/user";\nexport const main = user;\n',
        }
    )
    desk.find("main", server=server)
    answer = desk.find("Distant", server=server)
    assert (answer.completeness.status, places(answer.references or [])) == ("complete", ["far/app/user.ts:1"])


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_use_that_only_the_project_of_its_own_folder_knows(desk: Desk, server: str) -> None:
    """One around it has read the file before, and knows nothing of its types there."""
    desk.write(
        {
            "around/tsconfig.json": '{"compilerOptions": {"types": []}, "exclude": ["inner/types"]}',
            "around/api.ts": "export interface Api { polish(): void }\n",
            "around/outer.ts": 'import type { Api } from "./api";\nexport const outer = (api: Api) => api.polish();\n',
            "around/inner/tsconfig.json": '{"compilerOptions": {"types": []}, "include": ["."]}',
            "around/inner/types/make.d.ts": 'declare function make(): import("../../api").Api;\n',
            "around/inner/use.ts": "export const inner = make().polish();\n",
        }
    )
    desk.find("outer", server=server)
    answer = desk.find("Api.polish", server=server)
    assert places(answer.references or []) == ["around/inner/use.ts:1", "around/outer.ts:2"]
    assert answer.completeness.status == "complete"


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_global_that_only_a_project_around_both_folders_merges(desk: Desk, server: str) -> None:
    """No server loads that one for either file."""
    desk.write(
        {
            "wide/tsconfig.json": '{"compilerOptions": {"types": []}, "include": ["."]}',
            "wide/left/tsconfig.json": '{"compilerOptions": {"types": []}, "include": ["."]}',
            "wide/left/wide.d.ts": "declare const BOUNDLESS: number;\n",
            "wide/right/tsconfig.json": '{"compilerOptions": {"types": []}, "include": ["."]}',
            "wide/right/use.ts": "export const right = BOUNDLESS;\n",
        }
    )
    answer = desk.find("BOUNDLESS", server=server)
    if not answer.references:
        assert answer.completeness.status == "partial"
        assert "use.ts" in str(answer.completeness.reason)


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_what_only_a_tsconfig_of_another_name_adds_to_a_librarys(desk: Desk, server: str) -> None:
    """Their own project reads what names it as the library's alone, also where only a comment does."""
    desk.write(
        {
            "older/tsconfig.json": '{"extends": "./old/tsconfig.base.json"}',
            "older/old/tsconfig.base.json": '{"compilerOptions": {"types": []}, "include": ["../src"]}',
            "older/old/tsconfig.old.json": '{"extends": "./tsconfig.base.json", "files": ["./types.d.ts"]}',
            "older/old/types.d.ts": "interface RegExp {\n  old: string;\n}\n",
            "older/src/a.ts": "/** @return {RegExp} which is one */\nexport const a = () => /a/;\n",
        }
    )
    answer = desk.find("older/old/types.d.ts:1:11", server=server)
    if answer.references == []:
        assert answer.completeness.status == "partial"
        assert "old/tsconfig.old.json" in str(answer.completeness.reason)


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_name_that_no_project_could_merge_is_no_doubt(desk: Desk, server: str) -> None:
    desk.write(
        {
            "near/left/tsconfig.json": '{"compilerOptions": {"types": []}, "include": ["."]}',
            "near/left/near.d.ts": "declare const BOUNDED: number;\n",
            "near/right/tsconfig.json": '{"compilerOptions": {"types": []}, "include": ["."]}',
            "near/right/use.ts": "export const right = BOUNDED;\n",
        }
    )
    answer = desk.find("BOUNDED", server=server)
    assert (answer.completeness.status, answer.references) == ("complete", [])


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_script_below_another_tsconfig_that_takes_none_was_in_doubt(desk: Desk, server: str) -> None:
    listing = '{"compilerOptions": {"types": []}, "include": ["src"]}'
    desk.write(
        {
            "mocks/tsconfig.json": listing,
            "mocks/tsconfig.build.json": listing,
            "mocks/src/setup.ts": "export {};\ndeclare global {\n  namespace MOCKS { const fn: number; }\n}\n",
            "mocks/src/mock.js": "export const mock = MOCKS.fn;\n",
        }
    )
    answer = desk.find("MOCKS", server=server)
    assert (answer.completeness.status, answer.references) == ("complete", [])


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_what_takes_a_global_was_used_where_another_project_uses_the_global(desk: Desk, server: str) -> None:
    desk.find("dos", server=server)
    answer = desk.find("one/takes.ts:1:16", server=server)
    uses = ["one/takes.ts:2", "three/imports.ts:1", "three/imports.ts:2"]
    assert (answer.completeness.status, places(answer.references or [])) == ("complete", uses)


JOINED = {
    "joined/tsconfig.json": '{"compilerOptions": {"types": []}, "include": ["*/src"], "exclude": ["play"]}',
    "joined/rest/tsconfig.build.json": '{"extends": "../tsconfig.json", "exclude": ["none"]}',
    "joined/core/package.json": '{"name": "joined-core", "types": "src/index.ts"}',
    "joined/core/src/index.ts": "export interface Store { size: number }\n",
    "joined/core/src/lib.d.ts": "declare var EVERYWHERE: boolean;\n",
    "joined/core/src/use.ts": "export const core = EVERYWHERE;\n",
    "joined/play/tsconfig.json": '{"compilerOptions": {"types": []}, "include": ["src"]}',
    "joined/play/src/env.d.ts": "declare var EVERYWHERE: boolean;\n",
    "joined/play/src/main.ts": """
        export const play = EVERYWHERE;
        declare module "joined-core" { interface Store { played: string } }
        """,
}


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("query", "uses"),
    [
        ("joined/play/src/env.d.ts:1:13", ["joined/play/src/main.ts:1"]),
        ("joined/core/src/lib.d.ts:1:13", ["joined/core/src/use.ts:1"]),
        ("joined/play/src/main.ts:2:42", None),
    ],
)
def test_two_projects_declare_one_global_and_a_build_holds_both(
    desk: Desk, query: str, uses: list[str] | None, server: str
) -> None:
    """What the build's tsconfig lists it has from the one that it extends, in a folder above. Of the global each
    project has its own; the module to which the other one adds leads nowhere there."""
    desk.write(JOINED)
    answer = desk.find(query, server=server)
    assert place(answer.definition) == query
    if uses is None:
        assert answer.completeness.status == "partial"
        assert "rest/tsconfig.build.json" in str(answer.completeness.reason)
    else:
        assert (places(answer.references or []), answer.completeness.status) == (uses, "complete")


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize("name", ["Spread", "Spread.wide"])
def test_what_the_project_of_its_own_folder_does_not_know_one_around_may(desk: Desk, name: str, server: str) -> None:
    """A member of a global as well: it was left out until the one around was loaded."""
    folder = f"{name.lower().replace('.', '-')}-{server}"
    desk.write(
        {
            f"{folder}/tsconfig.json": APART,
            f"{folder}/rest.ts": "export const rest = 1;\n",
            f"{folder}/uno/tsconfig.json": APART,
            f"{folder}/uno/own.d.ts": "interface Spread { wide: number }\n",
            f"{folder}/dos/tsconfig.json": APART,
            f"{folder}/dos/use.ts": "export const dos = (one: Spread) => one.wide;\n",
        }
    )
    answer = desk.find(f"{folder}/uno/own.d.ts#{name}", server=server)
    assert (places(answer.references or []), answer.completeness.status) == ([], "partial")
    desk.find(f"{folder}/rest.ts#rest", server=server)
    answer = desk.find(f"{folder}/uno/own.d.ts#{name}", server=server)
    assert (places(answer.references or []), answer.completeness.status) == ([f"{folder}/dos/use.ts:1"], "complete")


HOMES = {
    "tsconfig.json": APART,
    "rest.ts": "export const rest = 1;\n",
    "uno/tsconfig.json": APART,
    "uno/own.ts": """
        declare module "listed" { interface Options { more: string } }
        export class Uno implements Pick<Map<string, number>, "has"> { has(key: string) { return !!key; } }
        export const uno = [new Uno().has("a"), new Map<string, number>().has("a")];
        """,
    # No project lists it.
    "uno/script.js": 'export const script = new Map().has("a");\n',
    "dos/tsconfig.json": APART,
    "dos/own.ts": """
        import type { Options } from "listed";
        export class Dos implements Pick<Map<string, number>, "has"> { has(key: string) { return !!key; } }
        export const dos = (one: Options) => [new Dos().has("a"), new Map<string, number>().has("a"), one];
        """,
    "tres/tsconfig.json": APART,
    "tres/own.ts": 'import { Uno } from "../uno/own";\nexport const tres = [new Uno(), new Map().has("a")];\n',
}


@pytest.mark.slow
@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize("first", ["around", "own"])
@pytest.mark.parametrize(
    ("name", "uses"), [("Uno.has", ["tres/own.ts:2", "uno/own.ts:3", "uno/own.ts:3"]), ("Options", [])]
)
def test_what_a_librarys_declaration_alone_relates_is_for_the_projects_of_the_files_own_folders_to_tell(
    desk: Desk, name: str, uses: list[str], first: str, server: str
) -> None:
    """One around both knows more, and is loaded or is not."""
    folder = f"{first}-{name.lower().replace('.', '-')}-{server}"
    desk.write({f"{folder}/{path}": text for path, text in HOMES.items()})
    for also in ("around", "around") if first == "around" else ("own", "around"):
        if also == "around":
            desk.find(f"{folder}/rest.ts#rest", server=server)
        answer = desk.find(f"{folder}/uno/own.ts#{name}", server=server)
        assert answer.completeness.status == "complete"
        assert places(answer.references or []) == [f"{folder}/{use}" for use in uses], also


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_global_taken_of_what_the_compiler_does_not_know_was_no_use(desk: Desk, server: str) -> None:
    """`global` is known where a tsconfig names the types of Node, which from TypeScript 6 on it has to."""
    setup = "export {};\ndeclare global {\n  var passes: () => void;\n  var rests: () => void;\n}\n"
    desk.write(
        {
            "node/tsconfig.json": '{"compilerOptions": {"strict": true, "types": []}}',
            "node/setup.ts": setup,
            "node/use.ts": "export {};\nglobal.passes();\nconst node = { global };\nnode.global.rests();\nrests();\n",
        }
    )
    passes, rests = desk.find("global.passes", server=server), desk.find("global.rests", server=server)
    assert passes.completeness.reason == "the language server does not know global in node/use.ts:2"
    assert (rests.completeness.status, places(rests.references or [])) == ("complete", ["node/use.ts:5"])


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_script_is_in_no_project_that_takes_none_in_whatever_else_of_its_folder_an_import_may_lead_to(
    desk: Desk, server: str
) -> None:
    desk.write(
        {
            "unbuilt/package.json": '{"name": "unbuilt", "types": "types/index.d.ts"}',
            "unbuilt/bench/same.cjs": "const { is } = Object;\nexports.same = is(1, 1);\n",
            "user/tsconfig.json": APART,
            "user/use.ts": 'import { any } from "unbuilt";\nexport const same = Object.is(any, 1);\n',
        }
    )
    desk.find("user/use.ts#same", server=server)
    answer = desk.find("unbuilt/bench/same.cjs:1:9", limit=0, server=server)
    assert (answer.completeness.status, places(answer.references or [])) == ("complete", ["unbuilt/bench/same.cjs:2"])


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_what_another_project_uses_of_a_member_was_told_at_a_variable_that_a_pattern_makes_of_it(
    desk: Desk, server: str
) -> None:
    """To compilers a name in a pattern is the member as well, and that is loaded for its own project, too."""
    desk.write(
        {
            "bound/src/tsconfig.json": '{"compilerOptions": {"strict": true, "types": []}}',
            "bound/src/ware.ts": "export class Ware {}\n",
            "bound/src/shelf.ts": 'import { Ware } from "./ware";\nexport const shelf = new Ware();\n',
            "bound/test/ware.test.ts": """
                const { Ware } = await import("../src/ware");
                export const made = [new Ware()];
                """,
        }
    )
    answer = desk.find("bound/test/ware.test.ts#Ware", server=server)
    assert answer.completeness.status == "complete"
    assert places(answer.references or []) == ["bound/src/ware.ts:1", "bound/test/ware.test.ts:2"]
    answer = desk.find("bound/src/ware.ts#Ware", server=server)
    uses = ["bound/src/shelf.ts:1", "bound/src/shelf.ts:2", "bound/test/ware.test.ts:1"]
    assert places(answer.references or []) == uses
