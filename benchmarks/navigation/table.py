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
    ("cold_ms", "cold s"),
    ("warm_ms", "warm ms p50/p90"),
    ("process_ms", "process ms p50/p90"),
    ("bytes", "bytes p50/p90"),
)


def table(rows: list[dict[str, Any]], deviations: int) -> str:
    """Markdown: a row per workspace and contestant, then the first deviations of each."""
    lines = ["| project | TypeScript | by | " + " | ".join(title for _, title in _COLUMNS) + " |"]
    lines.append("|" + "---|" * (len(_COLUMNS) + 3))
    told = []
    for row in rows:
        head = f"| {row['project']} | {row['typescript']} |"
        lines.append(
            f"{head} {row['contestant']} | " + " | ".join(_cell(name, row[name]) for name, _ in _COLUMNS) + " |"
        )
        if row["project"] != "all" and row["contestant"] == "cn":
            told += [f"- {row['project']} {row['typescript']}: {one}" for one in row["deviations"][:deviations]]
    return "\n".join([*lines, *(["", "Deviations of cn:", *told] if told else [])])


def _cell(name: str, value: dict[str, Any]) -> str:
    if name in ("wrong_complete", "cold_exact"):
        return f"{value['right']} of {value['of']}"
    if "percent" in value:
        return "–" if value["percent"] is None else f"{value['percent']:.2f}"
    if value["p50"] is None:
        return "–"
    if name == "cold_ms":
        return f"{value['p50'] / 1000:.1f}"
    return f"{value['p50']:.0f} / {value['p90']:.0f}"
