"""A small library of commands and reports, as people have them."""

from __future__ import annotations

import json
from pathlib import Path

ANALYZE = """---
description: Analyse a log file and write a report
argument-hint: [path]
---
# Analyse a log

Read $ARGUMENTS and tell what failed.
"""
REGISTRY = {
    "version": "1.0.0",
    "description": "Climpt commands",
    "tools": {
        "commands": [
            {
                "c1": "git",
                "c2": "group-commit",
                "c3": "unstaged-changes",
                "description": "Group file changes by semantic proximity and commit them",
                "usage": "climpt-git group-commit unstaged-changes",
                "options": {"edition": ["default", "detailed"], "file": False, "stdin": True},
            },
        ]
    },
}
REPORT = "analyze_log-reports/2025-11-25-zoom.md"


def write(folder: Path, *, commands: int = 1, reports: int = 1) -> Path:
    """The library's settings file: `commands` Markdown commands, and `reports` reports of the first one."""
    (folder / "Commands").mkdir(parents=True)
    (folder / "Commands" / "analyze_log.md").write_text(ANALYZE)
    for number in range(1, commands):
        (folder / "Commands" / f"command{number:03}.md").write_text(f"# Command {number}\n\nDo number {number}.\n")
    home = folder / "Reports" / "analyze_log-reports"
    home.mkdir(parents=True)
    (home / "2025-11-25-zoom.md").write_text("# Zoom\n\nThe decode_response call failed.\n")
    for number in range(1, reports):
        (home / f"2025-10-{number % 28 + 1:02}-{number:03}.md").write_text(f"# Report {number}\n\nNothing.\n")
    config = folder / "library.json"
    config.write_text(json.dumps({"commands_directory": "Commands", "reports_directory": "Reports"}))
    return config


def write_registry(root: Path) -> None:
    folder = root / ".agent" / "climpt"
    folder.mkdir(parents=True)
    (folder / "registry.json").write_text(json.dumps(REGISTRY))
