"""Scripts with the declarations that a build wrote beside them, and with their maps, on both servers."""

from __future__ import annotations

import pytest

from tests.server.desk import Desk, places

pytestmark = [pytest.mark.server, pytest.mark.parametrize("server", ["typescript", "native"])]

PROJECT = """
    {"compilerOptions": {"allowJs": true, "checkJs": true, "strict": true, "types": [], "target": "es2022",
     "module": "nodenext", "noEmit": true}, "include": ["*.js"]}
    """
SCRIPT = """
    /**
     * @callback Visit
     * @param {number} at
     * @return {boolean}
     */

    /** @template T */
    class Entry {
      /** @param {T} value */
      constructor (value) {
        this.value = value
      }
    }

    /** @template T */
    export class List {
      constructor () {
        /** @type {Entry<T>|null} */
        this.first = null
      }
    }

    /**
     * @param {List<any>} list
     * @param {Visit} visit
     */
    export const walk = (list, visit) => list.first !== null && visit(0)
    """
# As tsc writes it of that text.
TYPES = """
    /** @template T */
    export class List<T> {
        /** @type {Entry<T>|null} */
        first: Entry<T> | null;
    }
    export function walk(list: List<any>, visit: Visit): boolean;
    export type Visit = (at: number) => boolean;
    /**
     * @callback Visit
     * @param {number} at
     * @return {boolean}
     */
    /** @template T */
    declare class Entry<T> {
        /** @param {T} value */
        constructor(value: T);
        value: T;
    }
    export {};
    //# sourceMappingURL=list.d.ts.map
    """
MAP = (
    '{"version":3,"file":"list.d.ts","sourceRoot":"","sources":["list.js"],"names":[],"mappings":"AAcA,kBAAkB;AAC'
    "lB,kBADc,CAAC;IAGX,4BAA4B;IAC5B,OADW,KAAK,CAAC,CAAC,CAAC,GAAC,IAAI,CACP;CAEpB;AAMM,2BAHI,IAAI,CAAC,GAAG,CAAC,SACT,KAAK,WAEoD;yBA"
    'xBzD,MAAM,KACL,OAAO;AAHnB;;;;GAIG;AAEH,kBAAkB;AAClB,oBADc,CAAC;IAEb,uBAAuB;IACvB,mBADY,CAAC,EAGZ;IADC,SAAkB;CAErB"}'
)
FILES = {
    "tsconfig.json": PROJECT,
    "list.js": SCRIPT,
    "list.d.ts": TYPES,
    "list.d.ts.map": MAP,
    "main.js": """
        import { List, walk } from './list.js'

        /** @type {List<number>} */
        const list = new List()
        walk(list, at => at > 0 && list.first !== null)
        """,
}
USES = {
    "Visit": ["list.js:25"],
    "Entry": ["list.js:18"],
    "walk": ["main.js:1", "main.js:5"],
}
TYPED = {"Visit": ["list.d.ts:6"], "Entry": ["list.d.ts:3", "list.d.ts:4"]}

# Its map knows no place for what a comment declares.
APART = {
    "package.json": '{"name": "apart", "version": "1.0.0", "types": "dist/list.d.ts"}',
    "tsconfig.json": PROJECT.replace('"*.js"', '"src"'),
    "src/list.js": SCRIPT,
    "dist/list.d.ts": TYPES,
    "dist/list.d.ts.map": MAP.replace('"list.js"', '"../src/list.js"'),
    "user/tsconfig.json": '{"compilerOptions": {"strict": true, "types": [], "target": "es2022"}}',
    "user/main.ts": """
        import { type Visit as See, walk, List } from "apart";
        const limit: number = 1;
        export const visit: See = (at: number) => walk(new List<number>(), (one) => one > at + limit);
        """,
}
GIVES = {
    "package.json": '{"name": "gives", "version": "1.0.0", "types": "dist/give.d.ts"}',
    "tsconfig.json": PROJECT.replace('"*.js"', '"src"'),
    "src/give.js": """
        /**
         * @template T
         * @callback Taken
         * @param {T} value
         */

        /**
         * @template T
         * @param {Taken<T>} take
         * @param {T} value
         */
        export const give = (take, value) => take(value)
        """,
    "dist/give.d.ts": """
        export function give<T>(take: Taken<T>, value: T): any;
        export type Taken<T> = (value: T) => any;
        //# sourceMappingURL=give.d.ts.map
        """,
    "dist/give.d.ts.map": (
        '{"version":3,"file":"give.d.ts","sourceRoot":"","sources":["../src/give.js"],"names":[],"mappings":"AAWO,qBAJM,'
        'CAAC,QACH,KAAK,CAAC,CAAC,CAAC,SACR,CAAC,OAEoC;kBAVnC,CAAC,YAEH,CAAC"}'
    ),
    "user/tsconfig.json": APART["user/tsconfig.json"],
    "user/main.ts": """
        import { give, type Taken as Took } from "gives";
        const take: Took<number> = (value: number) => value;
        give(take, 1);
        """,
}

