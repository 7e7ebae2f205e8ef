"""The ports between the use cases of commands and reports and their adapters."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from cn_daemon.domain.libraries.commands import Command, CommandText
from cn_daemon.domain.libraries.http_requests import HttpRequest
from cn_daemon.domain.libraries.ranking.best import BestIndex
from cn_daemon.domain.libraries.ranking.kept import Frozen
from cn_daemon.domain.libraries.ranking.use import Use
from cn_daemon.domain.libraries.reports import Report, ReportHit, ReportQuery


class Freshness(NamedTuple):
    """How far an answer from a library can be trusted.

    complete: False while its index is still being built, or when it did not answer in time. stale: why what is
    answered may be old, "" when it is not. detail: progress or the state, for `cn status`.
    """

    complete: bool = True
    stale: str = ""
    detail: str = ""


class Refresh(NamedTuple):
    """What a source has that its reader does not know yet.

    files: every unit that changed (a file, or a Climpt agent) with the commands it holds now, in order; an empty
    list is a unit that is gone. order: all units, in the order in which their commands count.
    warnings: what could not be read, each by name; they replace the earlier ones. failures: the units whose
    commands are older than they should be, or none, because of (path, details).
    marks: of the units in `files`, what differs when they do; `CommandSource.resume` takes it back.
    """

    freshness: Freshness
    files: Mapping[str, Sequence[CommandText]]
    order: Sequence[str]
    warnings: Sequence[str] = ()
    failures: Mapping[str, tuple[str, str]] = MappingProxyType({})
    marks: Mapping[str, str] = MappingProxyType({})


class CommandSource(Protocol):
    """One kind of command library. It never raises for a broken file: that is a warning."""

    name: str

    def resume(self, marks: Mapping[str, str]) -> None:
        """Before the first refresh: the units that the reader knows already, each with its mark. It gets only
        what differs from them."""
        ...

    async def refresh(self, *, everything: bool = False) -> Refresh:
        """The barrier before an answer: what was written before the call is in it. It takes as long as the disk
        does.

        everything: read all again, as `reload` does. A unit that cannot be read keeps its commands then.
        """
        ...

    async def content(self, command: Command, deadline: float) -> str:
        """The command's whole text. Raises NotFoundError (`file_not_found`), DeadlineError."""
        ...

    async def contents(self, commands: Sequence[Command], deadline: float) -> list[str | None]:
        """The texts of several, None for what cannot be read, or not in time."""
        ...

    def close(self) -> None: ...


# By source, then by unit in order: its mark ("" when it must be read again) and its commands.
KeptUnits = Mapping[str, Mapping[str, tuple[str, Sequence[Command]]]]


class Kept(NamedTuple):
    """What an earlier daemon read of the libraries. The index calls a command (source, unit, number in it)."""

    units: KeptUnits
    best: BestIndex


class CommandShelf(Protocol):
    """Where what was read is kept between daemons. Blocking; it never raises: it is only a cache."""

    def load(self) -> Kept | None: ...

    def save(self, units: KeptUnits, index: Frozen) -> None: ...


class ReportStore(Protocol):
    """The library of past reports. Every path is relative to the reports folder, with `/`.

    generation: another one whenever what it answers may have changed.
    """

    @property
    def generation(self) -> Hashable: ...

    async def refresh(self, deadline: float, *, everything: bool = False) -> Freshness:
        """The barrier before an answer, as `CommandSource.refresh`; building goes on in the background."""
        ...

    async def search(self, query: ReportQuery, limit: int, deadline: float) -> list[ReportHit]:
        """The best reports, best first. Raises DeadlineError."""
        ...

    async def listed(
        self, command: str, since: str, until: str, offset: int, limit: int, deadline: float
    ) -> tuple[list[Report], int]:
        """The reports of a command ("" is all) between two days ("" is open), newest first, and how many
        there are."""
        ...

    async def newest(self, deadline: float) -> Mapping[str, str]:
        """By command, as its folder spells it, the date of its newest report."""
        ...

    async def find(self, path: str, deadline: float) -> Report:
        """The report that `path` (relative, absolute, or a bare file name) names. Raises NotFoundError
        (`report_not_found`), ForbiddenError (`outside_root`), InputError (`bad_path`)."""
        ...

    async def text(self, report: Report, deadline: float) -> str:
        """Its whole text. Raises NotFoundError (`report_not_found`), DeadlineError."""
        ...

    def warnings(self) -> Sequence[str]: ...

    def close(self) -> None: ...


class Usage(Protocol):
    """Which commands were invoked, by canonical id, where the user wants that kept. It never raises: what cannot be
    kept is not.

    generation: another one whenever `uses` may answer otherwise.
    """

    @property
    def generation(self) -> Hashable: ...

    async def note(self, canonical_id: str) -> None: ...

    async def uses(self) -> Mapping[str, Use]: ...


class Traits(Protocol):
    """What the workspace consists of."""

    async def traits(self) -> Mapping[str, str]:
        """Words (`playwright`, `docker`), each with the file that says so, below the root."""
        ...


class HttpResponse(NamedTuple):
    """headers: by their name in lower case. truncated: there was more than the limit."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    truncated: bool


class HttpCaller(Protocol):
    """Sends requests to other people's servers."""

    async def send(self, request: HttpRequest, deadline: float) -> HttpResponse:
        """The answer, redirects within the same origin followed.

        Raises ExecutionError (`unreachable`), ForbiddenError (`private_address`), DeadlineError.
        """
        ...
