"""Which use case answers which question about code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from cn_daemon.adapters.git_history import GitHistory
from cn_daemon.application.navigation import Navigation
from cn_daemon.application.portrait import Portrait
from cn_daemon.application.ports import Handler
from cn_daemon.application.question import Desk
from cn_daemon.application.relations import Relations
from cn_daemon.application.survey import Survey
from cn_daemon.bootstrap.code import Code
from cn_shared.relation_verbs import RELATION_VERBS
from cn_shared.survey_verbs import SURVEY_VERBS

USE_CASES: Mapping[str, type[Navigation | Portrait | Relations | Survey]] = {
    "map": Navigation,
    "find": Navigation,
    "inspect": Portrait,
    **{row.name: Relations for row in RELATION_VERBS},
    **{row.name: Survey for row in SURVEY_VERBS},
}


def handlers(code: Code, root: Path, passed_on: Callable[[], Mapping[str, str]]) -> dict[str, Handler]:
    """By verb. passed_on: what git is run with."""
    desk = Desk(code.workspace, code.words, code.servers, GitHistory(root, passed_on))
    return {verb: getattr(use_case(desk), verb) for verb, use_case in USE_CASES.items()}
