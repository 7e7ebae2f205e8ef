"""Source texts that a repository brings are read in time that grows with their length, whatever is in them."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from cn_daemon.application.symbols.pointing import mention
from cn_daemon.domain.declarations.symbols import may_declare
from cn_daemon.domain.mentions.holding import leads_on
from cn_daemon.domain.mentions.taking import takes
from cn_daemon.domain.source.reading import SourceText, import_spans
from cn_daemon.domain.source.text import Document, occurrences

# Four times the text may take so many times as long: quadratic work takes sixteen times.
GROWTH = 9
# What is shorter says nothing.
MEASURABLE_S = 0.08


def seconds(read: Callable[[Document], object], path: str, text: str) -> float:
    """Of the processor, at the quickest of two: other work on the machine may slow one of them."""
    taken = []
    for _ in range(2):
        document, began = Document(path, text), time.process_time()
        read(document)
        taken.append(time.process_time() - began)
    return min(taken)


def grows_linearly(read: Callable[[Document], object], path: str, text: Callable[[int], str], lines: int) -> None:
    short, long = seconds(read, path, text(lines)), seconds(read, path, text(4 * lines))
    assert long < max(MEASURABLE_S, GROWTH * short), f"{short:.3f} s, four times the text {long:.3f} s"


def test_an_empty_name_is_no_name() -> None:
    assert list(occurrences("class D { * () { yield 1; } }", "")) == []
    assert list(occurrences("", "")) == []
    assert mention(Document("/w/b.ts", "class D { * () { yield 1; } }"), "") is None


IMPORTS: dict[str, Callable[[int], str]] = {
    "imports": lambda n: "".join(f'import {{ a }} from "./m{number}";\n' for number in range(n)),
    "exports": lambda n: "".join(f'export {{ a }} from "./m{number}";\n' for number in range(n)),
    "a list of names": lambda n: (
        "import {\n" + "".join(f"  a, a{number},\n" for number in range(n)) + '} from "./m";\n'
    ),
    "imports of nothing": lambda n: "import\n" * n,
    "imports on one line": lambda n: "import a " * n,
    "exports of nothing": lambda n: "export {\n" * n,
}
READERS: dict[str, Callable[[Document], object]] = {
    "spans": lambda document: import_spans(document.text),
    "at": lambda document: document.once(SourceText).in_imports(0),
    "may declare": lambda document: may_declare(document.text, "a", script=False),
    "leads on": lambda document: leads_on(document.once(SourceText), "a", value=True),
    "takes": takes,
}


@pytest.mark.parametrize("text", IMPORTS)
@pytest.mark.parametrize("reader", READERS)
def test_imports_are_read_in_linear_time(text: str, reader: str) -> None:
    grows_linearly(READERS[reader], "/w/x.ts", IMPORTS[text], 2000)
