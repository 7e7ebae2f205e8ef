"""What the domain says to input that cannot be carried out."""

from __future__ import annotations


class RefusalError(Exception):
    """A code in snake_case, a sentence, what to do about it, and data: the use cases make it an InputError."""

    def __init__(self, code: str, message: str, hint: str = "", **data: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.data = data
