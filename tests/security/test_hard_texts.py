"""A text that cannot be read within a bound costs itself: the question goes on without it, and says so."""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

from cn_daemon.adapters import reading_watch
from cn_daemon.adapters.reading_watch import ReadingWatch
from cn_daemon.adapters.workspace_files import WorkspaceFiles
from cn_daemon.application.documents import Documents
from cn_daemon.application.hard_texts import DEEP, SLOW, HardTexts, document_in
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document
from cn_shared.errors import InputError
from cn_shared.wire import Completeness, FindAnswer


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_watch, "MOST_S", 0.3)
    monkeypatch.setattr(reading_watch, "TICK_S", 0.05)


def for_ever(document: Document) -> None:
    while document.text:
        pass


def back_and_forth(document: Document) -> None:
    re.match("(a*)*b", "a" * 40)
    assert document


def deeper(document: Document, level: int = 0) -> int:
    return deeper(document, level + 1)


def answer_of(documents: Documents, work: Callable[[Document], object]) -> Callable[[], object]:
    async def answer() -> FindAnswer:
        read = []
        for path in ("/w/good.ts", "/w/bad.ts", "/w/other.ts"):
            document = documents.try_get(path)
            read.append(document)
            if document is not None and "bad" in document.text:
                work(document)
        assert read[0]
        assert read[2]
        return FindAnswer(Completeness("complete", 1, 1, 3), 1, [])

    return answer


class Files:
    """Three texts."""

    root = Path("/w")

    def __init__(self) -> None:
        self.hard = HardTexts()
        self.texts = {"/w/good.ts": "good", "/w/bad.ts": "bad", "/w/other.ts": "other"}

    def relative(self, path: Path) -> str:
        return path.name

    def read_text(self, path: Path, *, leniently: bool = False) -> str:
        return self.hard.checked(path.name, self.texts[str(path)])


async def watched(files: Files, work: Callable[[Document], object]) -> tuple[FindAnswer, float]:
    """The answer, and the longest time for which the event loop did nothing else."""
    watch = ReadingWatch()
    watch.start()
    late = 0.0

    async def beat() -> None:
        nonlocal late
        while True:
            before = time.process_time()
            await asyncio.sleep(0.01)
            late = max(late, time.process_time() - before)

    beating = asyncio.create_task(beat())
    await asyncio.sleep(0)
    try:
        return await files.hard.bounded(lambda: answer_of(Documents(files), work)()), late  # type: ignore[arg-type, return-value]
    finally:
        beating.cancel()
        watch.stop()


@pytest.mark.parametrize(("work", "why"), [(for_ever, SLOW), (back_and_forth, SLOW), (deeper, DEEP)])
def test_a_hard_text_is_named_and_the_others_are_read(work: Callable[[Document], object], why: str) -> None:
    files = Files()
    answer, late = asyncio.run(watched(files, work))
    assert answer.completeness.status == "partial"
    assert answer.completeness.reason == f"bad.ts {why}, and may hold more"
    assert late < 2
    began = time.process_time()
    again, _ = asyncio.run(watched(files, work))
    assert again.completeness.reason == answer.completeness.reason
    assert time.process_time() - began < 0.2
    files.texts["/w/bad.ts"] = "mended"
    mended, _ = asyncio.run(watched(files, work))
    assert mended.completeness.status == "complete"


def test_work_on_many_texts_is_not_interrupted() -> None:
    def on_many(document: Document) -> None:
        for number in range(40):
            on_one(Document(f"/w/{number}.ts", "x"))

    def on_one(document: Document) -> None:
        until = time.process_time() + 0.02
        while time.process_time() < until:
            pass

    answer, _ = asyncio.run(watched(Files(), on_many))
    assert answer.completeness.status == "complete"


def test_a_text_that_is_held_from_before_is_an_error_and_no_endless_loop() -> None:
    hard, document = HardTexts(), Document("/w/bad.ts", "bad")

    async def main() -> None:
        watch = ReadingWatch()
        watch.start()
        try:
            await hard.bounded(held)
        finally:
            watch.stop()

    async def held() -> None:
        for_ever(document)

    with pytest.raises(InputError, match="takes too long to read"):
        asyncio.run(main())


def test_nothing_is_interrupted_between_questions(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text("text")
    files = WorkspaceFiles(tmp_path)
    files.hard.add("text", SLOW)
    with pytest.raises(InputError) as refused:
        files.read_text(tmp_path / "a.ts")
    assert (refused.value.code, refused.value.message) == ("hard_text", "a.ts takes too long to read.")
    (tmp_path / "a.ts").write_text("other")
    assert files.read_text(tmp_path / "a.ts") == "other"


@pytest.fixture(autouse=True)
def no_timer_is_left() -> Iterator[None]:
    yield
    import signal

    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_a_question_failed_that_was_looked_at_just_as_it_began_to_read_a_text() -> None:
    def beginning(self: SourceText, document: Document) -> FrameType:
        return sys._getframe()

    document = Document("a.ts", "export {};")
    assert document_in([beginning(SourceText.__new__(SourceText), document)]) is document
