"""What patterns take, and parameters that comments speak of (locals of blocks: tests/cases/locals.test)."""

from __future__ import annotations

import pytest

from tests.server.desk import Desk, place

pytestmark = pytest.mark.server

FILES = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "types": [], "allowJs": true}, "include": ["src"]}',
}


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


TAKEN = {
    "src/taken.ts": """
        import { library } from "made";
        interface Api { name: number; other: string }
        export function one({ name, other = "" }: Api): number {
          return name + other.length;
        }
        export function two(given: Api) {
          const { name } = given;
          return name;
        }
        export function three(given: boolean, name: number) {
          return given ? take({ name }) : take({ name, other: 1 });
        }
        function take(all: { name: number; other?: number }): void {}
        export function four() {
          for (const { data } of [library()]) data.toFixed();
        }
        interface Act { type: string; symbol: string }
        export const reduce = (state: object, { type, symbol }: Act) => ({ ...state, type, at: [symbol] });
        """,
    "node_modules/made/index.d.ts": "export declare function library(): { data: number };\n",
}


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("at", "definition", "others", "uses"),
    [
        ("3:23", "3:23", ["2:17"], {"4:10"}),
        ("3:30", "3:29", ["2:31"], {"4:17"}),
        ("7:11", "7:11", ["2:17"], {"8:10"}),
        ("15:16", "15:16", [], {"15:39"}),
        ("18:42", "18:41", ["17:17"], {"18:78"}),
        ("18:47", "18:47", ["17:31"], {"18:89"}),
    ],
)
def test_what_a_pattern_takes_and_declares_was_the_member_alone(
    desk: Desk, at: str, definition: str, others: list[str], uses: set[str], server: str
) -> None:
    """Uses of the variable were missing, though the answer called itself complete."""
    desk.write(TAKEN)
    answer = desk.find(f"src/taken.ts:{at}", server=server)
    assert place(answer.definition) == f"src/taken.ts:{definition}"
    told = [place(one) for one in answer.candidates if "node_modules" not in one.file_path]
    assert told == [f"src/taken.ts:{one}" for one in others]
    assert {f"src/taken.ts:{one}" for one in uses} <= {place(one) for one in answer.references or []}
    assert answer.completeness.status == "complete"


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_an_argument_is_no_pattern(desk: Desk, server: str) -> None:
    desk.write(TAKEN)
    for at in ("11:25", "11:43"):
        assert place(desk.find(f"src/taken.ts:{at}", server=server).definition) == "src/taken.ts:10:39"


def test_what_a_call_with_long_arguments_is_given_declares_had_no_container(desk: Desk, server: str) -> None:
    """Natively such a function is called by the call and its texts, of which the end is cut off."""
    text = f'run("{"a long sentence, " * 10}", () => {{\n  class Inner {{\n    @mark\n    size = 1;\n  }}\n}});\n'
    head = "declare function run(name: string, body: () => void): void;\ndeclare const mark: any;\n"
    desk.write({"src/long.ts": text + head})
    shown = desk.inspect("src/long.ts:3:6", server=server).result
    assert (shown.name, shown.range.start_line, shown.range.end_line) == ("Inner.size", 3, 4)


SPOKEN_OF = {
    "src/members.ts": """
        export interface Api { options: number }
        export class Base { get options() { return 1; } }
        export class Made {
          /**
           * @param {Object} options
           * @param {string} [options.name] what for
           */
          constructor(public options: { name?: string }) {}
        }
        """,
    "src/speaks.ts": """
        /**
         * @param {Object} options
         * @param {string} [options.name] what for
         */
        export function run(options: { name?: string }) { return options.name; }
        """,
    "src/speaks_at_length.ts": """
        /**
         * @param {object} options
         * @param {{deep: {name: string}, list: string[]}} options.name what for
         * @param {{
         *   deep: { name: string }, list: string[]
         * }} [options.part]
         */
        export function walk(options: { name?: object, part?: object }) { return options.name; }
        /**
         * @param
         *   {Object} options
         * @param {string} options.name what for
         */
        export function stroll(options: { name?: string }) { return options.name; }
        """,
    "src/speaks.js": """
        /**
         * @param {object} options
         * @param {{deep: {name: string}, list: string[]}} options.name what for
         */
        export function limp(options) { return options.name; }
        """,
}


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize("at", ["src/members.ts:1:24", "src/members.ts:2:25"])
def test_a_parameter_in_a_comment_was_told_as_any_member_of_its_name(desk: Desk, at: str, server: str) -> None:
    desk.write(SPOKEN_OF)
    answer = desk.find(at, server=server)
    assert not [one.file_path for one in answer.references or [] if "speaks" in one.file_path]
    assert answer.completeness.status == "complete"


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("at", "use"),
    [
        ("src/members.ts:8:22", 5),
        ("src/speaks.ts:5:21", 2),
        ("src/speaks_at_length.ts:8:22", 2),
        ("src/speaks_at_length.ts:14:24", 11),
        ("src/speaks.js:5:22", 2),
    ],
)
def test_a_parameter_has_its_comment(desk: Desk, at: str, use: int, server: str) -> None:
    """Also where it is a member."""
    desk.write(SPOKEN_OF)
    assert use in [one.line for one in desk.find(at, server=server).references or []]
