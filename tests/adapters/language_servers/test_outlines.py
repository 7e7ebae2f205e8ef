"""What servers tell of the form of texts, kept between questions, some of which are asked while others wait."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.text import AnswersByText, Document
from tests.domain.sources import item, outline

BEFORE = Document("/a.ts", "export class A {\n  turn(): void {}\n}\n")
AFTER = Document("/a.ts", "// a line more\nexport class A {\n  turn(): void {}\n}\n")
OTHER = Document("/b.ts", "export const b = 1;\n")


def told(one: Document) -> list[Declaration]:
    """As a server tells them: `turn` at the line where it stands."""
    if one is OTHER:
        return outline(one, item(one, "b", "Constant", "b = 1"))
    method = item(one, "turn", "Method", "turn(): void {}")
    return outline(one, item(one, "A", "Class", "export class A {\n  turn(): void {}\n}", children=(method,)))


def test_a_text_that_is_replaced_while_others_are_fetched_is_read_by_its_own_outline() -> None:
    async def ask() -> list[list[tuple[str, str, int]]]:
        outlines, asked, answered = AnswersByText[list[Declaration]](), asyncio.Event(), asyncio.Event()

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
