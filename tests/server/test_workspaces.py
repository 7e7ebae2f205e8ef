"""Workspaces of every shape: projects, solutions, none at all, JavaScript, a TypeScript of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.adapters.language_servers.provisioning.packages import in_workspace
from cn_daemon.adapters.language_servers.tsserver import projects
from cn_daemon.settings import Settings
from cn_shared.errors import CnError
from tests.conftest import npm_install
from tests.server.desk import TSCONFIG, Desk, place

pytestmark = pytest.mark.server

LIBRARY = "export class Basis {\n  go() {}\n}\n"


@pytest.fixture(scope="module", params=["typescript", "native"])
def desk(
    request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    """The workspace that all tests here share, once for each server."""
    desk = Desk(tmp_path_factory.mktemp("desk").resolve() / "work", Settings(server=request.param))
    yield desk
    assert desk.close() == []


@pytest.fixture(scope="module", autouse=True)
def root_file(desk: Desk) -> None:
    desk.write({"readme.ts": "export {};\n"})


def test_a_solution_with_tsconfigs_of_other_names(desk: Desk) -> None:
    options = '"compilerOptions": {"composite": true, "types": []}'
    desk.write(
        {
            "solution/tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.lib.json"}, '
            '{"path": "./tsconfig.spec.json"}]}',
            "solution/tsconfig.lib.json": f'{{{options}, "include": ["src"], "exclude": ["**/*.spec.ts"]}}',
            "solution/tsconfig.spec.json": f'{{{options}, "include": ["src/**/*.spec.ts"], '
            '"references": [{"path": "./tsconfig.lib.json"}]}',
            "solution/src/solved.ts": "export class Solved {}\n",
            "solution/src/app.ts": 'import { Solved } from "./solved";\nnew Solved();\n',
            "solution/src/solved.spec.ts": 'import { Solved } from "./solved";\nnew Solved();\n',
        }
    )
    assert desk.uses("Solved") == [
        f"solution/src/{name}:{line}" for name in ("app.ts", "solved.spec.ts") for line in (1, 2)
    ]


def test_a_base_that_lists_the_files_of_others_is_no_project_of_theirs(desk: Desk) -> None:
    """It has no plain name, and nothing but `extends` leads to it; a loose file is all that a server reads by it."""
    options = '"compilerOptions": {"composite": true, "types": [], "module": "ESNext", "moduleResolution": "Bundler"}'
    desk.write(
        {
            "based/tsconfig.base.json": f"{{{options}}}",
            "based/tsconfig.build.json": '{"extends": "./tsconfig.base.json", "include": ["src"]}',
            "based/tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.build.json"}]}',
            "based/bench/loose.mts": 'import { Founded } from "../src/founded.ts";\nnew Founded();\n',
            "based/src/founded.ts": "export class Founded {}\n",
            "based/src/uses.ts": 'import { Founded } from "./founded";\nnew Founded();\n',
        }
    )
    assert desk.uses("Founded") == [f"based/{name}:{n}" for name in ("bench/loose.mts", "src/uses.ts") for n in (1, 2)]


def test_declarations_beside_a_script_that_imports(desk: Desk) -> None:
    """Beside a loose file the native server knows what the script imports only where it is asked there."""
    desk.write(
        {
            "beside/jsconfig.json": '{"compilerOptions": {"checkJs": true}, "exclude": ["**/dist/**"]}',
            "beside/all/index.js": "import { Shown } from './shown';\nnew Shown();\n",
            "beside/all/index.d.ts": "export { Shown } from './shown';\n",
            "beside/all/shown.d.ts": "export class Shown {}\n",
            "beside/debug/dist/all.mjs": "// Shown\n",
        }
    )
    assert desk.uses("Shown") == ["beside/all/index.d.ts:1", "beside/all/index.js:1", "beside/all/index.js:2"]


@pytest.mark.parametrize("options", ['"baseUrl": "lib"', '"paths": {"*": ["./lib/*"]}'], ids=["base", "paths"])
def test_one_word_was_taken_for_a_package_where_only_a_tsconfig_that_nobody_refers_to_says_otherwise(
    desk: Desk, options: str
) -> None:
    folder = "base_" if "base" in options else "paths_"
    name = folder.title().replace("_", "d")
    desk.write(
        {
            f"{folder}/tsconfig.json": '{"include": ["lib"]}',
            f"{folder}/tsconfig.spec.json": f'{{"include": ["spec"], "compilerOptions": {{{options}}}}}',
            f"{folder}/lib/{folder}tool.ts": f"export class {name} {{}}\nexport class {name}Not {{}}\n",
            f"{folder}/spec/one.ts": f'import {{ {name} }} from "{folder}tool";\nnew {name}();\nlet {name}Not = 1;\n',
        }
    )
    answer = desk.find(name)
    assert answer.completeness.status == "partial"
    assert f"imports of {folder}tool lead nowhere, in {folder}/spec/one.ts:1" in str(answer.completeness.reason)
    assert desk.uses(f"{name}Not") == []


def test_packages_that_name_each_other(desk: Desk) -> None:
    """A workspace of packages without project references, linked through node_modules."""
    desk.write(
        {
            "mono/packages/core/package.json": '{"name": "@mono/core", "types": "src/index.ts"}',
            "mono/packages/core/tsconfig.json": TSCONFIG,
            "mono/packages/core/src/index.ts": 'export { Cored as Kernel } from "./cored";\n',
            "mono/packages/core/src/cored.ts": "export class Cored {}\n",
            "mono/packages/app/package.json": '{"name": "@mono/app"}',
            "mono/packages/app/tsconfig.json": TSCONFIG,
            "mono/packages/app/src/main.ts": 'import { Kernel } from "@mono/core";\nnew Kernel();\n',
        }
    )
    modules = desk.root / "mono" / "packages" / "app" / "node_modules" / "@mono"
    modules.mkdir(parents=True)
    (modules / "core").symlink_to(desk.root / "mono" / "packages" / "core")
    uses = desk.uses("Cored")
    assert "mono/packages/app/src/main.ts:1" in uses
    assert "mono/packages/app/src/main.ts:2" in uses
    assert not [use for use in uses if "node_modules" in use]


def test_files_outside_every_tsconfig(desk: Desk) -> None:
    desk.write(
        {
            "partly/tsconfig.json": '{"compilerOptions": {"types": []}, "include": ["src"]}',
            "partly/src/partly.ts": "export class Partly {}\n",
            "partly/script.ts": 'import { Partly } from "./src/partly";\nnew Partly();\n',
        }
    )
    assert desk.uses("Partly") == ["partly/script.ts:1", "partly/script.ts:2"]


def test_more_files_outside_every_tsconfig_than_are_opened(own_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    own_desk.write({f"{name}.ts": f"export const {name} = 1;\n{name};\n" for name in ("one", "two", "three")})
    own_desk.write({"part/tsconfig.json": '{"files": []}', "part/four.ts": "export const four = 1;\nfour;\n"})
    monkeypatch.setattr(projects, "LOOSE_FILES", 2)
    assert own_desk.uses("one") == ["one.ts:2"]
    assert own_desk.uses("two") == ["two.ts:2"]
    for name in ("three", "part/four"):
        found = own_desk.find(f"{name}.ts#{name.rpartition('/')[2]}", limit=0)
        assert found.definition is not None
        assert found.completeness.status == "partial"
        assert "too many to open" in str(found.completeness.reason)
    # What no question needs any more makes room.
    monkeypatch.setattr(projects, "IDLE_S", -1)
    assert own_desk.uses("three") == ["three.ts:2"]
    assert own_desk.uses("four") == ["part/four.ts:2"]
    assert own_desk.uses("one") == ["one.ts:2"]


def test_a_project_that_holds_what_a_member_overrides_and_not_the_member(desk: Desk) -> None:
    """tsserver stops at projects that hold the symbol's own file. Where one project holds all it tells these uses."""
    desk.write(
        {
            "kin/tsconfig.json": '{"compilerOptions": {"strict": true, "types": []}, "exclude": ["**/*.test.ts"]}',
            "kin/frame.ts": "export interface Root { reply(): void }\nexport abstract class Frame implements Root {\n"
            "  abstract reply(): void;\n}\n",
            "kin/more.ts": 'import type { Frame } from "./frame";\nexport interface More extends Frame {}\n',
            "kin/http.ts": 'import { Frame } from "./frame";\nexport class Http extends Frame {\n  reply() {}\n}\n',
            "kin/sent.ts": 'import { More } from "./more";\nexport class Sent implements More {\n  reply() {}\n}\n',
            "kin/made.ts": 'import type { Frame } from "./frame";\nexport const made: Frame = {\n  reply() {},\n};\n',
            "kin/both.ts": 'import { Frame } from "./frame";\nimport type { Other } from "./other";\n'
            "export class Both extends Frame implements Other {\n  reply() {}\n}\n",
            "kin/other.ts": "export interface Other {\n  reply(): void;\n}\n",
            "kin/frame.test.ts": 'import { Frame, type Root } from "./frame";\nclass Fake extends Frame {\n'
            "  reply = () => {};\n}\nnew Fake().reply();\nexport const root = (one: Root) => one.reply();\n",
            "kin/other.test.ts": 'import type { Both } from "./both";\nimport type { Other } from "./other";\n'
            "export const both = (one: Both, two: Other) => [\n  one.reply(),\n  two.reply(),\n];\n",
        }
    )
    kin = ["kin/both.ts:4", "kin/frame.test.ts:3", "kin/frame.test.ts:5", "kin/frame.test.ts:6", "kin/frame.ts:1",
           "kin/frame.ts:3", "kin/http.ts:3", "kin/made.ts:3", "kin/other.test.ts:4", "kin/sent.ts:3"]  # fmt: skip
    for name in ("http.ts#Http.reply", "sent.ts#Sent.reply", "made.ts#made.reply"):
        own = f"kin/{name.partition('#')[0]}:3"
        assert desk.uses(f"kin/{name}") == [use for use in kin if use != own], name


