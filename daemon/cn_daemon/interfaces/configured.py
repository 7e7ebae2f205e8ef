"""Settings kept in step with their files and with the environment of whoever asks."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from cn_daemon.interfaces.daemon import DaemonInfo, Services
from cn_daemon.settings import Settings, load, stamp
from cn_daemon.trust import facts_of
from cn_shared import environment


class Configured:
    """Whoever edits a settings file, or asks under other variables, is answered under these from then on."""

    def __init__(self, services: Services, info: DaemonInfo) -> None:
        self._services = services
        self._info = info
        self._values: Mapping[str, str] = environment.values()
        self._stamp = stamp(info.root, info.config)
        self._lock = asyncio.Lock()

    async def refresh(self) -> None:
        """Read the settings again when one of their files changed, or a program that was trusted: a few stats.

        Raises InputError (`bad_settings`), for every question until the file is right again.
        """
        if self._changed():
            async with self._lock:
                if self._changed():
                    await self._apply(self._values)

    async def take(self, values: dict[str, str]) -> Settings:
        """Go on under the caller's variables. Raises InputError (`bad_settings`), and then nothing changes."""
        async with self._lock:
            settings = await self._apply(values)
            self._values = values
            self._info.environment = environment.fingerprint(values)
            return settings

    async def adopt(self, values: Mapping[str, str]) -> None:
        """Go on with these CN_* and AICMD_* of a client that stays. Raises InputError (`bad_settings`).

        What it does not say stays: MCP clients start their servers with hardly any environment. Nor does its PATH
        count: an editor that was started from a desktop has a poor one.
        """
        given = {name: value for name, value in values.items() if name != "PATH"}
        if not given.items() <= self._values.items():
            await self.take({**self._values, **given})

    def _changed(self) -> bool:
        if stamp(self._info.root, self._info.config) != self._stamp:
            return True
        return any(facts_of(path) != known for path, known in self._services.settings.vouched.items())

    async def _apply(self, values: Mapping[str, str]) -> Settings:
        # Stamped before the reading: a change in between is seen by the next question.
        seen = stamp(self._info.root, self._info.config)
        settings = load(self._info.root, values, self._info.config)
        await self._services.reconfigure(settings, values)
        self._stamp = seen
        return settings
