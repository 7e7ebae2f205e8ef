"""Which specifiers are imports, and which stand in examples: a text is read for that once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cn_daemon.domain.source import specifiers
from cn_daemon.domain.source.text import Document
from cn_daemon.domain.source.tokens import Token

TEXT = """
/**
  import A from 'of/a/comment';
 */
import B from "./b";
const text = `import C from "of-a-text"`;
const d = await import("d");
list.import("of-a-list");
take(...require("./all"));
"""


def test_a_text_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []

    def tokens(text: str, *, jsx: bool) -> Iterator[Token]:
        reads.append(text)
        return real(text, jsx=jsx)

    real = specifiers.tokens
    monkeypatch.setattr(specifiers, "tokens", tokens)
    document = Document("a.ts", TEXT)
    for found in specifiers.quoted(TEXT):
        specifiers.in_code(document, [found])
    assert len(reads) == 1
