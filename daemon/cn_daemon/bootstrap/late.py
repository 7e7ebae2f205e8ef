"""What waits for something else to be over."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
from collections.abc import Callable
from typing import Generic, TypeVar

from cn_daemon.importing import heavy

T = TypeVar("T")


class Late(Generic[T]):
    """What is built when it is first needed. built: None until then.

    module: what `make` needs. Importing it takes its time, so that is done in a thread; `make` runs on the event loop.
    """

    def __init__(self, module: str, make: Callable[[], T]) -> None:
        self.built: T | None = None
        self._module = module
        self._make = make

    async def get(self) -> T:
        if self.built is None:
            await asyncio.to_thread(self._import)
        if self.built is None:  # others may have waited for the module too
            self.built = self._make()
        return self.built

    def _import(self) -> None:
        with heavy:
            importlib.import_module(self._module)


class OpenQuestions:
    """Entered by each question about code."""

    def __init__(self) -> None:
        self._questions = 0
        self._over = asyncio.Event()
        self._over.set()

    def __enter__(self) -> None:
        self._questions += 1
        self._over.clear()

    def __exit__(self, *_: object) -> None:
        self._questions -= 1
        if not self._questions:
            self._over.set()

    @property
    def busy(self) -> bool:
        return self._questions > 0

    def expect(self) -> None:
        """One is coming: not over before it was asked."""
        self._over.clear()

    async def over(self, deadline: float) -> None:
        """Return when none is being answered, or at a moment of the event loop's clock."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(deadline):
                await self._over.wait()
