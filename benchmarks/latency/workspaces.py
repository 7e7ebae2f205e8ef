"""What is measured on: pinned packages, and workspaces that are written to be of some size."""

from __future__ import annotations

import itertools
import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

from benchmarks.navigation.projects import PROJECTS, Package, assemble, compiler, fetch, unpack

__all__ = ["commands", "grown", "many_uses", "package", "queries"]

_CONFIG = {
    "compilerOptions": {"target": "ES2022", "module": "ESNext", "moduleResolution": "Bundler", "strict": True,
                        "noEmit": True, "types": []},
    "include": ["src"],
}  # fmt: skip
_VERBS = ("review", "release", "measure", "rotate", "migrate", "archive", "profile", "compare", "restore", "audit")
_NOUNS = ("database", "pipeline", "certificate", "dashboard", "schema", "invoice", "tenant", "cluster", "backup",
          "secret", "webhook", "report", "queue", "index", "license", "ledger", "sandbox", "session", "gateway",
          "translation")  # fmt: skip
_PLACES = ("staging", "production", "europe", "nightly", "legacy", "mobile", "billing", "internal", "partner", "edge")


def package(name: str, typescript: str, work: Path) -> Path:
    """A fresh copy of a pinned package of `benchmarks.navigation`, with that TypeScript in its node_modules."""
    project = next(one for one in PROJECTS if one.name == name)
    return assemble(project, typescript, work)


def many_uses(typescript: str, work: Path, files: int = 100, uses: int = 100) -> Path:
    """`shared`, used files × uses times."""
    root = _empty(f"uses-ts{typescript}", typescript, work)
    (root / "src/shared.ts").write_text("export function shared(value: number): number {\n  return value + 1;\n}\n")
    lines = "".join(f"export const use{one} = shared({one});\n" for one in range(uses - 1))
    for number in range(files):
        (root / f"src/part{number}.ts").write_text('import { shared } from "./shared";\n' + lines)
    return root


def grown(files: int, typescript: str, work: Path) -> Path:
    """A workspace of that many files of 60 lines; what each declares is used in three others."""
    root = _empty(f"grown-{files}-ts{typescript}", typescript, work)
    for number in range(files):
        folder = root / f"src/area{number // 100}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"part{number}.ts").write_text(_part(number, files))
    commands(root, files)
    return root


def _part(number: int, files: int) -> str:
    others = [(number + step) % files for step in (1, 7, 31)]
    lines = [f'import {{ task{one} }} from "../area{one // 100}/part{one}";' for one in others]
    lines += [f"export interface Options{number} {{", "  count: number;", "  label: string;", "}"]
    lines += [f"export function task{number}(options: Options{number}): string {{"]
    lines += [f"  return options.label + task{one}({{ count: options.count, label: `{one}` }});" for one in others[:1]]
    lines += ["}"]
    lines += [f"export const link{number}_{one} = task{one};" for one in others[1:]]
    for one in range(11):
        lines += [
            f"function step{one}(value: number): number {{",
            f"  const next = value * {one};",
            "  return next;",
            "}",
        ]
    return "\n".join(lines) + "\n"


def commands(root: Path, count: int) -> None:
    """That many Markdown commands below `.claude/commands`."""
    folder = root / ".claude/commands"
    folder.mkdir(parents=True, exist_ok=True)
    for number, words in enumerate(itertools.islice(_phrases(), count)):
        name, sentence = "-".join(words), " ".join(words)
        body = "\n".join(f"{step}. {random.Random(number * 9 + step).choice(_VERBS)} what the {words[1]} tells."
                         for step in range(1, 9))  # fmt: skip
        text = f"---\ndescription: {sentence.capitalize()}, and tell what changed\n---\n\n# {sentence}\n\n{body}\n"
        (folder / f"{name}.md").write_text(text)


def queries(count: int) -> list[str]:
    """Questions to the commands above, all different."""
    pairs = [f"{verb} {noun}" for noun, verb in itertools.product(_NOUNS, _VERBS)]
    random.Random(1).shuffle(pairs)
    return pairs[:count]


def _phrases() -> Iterator[tuple[str, ...]]:
    for number in itertools.count():
        for place, noun, verb in itertools.product(_PLACES, _NOUNS, _VERBS):
            yield (verb, noun, place, *([str(number)] if number else []))


def _empty(name: str, typescript: str, work: Path) -> Path:
    root = work / "workspaces" / name
    shutil.rmtree(root, ignore_errors=True)
    (root / "src").mkdir(parents=True)
    (root / "tsconfig.json").write_text(json.dumps(_CONFIG))
    (root / ".cn.json").write_text("{}\n")
    packages: list[Package] = compiler(typescript)
    for one in packages:
        unpack(fetch(one, work), root / "node_modules" / one.name)
    for program in root.glob("node_modules/@typescript/*/lib/tsc*"):
        program.chmod(0o755)
    return root
