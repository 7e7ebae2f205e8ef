"""Text as the terms that an index holds: one way for what is stored and for what is asked.

Words are folded (NFKC, case, accents), split on white space, punctuation and camelCase, and stemmed; what was split
is kept joined as well (`group-commit` → group, commit, groupcommit). Chinese, Japanese and Korean have no spaces:
their runs are indexed as single characters and pairs.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from cn_daemon.domain.libraries.ranking.stems import stem

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff々ー"
_CHUNK = re.compile(rf"[{CJK}]+|[^\W{CJK}]+(?:[-_.:/'’+#][^\W{CJK}]+)*[+#]{{0,2}}")
_CJK_RUN = re.compile(rf"[{CJK}]+")
_CJK_FIRST = re.compile(rf"[{CJK}]")
WORDS = re.compile(r"[^\W_]+")
_SEPARATOR = re.compile(r"[-_.:/'’+#]+")
_HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ACRONYMS = re.compile(r"[A-Z]{2,}s")
_JOINED_LIMIT = 40


def terms(text: str) -> list[str]:
    """The terms of `text`, in order; parts come before the joined form."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    found: list[str] = []
    for chunk in _CHUNK.findall(text):
        found.extend(_terms_of(chunk))
    return found


def counted(text: str) -> Counter[str]:
    """How often each term stands in the text; each different word is split once."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    found: Counter[str] = Counter()
    for chunk, count in Counter(_CHUNK.findall(text)).items():
        for term in _terms_of(chunk):
            found[term] += count
    return found


def raw_words(text: str) -> list[str]:
    """As `terms`, but not stemmed: for an index that stems by itself."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return [word for chunk in _CHUNK.findall(text) for word in _raw(chunk)]


def spaced(text: str) -> str:
    """The text with its runs of Chinese, Japanese and Korean as single characters and pairs, between spaces."""
    if text.isascii():
        return text
    return _CJK_RUN.sub(lambda run: f" {' '.join(_characters(run[0]))} ", unicodedata.normalize("NFKC", text))


def _raw(chunk: str) -> Iterator[str]:
    if _CJK_FIRST.match(chunk):
        yield from _characters(chunk)
        return
    parts = [fold(part) for piece in _SEPARATOR.split(chunk) if piece for part in _humps(piece)]
    yield from parts
    joined = "".join(parts)
    if len(parts) > 1 and len(joined) <= _JOINED_LIMIT:
        yield joined


def _characters(run: str) -> tuple[str, ...]:
    return (*run, *(run[at : at + 2] for at in range(len(run) - 1)))


@lru_cache(maxsize=50_000)
def _terms_of(chunk: str) -> tuple[str, ...]:
    if _CJK_FIRST.match(chunk):
        return _characters(chunk)
    if chunk.isascii() and chunk.isalpha() and (chunk.islower() or chunk.istitle()):
        return (stem(chunk.lower()),)
    return tuple(_split(chunk))


def _split(chunk: str) -> Iterator[str]:
    parts = [fold(part) for piece in _SEPARATOR.split(chunk) if piece for part in _humps(piece)]
    for part in parts:
        yield stem(part)
    joined = "".join(parts)
    if len(parts) > 1 and len(joined) <= _JOINED_LIMIT:
        yield stem(joined)
    tail = chunk[len(chunk.rstrip("+#")) :]
    if tail and parts:  # c++, c#, f#
        yield parts[-1] + tail


def _humps(piece: str) -> list[str]:
    if _ACRONYMS.fullmatch(piece):  # APIs are one word, and no "ap is"
        return [piece[:-1]]
    return _HUMP.split(piece)


def fold(word: str) -> str:
    """Lower case, without accents."""
    word = word.casefold()
    if word.isascii():
        return word
    return "".join(mark for mark in unicodedata.normalize("NFD", word) if not unicodedata.combining(mark))
