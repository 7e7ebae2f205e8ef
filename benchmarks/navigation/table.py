"""The figures as people read them."""

from __future__ import annotations

from typing import Any

_COLUMNS = (
    ("definition", "definition %"),
    ("precision", "refs precision %"),
    ("recall", "refs recall %"),
    ("outline_precision", "outline precision %"),
    ("outline_recall", "outline recall %"),
    ("declaration_block", "blocks, declarations %"),
    ("body_block", "blocks, bodies %"),
    ("wrong_complete", "wrong but complete"),
    ("partial", "partial %"),
    ("cold_exact", "cold right"),
    ("again", "same again"),
    ("cold_ms", "cold s"),
    ("warm_ms", "warm ms p50/p90"),
    ("process_ms", "process ms p50/p90"),
    ("bytes", "bytes p50/p90"),
)
_RELATIONS = (
    ("callers_precision", "callers precision %"),
    ("callers_recall", "callers recall %"),
    ("callers_wrong_complete", "wrong but complete"),
    ("impls_precision", "impls precision %"),
    ("impls_recall", "impls recall %"),
    ("impls_wrong_complete", "wrong but complete"),
    ("relations_partial", "partial %"),
)


def table(rows: list[dict[str, Any]], deviations: int) -> str:
    """Markdown: a row per workspace and contestant, the relations of those that tell some, the first deviations."""
    related = [row for row in rows if row["relations_partial"]["of"]]
    lines = _table(rows, _COLUMNS)
    if related:
        lines += ["", "Relations:", "", *_table(related, _RELATIONS)]
    told = [
        f"- {row['project']} {row['typescript']}: {one}"
        for row in rows
        if row["project"] != "all" and row["contestant"] == "cn"
        for one in row["deviations"][:deviations]
    ]
    doubts = [
        f"- {row['project']} {row['typescript']}, {count} times: {reason}"
        for row in rows
        if row["project"] != "all" and row["contestant"] == "cn"
        for reason, count in list(row["doubts"].items())[:deviations]
    ]
    lines += ["", "Deviations of cn:", *told] if told else []
    return "\n".join([*lines, *(["", "Why answers of cn were partial:", *doubts] if doubts else [])])


def _table(rows: list[dict[str, Any]], columns: tuple[tuple[str, str], ...]) -> list[str]:
    lines = ["| project | TypeScript | by | " + " | ".join(title for _, title in columns) + " |"]
    lines.append("|" + "---|" * (len(columns) + 3))
    for row in rows:
        head = f"| {row['project']} | {row['typescript']} | {row['contestant']} | "
        lines.append(head + " | ".join(_cell(name, row[name]) for name, _ in columns) + " |")
    return lines


def _cell(name: str, value: dict[str, Any]) -> str:
    if name.endswith("wrong_complete") or name in ("cold_exact", "again"):
        return f"{value['right']} of {value['of']}"
    if "percent" in value:
        return "–" if value["percent"] is None else f"{value['percent']:.2f}"
    if value["p50"] is None:
        return "–"
    if name == "cold_ms":
        return f"{value['p50'] / 1000:.1f}"
    return f"{value['p50']:.0f} / {value['p90']:.0f}"
