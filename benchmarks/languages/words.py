"""Whether every mention of a name is told, or said to be a doubt, in a workspace of any language.

`python -m benchmarks.languages.words FOLDER --endings .h .cc .cpp [--symbols N] [--seed N] [--open]`

Of what `cn map` lists of the files with these endings so many symbols are asked for, chosen by chance from those whose
name nothing else in these files declares. The truth is a search for the word: what stands in no comment and in no
string, and is neither told, nor a declaration, nor left open, is printed. It may be something that no outline lists (a
variable of a function, a parameter), so it is to be looked at. `--open` prints what is left open.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from cn_client.sdk import Client
from cn_shared.wire import SymbolRow

_C_LIKE = r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|\"(?:\\[\s\S]|[^\"\\\n])*\"?|(?<!\w)'(?:\\.[^'\n]*|[^'\\\n])'"
_HASHED = r"(?:(?<=\s)|^)#[^\n]*|'[^']*'"
_HASHING = frozenset({".sh", ".bash", ".py", ".yaml", ".yml"})


def words(path: Path) -> Iterator[tuple[str, int, int]]:
    """Every word outside of comments and strings, with its line and character from 1."""
    pattern = _HASHED if path.suffix in _HASHING else _C_LIKE
    text = re.sub(
        pattern, lambda found: re.sub(r"[^\n]", " ", found[0]), path.read_text("utf-8", "replace"), flags=re.M
    )
    for number, line in enumerate(text.split("\n"), 1):
        for found in re.finditer(r"[^\W\d]\w*", line):
            yield found[0], number, found.start() + 1


def ask(root: Path, endings: tuple[str, ...], number: int, seed: int, *, show: bool) -> None:
    paths = [path for path in sorted(root.rglob("*")) if path.suffix in endings and "/." not in str(path)]
    places = defaultdict(set)
    for path in paths:
        for word, line, character in words(path):
            places[word].add((path.relative_to(root).as_posix(), line, character))
    with Client(root, deadline_s=120) as cn:
        rows: dict[str, list[SymbolRow]] = defaultdict(list)
        empty = []
        for path in paths:
            told = cn.map(path.relative_to(root).as_posix()).symbols
            empty += [] if told else [path.name]
            for row in told:
                rows[re.split(r"::|\.", row.name)[-1]].append(row)
        alone = [told for name, told in sorted(rows.items()) if name in places and _is_one(told)]
        print(f"{len(paths)} files, {len(empty)} of them without a symbol: {' '.join(empty[:20])}; {len(alone)} names")
        tally: Counter[str] = Counter()
        for declared in random.Random(seed).sample(alone, min(number, len(alone))):
            name = declared[0].name.rpartition("::")[2]
            begun = time.monotonic()
            answer = cn.find(declared[0].id, limit=0)
            tally["milliseconds"] += round(1000 * (time.monotonic() - begun))
            undecided = answer.completeness.undecided
            left = {(one.file_path, one.line, one.character) for one in undecided.places} if undecided else set()
            known = {(one.file_path, one.line, one.character) for one in answer.references or ()}
            declaring = {(row.id.split("::")[1], int(row.id.split("::")[2])) for row in declared}
            missed = {one for one in places[name] - known - left if one[:2] not in declaring}
            shown = undecided is None or len(left) == undecided.total
            tally.update({"asked": 1, answer.completeness.status: 1, "told": len(known), "open": len(left)})
            if missed and shown:
                tally[f"{answer.completeness.status}, with places passed over"] += 1
                print(f"{declared[0].kind} {name} {declared[0].id} {answer.completeness.status}:")
                for one in sorted(missed)[:10]:
                    print(f"  {':'.join(map(str, one))}")
            if show and answer.completeness.status == "partial":
                print(f"open {declared[0].kind} {name}: {answer.completeness.reason}")
        cn.stop()
    print(dict(tally))


def _is_one(told: list[SymbolRow]) -> bool:
    """Whether these are the declarations of one symbol at most: announced and defined."""
    # Outside of its class it is told with the name of that.
    joined = (re.split(r"::|\.", f"{row.container or ''}.{row.name}") for row in told)
    return len({parts[-2] for parts in joined}) == 1 and len(told) < 3


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.languages.words")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--endings", nargs="+", required=True)
    parser.add_argument("--symbols", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--open", action="store_true")
    arguments = parser.parse_args()
    ask(arguments.folder.resolve(), tuple(arguments.endings), arguments.symbols, arguments.seed, show=arguments.open)


if __name__ == "__main__":
    main()
