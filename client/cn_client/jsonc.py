"""Change one value in a JSON file that is somebody else's, comments, order, spacing and all.

Reads what editors write: JSON with `//` and `/* */` comments and trailing commas.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,\]}/]+', re.DOTALL)
_BESIDE = re.compile(r"[ \t]*(?://[^\r\n]*|/\*(?:(?!\*/)[^\r\n])*\*/)+")
_DEPTH = 200


class Node(NamedTuple):
    """A value and where it stands: text[start:end]. members: of an object, by key, in order; empty else.

    tail: in an object, where the next member goes (behind the last one's value). comma: whether one stands behind it.
    """

    value: Any
    start: int
    end: int
    members: dict[str, Node]
    tail: int = 0
    comma: bool = False


def read(text: str) -> Node:
    """The document. Raises ValueError."""
    start = _skip(text, 1 if text.startswith("\ufeff") else 0)
    node = _value(text, start, 0)
    if _skip(text, node.end) != len(text):
        raise ValueError("more than one value")
    return node


def get(text: str, path: tuple[str, ...]) -> Any:
    """The value at that path of object keys; None when there is none. Raises ValueError: not JSON."""
    if not text.strip().lstrip("\ufeff"):
        return None
    node: Node | None = read(text)
    for key in path:
        node = node.members.get(key) if node is not None else None
    return node.value if node is not None else None


def put(text: str, path: tuple[str, ...], value: Any) -> str:
    """The text with `value` at that path of object keys, and no other byte changed.

    Objects that are missing on the way are made. Raises ValueError: not JSON, or something else stands in the way.
    """
    if not text.strip().lstrip("\ufeff"):
        for key in reversed(path):
            value = {key: value}
        return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    node = read(text)
    for depth, key in enumerate(path):
        if not isinstance(node.value, dict):
            raise ValueError(f"{path[depth - 1] if depth else 'the document'} is no object")
        if key not in node.members:
            for missing in reversed(path[depth + 1 :]):
                value = {missing: value}
            return _insert(text, node, depth, key, value)
        node = node.members[key]
    if node.value == value:
        return text
    return text[: node.start] + _dumped(text, value, len(path)) + text[node.end :]


def _insert(text: str, node: Node, depth: int, key: str, value: Any) -> str:
    end, indent = _newline(text), _indent(text)
    inner = end + indent * (depth + 1)
    member = f"{json.dumps(key, ensure_ascii=False)}: {_dumped(text, value, depth + 1)}"
    if not node.members:
        rest = text[node.start + 1 : node.end - 1].strip()
        kept = f"{inner}{rest}" if rest else ""  # a comment in an empty object
        return f"{text[: node.start + 1]}{kept}{inner}{member}{end}{indent * depth}{text[node.end - 1 :]}"
    # A comment behind the last member, on its line, stays with it.
    beside = _BESIDE.match(text, node.tail)
    at = beside.end() if beside else node.tail
    if node.comma:  # a trailing comma: keep the style
        return f"{text[:at]}{inner}{member},{text[at:]}"
    return f"{text[: node.tail]},{text[node.tail : at]}{inner}{member}{text[at:]}"


def _dumped(text: str, value: Any, depth: int) -> str:
    indent, end = _indent(text), _newline(text)
    return json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", end + indent * depth)


def _indent(text: str) -> str:
    """The file's own: that of its first indented line."""
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return found[1] if found else "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()


def _value(text: str, at: int, depth: int) -> Node:
    if depth > _DEPTH:
        raise ValueError("too deep")
    opening = text[at : at + 1]
    if opening == "{":
        return _object(text, at, depth)
    if opening == "[":
        return _array(text, at, depth)
    found = _SCALAR.match(text, at)
    if found is None:
        raise ValueError(f"no value at {at}")
    return Node(json.loads(found[0]), at, found.end(), {})


def _object(text: str, start: int, depth: int) -> Node:
    members: dict[str, Node] = {}
    tail, comma = start + 1, False
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}":
        if members and not comma:
            raise ValueError(f"a comma is missing at {at}")
        key = _value(text, at, depth + 1)
        if not isinstance(key.value, str):
            raise ValueError(f"no key at {at}")
        at = _skip(text, key.end)
        if text[at : at + 1] != ":":
            raise ValueError(f"a colon is missing at {at}")
        member = _value(text, _skip(text, at + 1), depth + 1)
        members[key.value] = member
        at = _skip(text, member.end)
        comma = text[at : at + 1] == ","
        tail = at + 1 if comma else member.end
        at = _skip(text, tail) if comma else at
    return Node({key: node.value for key, node in members.items()}, start, at + 1, members, tail, comma)


def _array(text: str, start: int, depth: int) -> Node:
    items: list[Any] = []
    comma = True
    at = _skip(text, start + 1)
    while text[at : at + 1] != "]":
        if not comma:
            raise ValueError(f"a comma is missing at {at}")
        item = _value(text, at, depth + 1)
        items.append(item.value)
        at = _skip(text, item.end)
        comma = text[at : at + 1] == ","
        at = _skip(text, at + 1) if comma else at
    return Node(items, start, at + 1, {})
