"""What a client is told of the server as a whole, once: which tools there are for what, and in which order."""

from __future__ import annotations

from collections.abc import Collection

_NAVIGATION = (
    "Code (TypeScript, JavaScript, Python, C, C++, Go, Rust): find a name instead of grepping for it, then inspect an "
    "id from the answer instead of reading the file; map_file outlines a file before you read it. Every answer says "
    "whether it is complete."
)
_COMMANDS = (
    "Commands: search_commands for what the user wants done, get_command for the one you choose, then "
    "invoke_command. What it renders is for you to carry out."
)
_CLIMPT = "Climpt commands: search, describe, execute, in this order."
_REPORTS = "Reports: search_reports before you analyse something anew, get_report to read one."


def instructions(tools: Collection[str]) -> str:
    """A paragraph per family of tools that is there."""
    parts = (("find", _NAVIGATION), ("search_commands", _COMMANDS), ("execute", _CLIMPT), ("search_reports", _REPORTS))
    told = [text for name, text in parts if name in tools]
    return "\n".join([*told, "Errors are JSON with a hint: follow it. Long answers end in `next`: pass it as cursor."])
