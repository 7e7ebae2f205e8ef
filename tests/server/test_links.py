"""Folders and files that links lead to, in several projects, on both servers: one file, told once, by its real path."""

from __future__ import annotations

import pytest

from tests.server.desk import TSCONFIG, Desk, place, places

pytestmark = pytest.mark.server

PROJECT = TSCONFIG[:-1] + ', "include": ["src"]}'
FILES = {
    "$shared/words.ts": """
        import { prefix } from "../own";
        export const word = (text: string): string => prefix + text;
        export const twice = word("a") + word("b");
        """,
    "single/one.ts": "export interface One { size: number }\n",
    "single/made.ts": "export class Made {\n  constructor(one: number) {}\n}\n",
    "single/hands.ts": 'export { Made as Other } from "./made";\n',
    "maker/tsconfig.json": PROJECT,
    "maker/src/makes.ts": 'import { Made } from "../../single/made";\nexport const one = new Made(1);\n',
    "other/tsconfig.json": PROJECT,
    "other/src/makes.ts": 'import { Other } from "../../single/hands";\nexport const one = new Other(1);\n',
    "client/tsconfig.json": PROJECT,
    "client/src/own.ts": 'export const prefix = "client";\n',
    "client/src/use.ts": 'import { word } from "./shared/words";\nexport const client = word("c");\n',
    "client/src/is.ts": 'import type { One } from "./one";\nexport const one: One = { size: 1 };\n',
    "server/tsconfig.json": PROJECT,
    "server/src/own.ts": 'export const prefix = "server";\n',
    "server/src/use.ts": 'import { word } from "./shared/words";\nexport const server = word("s");\n',
}
LINKS = {
    "client/src/shared": "../../$shared",
    "server/src/shared": "../../$shared",
    "client/src/one.ts": "../../single/one.ts",
}
BOTH = ["$shared/words.ts:3", "$shared/words.ts:3", "client/src/use.ts:1", "client/src/use.ts:2",
        "server/src/use.ts:1", "server/src/use.ts:2"]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)
    for link, target in LINKS.items():
        (desk.root / link).symlink_to(target)


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    "query", ["word", "server/src/use.ts:2:23", "client/src/shared/words.ts:2:14", "server/src/shared/words.ts#word"]
)
def test_a_file_behind_two_links_was_three_files(desk: Desk, query: str, server: str) -> None:
    answer = desk.find(query, server=server)
    assert (place(answer.definition), answer.completeness.status) == ("$shared/words.ts:2:14", "complete")
    assert places(answer.references or []) == BOTH


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_link_to_a_file_was_another_file(desk: Desk, server: str) -> None:
    answer = desk.find("client/src/is.ts:2:19", server=server)
    assert (place(answer.definition), answer.completeness.status) == ("single/one.ts:1:18", "complete")
    assert places(answer.references or []) == ["client/src/is.ts:1", "client/src/is.ts:2"]


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_what_a_linked_file_imports_depends_on_the_link(desk: Desk, server: str) -> None:
    for side in ("client", "server"):
        answer = desk.find(f"{side}/src/own.ts:1:14", server=server)
        assert (places(answer.references or []), answer.completeness.status) == (
            ["$shared/words.ts:1", "$shared/words.ts:2"],
            "complete",
        )
    assert place(desk.find("$shared/words.ts:2:47", server=server).definition) == "client/src/own.ts:1:14"


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_link_is_led_elsewhere_and_back(desk: Desk, server: str) -> None:
    desk.write({"other/words.ts": "\nexport const word = (text: string): string => text;\n"})
    link = desk.root / "server/src/shared"
    for target, uses in (("../../other", BOTH[:4]), ("../../$shared", BOTH)):
        link.unlink()
        link.symlink_to(target)
        answer = desk.find("$shared/words.ts:2:14", server=server)
        assert (places(answer.references or []), answer.completeness.status) == (uses, "complete")
        desk.write({"$shared/words.ts": FILES["$shared/words.ts"].replace('"b")', '"b") + word("d")')})
        answer = desk.find("$shared/words.ts:2:14", server=server)
        assert places(answer.references or []) == ["$shared/words.ts:3", *uses]
        desk.write({"$shared/words.ts": FILES["$shared/words.ts"]})


MAPS = {
    "maps/tsconfig.json": PROJECT,
    "maps/src/kept.ts": """
        export class Kept implements Pick<Map<string, number>, "has"> { has(key: string) { return !!key; } }
        """,
    "maps/src/use.ts": """
        import { Kept } from "./kept";
        export const known = [new Kept().has("a"), new Map<string, number>().has("b")];
        """,
    "apart/tsconfig.json": PROJECT,
    "apart/src/use.ts": 'export const apart = new Map<string, number>().has("c");\n',
    "maps/src/pattern.ts": "const { size } = new Map<string, number>();\nexport const got = [size, new Map().size];\n",
    "apart/src/pattern.ts": "const { size } = new Map<string, number>();\nexport const got = [size, new Map().size];\n",
}


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_member_of_the_library_is_not_used_where_a_project_does_not_know_what_implements_it(
    desk: Desk, server: str
) -> None:
    desk.write(MAPS)
    answer = desk.find("maps/src/kept.ts#Kept.has", server=server)
    assert (places(answer.references or []), answer.completeness.status) == (["maps/src/use.ts:2"] * 2, "complete")


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_what_a_pattern_takes_of_the_library_was_used_by_patterns_of_other_projects(desk: Desk, server: str) -> None:
    desk.write(MAPS)
    answer = desk.find("maps/src/pattern.ts#size", server=server)
    assert (places(answer.references or []), answer.completeness.status) == (["maps/src/pattern.ts:2"] * 2, "complete")


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_constructors_calls_in_projects_without_the_word_were_missing(desk: Desk, server: str) -> None:
    answer = desk.find("single/made.ts#Made.constructor", server=server)
    calls = [one for one in places(answer.references or []) if not one.startswith("single/")]
    assert calls == ["maker/src/makes.ts:2", "other/src/makes.ts:2"]
    assert answer.completeness.status == "complete"