def test_uses_of_a_value_that_a_key_names_were_those_of_the_keys_of_a_mapped_type(desk: Desk) -> None:
    """`{ press }` is a key and a use of the function. Servers go on from there, in projects that do not hold the other
    key, and told the uses of both."""
    desk.write(
        {
            "keyed/tsconfig.json": '{"compilerOptions": {"strict": true, "types": []}, "include": ["src"]}',
            "keyed/tests/tsconfig.json": '{"compilerOptions": {"strict": true, "types": []}, "include": ["."]}',
            "keyed/src/press.ts": "export function press() {}\n",
            "keyed/src/api.ts": """
                import { press } from "./press";
                export const api = {
                  press,
                };
                press();
                export type Api = typeof api;
                """,
            "keyed/src/apart.ts": """
                import type { Api } from "./api";
                import { press } from "./press";
                export const other: Api = { press };
                other.press();
                export const none = { press };
                """,
            "keyed/tests/press.ts": """
                import { api, type Api } from "../src/api";
                const told: { [name in keyof Api]: number } = {
                  press: 1,
                };
                api.press();
                """,
        }
    )
    assert sorted(desk.uses("told.press")) == [
        "keyed/src/apart.ts:3",
        "keyed/src/apart.ts:4",
        "keyed/src/api.ts:3",
        "keyed/tests/press.ts:5",
    ]


