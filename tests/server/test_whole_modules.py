"""Who uses a module as a whole, on both servers."""

from __future__ import annotations

import pytest

from tests.server.desk import TSCONFIG, Desk, place, places

pytestmark = pytest.mark.server

FILES = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "types": [], "module": "nodenext", "allowJs": true}}',
    "src/kit.ts": "export class A {}\nexport const b = new A();\nexport { A as C };\n",
    "src/use.ts": 'import * as kit from "./kit.js";\nkit.A;\nkit.b;\nexport { kit };\nexport { kit as again };\n',
    "src/again.ts": 'import { kit, again as once } from "./use.js";\nimport "./kit.js";\nkit.b;\nonce.A;\n',
    "src/star.ts": 'export * as tool from "./kit.js";\nexport * from "./kit.js";\n',
    "src/taken.ts": 'import { tool, A } from "./star.js";\nimport { b } from "./kit.js";\ntool.A;\nb;\nA;\n',
    "src/lazy.ts": 'export const lazy = () => import("./kit.js");\nexport type Kit = typeof import("./kit.js");\n',
    "src/old.cts": 'import kit = require("./kit.js");\nkit.b;\n',
    "src/other/kit.ts": "export class A {}\n",
    "src/other/use.ts": 'import * as kit from "./kit.js";\nkit.A;\n',
    "src/other/Page.vue": '<script lang="ts">\nimport * as kit from "./kit";\nkit.A;\n</script>\n',
    "node_modules/pack/package.json": '{"name": "pack", "version": "1.0.0", "types": "index.d.ts"}',
    "node_modules/pack/index.d.ts": "export declare class P {}\n",
    "src/packed.ts": 'import * as all from "pack";\nimport { P } from "pack";\nexport const packed = [all.P, P];\n',
    "js/kit.js": "// A kit.\n'use strict';\nexports.a = function () {};\nexports.b = 1;\n",
    "js/use.js": "'use strict';\nvar kit = require('./kit');\nkit.a();\n",
    "js/deep.js": 'const whole = require("./kit");\nwhole.a();\nmodule.exports = { whole };\n',
    "js/deeper.js": 'const { whole } = require("./deep");\nwhole.b;\n',
    "js/by_import.mjs": 'import given from "./kit.js";\nimport * as all from "./kit.js";\ngiven.a;\nall.b;\n',
    "js/made.js": "'use strict';\nmodule.exports = function () { return 1; };\n",
    "js/makes.js": "'use strict';\nconst made = require('./made');\nmade();\n",
    **{
        f"apps/{app}/{path}": text
        for app in ("a", "b")
        for path, text in {
            "tsconfig.json": '{"compilerOptions": {"module": "esnext", "moduleResolution": "bundler", "types": [], '
            '"paths": {"@/*": ["./src/*"]}}, "include": ["src"]}',
            "src/tools.ts": "export const b = 1;\n",
            # An example in a text, and one in a comment, before the import itself.
            "src/first.ts": """
                /** import * as tools from "./tools" */
                export const text = `
                import * as tools from "@/tools";
                `;
                """,
            "src/use.ts": '// import * as tools from "@/tools"\r\nimport * as tools from "@/tools";\r\ntools.b;\r\n',
            "src/near.ts": 'import * as near from "./tools";\nnear.b;\n',
        }.items()
    },
}
USES = {
    "again.ts": [1, 1, 1, 2, 3, 4],
    "lazy.ts": [1, 2],
    "old.cts": [1, 2],
    "star.ts": [1, 2],
    "taken.ts": [1, 2, 3],
    "use.ts": [1, 2, 3, 4, 5, 5],
}


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize("query", ["src/use.ts:1:13", "src/use.ts:2:1", "tool", "once", "src/old.cts:2:1"])
def test_uses_of_what_the_file_begins_with_were_told(desk: Desk, query: str, server: str) -> None:
    answer = desk.find(query, limit=0, server=server)
    assert (place(answer.definition), answer.completeness.status) == ("src/kit.ts:1:1", "complete")
    assert places(answer.references or []) == [f"src/{name}:{line}" for name, lines in USES.items() for line in lines]


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_module_of_a_package(desk: Desk, server: str) -> None:
    answer = desk.find("src/packed.ts:1:13", limit=0, server=server)
    assert (place(answer.definition), answer.completeness.status) == ("node_modules/pack/index.d.ts:1:1", "complete")
    assert places(answer.references or []) == ["src/packed.ts:1", "src/packed.ts:2", "src/packed.ts:3"]


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_component_may_import_it(desk: Desk, server: str) -> None:
    answer = desk.find("src/other/use.ts:1:13", limit=0, server=server)
    assert places(answer.references or []) == ["src/other/use.ts:1", "src/other/use.ts:2"]
    assert answer.completeness.reason == "src/other/Page.vue imports ./kit: the language server does not read it"


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    "query", ["js/use.js:2:5", "js/use.js:3:1", "js/deep.js:3:20", "js/deeper.js:2:1", "js/by_import.mjs:3:1"]
)
def test_uses_of_the_directive_that_a_script_begins_with_were_told(desk: Desk, query: str, server: str) -> None:
    answer = desk.find(query, limit=0, server=server)
    assert (place(answer.definition), answer.completeness.status) == ("js/kit.js:1:1", "complete")
    assert places(answer.references or []) == [
        *(f"js/by_import.mjs:{line}" for line in (1, 1, 2, 2, 3, 4)),
        *(f"js/deep.js:{line}" for line in (1, 1, 2, 3)),
        *(f"js/deeper.js:{line}" for line in (1, 2)),
        *(f"js/use.js:{line}" for line in (2, 2, 3)),
    ]


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize("query", ["made", "js/makes.js:2:7", "js/makes.js:3:1"])
def test_what_a_script_exports_without_a_name(desk: Desk, query: str, server: str) -> None:
    answer = desk.find(query, limit=0, server=server)
    assert (place(answer.definition), answer.completeness.status) == ("js/made.js:2:1", "complete")
    assert places(answer.references or []) == ["js/makes.js:2", "js/makes.js:2", "js/makes.js:3"]


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize("app", ["a", "b"])
def test_a_specifier_leads_elsewhere_in_another_project_and_nowhere_in_an_example(
    desk: Desk, app: str, server: str
) -> None:
    answer = desk.find(f"apps/{app}/src/near.ts:1:13", limit=0, server=server)
    assert (place(answer.definition), answer.completeness.status) == (f"apps/{app}/src/tools.ts:1:1", "complete")
    assert places(answer.references or []) == [
        *(f"apps/{app}/src/near.ts:{line}" for line in (1, 2)),
        *(f"apps/{app}/src/use.ts:{line}" for line in (2, 3)),
    ]


