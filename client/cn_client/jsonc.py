"""Change or remove one value in a JSON file that is somebody else's, comments, order, spacing and all.

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
    """A value and where it stands: text[start:end]; with its key and the comma behind it: text[at:after].

    members: of an object by key, of an array by index (as a string), in order. tail: where the next member goes (behind
    the last one's value). comma: whether one stands behind the last member.
    """

    value: Any
    start: int
    end: int
    members: dict[str, Node]
    tail: int = 0
    comma: bool = False
    at: int = 0
    after: int = 0


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
    """The text with `value` at that path of object keys, and no other byte changed. The key `-` is the end of an array.

    Objects and arrays that are missing on the way are created. Raises ValueError: not JSON, or something else stands in
    the way.
    """
    if not text.strip().lstrip("\ufeff"):
        return json.dumps(_nested(path, value), indent=2, ensure_ascii=False) + "\n"
    node = read(text)
    for depth, key in enumerate(path):
        if not isinstance(node.value, list if key == "-" else dict):
            kind = "array" if key == "-" else "object"
            raise ValueError(f"{path[depth - 1] if depth else 'the document'} is no {kind}")
        if key not in node.members:
            return _insert(text, node, depth, key, _nested(path[depth + 1 :], value))
        node = node.members[key]
    if node.value == value:
        return text
    return text[: node.start] + _dumped(text, value, len(path)) + text[node.end :]


def remove(text: str, path: tuple[str, ...]) -> str:
    """The text without what is at that path (`read`'s keys), and without the objects and arrays that are empty then.

    As it is when there is nothing. Raises ValueError: not JSON.
    """
    if not text.strip().lstrip("\ufeff"):
        return text
    node, above = read(text), None
    for key in path:
        if key not in node.members:
            return text
        node, above = node.members[key], node
    assert above is not None
    begin, end, comma = node.at, node.after, -1
    before = [one for one in above.members.values() if one.at < node.at]
    if before and node.after == node.end:  # the last one, without a comma: the one before it has one too many
        comma = before[-1].after - 1
    line = text.rfind("\n", 0, begin) + 1
    if not text[line:begin].strip():
        found = re.compile(r"[ \t]*\r?\n").match(text, end)
        begin, end = line, found.end() if found else end
    left = text[:begin] + text[end:]
    if comma >= 0:
        left = left[:comma] + left[comma + 1 :]
    if (
        len(path) > 1
        and len(above.members) == 1
        and not text[above.start + 1 : begin].strip() + text[end : above.end - 1].strip()
    ):
        return remove(left, path[:-1])
    return left


def _nested(path: tuple[str, ...], value: Any) -> Any:
    for key in reversed(path):
        value = [value] if key == "-" else {key: value}
    return value


def _insert(text: str, node: Node, depth: int, key: str, value: Any) -> str:
    end, indent = _newline(text), _indent(text)
    inner = end + indent * (depth + 1)
    named = "" if key == "-" else f"{json.dumps(key, ensure_ascii=False)}: "
    member = named + _dumped(text, value, depth + 1)
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
    if opening in ("{", "["):
        return _container(text, at, depth)
    found = _SCALAR.match(text, at)
    if found is None:
        raise ValueError(f"no value at {at}")
    return Node(json.loads(found[0]), at, found.end(), {})


def _container(text: str, start: int, depth: int) -> Node:
    """An object or an array."""
    keyed = text[start] == "{"
    members: dict[str, Node] = {}
    items: list[Any] = []
    tail, comma = start + 1, False
    at = _skip(text, start + 1)
    while text[at : at + 1] != ("}" if keyed else "]"):
        if items and not comma:
            raise ValueError(f"a comma is missing at {at}")
        begin, key = at, str(len(items))
        if keyed:
            key, at = _key(text, at, depth)
        member = _value(text, at, depth + 1)
        at = _skip(text, member.end)
        comma = text[at : at + 1] == ","
        tail = at + 1 if comma else member.end
        members[key] = member._replace(at=begin, after=tail)
        items.append(member.value)
        at = _skip(text, tail) if comma else at
    value = {key: node.value for key, node in members.items()} if keyed else items
    return Node(value, start, at + 1, members, tail, comma)


def _key(text: str, at: int, depth: int) -> tuple[str, int]:
    """An object's key, and where its value begins."""
    key = _value(text, at, depth + 1)
    if not isinstance(key.value, str):
        raise ValueError(f"no key at {at}")
    at = _skip(text, key.end)
    if text[at : at + 1] != ":":
        raise ValueError(f"a colon is missing at {at}")
    return key.value, _skip(text, at + 1)
