"""python -m benchmarks.fourslash: TypeScript's own tests of references, asked of `cn`. See README.md in this folder."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.fourslash.tests import BASELINES, SOURCES, Place, Section, Test, read
from benchmarks.fourslash.workspace import write
from benchmarks.navigation.projects import FetchError
from cn_client.sdk import Client
from cn_shared.errors import CnError
from cn_shared.wire import LocationRef

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cn" / "benchmarks" / "fourslash"
# A public fork of microsoft/typescript-go, whose baselines they are.
REPOSITORY = "https://github.com/pqcqaq/typescript-go"
COMMIT = "2ef21cd2fbd14752a91025b2aa606d7efdfeb4ea"
# As many tests lie in one workspace, each in a folder of its own.
TOGETHER = 25


def fetched() -> Path:
    """The tests and their baselines at the commit, fetched once. Raises FetchError."""
    folder = CACHE / COMMIT[:12]
    if not folder.is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(dir=CACHE))
        wanted = [SOURCES, *(BASELINES.format(part) for part in ("", "submodule/"))]
        for command in (
            ["init", "-q"],
            ["sparse-checkout", "set", "--no-cone", *(f"/{part}/" for part in wanted)],
            ["fetch", "-q", "--depth=1", "--filter=blob:none", REPOSITORY, COMMIT],
            ["checkout", "-q", "FETCH_HEAD"],
        ):
            if subprocess.run(["git", "-C", scratch, *command], check=False).returncode:
                raise FetchError(f"{REPOSITORY} at {COMMIT} could not be fetched; name a clone: --clone FOLDER")
        scratch.rename(folder)
    return folder


@dataclass
class Outcome:
    """An answer beside what the baseline has. kind: exact, partial, silent (complete, and something is missing), extra
    (complete, and something is too much)."""

    test: str
    asked: Place
    kind: str
    missing: set[Place] = field(default_factory=set)
    extra: set[Place] = field(default_factory=set)
    wanted: int = 0
    reason: str = ""


def answers(tests: Sequence[Test], typescript: str) -> Iterator[Outcome]:
    """Of tests that lie in one workspace. typescript: the version that it asks for, "" for none."""
    with tempfile.TemporaryDirectory() as made:
        root = Path(made).resolve()
        if typescript:
            manifest = {"private": True, "devDependencies": {"typescript": typescript}}
            (root / "package.json").write_text(json.dumps(manifest), "utf-8")
        for number, test in enumerate(tests):
            write(test, root / str(number))
        with Client(root, deadline_s=120) as client:
            try:
                for number, test in enumerate(tests):
                    for section in test.sections:
                        yield _outcome(client, root, str(number), test, section)
            finally:
                client.stop()


def _outcome(client: Client, root: Path, folder: str, test: Test, section: Section) -> Outcome:
    asked = section.asked
    query = f"{folder}{asked.path}:{asked.line}:{asked.character}"
    try:
        answer = client.find(query, limit=0)
    except CnError as error:
        return Outcome(test.name, asked, "partial", section.places, set(), len(section.places), error.message)
    declared = _inside(folder, [answer.definition, *(answer.declarations or ())])
    told = test.names_at(declared | _inside(folder, answer.references or ()))
    candidates = test.names_at(_inside(folder, answer.candidates))
    missing = {one for one in test.names_at(section.places) - told - candidates if not test.is_exported(one)}
    missing -= test.names_at(test.elsewhere(section, candidates))
    missing -= {place for place in missing if test.is_apart(place, asked)}
    if test.is_taken(asked):
        missing -= {place for place in missing if test.is_member(place)}
    extra = told - test.allowed(section, told, test.names_at(declared))
    whole = {place for place in told if (test.import_of(place) or ("",))[-1] == "*"}
    if whole & section.places or (answer.definition and answer.definition.kind == "Module"):
        named = [one.places for one in test.sections if one.places & whole]
        extra -= {place for place in extra if place in declared or test.is_quoted(place)} | whole.union(*named)
    extra -= {place for place in extra if test.is_default(place)}
    complete = answer.completeness.status == "complete"
    kind = "exact" if not missing and not extra else "partial" if not complete else "silent" if missing else "extra"
    reason = str(answer.completeness.reason or answer.hint or "")
    return Outcome(test.name, asked, kind, missing, extra, len(section.places), reason.replace(str(root), ""))


def _inside(folder: str, refs: Iterable[LocationRef | None]) -> set[Place]:
    here = (
        one for one in refs if one and one.file_path.startswith(f"{folder}/") and "/node_modules/" not in one.file_path
    )
    return {Place(one.file_path.removeprefix(folder), one.line, one.character) for one in here}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fourslash", description=__doc__)
    parser.add_argument("--clone", type=Path, help="a clone of that repository, instead of fetching it")
    parser.add_argument("--typescript", default="", help="the version that the workspaces ask for (default: none)")
    parser.add_argument("--only", nargs="+", help="tests by name")
    parser.add_argument("--json", type=Path, help="write every outcome there")
    chosen = parser.parse_args()
    tests = [one for one in read(chosen.clone or fetched()) if not chosen.only or one.name in chosen.only]
    for test in tests:
        test.sections = [one for one in test.sections if one.is_name and one.asked.path in test.files]
    tests = [one for one in tests if one.sections]
    outcomes: list[Outcome] = []
    for start in range(0, len(tests), TOGETHER):
        outcomes.extend(answers(tests[start : start + TOGETHER], chosen.typescript))
        print(f"{min(start + TOGETHER, len(tests))} of {len(tests)} tests", flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps([_document(one) for one in outcomes], indent=1), "utf-8")
    for one in outcomes:
        if one.kind != "exact":
            missing, extra = (" ".join(map(_shown, sorted(places))) for places in (one.missing, one.extra))
            print(f"{one.kind} {one.test} {_shown(one.asked)} missing [{missing}] extra [{extra}] {one.reason[:120]}")
    print(_summary(outcomes))


def _shown(place: Place) -> str:
    return ":".join(map(str, place))


def _document(one: Outcome) -> dict[str, Any]:
    return {**vars(one), "missing": sorted(one.missing), "extra": sorted(one.extra)}


def _summary(outcomes: Sequence[Outcome]) -> str:
    count = {kind: sum(one.kind == kind for one in outcomes) for kind in ("exact", "partial", "silent", "extra")}
    wanted = sum(one.wanted for one in outcomes)
    recall = 100 * (1 - sum(len(one.missing) for one in outcomes) / max(1, wanted))
    exact = 100 * count["exact"] / max(1, len(outcomes))
    return (
        f"{len(outcomes)} questions: {exact:.1f} % exact, recall {recall:.1f} %, {count['silent']} silent, "
        f"{count['extra']} complete with too much, {count['partial']} not exact and said so"
    )


if __name__ == "__main__":
    main()
