"""Places of which there is a bounded number, and of which no client can take all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Places(Generic[T]):
    """Who holds which of them, in the order of their last use. client: the address that it comes from.

    Past `most`, whoever holds most of them makes room, with what was of no use for longest.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._clients: dict[T, str] = {}

    def __len__(self) -> int:
        return len(self._clients)

    def __contains__(self, one: object) -> bool:
        return one in self._clients

    def take(self, one: T, client: str = "") -> None:
        self._clients[one] = client

    def use(self, one: T) -> None:
        """It was of use just now."""
        if one in self._clients:
            self._clients[one] = self._clients.pop(one)

    def leave(self, one: T) -> None:
        self._clients.pop(one, None)

    def client(self, one: T) -> str:
        return self._clients[one]

    def excess(self, busy: Collection[T] = ()) -> T | None:
        """The one that makes room; None when there is room, or all are busy."""
        if len(self._clients) <= self.most:
            return None
        count = Counter(self._clients.values())
        idle = [one for one in self._clients if one not in busy]
        return max(idle, key=lambda one: count[self._clients[one]], default=None)
