"""What looks for uses that servers leave out."""

from __future__ import annotations

from cn_daemon.application.documents import Documents
from cn_daemon.application.modules.modules import Modules
from cn_daemon.application.ports import Hit
from cn_daemon.domain.declarations.symbols import Symbol


class Untold:
    """For one symbol. uses: those that were found. doubt: why there may be more, or nothing."""

    def __init__(self, symbol: Symbol, documents: Documents, modules: Modules) -> None:
        self.uses: list[Hit] = []
        self.doubt = ""
        self._symbol = symbol
        self._documents = documents
        self._modules = modules
