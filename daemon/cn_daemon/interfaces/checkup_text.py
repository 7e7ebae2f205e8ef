"""A checkup as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from cn_daemon.domain.checkup import Finding, worst
from cn_daemon.interfaces.ink import Ink, clean
from cn_daemon.interfaces.phrases import count


def document(findings: Sequence[Finding]) -> dict[str, object]:
    """`{"state", "checks": [{"check", "state", "message", "fix"?}]}`."""
    rows = [{"check": one.check, "state": one.state, "message": one.message, "fix": one.fix} for one in findings]
    return {"state": worst(findings), "checks": [{key: word for key, word in row.items() if word} for row in rows]}


def render(findings: Sequence[Finding], *, color: bool) -> str:
    """One line for each, the fix below it, and the sum."""
    ink = Ink(color)
    marks = {"ok": ink.place("ok  "), "warn": ink.warning("warn"), "fail": ink.failure("fail")}
    width = max((len(one.check) for one in findings), default=0)
    lines = []
    for one in findings:
        lines.append(f"{marks[one.state]} {one.check:{width}}  {clean(one.message)}")
        if one.fix:
            lines.append(f"     {'':{width}}  {ink.aside('fix:')} {clean(one.fix)}")
    warnings, failures = (sum(one.state == state for one in findings) for state in ("warn", "fail"))
    said = [count(failures, "failure")] * bool(failures) + [count(warnings, "warning")] * bool(warnings)
    return "\n".join([*lines, ", ".join(said) or "all is well"]) + "\n"