LIBRARY = {
    "node_modules/told/package.json": '{"name": "told", "version": "1.0.0", "types": "told.d.ts", "main": "told.js"}',
    "node_modules/told/told.js": """
        /** @template T */
        export class Told {
          constructor () {
            /** @type {Map<string, T>} */
            this.known = new Map()
          }

          on () {}
        }
        """,
    "node_modules/told/told.d.ts": """
        /** @template T */
        export class Told<T> {
            /** @type {Map<string, T>} */
            known: Map<string, T>;
            on(): void;
        }
        //# sourceMappingURL=told.d.ts.map
        """,
    "node_modules/told/told.d.ts.map": (
        '{"version":3,"file":"told.d.ts","sourceRoot":"","sources":["told.js"],"names":[],"mappings":"AAAA,kBAAkB;AAC'
        'lB,kBADc,CAAC;IAGX,6BAA6B;IAC7B,OADW,GAAG,CAAC,MAAM,EAAE,CAAC,CAAC,CACH;IAGxB,WAAQ;CACT"}'
    ),
    "node_modules/meant/package.json": '{"name": "meant", "version": "1.0.0", "types": "meant.d.ts"}',
    "node_modules/meant/meant.ts": """
        interface Closing { ends(): void }
        export interface Meant extends Closing { begins(): void }
        """,
    "node_modules/meant/meant.d.ts": """
        interface Closing {
            ends(): void;
        }
        export interface Meant extends Closing {
            begins(): void;
        }
        export {};
        //# sourceMappingURL=meant.d.ts.map
        """,
    "node_modules/meant/meant.d.ts.map": (
        '{"version":3,"file":"meant.d.ts","sourceRoot":"","sources":["meant.ts"],"names":[],"mappings":"AAAA,UAAU,OAAO;IAAG,'
        'IAAI,IAAI,IAAI,CAAA;CAAE;AAClC,MAAM,WAAW,KAAM,SAAQ,OAAO;IAAG,MAAM,IAAI,IAAI,CAAA;CAAE"}'
    ),
    "library.ts": """
        import { Told } from "told";
        export class Teller extends Told<string> { tell() { return this.known; } }
        """,
    "meaning/tsconfig.json": "{}",
    "meaning/meaning.ts": """
        import type { Meant } from "meant";
        export class Means implements Meant { ends() {} begins() {} }
        new Means().ends();
        """,
    "apart.ts": "export const apart = { ends() {} };",
}


@pytest.fixture(scope="module")
def lists(desk: Desk) -> Desk:
    for folder in ("held", "ignored"):
        desk.write({f"{folder}/{path}": text for path, text in FILES.items()})
    desk.write({"ignored/.gitignore": "*.d.ts\n*.d.ts.map\n", ".gitignore": "dist\nnode_modules\n"})
    desk.write(LIBRARY)
    for name, files in (("apart", APART), ("gives", GIVES)):
        desk.write({f"{name}/{path}": text for path, text in files.items()})
        (desk.root / "node_modules" / name).symlink_to(desk.root / name)
    return desk


def told(desk: Desk, folder: str, name: str, server: str) -> list[str]:
    answer = desk.find(f"{folder}/list.js#{name}", limit=0, server=server)
    assert answer.completeness.status == "complete", answer
    return [one.removeprefix(f"{folder}/") for one in places(answer.references or [])]