@pytest.mark.parametrize("module", ["again", "shape", "star"])
def test_a_specifier_of_what_another_project_holds_and_has_loaded_too(own_desk: Desk, module: str, server: str) -> None:
    """Asked about the beginning of its file there, a server takes it for what is declared or handed on first."""
    own_desk.write(
        {
            "kit/tsconfig.json": TSCONFIG,
            "kit/shape.ts": "export class Shape {\n  area = 1;\n}\n",
            "kit/again.ts": '// Handed on.\nexport { Shape } from "./shape";\n',
            "kit/star.ts": 'export * from "./shape";\n',
            "kit/own.ts": 'import { Shape } from "./shape";\nexport const own = new Shape();\n',
            "app/tsconfig.json": TSCONFIG,
            "app/use.ts": f'import {{ Shape }} from "../kit/{module}";\nexport const used = new Shape().area;\n',
            "app/all.ts": f'import * as all from "../kit/{module}";\nexport const alls = new all.Shape();\n',
        }
    )
    uses = ["app/all.ts:1", "app/all.ts:2", "app/use.ts:1"]
    uses += ["kit/again.ts:2", "kit/own.ts:1", "kit/star.ts:1"] if module == "shape" else []
    for place_asked in ["app/use.ts:1:28", "app/all.ts:1:13"] * 2:
        answer = own_desk.find(place_asked, limit=0, server=server)
        assert (place(answer.definition), answer.completeness.status) == (f"kit/{module}.ts:1:1", "complete")
        assert places(answer.references or []) == uses
        own_desk.find("Shape", server=server)
