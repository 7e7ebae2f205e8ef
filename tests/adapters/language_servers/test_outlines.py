"""What servers tell of the form of texts, kept between questions, some of which are asked while others wait."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from cn_daemon.adapters.language_servers.outlines import ByText, Item, declarations
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.text import Document, Position, Span
from tests.domain.sources import document, item, outline, rows

BEFORE = Document("/a.ts", "export class A {\n  turn(): void {}\n}\n")
AFTER = Document("/a.ts", "// a line more\nexport class A {\n  turn(): void {}\n}\n")
OTHER = Document("/b.ts", "export const b = 1;\n")


def told(one: Document) -> list[Declaration]:
    """As a server tells them: `turn` at the line where it stands."""
    if one is OTHER:
        return declarations(one, [Item("b", "Constant", [Span(Position(1, 14), Position(1, 19))], None, [])])
    line = next(number for number, text in enumerate(one.lines, 1) if "turn" in text)
    method = Item("turn", "Method", [Span(Position(line, 3), Position(line, 18))], None, [])
    return declarations(one, [Item("A", "Class", [Span(Position(line - 1, 1), Position(line + 1, 2))], None, [method])])


def test_a_text_that_is_replaced_while_others_are_fetched_is_read_by_its_own_outline() -> None:
    async def ask() -> list[list[tuple[str, str, int]]]:
        outlines, asked, answered = ByText[list[Declaration]](), asyncio.Event(), asyncio.Event()

        async def slow(documents: Sequence[Document]) -> list[list[Declaration]]:
            asked.set()
            await answered.wait()
            return [told(one) for one in documents]

        async def fast(documents: Sequence[Document]) -> list[list[Declaration]]:
            return [told(one) for one in documents]

        await outlines.of([BEFORE], fast)
        early = asyncio.create_task(outlines.of([BEFORE, OTHER], slow))
        await asked.wait()
        await outlines.of([AFTER], fast)
        answered.set()
        answers = [(await early)["/a.ts"], (await outlines.of([AFTER], fast))["/a.ts"]]
        return [[(one.kind, one.name, one.position.line) for one in answer[0].children] for answer in answers]

    assert asyncio.run(ask()) == [[("Method", "turn", 2)], [("Method", "turn", 3)]]


def test_overloads_what_is_exported_and_what_has_no_name() -> None:
    source = document(
        "export function f(a: 1): void;\nexport function f(a: 2) {\n  const inner = 1;\n}\nload(() => 1);"
    )
    heads = ("export function f(a: 1): void;", "export function f(a: 2) {\n  const inner = 1;\n}")
    inner = item(source, "inner", "Constant", "inner = 1")
    found = outline(
        source,
        item(source, "f", "Function", *reversed(heads), children=(inner,)),
        item(source, "load() callback", "Function", "() => 1"),
        item(source, "f", "", "f"),
    )
    assert rows(found) == ["1:17 Function f exported", "2:17 Function f exported", "3:9 Constant f.inner local"]