@pytest.mark.parametrize("name", USES)
def test_uses_in_declarations_were_told_by_their_map(lists: Desk, name: str, server: str) -> None:
    assert told(lists, "held", name, server) == sorted([*TYPED.get(name, []), *USES[name]])


@pytest.mark.parametrize("name", USES)
def test_declarations_that_git_ignores_are_no_uses(lists: Desk, name: str, server: str) -> None:
    assert told(lists, "ignored", name, server) == USES[name]


@pytest.mark.parametrize(
    ("declared", "uses"),
    [
        ("apart/src/list.js#Visit", ["src/list.js:25", "user/main.ts:1", "user/main.ts:1", "user/main.ts:3"]),
        ("gives/src/give.js#Taken", ["src/give.js:9", "user/main.ts:1", "user/main.ts:1", "user/main.ts:2"]),
    ],
)
def test_uses_of_a_type_of_which_a_map_knows_nothing_were_those_of_another(
    lists: Desk, declared: str, uses: list[str], server: str
) -> None:
    answer = lists.find(declared, limit=0, server=server)
    uses = [f"{declared.partition('/')[0]}/{one}" for one in uses]
    assert (answer.completeness.status, places(answer.references or [])) == ("complete", uses)


@pytest.mark.parametrize("use", ["library.ts:1:10", "library.ts:2:65"])
def test_a_map_to_a_script_that_no_project_holds_was_an_error(lists: Desk, use: str, server: str) -> None:
    answer = lists.find(use, limit=0, server=server)
    assert answer.definition is not None
    assert answer.definition.file_path.startswith("node_modules/told/told.")


def test_a_script_that_requires_the_folder_of_a_package_with_types_was_no_user(desk: Desk, server: str) -> None:
    """`require("..")` leads to the declarations that its package.json names."""
    desk.write(
        {
            "whole/package.json": '{"name": "whole", "main": "lib/whole.js", "types": "lib/whole.d.ts"}',
            "whole/lib/whole.js": "exports.whole = whole;\nfunction whole() {}\n",
            "whole/lib/whole.d.ts": "export function whole(): void;\n",
            "whole/test/use.js": "const { whole } = require('..');\nwhole();\n",
        }
    )
    answer = desk.find("whole/lib/whole.js#whole", server=server)
    uses = ["whole/lib/whole.js:1", "whole/test/use.js:1", "whole/test/use.js:2"]
    assert (answer.completeness.status, places(answer.references or [])) == ("complete", uses)


def test_a_map_to_a_source_that_names_another_type_was_an_error(lists: Desk, server: str) -> None:
    answer = lists.find("Means.ends", server=server)
    assert (answer.completeness.status, places(answer.references or [])) == ("complete", ["meaning/meaning.ts:3"])


def test_a_use_in_declarations_leads_to_what_they_declare(lists: Desk, server: str) -> None:
    answer = lists.find("held/list.d.ts:4:12", server=server)
    assert answer.definition is not None
    assert (answer.definition.file_path, answer.definition.line) in (("held/list.d.ts", 14), ("held/list.js", 8))


@pytest.mark.parametrize("folder", ["held", "ignored"])
def test_declarations_that_are_written_anew_are_read_anew(own_desk: Desk, folder: str, server: str) -> None:
    own_desk.write({f"{folder}/{path}": text for path, text in FILES.items()})
    own_desk.write({"ignored/.gitignore": "*.d.ts\n*.d.ts.map\n"})
    assert told(own_desk, folder, "walk", server) == USES["walk"]
    own_desk.write({f"{folder}/list.d.ts": "export const List: any;\n\nexport const walk: any;\n"})
    answer = own_desk.find(f"{folder}/main.js:1:16", limit=0, server=server)
    assert [one.removeprefix(f"{folder}/") for one in places(answer.references or [])] == USES["walk"]
    for name in ("list.d.ts", "list.d.ts.map"):
        (own_desk.root / folder / name).unlink()
    assert told(own_desk, folder, "walk", server) == USES["walk"]