def test_uses_of_a_value_that_a_key_names_were_those_of_what_a_pattern_takes(desk: Desk) -> None:
    desk.write(
        {
            "taken/tsconfig.json": '{"compilerOptions": {"strict": true, "types": []}, "include": ["src"]}',
            "taken/src/press.ts": "export function press() {}\n",
            "taken/src/api.ts": 'import { press } from "./press";\nexport const api = { press };\npress();\n',
            "taken/tests/use.ts": 'import { api } from "../src/api";\nconst { press } = api;\npress();\n',
            "taken/tests/renamed.ts": 'import { api } from "../src/api";\nconst { press: pushed } = api;\npushed();\n',
        }
    )
    told = ["taken/src/api.ts:2", "taken/tests/renamed.ts:2", "taken/tests/use.ts:3"]
    assert desk.uses("taken/tests/use.ts:2:9") == told
    assert desk.uses("taken/tests/renamed.ts#pushed") == ["taken/tests/renamed.ts:3"]


def test_uses_in_scripts_of_a_key_of_what_stands_deep_in_declarations_were_lost(desk: Desk) -> None:
    desk.write(
        {
            "deep/tsconfig.json": '{"compilerOptions": {"strict": true, "types": [], "module": "node16"}}',
            "deep/deep.js": "module.exports = function deep() {};\n",
            "deep/deep.d.ts": """
                declare function deep(options: deep.Options): void;
                declare namespace deep {
                  interface Options {
                    hooks?: { deepLog?: (text: string) => void };
                  }
                }
                export = deep;
                """,
            "deep/hooks.ts": """
                import deep = require("./deep");
                export const deepHooks: deep.Options["hooks"] = { deepLog(text) {} };
                """,
            "deep/options.js": """
                const deep = require("./deep");
                deep({ hooks: { deepLog() {} } });
                """,
        }
    )
    assert sorted(desk.uses("deepHooks.deepLog")) == ["deep/deep.d.ts:4", "deep/options.js:2"]


