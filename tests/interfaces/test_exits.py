"""What `cn` exits with, where that is not the outcome's own code."""

from __future__ import annotations

import pytest

from cn_shared.surveys import ChangedAnswer, Diagnostic, DiagnosticsAnswer
from cn_shared.wire import Completeness
from tests.fakes.services import COMPLETE

PARTIAL = Completeness("partial", 1, 2, 2, "time ran out")
ERROR = Diagnostic("ref::a.ts::1::1", "a.ts", 1, 1, "error", "TS2339", "No.")
WARNING = Diagnostic("ref::a.ts::2::1", "a.ts", 2, 1, "warning", "TS6133", "Hm.")


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (DiagnosticsAnswer(COMPLETE, 0, 2, []), 0),
        (DiagnosticsAnswer(COMPLETE, 1, 2, [WARNING]), 0),
        (DiagnosticsAnswer(COMPLETE, 2, 2, [ERROR, WARNING]), 1),
        (DiagnosticsAnswer(PARTIAL, 1, 2, [ERROR]), 3),
        (ChangedAnswer(COMPLETE, "HEAD", []), 0),
        (ChangedAnswer(PARTIAL, "HEAD", []), 3),
    ],
)
def test_no_complaint_and_no_change_are_no_failure(answer: DiagnosticsAnswer | ChangedAnswer, code: int) -> None:
    """`cn diagnostics` exited with 1 when all was well, and with 0 when there were errors."""
    assert answer.exit_code() == code
