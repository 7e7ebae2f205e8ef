"""Commands as JSON, spelled as their specifications spell them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from cn_daemon.application.libraries.command_search import Row
from cn_daemon.domain.libraries.commands import Command
from cn_daemon.domain.libraries.enrichment import argument, enrichment, output_fields
from cn_daemon.domain.libraries.ranking.words import WORDS

SUMMARY_CHARACTERS = 200


def result(row: Row, excerpt: str, last_used: str, include_inputs: str) -> dict[str, Any]:
    """A search result (specs/command-search, Result shape; specs/mcp-command-tool, Search Result)."""
    command = row.command
    fields: dict[str, Any] = listed(command)
    fields["relevance_score"] = row.relevance
    fields["match_reason"] = row.reason
    fields["match_tier"] = row.tier
    fields["excerpt"] = excerpt
    fields["last_used"] = last_used or None
    return {**fields, **enrichment(command, include_inputs)}


def listed(command: Command) -> dict[str, Any]:
    """A command in a list."""
    fields: dict[str, Any] = {
        "canonical_id": command.canonical_id,
        "name": command.name,
        "summary": shortened(command.description),
        "description": command.description,
        "execution_type": command.execution_type,
        "source": command.source,
        "last_modified": timestamp(command.last_modified),
    }
    if command.http is not None:
        fields["http_method"] = command.http.method
    return fields


def complete(command: Command, content: str, last_used: str) -> dict[str, Any]:
    """Everything of one command (specs/mcp-command-tool, Command Definition)."""
    fields = listed(command)
    fields |= {
        "path": command.path,
        "file_size": command.file_size,
        "keywords": list(command.keywords) or keywords(command),
        "last_used": last_used or None,
        "origin": command.origin,
    }
    if command.source == "markdown":
        fields |= {"content": content, "frontmatter": command.frontmatter}
    if command.climpt is not None:
        fields |= {"agent": command.climpt.agent, **described(command)}
    if command.http is not None:
        fields |= {"path_template": command.http.path, "base_urls": list(command.http.base_urls)}
    if command.mcp is not None:
        fields |= {"server": command.mcp.server, "tool": command.mcp.tool}
    if command.source == "catalog":
        fields |= {
            "positional_args": [argument(one) for one in command.positional_args],
            "flags": [argument(one) for one in command.flags],
            "output_schema": command.output_schema,
            "output_fields": output_fields(command.output_schema),
        }
    return fields


def described(command: Command) -> dict[str, Any]:
    """A Climpt command (specs/climpt-mcp-integration, CommandDescription)."""
    assert command.climpt is not None
    call = command.climpt
    fields: dict[str, Any] = {"c1": call.c1, "c2": call.c2, "c3": call.c3, "description": command.description}
    if call.usage is not None:
        fields["usage"] = call.usage
    if call.options is not None:
        fields["options"] = dict(call.options)
    if call.variables:
        fields["uv"] = list(call.variables)
    return fields


def scored(row: Row) -> dict[str, Any]:
    """A Climpt search result: {c1, c2, c3, description, score} (specs/climpt-command-operations)."""
    call = row.command.climpt
    assert call is not None
    return {"c1": call.c1, "c2": call.c2, "c3": call.c3, "description": row.command.description, "score": row.score}


def keywords(command: Command) -> list[str]:
    """The words of its name, as they are searched."""
    return list(dict.fromkeys(word.lower() for word in WORDS.findall(command.name)))


def shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= SUMMARY_CHARACTERS else text[: SUMMARY_CHARACTERS - 1].rstrip() + "…"


def timestamp(seconds: float) -> str | None:
    """ISO 8601 in UTC, None for a command that lies in no file."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds") if seconds else None
