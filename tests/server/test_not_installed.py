"""Packages of a workspace that is not installed: which files may use a symbol by an import that leads nowhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cn_daemon.settings import Settings
from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

FILES = {
    "package.json": '{"name": "root", "private": true, "workspaces": ["packages/*", "apps/*"]}',
    "tsconfig.json": TSCONFIG,
    "packages/a/package.json": '{"name": "@x/a", "main": "dist/index.js", "types": "dist/index.d.ts"}',
    "packages/a/src/index.ts": """
        export { Widget } from "./widget";
        export * from "./late";
        export * from "./whole";
        """,
    "packages/a/src/whole.ts": "export const whole = 1;\n",
    "apps/one/whole.ts": 'import { whole } from "@x/a";\nexport const twice = [whole, whole];\n',
    "packages/a/src/widget.ts": "export class Widget {\n  render() {}\n  shared() {}\n  boxed() {}\n}\n",
    "packages/a/src/late.ts": "export class Late { constructor() {} }\nexport class Early {}\n",
    "packages/a/src/aside.ts": "export function hidden() {}\nexport class Aside {\n  hides() {}\n}\n",
    "packages/a/test/thing.ts": "export class Thing {\n  tested() {}\n}\n",
    "packages/b/package.json": '{"name": "@x/b", "main": "dist/index.js"}',
    "packages/b/src/index.ts": 'export { Widget as Box } from "@x/a";\n',
    "packages/scripts/package.json": '{"name": "@x/scripts", "main": "index.js", "types": "index.d.ts"}',
    "packages/scripts/index.js": 'export { inner } from "./inner.js";\n',
    "packages/scripts/inner.js": "export function inner() {}\n",
    "packages/scripts/index.d.ts": "export declare function inner(): void;\n",
    "packages/scripts/spec.js": "const loose = 1;\nconsole.log(loose);\n",
    "packages/z/package.json": '{"name": "@x/z", "main": "dist/index.js"}',
    "packages/z/src/index.ts": """
        export class Gear { turn() {} shared() {} stated = 1; shown = 1; meta = 1; kept = 1; given = 1; constructor() {}
          aside = 1; beside = 1; handed = 1; instead = 1; }
        export enum State { on, off }
        """,
    "packages/made/package.json": '{"name": "@x/made", "main": "dist/bundle.js"}',
    "packages/made/src/parts.ts": "export class Part {\n  fits() {}\n}\n",
    "apps/one/use.ts": """
        import { Widget } from "@x/a";
        const one = new Widget();
        one.render();
        one.turn(); one.hides(); one.tested(); one.hidden(); one.loose(); one.Early();
        """,
    "apps/one/takes.ts": """
        import { stated, shown } from "@x/z";
        import { inner } from "@x/scripts";
        export class Own { shown() {} }
        export type Told<T> = { shown: T extends { shown: infer U } ? U : T; a: { b: { shown: 1 } } };
        export const here = import.meta.url;
        export function take(a: { shown: 1 }, b?: { shown: 1 } & { shown: 1 }) { return [stated, inner]; }
        """,
    "packages/ring/package.json": '{"name": "@x/ring", "exports": {".": "./dist/index.js", "./all": "./dist/all.js"}}',
    "packages/ring/src/index.ts": "class Ring {}\nexport default Ring;\n",
    "packages/ring/src/all.ts": 'import Ring from "./index";\nexport { Ring as Round };\n',
    "apps/one/ring.ts": """
        import Ring from "@x/ring";
        import * as all from "@x/ring/all";
        export const one = new Ring();
        export const two = (Ring: 1) => [new all.Round(), Ring];
        """,
    "apps/one/lazy.ts": 'export const late = () => import("@x/a").then((all) => all.Late);\n',
    "apps/one/through.ts": 'import { Box } from "@x/b";\nexport const box = (it: unknown) => new Box(it).boxed();\n',
    "apps/one/made.ts": 'import { make } from "@x/made";\nmake().fits();\n',
    "apps/one/kin.ts": 'import { Widget } from "@x/a";\nexport class Child extends Widget {\n  shared() {}\n}\n',
    "apps/one/calls.ts": 'import { make } from "@x/a";\nmake().shared();\nmake({ shown: 1 });\n',
    "apps/one/keeps.ts": """
        import { make, type Made } from "@x/z";
        enum Kept { first, kept }
        const [one, kept] = [1, make(Kept)];
        export const rest = ({ two, ...kept }: { two: 1; three: 1 }) => [two, kept];
        export const keeps = { one, kept: 1, deep: { one, kept } } as const;
        export const any = [(keeps as any).kept, (keeps as any)?.kept];
        export const own = { one: { two: 1, given: 1 } }, made = make().constructor;
        export const gives = { one: { two: 1, given: 1 } } satisfies Made;
        """,
    "apps/one/known.ts": "export function known<T>(...all: T[]) { return all; }\n",
    "apps/one/hands.ts": 'export { make as handed } from "@x/z";\n',
    "apps/one/hands_known.ts": """
        import { make } from "@x/z";
        import { known } from "./known";
        export const one = { ...(make() && known ? ({ aside: 1 } as const) : {}), two: known({ aside: 1 }, 1) };
        """,
    "apps/one/hands_made.ts": """
        import { make } from "@x/z";
        import { known } from "./known";
        import { handed } from "./hands";
        const made = make();
        export const one = known(made, { beside: 1 });
        export const two = handed({ handed: 1 });
        export const three = made || known({ instead: 1 });
        """,
    "apps/one/gives.ts": 'import { make } from "@x/z";\nmake({ turn: 1, on: 1 });\nconst { off } = make();\n',
}  # fmt: skip


@pytest.fixture(params=["typescript", "native"], scope="module")
def desk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    desk = Desk(tmp_path_factory.mktemp("bare") / "workspace", Settings(server=request.param))
    desk.write(FILES)
    yield desk
    desk.close()


@pytest.mark.parametrize(
    "name",
    [
        "Aside.hides",  # its package's entry does not lead to it
        "Thing.tested",  # nothing imports a test
        "hidden",  # a function is no member of what the package makes
        "Early",  # nor is a class
        "loose",  # a script that exports nothing
        "packages/scripts/inner.js#inner",  # compilers take the types of a script
        "Gear.stated",  # an import does not name members
        "Gear.meta",  # a word of the language
        "State.on",  # no object is given one
        "Gear.kept",  # nor does what has a type of its own, or any, take some
        "Gear.shown",  # nor are members of other types uses
        "Gear.aside",  # nor what is handed to what another file declares
        "Gear.constructor",  # it is called by the name of its class
    ],
)
def test_names_in_files_whose_imports_lead_elsewhere_made_answers_partial(desk: Desk, name: str) -> None:
    assert [place for place in desk.uses(name) if place.startswith("apps/")] == []


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("Part.fits", "made.ts:2"),  # what the build reads is not known
        ("Child.shared", "calls.ts:2"),  # one with the member that it overrides, and the sources export no `make`
        ("State.off", "gives.ts:3"),
        ("Gear.turn", "gives.ts:2"),
        ("Gear.given", "keeps.ts:8"),
        ("Gear.beside", "hands_made.ts:5"),  # both have one type
        ("Gear.handed", "hands_made.ts:6"),
        ("Gear.instead", "hands_made.ts:7"),
    ],
)
def test_what_an_import_from_nowhere_may_bring_is_told(desk: Desk, name: str, place: str) -> None:
    answer = desk.find(name)
    assert answer.completeness.status == "partial"
    assert f"{place} at least" in str(answer.completeness.reason)


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("Widget", ["kin.ts:1", "kin.ts:2", "through.ts:1", "through.ts:2", "use.ts:1", "use.ts:2"]),
        ("Widget.render", ["use.ts:3"]),
        ("Late", ["lazy.ts:1"]),
        ("Late.constructor", []),
        ("Widget.boxed", ["through.ts:2"]),
        ("packages/scripts/index.d.ts#inner", ["takes.ts:2", "takes.ts:6"]),
        ("Ring", ["ring.ts:1", "ring.ts:3", "ring.ts:4"]),
        ("packages/a/src/whole.ts#whole", ["whole.ts:1", "whole.ts:2"]),
    ],
)
def test_uses_of_a_package_that_is_not_built_were_not_told(desk: Desk, name: str, places: list[str]) -> None:
    told = {place.removeprefix("apps/one/") for place in desk.uses(name)}
    assert sorted(one for one in told if not one.startswith("packages/")) == places


def test_what_a_style_sheet_gives_was_in_doubt(own_desk: Desk) -> None:
    own_desk.write(
        {
            "tsconfig.json": '{"compilerOptions": {"types": [], "paths": {"@/*": ["./*"]}}, "include": ["*.ts"]}',
            "post.ts": "export interface Post { title: string }\n",
            "styles/page.module.css": ".title {}\n",
            "page.ts": """
                import type { Post } from "./post";
                import styles from "@/styles/page.module.css";
                export const page = (post: Post) => styles.title;
                """,
        }
    )
    assert own_desk.uses("Post.title") == []


def test_an_example_in_a_comment_told_where_imports_lead(own_desk: Desk) -> None:
    """Of one the server knows nothing, and that was kept for the imports of the same name."""
    paths = '{"kit": ["./src/index.ts"]}'
    own_desk.write(
        {
            "package.json": '{"name": "kit"}',
            "tsconfig.json": f'{{"compilerOptions": {{"types": [], "paths": {paths}}}, "include": ["src", "test"]}}',
            "src/index.ts": 'export { Thing } from "./thing";\n',
            "src/thing.ts": "export class Thing { size = 1 }\n",
            "src/a.ts": '/** import { Thing } from "kit" */\nimport { Thing } from "./thing";\nnew Thing().size;\n',
            "test/uses.ts": 'import { Thing } from "kit";\ndeclare const made: any;\nmade.size;\nnew Thing();\n',
            "test/other.ts": 'import { Thing } from "kit";\nimport { lost } from "lost";\nlost(Thing).size;\n',
        }
    )
    for query in ("Thing", "Thing.size"):
        assert own_desk.find(query).completeness.status == "complete"


def test_what_is_added_to_a_module_that_leads_nowhere_may_be_used_where_more_is_added(own_desk: Desk) -> None:
    shape = 'import {{ Made }} from "shapes";\ndeclare const made: Made;\nexport = made;\n{}'
    own_desk.write(
        {
            "package.json": '{"name": "shapes", "types": "index.d.ts", "main": "shapes.min.js"}',
            "types/round.d.ts": shape.format('declare module "shapes" {\n  interface Shape { round(): Shape }\n}\n'),
            "types/all.d.ts": shape.format('declare module "shapes" {\n  export function all(): Shape;\n}\n'),
        }
    )
    found = own_desk.find("types/round.d.ts:5:13")
    assert found.completeness.status == "partial"
    assert (found.completeness.reason or "").startswith("imports of shapes lead nowhere, in types/all.d.ts:5 at least")
