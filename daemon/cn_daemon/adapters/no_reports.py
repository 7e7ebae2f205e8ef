"""The port `ReportStore` of a workspace that names no reports folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cn_daemon.application.libraries.library_ports import Freshness
from cn_daemon.domain.libraries.reports import Report, ReportHit, ReportQuery
from cn_shared.errors import NotFoundError
from cn_shared.wire import LibraryStatus


class NoReports:
    generation = 0

    async def refresh(self, deadline: float, *, everything: bool = False) -> Freshness:
        return Freshness()

    async def search(self, query: ReportQuery, limit: int, deadline: float) -> list[ReportHit]:
        return []

    async def listed(
        self, command: str, since: str, until: str, offset: int, limit: int, deadline: float
    ) -> tuple[list[Report], int]:
        return [], 0

    async def newest(self, deadline: float) -> Mapping[str, str]:
        return {}

    async def find(self, path: str, deadline: float) -> Report:
        raise NotFoundError(
            "report_not_found", f"There is no report {path}.", "No reports_directory is set: see `cn config show`."
        )

    async def text(self, report: Report, deadline: float) -> str:
        raise NotFoundError("report_not_found", f"There is no report {report.path}.")

    def warnings(self) -> Sequence[str]:
        return ()

    def progress(self) -> list[LibraryStatus]:
        return []

    def close(self) -> None:
        pass
