"""What a question wants done, and which HTTP methods do it: `remove a webhook` is no `webhooks:create`.

Operations of one API differ in a verb and share every noun, so that their words alone rank them by chance. A method
that does something else is held back; commands that are no API operations are left alone.
"""

from __future__ import annotations

import re

from cn_daemon.domain.libraries.ranking.stems import stem

# Words that ask for an action, and the methods that may carry it out.
_TABLE = (
    ("list show see view get read display fetch retrieve look which what who where when many much", "GET"),
    ("create add new make register invite insert attach upload send submit start", "POST PUT"),
    ("delete remove drop destroy erase revoke withdraw unregister detach rid", "DELETE"),
    ("update change edit modify rename replace set adjust switch", "PATCH PUT POST"),
)
_METHODS = {stem(word): frozenset(methods.split()) for words, methods in _TABLE for word in words.split()}
# `stop it without deleting it` asks for no deletion.
_DENIED = re.compile(r"\b(?:without|not|never|instead of|rather than|don'?t)\s+(?:\w+\s+)?\w+", re.I)
_WORD = re.compile(r"[a-z]+")
# How much of its score a method keeps that does something else; that changes something when nothing is said.
ELSE, UNSAID = 0.75, 0.92
METHODS = frozenset("GET HEAD POST PUT PATCH DELETE".split())
PREFIX = "method:"  # no term of a text holds a colon


def marked(method: str) -> str:
    """The term that tells an operation's method in an index."""
    return PREFIX + method


def fitting(query: str) -> tuple[frozenset[str], frozenset[str], float]:
    """The methods that do what is asked; the verbs that asked it; what the others keep of their score."""
    verbs = {stem(word) for word in _WORD.findall(_DENIED.sub(" ", query.lower()))} & _METHODS.keys()
    if not verbs:
        return frozenset({"GET", "HEAD"}), frozenset(), UNSAID
    return frozenset().union(*(_METHODS[verb] for verb in verbs)), frozenset(verbs), ELSE
