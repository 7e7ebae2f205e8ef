"""The command sources and the report store that the settings name."""

from __future__ import annotations

import os
from pathlib import Path

from cn_daemon.adapters.command_sources.catalogs import CatalogReader
from cn_daemon.adapters.command_sources.climpt import ClimptReader
from cn_daemon.adapters.command_sources.markdown import MarkdownReader, places
from cn_daemon.adapters.command_sources.threaded import ThreadedSource
from cn_daemon.adapters.no_reports import NoReports
from cn_daemon.adapters.report_index import SqliteReportIndex
from cn_daemon.application.ports import CommandSource
from cn_daemon.settings import Settings
from cn_shared.folders import cache_folder

# When one of these settings changes, the libraries are read anew.
DECISIVE = ("commands_directory", "reports_directory", "catalogs", "cache_ttl_seconds", "cache_directory")


def command_sources(root: Path, settings: Settings) -> list[CommandSource]:
    """One source per kind of library; nothing is read yet."""
    root, home = Path(os.path.realpath(root)), Path(os.path.realpath(os.path.expanduser("~")))
    folders, warnings = places(root, home, settings.commands_directory)
    return [
        ThreadedSource(ClimptReader(root, home)),
        ThreadedSource(MarkdownReader(folders, warnings, settings.cache_ttl_seconds)),
        ThreadedSource(CatalogReader(settings.catalogs)),
    ]


def report_store(settings: Settings) -> SqliteReportIndex | NoReports:
    """The index over the reports folder; nothing is read yet."""
    if settings.reports_directory is None:
        return NoReports()
    cache = settings.cache_directory or cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    return SqliteReportIndex(settings.reports_directory, cache, settings.cache_ttl_seconds)
