"""Whether an answer is complete, and what is missing when it is not."""

from __future__ import annotations

from dataclasses import replace

from cn_daemon.application.ports import Coverage
from cn_shared.wire import Completeness


def verdict(coverage: Coverage, files: int, reason: str = "") -> Completeness:
    """The completeness that an answer states."""
    reason = reason or coverage.reason
    return Completeness(
        status="partial" if reason or coverage.missing else "complete",
        projects_loaded=coverage.projects_loaded,
        projects_total=coverage.projects_total,
        files=files,
        reason=reason or None,
    )


def doubted(completeness: Completeness, doubt: str) -> Completeness:
    """The same, partial when there is a further reason for it."""
    if not doubt:
        return completeness
    return replace(completeness, status="partial", reason=completeness.reason or doubt)
