"""The port `Usage`: which commands of a workspace were invoked, how often and when last, in one file of the user's
state folder. It is sent nowhere, and holds no arguments."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import tempfile
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

from cn_daemon.adapters.patient_files import read_file
from cn_daemon.domain.libraries.ranking.use import Use

log = logging.getLogger(__name__)


class UsageFile:
    """file: created at the first note. wanted: whether the user wants it kept; where not, nothing is read or
    written."""

    def __init__(self, file: Callable[[], Path], wanted: Callable[[], bool], today: Callable[[], date]) -> None:
        self._file = file
        self._wanted = wanted
        self._today = today
        self._uses: dict[str, Use] | None = None
        self._lock = asyncio.Lock()
        self.changes = 0

    @property
    def generation(self) -> int:
        return self.changes if self._wanted() else -1

    async def note(self, canonical_id: str) -> None:
        if not self._wanted():
            return
        async with self._lock:
            uses = await self._known()
            before = uses.get(canonical_id)
            self._uses = {**uses, canonical_id: Use(before.times + 1 if before else 1, self._today().isoformat())}
            self.changes += 1
            await asyncio.to_thread(self._write, self._uses)

    async def uses(self) -> Mapping[str, Use]:
        return await self._known() if self._wanted() else {}

    async def _known(self) -> dict[str, Use]:
        if self._uses is None:
            read = await asyncio.to_thread(self._read)
            self._uses = read if self._uses is None else self._uses
        return self._uses

    def _read(self) -> dict[str, Use]:
        """What was kept, as far as it is what was written."""
        with contextlib.suppress(FileNotFoundError):
            try:
                kept = json.loads(read_file(str(self._file())))
                return {str(name): Use(int(count), date.fromisoformat(last).isoformat())
                        for name, (count, last) in kept.items()}  # fmt: skip
            except FileNotFoundError:
                raise
            except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
                log.warning("what was used is begun anew: %s", error)
        return {}

    def _write(self, uses: Mapping[str, Use]) -> None:
        """Whole, by renaming. A full disk costs what was recorded since."""
        try:
            file = self._file()
            descriptor, name = tempfile.mkstemp(prefix=f"{file.name}.", dir=file.parent)
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                    json.dump(uses, stream, ensure_ascii=False, indent=0)
                os.replace(name, file)
            except BaseException:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(name)
                raise
        except (OSError, ValueError) as error:
            log.warning("what was used is not kept: %s", error)
