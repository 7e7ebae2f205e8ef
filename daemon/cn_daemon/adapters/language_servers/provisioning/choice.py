"""Which TypeScript answers: the registry's copy of the version that a workspace asks for, else the pinned one; the
workspace's own after `cn trust`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cn_daemon.adapters.language_servers.provisioning.node import Cache
from cn_daemon.adapters.language_servers.provisioning.own import digest_of, programs_of
from cn_daemon.adapters.language_servers.provisioning.packages import Package
from cn_daemon.adapters.language_servers.provisioning.versions import Range
from cn_daemon.adapters.language_servers.provisioning.wanted import wanted
from cn_daemon.settings import Settings
from cn_shared.errors import LanguageServerError


@dataclass(frozen=True, slots=True)
class Choice:
    """version: to be had from the registry; the pinned one when it is the same. reason: why it is that one, for the end
    of a sentence. passed_over: whether the workspace asked for another. own: the package in the workspace that is run
    instead, since the user vouched for it. advice: what lets another one answer, "" when that is what is asked for."""

    version: str
    reason: str
    passed_over: bool = False
    own: Package | None = None
    advice: str = ""

    @property
    def note(self) -> str:
        return f"TypeScript: {self.reason}"


def choose(root: Path, settings: Settings, tested: Range, pinned: str, cache: Cache) -> Choice:
    """tested: the versions that may be chosen. pinned: the one that answers where the workspace says nothing."""
    if settings.typescript_source == "bundled":
        return Choice(pinned, "the pinned one, as the setting typescript_source says")
    requested = wanted(root)
    if requested is None:
        return Choice(pinned, "the pinned one; the workspace asks for none")
    if requested.version is None:
        reason = f"the pinned one; {requested.specifier[:80]!r} of {requested.source} is not a release in the registry"
        return Choice(pinned, reason, passed_over=True)
    if not tested.holds(requested.version):
        which = f"the workspace's {requested.version} ({requested.source})"
        reason = f"the pinned one; {which} is none that cn was tested with ({tested})"
        return Choice(pinned, reason, passed_over=True)
    own = programs_of(requested.installed) if requested.installed else None
    advice = "cn trust lets the workspace's own run" if own else ""
    reason = f"the registry's copy of what {requested.source} asks for"
    if own and settings.own_typescript:
        if _digest(own, cache) == settings.own_typescript:
            return Choice(requested.version, "the workspace's own, which cn trust vouches for", own=own)
        reason += "; the workspace's own changed since cn trust"
    return Choice(requested.version, reason, advice=advice)


def _digest(package: Package, cache: Cache) -> str:
    """ "" when it cannot be read."""
    try:
        return digest_of(package, cache)
    except LanguageServerError:
        return ""
