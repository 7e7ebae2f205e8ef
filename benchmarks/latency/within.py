"""Whether answers fit `--budget`: bytes of the text of every verb that can be long, whole and within budgets.

One byte more than a budget holds ends the benchmark, and so does a cut answer without the command that shows it all, or
one whose command, typed as it stands, does not.
"""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

from benchmarks.latency import workspaces
from benchmarks.latency.daemon import cn, stop
from benchmarks.latency.measuring import Part
from benchmarks.latency.tokens import WrongAnswerError
from benchmarks.latency.verbs import PER_TOKEN

BUDGETS = (3000, 1000, 300)
QUESTIONS = (
    ("zod", "map src/v4/core/schemas.ts"),
    ("zod", "find src/v4/core/schemas.ts#$ZodType"),
    ("zod", "refs src/v4/core/schemas.ts#$ZodType"),
    ("zod", "callers src/v4/core/util.ts#defineLazy --depth 3"),
    ("zod", "callees src/v3/types.ts#ZodObject"),
    ("zod", "impls src/v3/types.ts#ZodType"),
    ("zod", "types src/v4/core/schemas.ts#$ZodType"),
    ("zod", "inspect src/v3/types.ts#ZodType --with all"),
    ("zod", "overview"),
    ("zod", "diagnostics"),
    ("effect", "find src/Function.ts#dual"),
    ("effect", "refs src/Function.ts#dual"),
    ("effect", "callers src/Function.ts#dual"),
    ("effect", "hover src/Effect.ts#gen"),
    ("effect", "inspect src/Effect.ts#gen --with all"),
    ("effect", "overview --limit 0"),
)


def measure(work: Path) -> Part:
    head = ("", "whole", *(f"--budget {tokens}" for tokens in BUDGETS), "left out at 300")
    part = Part("Budget: bytes of text, four to a token", head)
    for package in dict.fromkeys(name for name, _ in QUESTIONS):
        root = workspaces.package(package, "5", work)
        try:
            for name, question in QUESTIONS:
                if name == package:
                    _measured(part, root, package, shlex.split(question))
        finally:
            stop(root)
    return part


def _measured(part: Part, root: Path, package: str, words: list[str]) -> None:
    whole = _asked(root, words)
    sizes, left_out = [len(whole.encode())], "nothing"
    for tokens in BUDGETS:
        told = _asked(root, [*words, "--budget", str(tokens)])
        sizes.append(len(told.encode()))
        sentence = told.rstrip("\n").rpartition("\n")[2]
        if sizes[-1] > tokens * PER_TOKEN:
            raise WrongAnswerError(f"{words} takes {sizes[-1]} bytes within {tokens} tokens: {sentence}")
        if told != whole:
            left_out = sentence.partition(" left out to fit ")[0]
            _shown_again(root, sentence, whole)
    title = f"{package}: `cn {shlex.join(words)}`"
    part.rows.append((title, *sizes, left_out))
    part.raw[title] = (*sizes, left_out)


def _shown_again(root: Path, sentence: str, whole: str) -> None:
    command = sentence.partition(" takes about ")[2].partition(": ")[2]
    if _asked(root, shlex.split(command)[1:]) != whole:
        raise WrongAnswerError(f"not the whole answer: {sentence}")


def _asked(root: Path, words: list[str]) -> str:
    command = [cn(), *words, "--text", "--deadline", "120"]
    return subprocess.run(command, cwd=root, check=False, stdout=subprocess.PIPE).stdout.decode()
