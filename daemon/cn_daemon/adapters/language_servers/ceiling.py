"""How much memory one of TypeScript's servers may take."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cn_daemon.settings import Settings

_MB = 1 << 20
_CGROUPS = Path("/sys/fs/cgroup")
_OWN_CGROUP = Path("/proc/self/cgroup")


class Ceiling:
    """As `tsserver_memory_mb` says. Where the user has not set that, it rises once."""

    def __init__(self, settings: Settings) -> None:
        self.mb = settings.tsserver_memory_mb
        self._fixed = settings.sources.get("tsserver_memory_mb", "default") != "default"

    def rise(self) -> bool:
        """For the process after one that has met it: to twice as much, or half of what is free. Whether there is more
        for it now. Blocks for some milliseconds, once."""
        if self._fixed:
            return False
        self._fixed = True
        before, self.mb = self.mb, max(self.mb, min(2 * self.mb, free_mb() // 2))
        return self.mb > before


def free_mb() -> int:
    """The memory that may be used: of the machine, and of the container that this process runs in."""
    import psutil  # late: only who has run out of memory asks

    return min((int(psutil.virtual_memory().available), *_free_of_cgroups())) // _MB


def _free_of_cgroups() -> Iterator[int]:
    """What each control group (version 2) around this process leaves it, in bytes; what could be dropped counts as
    free, as it does for the machine."""
    try:
        text = _OWN_CGROUP.read_text()
    except OSError:
        return
    own = next((line[3:].strip("/") for line in text.splitlines() if line.startswith("0::")), "")
    folder = _CGROUPS / own
    for group in (folder, *folder.parents):
        if not group.is_relative_to(_CGROUPS):
            return
        try:
            limit = (group / "memory.max").read_text().strip()
            used = int((group / "memory.current").read_text())
            counted = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        except (OSError, ValueError):
            continue
        if limit != "max":
            yield int(limit) - used + int(counted.get("inactive_file", 0))
