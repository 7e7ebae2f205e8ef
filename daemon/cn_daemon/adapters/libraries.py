"""The command sources and the report store that the settings name."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

from cn_daemon.adapters.command_shelf import FileShelf
from cn_daemon.adapters.command_sources.catalogs import CatalogReader
from cn_daemon.adapters.command_sources.climpt import ClimptReader
from cn_daemon.adapters.command_sources.markdown import MarkdownReader, places
from cn_daemon.adapters.command_sources.mcp_tools import McpReader
from cn_daemon.adapters.command_sources.plugins import InstalledPlugins
from cn_daemon.adapters.command_sources.threaded import ThreadedSource
from cn_daemon.adapters.no_reports import NoReports
from cn_daemon.adapters.report_index import ReportIndex, SqliteReportIndex
from cn_daemon.adapters.runners.folders import ReadableFolders
from cn_daemon.adapters.runners.mcp import McpPrograms
from cn_daemon.adapters.runners.programs import ProgramRunner
from cn_daemon.adapters.usage_file import UsageFile
from cn_daemon.application.libraries.library_ports import CommandSource
from cn_daemon.settings import Settings
from cn_shared.errors import InputError
from cn_shared.folders import cache_folder, state_folder
from cn_shared.folders import home as home_folder
from cn_shared.state import root_key


def command_sources(root: Path, settings: Settings, environ: Callable[[], Mapping[str, str]]) -> list[CommandSource]:
    """One source per kind of library; nothing is read yet. environ: what programs are run with."""
    root, home = Path(os.path.realpath(root)), Path(os.path.realpath(home_folder()))
    folders, warnings = places(root, home, settings.commands_directory)
    readable = [folder for folder in (root, settings.commands_directory, settings.reports_directory) if folder]
    return [
        ThreadedSource(ClimptReader(root, home)),
        ThreadedSource(MarkdownReader(folders, warnings, settings.cache_ttl_seconds, readable, InstalledPlugins(home))),
        ThreadedSource(CatalogReader(settings.catalogs)),
        ThreadedSource(McpReader(root, mcp_programs(root, environ).tools)),
    ]


def mcp_programs(root: Path, environ: Callable[[], Mapping[str, str]]) -> McpPrograms:
    """What starts the MCP servers of the workspace. environ: the caller's variables without secrets."""
    runner = ProgramRunner(root, ReadableFolders(root, list), environ, lambda: 0)
    return McpPrograms(root, runner, environ)


def command_shelf(root: Path, settings: Settings) -> FileShelf:
    """Where what is read of these sources is kept."""
    home = os.path.realpath(home_folder())
    name = json.dumps(
        [os.path.realpath(root), home, str(settings.commands_directory), list(map(str, settings.catalogs))]
    )
    return FileShelf(_cache(settings), name)


def usage_file(root: Path, settings: Callable[[], Settings]) -> UsageFile:
    """What was used of them, where the settings want that kept."""
    key = root_key(os.path.realpath(root))
    return UsageFile(lambda: state_folder() / f"usage-{key}.json", lambda: settings().usage, date.today)


def report_store(settings: Settings) -> ReportIndex | NoReports:
    """The index over the reports folder; nothing is read yet. Raises InputError (`no_driver`)."""
    if settings.reports_directory is None:
        return NoReports()
    if settings.reports_database:
        try:
            from cn_daemon.adapters.report_postgres import PostgresPlace
        except ImportError:
            hint = "Install it: pip install 'cn-bridge[postgresql]'"
            raise InputError("no_driver", "reports_database needs PostgreSQL's driver psycopg.", hint) from None
        place = PostgresPlace(settings.reports_database)
        return ReportIndex(settings.reports_directory, place, settings.cache_ttl_seconds)
    return SqliteReportIndex(settings.reports_directory, _cache(settings), settings.cache_ttl_seconds)


def _cache(settings: Settings) -> Path:
    """Raises InputError (`no_cache`)."""
    try:
        if settings.cache_directory is None:
            return cache_folder()
        settings.cache_directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        hint = "Name another in the setting cache_directory (CN_CACHE_DIRECTORY)."
        raise InputError("no_cache", f"The cache folder cannot be used: {error}.", hint) from None
    return settings.cache_directory