def test_what_a_member_overrides_stands_in_a_class_that_merges_with_an_interface(desk: Desk) -> None:
    """The interface comes first, and has no such member."""
    shape = "export interface Shape {\n  name: 1;\n}\nexport abstract class Shape {\n  abstract draw(): void;\n}\n"
    heir = 'import { Shape } from "./shape";\nexport class Heir extends Shape {\n  draw() {}\n}\n'
    desk.write({"merging/tsconfig.json": '{"exclude": ["**/*.test.ts"]}', "merging/shape.ts": shape})
    desk.write({"merging/heir.ts": heir, "merging/shape.test.ts": f"{heir}new Heir().draw();\n"})
    assert desk.uses("merging/heir.ts#Heir.draw") == [
        "merging/shape.test.ts:3",
        "merging/shape.test.ts:5",
        "merging/shape.ts:5",
    ]


def test_a_project_that_holds_two_types_which_a_class_elsewhere_implements(desk: Desk) -> None:
    """TypeScript 7 looks into each further project once, for one of the two."""
    for name in ("Hot", "Wet"):
        type_ = f"export interface {name} {{\n  flow(): void;\n}}\n"
        use = f'import type {{ {name} }} from "../kinds/{name}";\nexport const flow = (one: {name}) => one.flow();\n'
        desk.write({f"two/kinds/{name}.ts": type_, f"two/tests/{name}.ts": use})
    both = 'import type { Hot } from "../kinds/Hot";\nimport type { Wet } from "../kinds/Wet";\n'
    desk.write({f"two/{folder}/tsconfig.json": TSCONFIG for folder in ("kinds", "tests", "app")})
    desk.write({"two/app/tea.ts": both + "export class Tea implements Hot, Wet {\n  flow() {}\n}\n"})
    assert desk.uses("Tea.flow") == [
        f"two/{folder}/{name}.ts:2" for folder in ("kinds", "tests") for name in ("Hot", "Wet")
    ]


def test_a_member_of_what_is_made_of_a_type_parameter(desk: Desk) -> None:
    """Of `p & Omit<…>` the parameter is asked for its bases, and names itself among them."""
    chain = (
        "export type Chain<p, without extends string = never> = p &\n  Omit<{ int(): Chain<p, without> }, without>;\n"
    )
    use = 'import type { Chain } from "../types/chain";\nexport const two = (one: Chain<{}>) => one.int().int();\n'
    desk.write({f"chained/{folder}/tsconfig.json": TSCONFIG for folder in ("types", "tests")})
    desk.write(
        {"chained/types/chain.ts": chain, "chained/tests/use.ts": use, "chained/types/int.ts": "export let int = 1;\n"}
    )
    assert desk.uses("Chain.int") == ["chained/tests/use.ts:2"] * 2


def test_no_tsconfig_at_all(desk: Desk) -> None:
    desk.write(
        {
            "bare/bare.ts": "export class Bare {}\n",
            "bare/one.ts": 'import { Bare } from "./bare";\nnew Bare();\n',
            "bare/two.mts": 'import { Bare } from "./bare.js";\nnew Bare();\n',
            "bare/view.tsx": 'import { Bare } from "./bare";\nexport const a = new Bare();\n',
        }
    )
    assert desk.uses("Bare") == [f"bare/{name}:{line}" for name in ("one.ts", "two.mts", "view.tsx") for line in (1, 2)]


