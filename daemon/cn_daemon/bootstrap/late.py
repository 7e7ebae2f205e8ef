"""What is imported and built when it is first needed."""

from __future__ import annotations

import asyncio
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
