"""Which source files no tsconfig includes."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cn_daemon.adapters.checkup import tsconfigs
from cn_daemon.adapters.file_tree import FileTree
from cn_daemon.adapters.json_text import without_comments
from cn_daemon.adapters.language_servers.languages import LANGUAGES, Language, indexed
from cn_daemon.adapters.language_servers.sources import ENDINGS, is_project
from cn_daemon.domain.checkup import Finding

_SHOWN = 5
_MANY = 60
_WATCH_FIX = "raise the limit: sudo sysctl fs.inotify.max_user_watches=524288"


@dataclass(frozen=True, slots=True)
class Files:
    """sources: of TypeScript and JavaScript. projects: tsconfigs. others: further languages with files here."""

    mode: str
    sources: list[str]
    projects: list[str]
    others: list[Language]


async def listed(root: Path, further: Sequence[Language] = ()) -> Files:
    """The files of the workspace that matter, without those that git ignores. further: the user's own languages."""
    endings = {ending for row in further for ending in row.endings}
    tree = FileTree(root, lambda name: indexed(name) or is_project(name) or os.path.splitext(name)[1] in endings)
    try:
        await asyncio.to_thread(tree.scan)
    finally:
        mode = tree.mode
        tree.close()
    endings = {os.path.splitext(path)[1] for path in tree.files}
    sources = sorted(path for path in tree.files if os.path.splitext(path)[1] in ENDINGS)
    others = [row for row in (*further, *LANGUAGES) if not endings.isdisjoint(row.endings)]
    return Files(mode, sources, [path for path in tree.files if is_project(path)], others)


async def coverage(root: Path, files: Files, compiler: tuple[Path, ...]) -> list[Finding]:
    """The workspace's files against its tsconfigs, as the compiler reads them."""
    findings = [_watching(files.mode)] if files.mode != "inotify" else []
    if not files.sources and files.others:
        return findings
    findings += await asyncio.to_thread(_broken, root, files.projects[:_MANY])
    return [*findings, *await _covered(root, files.sources, files.projects, compiler)]


def _watching(mode: str) -> Finding:
    message = f"the workspace's folders cannot be watched ({mode}): every question looks at every file"
    return Finding("files", "warn", message, _WATCH_FIX)


def _broken(root: Path, projects: list[str]) -> list[Finding]:
    """The compiler reads on behind a mistake, and says nothing of it when it is asked for the options."""
    findings = []
    for path in projects:
        try:
            text = Path(path).read_text("utf-8-sig")
            json.loads(without_comments(text) or "{}", strict=False)
        except ValueError as error:
            where = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
            message = (
                f"{os.path.relpath(path, root)}{where} is not valid JSON (comments are fine): its options are guessed"
            )
            findings.append(Finding("tsconfig", "warn", message, "mend the file"))
        except OSError:
            continue
    return findings


async def _covered(root: Path, sources: list[str], projects: list[str], compiler: tuple[Path, ...]) -> list[Finding]:
    if not sources:
        return [Finding("tsconfig", "warn", "there are no source files here", "is --root right?")]
    if not projects:
        return [_loose(root, sources, sources, "no tsconfig.json")]
    if not compiler:
        message = f"{len(projects)} found; which files they include is known once TypeScript is installed"
        return [Finding("tsconfig", "ok", message)]
    if len(projects) > _MANY:
        return [Finding("tsconfig", "ok", f"{len(projects)} found, too many to read here")]
    configs = await tsconfigs.read(compiler, projects)
    if configs.complaints:
        # What such a file includes is not known: it may extend a package that is not installed yet.
        config, complaint = min(configs.complaints.items(), key=lambda one: (one[0].count(os.sep), one))
        said = re.sub(r"^.*?: (?=error )", "", complaint)
        message = f"{len(configs.complaints)} of {len(projects)} tsconfig files cannot be read whole: "
        message += f"{os.path.relpath(config, root)}: {said}"
        return [Finding("tsconfig", "warn", message, "install the workspace's packages, or mend the file")]
    findings = []
    if configs.without_files:
        names = ", ".join(os.path.relpath(config, root) for config in sorted(configs.without_files)[:_SHOWN])
        fix = "mend its include, exclude or files: nothing is of that project"
        findings.append(Finding("tsconfig", "warn", f"no file is included by {names}", fix))
    outside = [path for path in sources if path not in configs.included]
    return [*findings, _loose(root, outside, sources, f"{len(projects)} tsconfig files")]


def _loose(root: Path, outside: list[str], sources: list[str], configs: str) -> Finding:
    if not outside:
        return Finding("tsconfig", "ok", f"{configs} include all {len(sources)} source files")
    # Those of TypeScript first: JavaScript often stands outside on purpose.
    outside = sorted(outside, key=lambda path: (ENDINGS[os.path.splitext(path)[1]][0] != "T", path))
    names = ", ".join(os.path.relpath(path, root) for path in outside[:_SHOWN])
    more = " …" if len(outside) > _SHOWN else ""
    message = f"{configs}; {len(outside)} of {len(sources)} source files are in none: {names}{more}"
    return Finding("tsconfig", "ok", message)