def test_a_pattern_in_a_loose_file_that_is_known_by_an_import_alone(desk: Desk) -> None:
    """Asked as the first question, its file is open, too: later the answer was partial."""
    takes = """
        import type { Scaled } from "./scaled";
        export const sizes = (scaled?: Scaled) => ({ ratio: scaled ? 1 : 2 });
        export let ratio = 1;
        ({ ratio } = sizes());
        """
    scaled = 'import { sizes } from "./takes";\nexport class Scaled { ratio = sizes().ratio }\nexport class Beside {}\n'
    desk.write({"patterned/takes.ts": takes, "patterned/scaled.ts": scaled})
    for asked in ("Beside", "Scaled.ratio"):
        answer = desk.find(asked)
        assert (answer.references, answer.completeness.reason) == ([], None)


def test_javascript_only(desk: Desk) -> None:
    desk.write(
        {
            "script/package.json": '{"name": "script", "type": "module"}',
            "script/lib.js": "export class Scripted { go() {} }\n",
            "script/main.js": 'import { Scripted } from "./lib.js";\nnew Scripted().go();\n',
            "script/view.jsx": 'import { Scripted } from "./lib.js";\nexport const a = <p>{new Scripted()}</p>;\n',
        }
    )
    assert desk.uses("Scripted") == [
        "script/main.js:1",
        "script/main.js:2",
        "script/view.jsx:1",
        "script/view.jsx:2",
    ]


def test_commonjs_exports(desk: Desk) -> None:
    desk.write(
        {
            "commonjs/lib.js": "class Required { go() {} }\nmodule.exports = { Required };\n",
            "commonjs/main.js": 'const { Required } = require("./lib");\nnew Required().go();\n',
        }
    )
    assert {"commonjs/main.js:1", "commonjs/main.js:2"} <= set(desk.uses("Required"))


def test_a_default_export_under_another_name_in_another_project(desk: Desk) -> None:
    desk.write(
        {
            "defaults/lib/tsconfig.json": TSCONFIG,
            "defaults/lib/client-pool.ts": "export default class ClientPool {}\n",
            "defaults/app/tsconfig.json": TSCONFIG,
            "defaults/app/main.ts": 'import Connections from "../lib/client-pool";\nnew Connections();\n',
        }
    )
    assert desk.uses("ClientPool") == ["defaults/app/main.ts:1", "defaults/app/main.ts:2"]


def test_what_one_file_cannot_be_read_does_not_stop_the_rest(desk: Desk) -> None:
    """In a project and outside: invalid UTF-8, zeros, a file too large for an editor."""
    for folder, config in (("torn", {"torn/tsconfig.json": TSCONFIG}), ("torn_loose", {})):
        name = folder.title().replace("_", "")
        use = f'import {{ {name} }} from "./torn";\nnew {name}();\n'
        desk.write({**config, f"{folder}/torn.ts": f"export class {name} {{}}\n", f"{folder}/use.ts": use})
        (desk.root / folder / "latin.ts").write_bytes(use.encode() + b"// caf\xe9\n")
        (desk.root / folder / "zeros.ts").write_bytes(use.encode() + b"\0\0\0\n")
        assert {f"{folder}/use.ts:1", f"{folder}/use.ts:2"} <= set(desk.uses(name))
        # And once more while they are written.
        (desk.root / folder / "latin2.ts").write_bytes(use.encode() + b"// caf\xe9\n")
        assert {f"{folder}/use.ts:1", f"{folder}/use.ts:2"} <= set(desk.uses(name))


