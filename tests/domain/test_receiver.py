"""What has a member, by the text before its name."""

from __future__ import annotations

import pytest

from cn_daemon.domain.mentions.receiver import receiver


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("self.args.json", "self.args"),
        ("x = a.b(c(d), [1])[0].json", "a.b()[]"),
        ("return await(it).json", "await()"),
        ("one\n    .two()\n    .json", "one.two()"),
        ("a?.b!.json", "a.b"),
        ("it->json", "it"),
        ("ns::json", "ns"),
        ("route(json", ""),
        ("{ json", ""),
        (").json", ""),
        ("f'{it.json", "it"),
        ('"text".json', ""),
        ("(" * 500 + ").json", "()"),
    ],
)
def test_it_is_told_without_what_brackets_hold(text: str, expected: str) -> None:
    assert receiver(text, len(text) - len("json")) == expected
