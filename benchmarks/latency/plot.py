"""The figures as one SVG: bars side by side, each group on a scale of its own. No library draws it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from statistics import median

from benchmarks.latency.measuring import Part

WIDTH, LABEL, ROW, HEAD = 760, 300, 20, 34
OURS, OTHERS, INK = "#2f7ed8", "#a8b3bf", "#57606a"
Row = tuple[str, float, bool]


def drawn(parts: Mapping[str, Part]) -> str:
    """An SVG document; parts that were not measured are left out."""
    groups = [(title, rows) for name, part in parts.items() for title, rows in _groups(name, part)]
    pieces: list[str] = []
    top = 8
    for title, rows in groups:
        pieces.append(_text(8, top + 20, title, weight="600"))
        top += HEAD
        longest = max(value for _, value, _ in rows) or 1
        for label, value, ours in rows:
            pieces += _row(top, label, value, longest, ours=ours)
            top += ROW
        top += 10
    body = "\n".join(pieces)
    style = f"text {{ font: 12px system-ui, sans-serif; fill: {INK} }}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" width="{WIDTH}" height="{top}">\n'
        f"<style>{style}</style>\n{body}\n</svg>\n"
    )


def _row(top: int, label: str, value: float, longest: float, *, ours: bool) -> Iterator[str]:
    width = max(1.0, (WIDTH - LABEL - 90) * value / longest)
    yield _text(8, top + 14, label)
    yield f'<rect x="{LABEL}" y="{top + 3}" width="{width:.1f}" height="14" rx="2" fill="{OURS if ours else OTHERS}"/>'
    yield _text(LABEL + width + 6, top + 14, f"{value:,.0f}" if value >= 100 else f"{value:.1f}")


def _text(x: float, y: float, words: str, weight: str = "400") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-weight="{weight}">{escape(words)}</text>'


def _groups(name: str, part: Part) -> Iterator[tuple[str, list[Row]]]:
    if name == "warm":
        times = part.raw["ms"]
        shown = [title for title in times if not title.startswith("daemon")]
        yield (
            "Warm: a whole process, ms (median)",
            [(title, median(times[title]), title.startswith(("cn", "client"))) for title in shown],
        )
    elif name in ("added", "cold"):
        for title, rows in part.raw.items():
            others, ours = (median(row[column] for row in rows) for column in (0, 1))
            other = "empty FastAPI app" if title == "spawn" else "language server alone"
            yield (
                f"{'Cold' if name == 'cold' else 'Warm'}: {title}, ms (median)",
                [
                    (other, others, False),
                    ("cn daemon" if name == "added" or title == "spawn" else "cn, from nothing", ours, True),
                ],
            )
    elif name == "tokens":
        text, document, searched, _ = part.raw["all ten"]
        yield (
            "Bytes read to answer ten questions",
            [
                ("rg + read", searched, False),
                ("cn, JSON", document, True),
                ("cn, text", text, True),
            ],
        )
    elif name == "growth":
        for verb in ("find", "search"):
            yield (
                f"Growth: {verb}, the daemon's ms (median)",
                [(f"{int(size):,} files", median(times), True) for size, times in part.raw[verb].items()],
            )
