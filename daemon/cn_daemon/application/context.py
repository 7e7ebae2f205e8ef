"""What all parts of one question ask of."""

from __future__ import annotations

from typing import NamedTuple

from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import LanguageServer, Words
from cn_daemon.application.undecided import nearest_projects


class Context(NamedTuple):
    """words: of the whole workspace. server: that of the question's language. documents: read once, so that all parts
    of the answer are of one moment. deadline: on the event loop's clock, in seconds."""

    words: Words
    server: LanguageServer
    documents: Documents
    deadline: float

    def why_lost(self, path: str) -> str:
        """Why imports of a file lead nowhere: what is wrong with its tsconfig, if that is known."""
        config = next(iter(nearest_projects([path], self.words.projects())), "")
        flaw = self.words.packages().flaw(config)
        return f"{self.documents.place(config)} {flaw}" if flaw else "is the workspace installed and built?"
