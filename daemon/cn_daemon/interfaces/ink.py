"""Colours by meaning, and text that cannot steer a terminal."""

from __future__ import annotations

from collections.abc import Callable
from functools import partialmethod

# What could steer a terminal, show code in another order than it runs, or tell a model what nobody else sees: control
# characters, marks and overrides of direction, tags (letters without a shape).
_HOSTILE = [
    *range(0x09),
    *range(0x0B, 0x20),
    *range(0x7F, 0xA0),
    0x061C,
    *range(0x200E, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
    *range(0xE0000, 0xE0080),
]
_VISIBLE = {code: f"\\x{code:02x}" if code < 0x100 else ascii(chr(code))[1:-1] for code in _HOSTILE}
_IN_LINE = {**_VISIBLE, 0x0A: "\\x0a", 0x2028: "\\u2028", 0x2029: "\\u2029"}


class Ink:
    """Colours by meaning; without colour every word comes back as it is.

    advice: what is typed at a shell, in the words of the door that answers.
    """

    def __init__(self, color: bool, advice: Callable[[str], str] = str) -> None:
        self.color = color
        self.advice = advice

    def _paint(self, code: str, word: str) -> str:
        return f"\x1b[{code}m{word}\x1b[0m" if self.color and word else word

    path = partialmethod(_paint, "35")
    place = partialmethod(_paint, "32")
    kind = partialmethod(_paint, "36")
    name = partialmethod(_paint, "1")
    aside = partialmethod(_paint, "2")
    warning = partialmethod(_paint, "33")
    failure = partialmethod(_paint, "31")

    def more(self, cursor: str) -> str:
        """How to go on behind what is shown."""
        return f"{self.aside('more:')} {self.advice('--cursor ' + clean(cursor))}"


def clean(text: str) -> str:
    """`text` in one line, with every hostile character made visible (`\\x1b`).

    Line ends too: a file name that holds one could look like another row of the answer.
    """
    return text.translate(_IN_LINE)


def block(text: str) -> str:
    """As `clean`, for what may have many lines; line ends become plain."""
    return text.replace("\r\n", "\n").translate(_VISIBLE)
