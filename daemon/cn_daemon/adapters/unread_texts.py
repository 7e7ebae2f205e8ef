"""Texts whose words are not in the index yet: they are looked through for each word that is asked for.

A first question asks for few words, and would wait for the index longer than for the language server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from cn_daemon.domain.source.text import unescaped

_WORD = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")
_PART = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$") | frozenset(range(0x80, 0x100))
_DIGITS = frozenset(b"0123456789")
# White space of more than one byte: no-break and ideographic spaces, line separators, the byte order mark.
_WIDE_SPACE = re.compile(
    rb"\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8b\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80|\xef\xbb\xbf"
)
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
# What is kept at most: all texts of most workspaces. To look through it takes some ten milliseconds; to put it into the
# index takes seconds, for which a first question does not wait.
KEPT_BYTES = 128_000_000
# A shorter text is read as quickly as others.
_MINIFIED_BYTES = 40_000


def words_of(raw: bytes) -> set[bytes]:
    """The words of a file's bytes, in UTF-8."""
    return set(_WORD.findall(_plain(raw)))


def spells(raw: bytes, name: str) -> bool:
    """Whether a file's bytes may declare or take a member by a name that has no word in it: a number, or signs in
    quotes."""
    encoded = name.encode("utf-8", "surrogateescape")
    return encoded in raw and _spelling(encoded).search(_plain(raw)) is not None


@cache
def _spelling(name: bytes) -> re.Pattern[bytes]:
    literal = re.escape(name)
    if name[-1] not in _DIGITS:
        return re.compile(rb"%s(?<=['\"`]%s)(?=['\"`])" % (literal, literal))
    # `a[1.5]`, `{ 1.5: a }`, `1.5 = a`: what begins with the name itself is looked for many times faster.
    return re.compile(rb"%s(?<![\w$.\x80-\xff]%s)(?=['\"`\]]|\s*[:(=?!])" % (literal, literal))


def is_minified(raw: bytes) -> bool:
    """Whether a script's bytes were written for machines: most of them in long lines, and many brackets. Texts in it
    may have lines of their own, and a long table is no code."""
    size = len(raw)
    if size <= _MINIFIED_BYTES or raw.count(b"(") * 100 <= size:
        return False
    return sum(len(line) for line in raw.split(b"\n") if len(line) > 1000) * 2 > size


class UnreadTexts:
    """The bytes of files, by path."""

    def __init__(self) -> None:
        self.texts: dict[str, bytes] = {}
        self._bytes = 0
        # As words are looked for in them: most are their own.
        self._plains: dict[str, bytes] = {}
        # By word, for the texts that were there; a question asks for few words, many times.
        self._found: dict[bytes, list[str]] = {}

    def add(self, path: str, raw: bytes) -> bool:
        """False when there is no room for it."""
        if self._bytes + len(raw) > KEPT_BYTES:
            return False
        self.texts[path] = raw
        self._plains.pop(path, None)
        self._bytes += len(raw)
        self._found.clear()
        return True

    def drop(self, path: str) -> bool:
        """Whether it was there."""
        self._plains.pop(path, None)
        raw = self.texts.pop(path, None)
        self._bytes -= len(raw or b"")
        return raw is not None

    def get(self, path: str) -> bytes | None:
        return self.texts.get(path)

    def some(self, size: int) -> Iterator[tuple[str, bytes]]:
        """Some of them, of about so many bytes altogether; at least one, if there is any."""
        for path, raw in self.texts.items():
            yield path, raw
            size -= len(raw)
            if size <= 0:
                return

    def holding(self, word: bytes) -> list[str]:
        """The paths of the texts that `words_of` finds the word in."""
        if not _WORD.fullmatch(word):
            return []
        if word not in self._found:
            ending = re.compile(re.escape(word) + rb"(?![\w$\x80-\xff])")
            plains = ((path, self._plain(path)) for path in self.texts)
            self._found[word] = [path for path, plain in plains if word in plain and _holds(plain, ending)]
        return [path for path in self._found[word] if path in self.texts]

    def _plain(self, path: str) -> bytes:
        plain = self._plains.get(path)
        if plain is None:
            plain = self._plains[path] = _plain(self.texts[path])
        return plain


def _plain(raw: bytes) -> bytes:
    if raw[:2] in _UTF_16:
        raw = raw.decode("utf-16", "replace").encode("utf-8", "replace")
    if not raw.isascii():
        raw = _WIDE_SPACE.sub(b" ", raw)
    if b"\\u" in raw:
        # A name may be written with escapes.
        raw += b" " + unescaped(raw.decode("utf-8", "replace")).encode("utf-8", "replace")
    return raw


def _holds(text: bytes, ending: re.Pattern[bytes]) -> bool:
    return any(_begins(text, match.start()) for match in ending.finditer(text))


def _begins(text: bytes, start: int) -> bool:
    """Whether a word begins there: digits that stand before its first letter are none of its."""
    while start and text[start - 1] in _DIGITS:
        start -= 1
    return not start or text[start - 1] not in _PART
