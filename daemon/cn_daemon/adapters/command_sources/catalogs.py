"""Catalogs: manifests and OpenAPI documents, JSON or YAML, in the order of the setting `catalogs`.

An entry of the setting is a file, or a folder. A folder's `catalogs.json` says which files count, in which order,
with which title, base URLs and headers; without one, all of its .json, .yaml and .yml files do, by name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cn_daemon.adapters import json_text, yaml_text
from cn_daemon.adapters.command_sources.manifest import (
    Entry,
    Origin,
    Unfit,
    elements,
    first,
    listed,
    manifest_commands,
    text,
)
from cn_daemon.adapters.command_sources.marks import mark_of
from cn_daemon.adapters.command_sources.openapi import openapi_commands
from cn_daemon.adapters.command_sources.rows import sound
from cn_daemon.adapters.file_tree import Stamp, stamp
from cn_daemon.adapters.patient_files import inside, patiently, read_file, read_text, tell
from cn_daemon.application.libraries.library_ports import Freshness, Refresh
from cn_daemon.domain.libraries.commands import CommandText
from cn_daemon.domain.libraries.plain_values import plain_document

LIST = "catalogs.json"
ENDINGS = (".json", ".yaml", ".yml")
_FILE_LIMIT = 32 << 20


class CatalogReader:
    """A `Reader`; a unit is a file. A file that cannot be read any more keeps its commands."""

    name = "catalog"

    def __init__(self, places: Sequence[Path]) -> None:
        self._places = places
        self._seen: dict[str, tuple[Entry, Stamp]] = {}
        self._failures: dict[str, tuple[str, str]] = {}
        self._faulty: dict[str, str] = {}
        self._listings: dict[str, tuple[Stamp | None, dict[str, Entry], str]] = {}
        self._resumed: dict[str, str] = {}

    def resume(self, marks: Mapping[str, str]) -> None:
        self._resumed = dict(marks)

    def read(self, *, everything: bool) -> Refresh:
        entries, warnings = self._entries()
        known = self._seen.keys() | self._resumed.keys()
        files: dict[str, list[CommandText]] = {path: [] for path in known - entries.keys()}
        marks: dict[str, str] = {}
        for path in files:
            self._seen.pop(path, None)
        self._failures = {path: why for path, why in self._failures.items() if path in entries}
        for path, entry in entries.items():
            mark = stamp(path)
            if not everything and mark is not None and self._seen.get(path) == (entry, mark):
                continue
            kept_mark = mark_of(mark, entry)
            if not everything and mark is not None and kept_mark and self._resumed.get(path) == kept_mark:
                self._seen[path] = (entry, mark)
                continue
            try:
                files[path], faults = read_catalog(path, entry, mark)
            except Exception as problem:  # one file's: the others are read all the same
                self._failures[path] = (path, str(problem) if isinstance(problem, Unfit) else tell(problem))
            else:
                self._failures.pop(path, None)
                self._faulty[path] = faults
                # What is wrong with its rows a later daemon has to tell again.
                marks[path] = "" if faults else kept_mark
            if mark is not None:
                self._seen[path] = (entry, mark)
        self._resumed = {}
        warnings += [f"{path}: {why}." for path, why in self._failures.values()]
        warnings += [f"{path}: {faults}" for path, faults in self._faulty.items() if faults and path in entries]
        return Refresh(Freshness(), files, list(entries), warnings, dict(self._failures), marks)

    def text(self, path: str) -> str:
        return read_text(path, lambda real: real == path)

    def close(self) -> None:
        pass

    def _entries(self) -> tuple[dict[str, Entry], list[str]]:
        """Every file with what is said of it, in order."""
        found: dict[str, Entry] = {}
        warnings: list[str] = []
        for place in self._places:
            try:
                if place.is_dir():
                    listing = str(place / LIST)
                    if not os.path.exists(listing):
                        found |= _of_folder(str(place))
                        continue
                elif place.name == LIST:
                    listing = str(place)
                else:
                    found[os.path.realpath(place)] = Entry()
                    continue
                _, entries, faults = self._listed(listing)
                found |= entries
                warnings += [f"{listing}: {faults}"] if faults else []
            except Exception as problem:  # one place's, as one with a NUL
                why = str(problem) if isinstance(problem, Unfit) else tell(problem)
                warnings.append(f"catalogs: {place}: {why}.")
        return found, warnings

    def _listed(self, path: str) -> tuple[Stamp | None, dict[str, Entry], str]:
        """What a list of catalogs says, and a sentence on rows that name none; it is read again when it changes."""
        mark = stamp(os.path.realpath(path))
        known = self._listings.get(path)
        if known is None or known[0] != mark:
            known = self._listings[path] = (mark, *_of_list(path))
        return known


def _of_folder(folder: str) -> dict[str, Entry]:
    names = patiently(lambda: sorted(os.listdir(folder)))
    paths = [os.path.realpath(os.path.join(folder, name)) for name in names if name.lower().endswith(ENDINGS)]
    return {path: Entry() for path in paths}


def _of_list(path: str) -> tuple[dict[str, Entry], str]:
    folder = os.path.dirname(os.path.realpath(path))
    document = parsed(path, read_file(path))
    rows = document.get("catalogs") if isinstance(document, dict) else document
    if not isinstance(rows, list):
        raise Unfit("It has no list catalogs")
    found: dict[str, Entry] = {}
    named, faults = sound(rows, lambda row: _fault(row, folder))
    for row in named:
        if row.get("is_enabled") is False:
            continue
        urls = [url for url in elements(row.get("base_urls")) if isinstance(url, str)]
        at = row.get("base_url_index")
        if isinstance(at, int) and 0 < at < len(urls):
            urls.insert(0, urls.pop(at))
        headers = tuple(_header(header) for header in listed(row.get("headers")) if _header(header)[0])
        found[_file(row, folder)] = Entry(text(row.get("title")), text(row.get("description")), tuple(urls), headers)
    return found, faults


def _fault(row: Any, folder: str) -> str:
    """Why a row of a list names no catalog; "" for one that does."""
    if not isinstance(row, dict):
        return "is not an object"
    name = _named(row)
    if not name or "\0" in name or (file := _file(row, folder)) == folder:
        return "names no file"
    # A list names files beside itself: it must not lead the daemon through the disk.
    return "" if inside(file, folder) else f"leads out of {folder}"


def _file(row: Mapping[str, Any], folder: str) -> str:
    return os.path.realpath(os.path.join(folder, _named(row)))


def _named(row: Mapping[str, Any]) -> str:
    return first(row, "manifest_path", "path", "openapi_path")


def read_catalog(path: str, entry: Entry, mark: Stamp | None) -> tuple[list[CommandText], str]:
    """The commands of one manifest or OpenAPI document, and a sentence on rows that are none. Raises OSError, Unfit."""
    document = parsed(path, read_file(path, _FILE_LIMIT, lambda real: real == path))
    origin = Origin(path, mark[0] / 1e9 if mark else 0.0, mark[1] if mark else 0)
    if isinstance(document, dict) and ("openapi" in document or "swagger" in document):
        return openapi_commands(document, entry, origin), ""
    if isinstance(document, dict) and "commands" in document:
        return manifest_commands(document, entry, origin)
    raise Unfit("It is neither a manifest (vendor, commands) nor an OpenAPI document")


def parsed(path: str, content: bytes) -> Any:
    """The document of a JSON or YAML file. Raises Unfit."""
    if path.lower().endswith(".json"):
        try:
            return json_text.load(content)
        except ValueError as error:
            place = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
            raise Unfit(f"It is not valid JSON{place}") from None
    import yaml

    try:
        document = yaml_text.load(content)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise Unfit(f"It is not valid YAML{f' (line {mark.line + 1})' if mark else ''}") from None
    try:
        return plain_document(document)
    except ValueError as error:
        raise Unfit(f"It cannot be read: {error}") from None


def _header(row: Any) -> tuple[str, str]:
    return first(row, "key", "name"), first(row, "value")