COMPILED = {
    "lib/and.js": """
        "use strict";
        exports.and = void 0;
        function and() {}
        exports.and = and;
        """,
    "lib/and.d.ts": "export declare function and(): void;\n",
    "lib/index.js": """
        "use strict";
        var and_1 = require("./and");
        Object.defineProperty(exports, "both", { enumerable: true, get: function () { return and_1.and; } });
        """,
    "lib/index.d.ts": 'export { and as both } from "./and";\n',
    "lib/all.js": '"use strict";\n__exportStar(require("./and"), exports);\n',
    "lib/all.d.ts": 'export * from "./and";\n',
    "lib/Pool.js": """
        "use strict";
        class Pool {}
        exports.default = Pool;
        """,
    "lib/Pool.d.ts": "export default class Pool {\n}\n",
    "lib/of_pool.js": "const Pool_1 = require('./Pool');\nnew Pool_1.default();\n",
    "lib/use.js": """
        var index_1 = require("./index");
        var all_1 = require("./all");
        (0, index_1.both)();
        (0, all_1.and)();
        """,
}


def test_uses_of_what_compiled_scripts_hand_on_were_passed_over(own_desk: Desk, server: str) -> None:
    own_desk.write(COMPILED)
    found = own_desk.find("lib/and.js#and", server=server)
    told = dict.fromkeys(places(found.references or []))
    assert [*told] == ["lib/and.js:4", "lib/index.d.ts:1", "lib/index.js:3", "lib/use.js:3", "lib/use.js:4"]
    assert found.completeness.status == "complete"


def test_at_a_use_of_what_declarations_tell_again_the_script_is_meant_too(own_desk: Desk, server: str) -> None:
    own_desk.write(COMPILED)
    found = own_desk.find("lib/of_pool.js:2:12", limit=0, server=server)
    assert found.definition is not None
    assert found.definition.file_path == "lib/Pool.js"
    assert "lib/of_pool.js:2" in places(found.references or [])


def test_what_declarations_export_as_a_whole_lost_its_uses_where_a_script_hands_the_module_on(
    own_desk: Desk, server: str
) -> None:
    own_desk.write(
        {
            "config/index.js": 'exports.npm = make("npm");\nfunction make(name) { return { name }; }\n',
            "config/index.d.ts": """
                declare namespace config {
                  interface Sets { name: string }
                  interface Config { npm: Sets }
                }
                declare const config: config.Config;
                export = config;
                """,
            "main.js": """
                exports.settings = require("./config");
                const keys = Object.keys(exports.settings.npm.name);
                """,
            "logger.js": """
                const held = require("./config");
                const { settings } = require("./main");
                exports.make = () => [held.npm, settings.npm, require("./main").settings.npm];
                """,
            "none.js": "exports.settings = {};\nObject.keys(exports.settings);\n",
        }
    )
    for at in ("config/index.d.ts:1:19", "config/index.d.ts:5:15"):
        for _ in ("cold", "warm"):
            answer = own_desk.find(at, limit=0, server=server)
            assert answer.completeness.status == "complete"
            assert places(answer.references or []) == [
                *("config/index.d.ts:5", "config/index.d.ts:6", "logger.js:1", "logger.js:2"),
                *("logger.js:3", "logger.js:3", "logger.js:3", "main.js:2"),
            ]


def test_what_takes_a_source_was_a_use_of_the_script_that_is_made_of_it(own_desk: Desk, server: str) -> None:
    text = "export class Fake {\n  go() {}\n}\n"
    own_desk.write(
        {
            "fake.js": text,
            "fake.ts": text,
            "timers.js": """
                import { Fake } from "./fake.js";
                new Fake().go();
                """,
        }
    )

    def told(query: str) -> list[str]:
        answer = own_desk.find(query, server=server)
        assert answer.completeness.status == "complete"
        return places(answer.references or [])

    assert told("fake.js#Fake") == []
    assert told("fake.ts#Fake") == ["timers.js:1", "timers.js:2"]
    assert told("fake.ts#Fake.go") == ["timers.js:2"]
    assert told("fake.js#Fake.go") == []
