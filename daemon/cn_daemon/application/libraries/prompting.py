"""Render a Markdown command for the caller to carry out. Nothing in it is run, and nothing is written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.domain.libraries import prompts
from cn_daemon.domain.libraries.commands import Command
from cn_daemon.settings import Settings

_SLUG_LENGTH = 40


class Prompting:
    """reports: the folder of reports, or None. now: the local time, for the report's name."""

    def __init__(
        self, settings: Callable[[], Settings], reports: Callable[[], Path | None], now: Callable[[], datetime]
    ) -> None:
        self._settings = settings
        self._reports = reports
        self._now = now

    def render(
        self,
        command: Command,
        text: str,
        values: Mapping[str, Any],
        words: Sequence[str],
        dialect: str | None,
        stdin: str,
    ) -> PlainAnswer:
        """`{"content", "pending", "report_path"?}`. values: arguments by name; `arguments` is the raw text."""
        named = {name: _text(value) for name, value in values.items() if name != "arguments"}
        if stdin:
            named["stdin"] = stdin
        raw = _text(values["arguments"]) if "arguments" in values else ""
        arguments = " ".join(filter(None, (raw, prompts.joined(words) if words else "")))
        chosen = dialect or self._settings().prompt_dialect
        if chosen == "auto":
            chosen = prompts.dialect_of(command.path, text)
        rendered = prompts.render(text, cast(prompts.Dialect, chosen), arguments, named)
        if prompts.is_skill(command.path):
            # Its scripts and references are named relative to it, and Claude Code tells so.
            base = f"Base directory for this skill: {Path(command.path).parent}"
            rendered = rendered._replace(content=f"{base}\n\n{rendered.content}")
        pending = [{"kind": item.kind, "text": item.text} for item in rendered.pending]
        document: dict[str, Any] = {"content": rendered.content, "pending": pending}
        folder = self._reports()
        if folder is not None:
            of_command = folder / command.name
            of_command = of_command if of_command.is_dir() else folder / f"{command.name}-reports"
            document["report_path"] = str(of_command / self._name(command, arguments))
        return PlainAnswer(document)

    def _name(self, command: Command, arguments: str) -> str:
        """`<date>-<what>-<time>.md`: the date leads, the time distinguishes two of a day."""
        now = self._now()
        slug = re.sub(r"\W+", "-", (arguments or command.name.rpartition("/")[2]).lower())[:_SLUG_LENGTH].strip("-")
        return f"{now:%Y-%m-%d}-{slug or 'report'}-{now:%H%M%S}.md"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
