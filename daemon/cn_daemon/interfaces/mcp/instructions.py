"""What a client is sent about the server, once: which tools there are for what, and in which order."""

from __future__ import annotations

from collections.abc import Collection

_NAVIGATION = (
    "Code (TypeScript, JavaScript, Python, C, C++, Go, Rust, PHP, Bash): find a name instead of grepping for it, "
    "then inspect a place from the answer instead of reading the file; grep finds other text; map_file outlines a file "
    "before you read it. Every answer says whether it is complete. `budget` bounds any answer, in tokens."
)
_LIBRARIES = (
    "Where tools for them are listed: search_commands, get_command, invoke_command for what the user wants done; "
    "search_reports, get_report before you analyse something anew; search, describe, execute for Climpt commands."
)


def instructions(tools: Collection[str]) -> str:
    """A paragraph per family of tools that is there."""
    texts = [text for name, text in (("find", _NAVIGATION), ("search_commands", _LIBRARIES)) if name in tools]
    return "\n".join([*texts, "Errors carry a hint: follow it. A long answer ends in a cursor for the rest."])
