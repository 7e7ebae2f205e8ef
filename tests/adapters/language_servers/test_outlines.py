"""The outlines that are kept between questions, some of which are asked while others wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import pytest

from cn_daemon.adapters.language_servers.outlines import Outlines
from cn_daemon.domain.declarations.items import Item, read_outline
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.text import Document, Position, Span

BEFORE = Document("/a.ts", "export class A {\n  turn(): void {}\n}\n")
AFTER = Document("/a.ts", "// a line more\nexport class A {\n  turn(): void {}\n}\n")
OTHER = Document("/b.ts", "export const b = 1;\n")


def items(document: Document) -> list[Item]:
    """As a server tells them: `turn` at the line where it stands."""
    if document is OTHER:
        return [Item("b", "Constant", [Span(Position(1, 14), Position(1, 19))], None, [])]
    line = next(number for number, text in enumerate(document.lines, 1) if "turn" in text)
    method = Item("turn", "Method", [Span(Position(line, 3), Position(line, 18))], None, [])
    return [Item("A", "Class", [Span(Position(line - 1, 1), Position(line + 1, 2))], None, [method])]


def test_a_text_that_is_replaced_while_others_are_fetched_is_read_by_its_own_outline() -> None:
    async def ask() -> list[list[tuple[str, str, int]]]:
        outlines, asked, answered = Outlines(), asyncio.Event(), asyncio.Event()

        async def slow(documents: Sequence[Document]) -> list[list[Item]]:
            asked.set()
            await answered.wait()
            return [items(one) for one in documents]

        async def fast(documents: Sequence[Document]) -> list[list[Item]]:
            return [items(one) for one in documents]

        await outlines.of([BEFORE], "A", fast)
        early = asyncio.create_task(outlines.of([BEFORE, OTHER], None, slow))
        await asked.wait()
        await outlines.of([AFTER], "A", fast)
        answered.set()
        answers = [(await early)["/a.ts"], (await outlines.of([AFTER], None, fast))["/a.ts"]]
        return [[(one.kind, one.name, one.position.line) for one in answer[0].children] for answer in answers]

    assert asyncio.run(ask()) == [[("Method", "turn", 2)], [("Method", "turn", 3)]]


def test_a_large_text_is_read_for_one_question_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a thread, and from a document of its own: what is worked out of one is not for two of them."""
    large = Document("/a.ts", AFTER.text + "// much\n" * 50_000)
    reading: list[Document] = []

    def read(document: Document, told: Sequence[Item]) -> list[Declaration]:
        reading.append(document)
        time.sleep(0.02)
        assert reading.pop() is document
        assert reading == []
        assert document is not large
        return read_outline(document, told)

    monkeypatch.setattr("cn_daemon.adapters.language_servers.outlines.read_outline", read)

    async def ask() -> list[str]:
        outlines = Outlines()

        async def fetch(documents: Sequence[Document]) -> list[list[Item]]:
            return [items(one) for one in documents]

        answers = await asyncio.gather(*(outlines.of([large], name, fetch) for name in ("A", None, "turn", None)))
        return [answer["/a.ts"][0].name for answer in answers]

    assert asyncio.run(ask()) == ["A"] * 4
