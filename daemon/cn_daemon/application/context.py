"""What all parts of one question ask of."""

from __future__ import annotations

from typing import NamedTuple

from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import LanguageServer, Words
from cn_daemon.application.undecided import nearest_projects
from cn_daemon.domain.python_modules import ENDINGS
from cn_daemon.domain.source.text import Document


class Context(NamedTuple):
    """words: of the whole workspace. server: that of the question's language. documents: read once, so that all parts
    of the answer are of one moment. deadline: on the event loop's clock, in seconds."""

    words: Words
    server: LanguageServer
    documents: Documents
    deadline: float

    def python_texts(self, word: str) -> list[Document]:
        """The documents of Python that hold a word, but for those that cannot be read."""
        paths = (path for path in self.words.files_with(word) if path.endswith(ENDINGS))
        return [document for path in paths if (document := self.documents.try_get(path)) is not None]

    def why_lost(self, path: str) -> str:
        """Why imports of a file lead nowhere: what is wrong with its tsconfig, if that is known."""
        config = next(iter(nearest_projects([path], self.words.projects())), "")
        flaw = self.words.packages().flaw(config)
        return f"{self.documents.place(config)} {flaw}" if flaw else "is the workspace installed and built?"
