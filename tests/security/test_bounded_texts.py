"""Source texts that a repository brings are read in time that grows with their length, whatever is in them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cn_daemon.adapters.ignored import FileIgnored
from cn_daemon.adapters.language_servers.plain_texts import PlainTexts
from cn_daemon.application.symbols.pointing import mention
from cn_daemon.domain.source.text import Document, occurrences
from tests.security import readings

# Four times the text may take so many times as long: quadratic work takes sixteen times.
GROWTH = 9
# What is shorter says nothing.
MEASURABLE_S = 0.08


def seconds(read: Callable[[Document], object], path: str, text: str) -> float:
    """Of the processor, at the quickest of two: other work on the machine may slow one of them."""
    taken = []
    for _ in range(2):
        document, began = Document(path, text), time.process_time()
        read(document)
        taken.append(time.process_time() - began)
    return min(taken)


def grows_linearly(read: Callable[[Document], object], path: str, text: Callable[[int], str], lines: int) -> None:
    """Quadratic work takes sixteen times as long at each step; what looks only a part ahead, or shares the processor
    with others for a moment, at one step."""
    taken = [seconds(read, path, text(lines))]
    for step in (4, 16):
        taken.append(seconds(read, path, text(step * lines)))
        if taken[-1] < max(MEASURABLE_S, GROWTH * taken[-2]):
            return
    raise AssertionError(f"of {lines} lines, four and sixteen times as many: {taken} s")


def test_an_empty_name_is_no_name() -> None:
    assert list(occurrences("class D { * () { yield 1; } }", "")) == []
    assert list(occurrences("", "")) == []
    assert asyncio.run(mention(PlainTexts(), Document("/w/b.ts", "class D { * () { yield 1; } }"), "", 0.0)) is None  # type: ignore[arg-type]


EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted(
    file.read_text() for file in EXAMPLES.rglob("*") if file.suffix in (".ts", ".tsx", ".js") and file.is_file()
)
FORMS = (
    "class A<a> extends B.a(a) implements C { static #a?: a = 1; get [`a`]() { return super.a; } * () {} }\n",
    "export default { a, b: { a }, async *a<T>(a: T): a is T { for await (const { a: b } of a) yield* a!; } } as a;\n",
    "type a<b> = { [a in keyof b]?: a extends infer c ? `${a}${b}` : typeof import('a').a } & Partial<a>;\n",
    "const { a, ...b } = require('a').a; exports.a = module.exports = a = function a() {}; A.prototype.a = a;\n",
    "/** @typedef {a.b} a @param {a} a @extends {a<b>} */ import type a, { a as b } from 'a'; export * from 'a';\n",
    "let a = <a b={a} {...a}>{a} &amp; </a>, c = a / 2 / a, d = /[/]a/.test(a), e = a<b>(a), f = a < b;\n",
    "declare module 'a' { namespace a.b { enum a { a = 1 } interface a extends b, a<b> { (a): a; new <a>(): a } } }\n",
)
PIECES = st.sampled_from(
    [*"`'\"{}()[]<>/*\\=.;:,?!#@$&|\n\r\t \u2028\U0001f600\x00", "a", "${", "/*", "*/", "//", "=>", "</"]
)
MUTILATED = st.builds(
    lambda text, at, cut, piece, times, end: text[:at] + piece * times + text[at + cut : end],
    st.sampled_from([*FILES, "".join(FORMS), *FORMS]),
    st.integers(0, 3000),
    st.sampled_from([0, 0, 1, 2, 30]),
    PIECES,
    st.sampled_from([0, 1, 2, 300]),
    st.integers(1, 6000),
)
PATHS = st.sampled_from(["/w/x.ts", "/w/x.tsx", "/w/x.js", "/w/x.d.ts", "/w/x.mjs"])


@pytest.mark.parametrize("text", ["export default { a, b: { a }, async *a<T>(a: T", "/** @typedef"])
@pytest.mark.parametrize("path", ["/w/x.ts", "/w/x.js"])
def test_a_text_that_ended_in_the_middle_was_an_error(text: str, path: str) -> None:
    read_all(text, path)


@pytest.mark.slow
@given(MUTILATED, PATHS)
def test_no_text_is_an_error(text: str, path: str) -> None:
    read_all(text, path)


def read_all(text: str, path: str) -> None:
    document = Document(path, text)
    for name, function in readings.functions().items():
        try:
            readings.read(function, document, 3)
        except Exception as error:
            raise AssertionError(f"{name}: {error!r}") from error


# What is repeated without an end, by what it may belong to.
REPEATED = (
    *(
        "import\n",
        'import { a } from "./m";\n',
        "export {\n",
        "a, ",
        "{",
        "(",
        "[",
        "`${",
        "/** a */\n",
        " * a\n",
        "\\",
    ),
    *("a => ", "a.", "a(", "a ? ", "const a = ", "type a = { a: a };\n", "<a a={", "\n", "/** @typedef {", "a: { "),
    *("* () { yield ", "a\n.", "\U0001f600 a ", "else ", "a\r\n"),
)
# Work that may grow with the square of some odd texts. `reading_watch` bounds it.
BOUNDED_ELSEWHERE = frozenset(
    "commonjs.add_assigned items.read_outline "
    "type_literals.literal_members typedefs.add_typedefs whole_values.is_value".split()
)
LINEAR = [name for name in readings.functions() if name not in BOUNDED_ELSEWHERE]


@pytest.fixture(scope="module")
def long_texts() -> dict[str, Document]:
    """By the piece: what is read of a text once is read for all functions."""
    paths = ("/w/x.ts", "/w/x.js", "/w/x.tsx")
    return {piece: Document(paths[number % 3], piece * 1200) for number, piece in enumerate(REPEATED)}


@pytest.mark.slow
@pytest.mark.parametrize("name", LINEAR)
def test_work_grows_with_the_text(name: str, long_texts: dict[str, Document]) -> None:
    function = readings.functions()[name]

    def work(document: Document) -> None:
        readings.read(function, document, 3)

    for piece, long in long_texts.items():
        began = time.process_time()
        work(long)
        if time.process_time() - began > MEASURABLE_S:
            grows_linearly(work, long.path, lambda n, piece=piece: piece * n, 300)  # type: ignore[misc]


@pytest.mark.parametrize(
    "pattern", ["*a" * 12 + "b", "a" + "*" * 12 + "b", "a/" + "**/a/" * 5 + "b", "*a*a*/" * 4 + "b"]
)
def test_a_pattern_of_a_gitignore_does_not_go_back_over_a_name_for_ever(tmp_path: Path, pattern: str) -> None:
    """With these the daemon never started: nothing else ran while a name was compared, no deadline either."""
    names = ["a" * 60 + ".ts", "a/" * 200 + "c.ts", ("a" * 60 + "/") * 4 + "c.ts"]
    (tmp_path / ".gitignore").write_text(f"{pattern}\n*.log\n**/made/**/*.gen.*\n")
    ignored = FileIgnored(tmp_path)
    ignored.listing()
    began = time.process_time()
    assert ignored.among(f"{tmp_path}/{name}" for name in [*names, "a.log", "x/made/b.gen.ts"]) == {
        f"{tmp_path}/a.log",
        f"{tmp_path}/x/made/b.gen.ts",
    }
    assert time.process_time() - began < 5
