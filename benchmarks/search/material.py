"""What is searched and asked: a data folder, or a small library of the project's own.

A data folder holds `library.tar.xz` (Commands/, Commands-Analyze-Report/), `climpt/merged-en.json` and
`merged-ja.json`, `catalog/catalogs.tar.xz`, `queries/commands.jsonl` and `queries/reports.jsonl`; a query is
`{"corpus", "kind", "query", "targets"}`, and finds when one of its targets is among the first k; with `queries`, other
phrasings of it, it is asked once alone and once with them.
"""

from __future__ import annotations

import json
import shutil
import tarfile
from pathlib import Path
from typing import NamedTuple


class Query(NamedTuple):
    """queries: the same question in other words, which an agent sends with it."""

    corpus: str
    kind: str
    query: str
    targets: frozenset[str]
    queries: tuple[str, ...] = ()


class Material(NamedTuple):
    """commands, reports, catalogs: folders, None when there are none. registries: by corpus name."""

    commands: Path
    reports: Path
    catalogs: Path | None
    registries: dict[str, Path]
    queries: list[Query]


def unpacked(data: Path, work: Path, queries: Path | None = None) -> Material:
    """A data folder's material, unpacked below `work` once. queries: a folder of others than its own."""
    for archive, place in (("library.tar.xz", "library"), ("catalog/catalogs.tar.xz", "catalogs")):
        if (data / archive).exists() and not (work / place).exists():
            with tarfile.open(data / archive) as packed:
                packed.extractall(work / place, filter="data")
    registries = {f"climpt-{name}": data / "climpt" / f"merged-{name}.json" for name in ("en", "ja")}
    return Material(
        work / "library" / "Commands",
        work / "library" / "Commands-Analyze-Report",
        work / "catalogs" if (work / "catalogs").exists() else None,
        {name: path for name, path in registries.items() if path.exists()},
        [query for file in sorted((queries or data / "queries").glob("*.jsonl")) for query in _queries(file)],
    )


def _queries(file: Path) -> list[Query]:
    rows = [json.loads(line) for line in file.read_text().splitlines() if line.strip()]
    asked = [Query(row["corpus"], row["kind"], row["query"], frozenset(row["targets"])) for row in rows]
    several = [
        one._replace(kind=f"{one.kind}, {1 + len(row['queries'])} phrasings", queries=tuple(row["queries"]))
        for one, row in zip(asked, rows, strict=True)
        if row.get("queries")
    ]
    return asked + several


_COMMANDS = {
    "connection-pool": "Configure database connection pooling",
    "blue-green-deployment": "Release a new version without downtime",
    "detect-anomaly": "Find outliers in a dataset",
    "write-tests": "Write unit tests for the code that changed",
    "review-pr": "Review a pull request for bugs and style",
    "k8s-manifest": "Generate Kubernetes manifests",
    "load-test": "Run a load test with k6",
    "security-audit": "Audit the application for the OWASP top ten",
    "changelog": "Maintain the changelog of notable changes",
    "translate-docs": "Translate the documentation",
}
_REPORTS = {
    "load-test-reports/2024-05-06-checkout.md": "# Checkout under load\n\nThe p99 of the checkout rose to 900 ms.\n",
    "load-test-reports/2024-06-01-search.md": "# Search under load\n\nThe cache was cold.\n",
    "security-audit-reports/2024-05-20.md": "# Audit of May\n\n## Findings\n\nA missing CSRF token in the form.\n",
    "review-pr-reports/2023-12-24.md": "# Review of the payment change\n\nRounding of amounts is wrong.\n",
}
_ASKED = [
    ("commands", "paraphrase", "too many clients on the database, reuse connections", "connection-pool"),
    ("commands", "paraphrase", "odd values in my data", "detect-anomaly"),
    ("commands", "keyword", "kubernetes", "k8s-manifest"),
    ("commands", "keyword", "owasp", "security-audit"),
    ("commands", "typo", "chnagelog", "changelog"),
    ("commands", "ja", "ユニットテストを書く", "write-tests"),
    ("commands", "ja", "脆弱性を点検する", "security-audit"),
    ("commands", "exact", "use review-pr on this branch", "review-pr"),
    ("reports", "topic", "checkout latency", "load-test-reports/2024-05-06-checkout.md"),
    ("reports", "date", "audit may 2024", "security-audit-reports/2024-05-20.md"),
    ("reports", "typo", "csrf tokn missing", "security-audit-reports/2024-05-20.md"),
]


def own(work: Path) -> Material:
    """The small library, written below `work`."""
    folder = work / "own"
    shutil.rmtree(folder, ignore_errors=True)
    for name, description in _COMMANDS.items():
        _write(folder / "Commands" / f"{name}.md", f"---\ndescription: {description}\n---\n# {name}\n")
    for path, text in _REPORTS.items():
        _write(folder / "Reports" / path, text)
    queries = [Query(corpus, kind, query, frozenset({target})) for corpus, kind, query, target in _ASKED]
    return Material(folder / "Commands", folder / "Reports", None, {}, queries)


def multiplied(material: Material, commands: int, reports: int, work: Path) -> Material:
    """The same, copied with variation until there are that many commands and reports."""
    folder = work / f"large-{commands}-{reports}"
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        _copies(material.commands, folder / "Commands", commands)
        _copies(material.reports, folder / "Reports", reports)
        (folder / "done").touch()
    return material._replace(commands=folder / "Commands", reports=folder / "Reports")


def _copies(source: Path, target: Path, wanted: int) -> None:
    files = sorted(source.rglob("*.md"))
    for number in range(wanted):
        file = files[number % len(files)]
        round_ = number // len(files)
        relative = file.relative_to(source)
        if not round_:
            _write(target / relative, file.read_text(errors="replace"))
            continue
        # Each copy has a name, a title and some words of its own, and loses some of the text's lines.
        lines = file.read_text(errors="replace").splitlines()
        kept = [line for at, line in enumerate(lines) if at < 8 or (at + round_) % 7]
        words = f"variant{round_} copy{number} unit{number % 997} site{number % 89}"
        name = f"{relative.stem}-{words.split()[1]}.md"
        _write(target / relative.parent / name, "\n".join([*kept, "", f"Also about {words}."]))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
