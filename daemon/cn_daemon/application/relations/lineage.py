"""What tells what inherits, by the language of a type."""

from __future__ import annotations

from cn_daemon.application.ports import Site
from cn_daemon.application.question import Question
from cn_daemon.application.relations.heirs import Heirs
from cn_daemon.application.relations.named_heirs import NamedHeirs
from cn_daemon.application.relations.typed_heirs import TypedHeirs
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.source.forms import form_of


def heirs_of(question: Question, symbol: Symbol, site: Site | None) -> Heirs:
    """site: where the type was asked about."""
    types = question.heritage
    if types is not None:
        return TypedHeirs(question, types, symbol, site)
    heirs = NamedHeirs(question)
    if form_of(symbol.main.path) is None:
        heirs.doubt = f"what inherits from {symbol.main.name} types tell, and nothing answers by them"
    return heirs
