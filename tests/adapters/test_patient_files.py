from __future__ import annotations

import asyncio
import errno
import os
import threading
import time
from pathlib import Path

import pytest

from cn_daemon.adapters.patient_files import PAUSES_S, TooLargeError, patiently, read_file, read_text
from cn_daemon.adapters.worker import Worker


def failing(times: int, number: int = errno.EIO) -> tuple[list[int], object]:
    tries: list[int] = []

    def function() -> str:
        tries.append(1)
        if len(tries) <= times:
            raise OSError(number, "stumbled")
        return "read"

    return tries, function


def test_an_error_that_passes_is_retried_three_times_with_growing_pauses() -> None:
    pauses: list[float] = []
    _, function = failing(3)
    assert patiently(function, pauses.append) == "read"  # type: ignore[arg-type]
    assert pauses == list(PAUSES_S) == sorted(pauses)
    tries, function = failing(9)
    with pytest.raises(OSError, match="stumbled"):
        patiently(function, pauses.append)  # type: ignore[arg-type]
    assert len(tries) == 4


def test_an_error_that_stays_is_told_at_once() -> None:
    tries, function = failing(9, errno.EACCES)
    with pytest.raises(PermissionError):
        patiently(function, lambda _: None)  # type: ignore[arg-type]
    assert len(tries) == 1


def test_only_regular_files_of_a_bounded_size_are_read(tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(b"x" * 11)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(TooLargeError):
        read_file(str(tmp_path / "big"), 10)
    with pytest.raises(TooLargeError):
        read_file(str(tmp_path / "pipe"))
    (tmp_path / "odd").write_bytes(b"\xef\xbb\xbfok \xff")
    assert read_text(str(tmp_path / "odd")) == "ok \ufffd"


def test_a_worker_answers_in_order_and_passes_errors_on() -> None:
    async def scene() -> None:
        worker = Worker("test worker")
        assert await asyncio.gather(*(worker.run(lambda n=n: n) for n in range(3))) == [0, 1, 2]  # type: ignore[misc]
        with pytest.raises(ZeroDivisionError):
            await worker.run(lambda: 1 // 0)
        worker.close()

    asyncio.run(scene())


def test_a_worker_that_hangs_holds_up_nobody_else() -> None:
    go_on = threading.Event()

    async def scene() -> None:
        stuck, free = Worker("stuck"), Worker("free")
        waiting = asyncio.ensure_future(stuck.run(lambda: go_on.wait(5)))
        began = time.monotonic()
        assert await free.run(lambda: 1) == 1
        assert time.monotonic() - began < 1
        waiting.cancel()
        go_on.set()
        assert await stuck.run(lambda: 2) == 2
        stuck.close()
        free.close()

    asyncio.run(scene())
