"""Which TypeScript answers: the registry's copy of the version that a workspace asks for, else the pinned one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cn_daemon.adapters.language_servers.provisioning.versions import Range
from cn_daemon.adapters.language_servers.provisioning.wanted import wanted
from cn_daemon.settings import Settings


@dataclass(frozen=True, slots=True)
class Choice:
    """version: to be had from the registry; the pinned one when it is the same. reason: why it is that one, for the end
    of a sentence. passed_over: whether the workspace asked for another."""

    version: str
    reason: str
    passed_over: bool = False

    @property
    def told(self) -> str:
        return f"TypeScript {self.version} answers: {self.reason}"


def choose(root: Path, settings: Settings, tested: Range, pinned: str) -> Choice:
    """tested: the versions that may be chosen. pinned: the one that answers where the workspace says nothing."""
    if settings.typescript_source == "bundled":
        return Choice(pinned, "the pinned one, as the setting typescript_source says")
    asked = wanted(root)
    if asked is None:
        return Choice(pinned, "the pinned one; the workspace asks for none")
    if asked.version is None:
        reason = f"the pinned one; {asked.specifier[:80]!r} of {asked.source} is no release of the registry's"
        return Choice(pinned, reason, passed_over=True)
    if not tested.holds(asked.version):
        which = f"the workspace's {asked.version} ({asked.source})"
        reason = f"the pinned one; {which} is none that cn was tested with ({tested})"
        return Choice(pinned, reason, passed_over=True)
    return Choice(asked.version, f"the registry's copy of what {asked.source} asks for")
