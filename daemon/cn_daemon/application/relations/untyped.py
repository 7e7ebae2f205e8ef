"""Why a type that a compiler tells may be `any` for want of what a file imports."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cn_daemon.application.question import Question
from cn_daemon.domain.source.forms import form_of

# A module or its declarations are not found, or an ending is refused or wanted:
# https://github.com/microsoft/TypeScript/blob/main/src/compiler/diagnosticMessages.json
NOT_FOUND = frozenset(f"TS{code}" for code in (2307, 2691, 2732, 2792, 2834, 2835, 2882, 5097, 7016))
# Of what is not found it tells the import alone.
_UNKNOWN = re.compile(r"\bany\b|^import ")


async def lacking(question: Question, paths: Sequence[str], signature: str) -> str:
    """The reason, or nothing. paths: the loaded files that such a type may come from. Raises what
    `LanguageServer.diagnostics` raises."""
    checked = [path for path in paths if form_of(path) is None] if _UNKNOWN.search(signature) else []
    for path, found in (await question.server.diagnostics(checked, question.deadline)).items() if checked else ():
        lost = next((one for one in found if one.code in NOT_FOUND), None)
        if lost is not None:
            where = question.documents.place(path, lost.span.start.line)
            return f"{where} imports what the compiler does not find, of which it knows no types"
    return ""
