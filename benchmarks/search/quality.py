"""success@k and MRR of every ranking, per kind of query."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from benchmarks.search.material import Material, Query
from cn_daemon.application.libraries.command_search import RANKINGS
from cn_daemon.application.ports import Call
from cn_daemon.bootstrap import Services, build
from cn_daemon.settings import load

LOOKED_AT = 10
Ask = Callable[[Query], Awaitable[list[str]]]
Ranks = dict[str, list[int]]


def services(root: Path, material: Material, cache: Path, registry: Path | None = None) -> Services:
    """The use cases as the daemon builds them, over the material."""
    root.mkdir(parents=True, exist_ok=True)
    environ = {
        "CN_COMMANDS_DIRECTORY": str(material.commands),
        "CN_REPORTS_DIRECTORY": str(material.reports),
        "CN_CACHE_DIRECTORY": str(cache),
    }
    if material.catalogs is not None:
        environ["CN_CATALOGS"] = json.dumps([str(material.catalogs)])
    if registry is not None:
        place = root / ".agent" / "climpt" / "registry.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(registry.read_bytes())
    return build(root, load(root, environ), root / "log")


def call() -> Call:
    return Call(None, time.monotonic() + 3600)


def asking(behind: Services, corpus: str, ranking: str) -> Ask:
    """How a query of that corpus is asked, and which of the ids its targets name come back."""
    source = {"commands": "markdown", "catalog": "catalog"}.get(corpus, "climpt")

    async def command(query: Query) -> list[str]:
        found = await behind.handlers["search"](
            call(), query=query.query, queries=query.queries, ranking=ranking, source=source, top=LOOKED_AT
        )
        return [_target(row["canonical_id"]) for row in document(found)]

    async def report(query: Query) -> list[str]:
        found = await behind.handlers["reports search"](
            call(), query=query.query, queries=query.queries, limit=LOOKED_AT
        )
        return [row["path"] for row in document(found)]

    return report if corpus == "reports" else command


def document(answer: object) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = answer.document  # type: ignore[attr-defined]
    return rows


def _target(canonical_id: str) -> str:
    if canonical_id.startswith("climpt:"):
        return ":".join(canonical_id.split("/")[1:])
    return canonical_id.removeprefix("md:")


async def measured(material: Material, cache: Path, work: Path) -> dict[str, dict[str, Ranks]]:
    """By ranking, then by corpus, the ranks (0 is first, LOOKED_AT is none) of each kind."""
    found: dict[str, dict[str, Ranks]] = {}
    for corpus in sorted({query.corpus for query in material.queries}):
        behind = services(work / f"root-{corpus}", material, cache, material.registries.get(corpus))
        await behind.handlers["reload"](call())
        for ranking in ("best",) if corpus == "reports" else RANKINGS:
            ask = asking(behind, corpus, ranking)
            ranks = found.setdefault(ranking, {}).setdefault(corpus, {})
            for query in material.queries:
                if query.corpus == corpus:
                    ids = await ask(query)
                    rank = next((at for at, one in enumerate(ids) if one in query.targets), LOOKED_AT)
                    ranks.setdefault(query.kind, []).append(rank)
        await behind.close()
    return found


def table(found: dict[str, dict[str, Ranks]]) -> str:
    """A line per ranking, corpus and kind, and the sums over commands (all corpora but reports) and reports."""
    lines = ["| ranking | corpus | kind | n | success@1 | @3 | @5 | MRR |", "|---|---|---|---|---|---|---|---|"]
    for ranking, corpora in found.items():
        for corpus, kinds in corpora.items():
            lines += [_line(ranking, corpus, kind, ranks) for kind, ranks in sorted(kinds.items())]
        for name, wanted in (("all commands", lambda one: one != "reports"), ("reports", lambda one: one == "reports")):
            every = [
                rank for one, kinds in corpora.items() if wanted(one) for ranks in kinds.values() for rank in ranks
            ]
            if every:
                lines.append(_line(ranking, f"**{name}**", "**all**", every))
    return "\n".join(lines)


def _line(ranking: str, corpus: str, kind: str, ranks: list[int]) -> str:
    shares = [f"{100 * sum(rank < k for rank in ranks) / len(ranks):.1f} %" for k in (1, 3, 5)]
    mrr = sum(1 / (rank + 1) for rank in ranks if rank < LOOKED_AT) / len(ranks)
    return f"| {ranking} | {corpus} | {kind} | {len(ranks)} | {' | '.join(shares)} | {mrr:.3f} |"
