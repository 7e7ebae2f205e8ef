"""Places that no client can take all of."""

from __future__ import annotations

from cn_daemon.interfaces.places import Places


def filled(most: int, clients: str) -> Places[int]:
    places: Places[int] = Places(most)
    for number, client in enumerate(clients):
        places.take(number, client)
    return places


def test_there_is_room_up_to_the_limit() -> None:
    assert filled(3, "abc").excess() is None
    assert filled(3, "abca").excess() == 0


def test_whoever_holds_most_makes_room() -> None:
    assert filled(4, "abbba").excess() == 1
    assert filled(4, "cabba").excess() == 1  # of two who hold as many, whose is older


def test_what_was_used_last_stays_and_what_is_busy_too() -> None:
    places = filled(3, "aaaa")
    places.use(0)
    places.use(99)
    assert places.excess() == 1
    assert places.excess(busy={1, 2}) == 3
    assert places.excess(busy={0, 1, 2, 3}) is None
    places.leave(1)
    assert places.excess() is None
    assert (len(places), 1 in places, places.client(2)) == (3, False, "a")