def test_a_library_symbol_is_external_and_only_it_is_readable(desk: Desk) -> None:
    desk.write({"external/tsconfig.json": TSCONFIG})
    desk.write({"external/a.ts": "export const p = new Promise<Map<string, 1>>(() => {});\n"})
    with pytest.raises(CnError) as refused:
        desk.inspect("/etc/passwd:1:1")
    assert refused.value.code == "outside_root"
    answer = desk.find("external/a.ts:1:22")
    assert answer.definition is not None
    assert answer.definition.external
    assert answer.definition.file_path.startswith("/")
    assert answer.definition.file_path.endswith(".d.ts")
    shown = desk.inspect(answer.definition.id).result
    assert "Promise" in shown.code
    assert shown.external
    with pytest.raises(CnError) as refused:
        desk.inspect("/etc/passwd:1:1")
    assert refused.value.code == "outside_root"
    neighbour = answer.definition.file_path.rpartition("/")[0] + "/typescript.js"
    with pytest.raises(CnError) as refused:
        desk.inspect(neighbour + ":1:1")
    assert refused.value.code == "outside_root"


def test_names_of_libraries_are_found_by_their_use(desk: Desk) -> None:
    desk.write({"external/b.ts": "export const q = new WeakRef({});\n"})
    answer = desk.find("WeakRef")
    assert answer.definition is not None
    assert answer.definition.external


@pytest.mark.slow
@pytest.mark.parametrize(
    ("package", "version"),
    [
        ("typescript@5.9.3", "5.9.3"),
        # What Microsoft gives to those who keep 6 beside 7, which only hands on another package.
        ("typescript@npm:@typescript/typescript6@6.0.2", "6."),
    ],
)
def test_a_typescript_of_the_workspaces_own(own_desk: Desk, toolchain: Toolchain, package: str, version: str) -> None:
    own_desk.write({"package.json": '{"private": true}', "tsconfig.json": TSCONFIG, "src/basis.ts": LIBRARY})
    own_desk.write({"src/use.ts": 'import { Basis } from "./basis";\nnew Basis().go();\n'})
    npm_install(toolchain, own_desk.root, package)
    assert own_desk.uses("Basis") == ["src/use.ts:1", "src/use.ts:2"]
    assert own_desk.uses("Basis.go") == ["src/use.ts:2"]
    own = in_workspace(own_desk.root, "typescript")
    assert own is not None
    assert own_desk.services.language_servers()[0].typescript == own.version
    assert own.version.startswith(version)


def test_a_large_file_is_mapped(desk: Desk) -> None:
    """Ten megabytes: tsserver's own limit for a project's file is four."""
    body = "".join(f"    this.log('step {number} of many', {number} * this.factor);\n" for number in range(450))
    text = "".join(f"export class Big{number} {{\n  method() {{\n{body}  }}\n}}\n" for number in range(500))
    assert len(text) > 10_000_000
    desk.write({"large/tsconfig.json": TSCONFIG})
    (desk.root / "large" / "big.ts").write_text(text)
    symbols = desk.map("large/big.ts").symbols
    assert len(symbols) == 500 * 2
    assert (symbols[-2].name, symbols[-2].line) == ("Big499", 499 * 454 + 1)
    (desk.root / "large" / "big.ts").unlink()


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"export const a = '\xff';\n", "invalid_utf8"), (b"\0\1\2\3", "binary_file"), (None, "not_a_file")],
)
def test_what_is_no_text_is_refused(desk: Desk, content: bytes | None, code: str) -> None:
    file = desk.root / "refused" / f"{code}.ts"
    file.parent.mkdir(exist_ok=True)
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)
    for question in (desk.map, desk.inspect):
        with pytest.raises(CnError) as refused:
            question(f"refused/{code}.ts" + (":1" if question == desk.inspect else ""))
        assert refused.value.code == code
        assert refused.value.exit_code == 2


def test_an_empty_file_is_mapped(desk: Desk) -> None:
    desk.write({"empty.ts": "", "comments.ts": "// nothing\n"})
    assert desk.map("empty.ts").symbols == []
    assert desk.map("comments.ts").outcome() == "empty"


def test_a_file_of_a_moment_ago_is_inspected(desk: Desk) -> None:
    desk.write({"fresh.ts": LIBRARY})
    found = desk.find("fresh.ts:Basis")
    assert place(found.definition) == "fresh.ts:1:14"
    assert desk.inspect("fresh.ts#Basis.go").result.code == "  go() {}"
