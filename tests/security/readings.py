"""Every function that reads source texts, called as its callers do: found, not listed, so that none is forgotten."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import cn_daemon.domain.declarations
import cn_daemon.domain.mentions
import cn_daemon.domain.source
from cn_daemon.adapters.language_servers.plain_texts import PlainTexts
from cn_daemon.application.symbols import pointing
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, occurrences

NAME = "a"
# What takes something else than a text and places in it, or a place of a kind that a caller has made sure of.
OTHERS = frozenset(
    "blocks.commented_at blocks.together component_blocks.component_block embedded.is_embedding "
    "forms.declared forms.form_of forms.head_end forms.left_out forms.may_declare "
    "forms.mentions forms.parents forms.read interpolated.tokens notebooks.lines_with "
    "heads.declaration_at outline.enclosing outline.flatten outline.holder outline.same_symbol "
    "plain_blocks.documentation plain_blocks.enclosing_block plain_blocks.signature plain_blocks.block_lines "
    "python_parser.written specifiers.in_code specifiers.package_of symbols.aside "
    "symbols.group symbols.is_test symbols.lateness symbols.rank text.character_at text.index_at "
    "pointing.check_place contexts.givers blocks.enclosing_block usage.is_call usage.calls".split()
)


def functions() -> dict[str, Callable[..., Any]]:
    """By the module's name and its own."""
    packages = (cn_daemon.domain.source, cn_daemon.domain.mentions, cn_daemon.domain.declarations)
    names = [f"{one.__name__}.{module.name}" for one in packages for module in pkgutil.iter_modules(one.__path__)]
    found = {}
    for module in [*map(importlib.import_module, names), pointing]:
        for name, function in vars(module).items():
            if inspect.isfunction(function) and function.__module__ == module.__name__ and name[0] != "_":
                found[f"{module.__name__.rpartition('.')[2]}.{name}"] = function
    return {name: one for name, one in found.items() if name not in OTHERS}


def read(function: Callable[..., Any], document: Document, places: int) -> None:
    """Call it, at so many places where the name stands. Raises what it raises."""
    starts = list(occurrences(document.once(SourceText).text, NAME)) or [0]
    chosen = dict.fromkeys([*starts[:: max(1, len(starts) // places)], starts[-1]])
    for at in chosen if _takes_place(function) else [starts[0]]:
        told = function(**dict(_arguments(function, document, at)))
        if inspect.iscoroutine(told):
            asyncio.run(told)
        if isinstance(told, Iterator):
            list(told)


def _takes_place(function: Callable[..., Any]) -> bool:
    return not {"document", "source", "text", "name", "names", "server", "deadline"}.issuperset(
        inspect.signature(function).parameters
    )


def _arguments(function: Callable[..., Any], document: Document, at: int) -> Iterator[tuple[str, Any]]:
    source = document.once(SourceText)
    known: dict[str, Callable[[str], Any]] = {
        "Document": lambda name: document,
        "SourceText": lambda name: source,
        "Position": lambda name: source.position(at),
        "Place": lambda name: source.position(at),
        "Span": lambda name: source.span(at, min(at + 1, len(source.text))),
        "int": lambda name: _number(function, document, at, name),
        "str": lambda name: source.text if name == "text" else document.path if name == "path" else NAME,
        "bool": lambda name: False,
        "float": lambda name: 0.0,
        "TellsForm": lambda name: PlainTexts(),
        "Declaration": lambda name: _declared(source, at),
        "list[Declaration]": lambda name: [],
        "Sequence[Declaration]": lambda name: [],
        "Collection[str]": lambda name: {NAME},
        "Iterable[str]": lambda name: [NAME],
        "Sequence[str]": lambda name: [NAME],
        "set[str]": lambda name: {NAME},
    }
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.default is inspect.Parameter.empty:
            yield name, known[str(parameter.annotation)](name)


def _number(function: Callable[..., Any], document: Document, at: int, name: str) -> int:
    if name == "first":
        return document.once(SourceText).position(at).line
    return at + (name == "end")


def _declared(source: SourceText, at: int) -> Declaration:
    name, whole = source.span(at, min(at + 1, len(source.text))), source.span(at, len(source.text))
    return Declaration(source.document.path, NAME, "TypeAlias", name, whole)
