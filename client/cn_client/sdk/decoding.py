"""The answers of `cn_shared.wire`, `relations` and `surveys` out of their JSON: `document` read backwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from cn_shared.errors import InternalError
from cn_shared.wire import key

T = TypeVar("T")

Reader = Callable[[Any], Any]


def decode(kind: type[T], value: object) -> T:
    """The answer of that dataclass. Keys it does not know are passed over: the daemon may be a later one.

    Raises InternalError (`bad_reply`): a key is missing, or its value is of another kind.
    """
    kind_read: Any = kind
    answer: T = _reader(kind_read)(value)
    return answer


@cache
def _reader(kind: Any) -> Reader:
    """What reads a value of that annotation."""
    origin, arguments = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        return _object_reader(kind)
    if origin in (Union, UnionType):
        (one,) = (item for item in arguments if item is not NoneType)
        inner = _reader(one)
        return lambda value: None if value is None else inner(value)
    if origin is list:
        each = _reader(arguments[0])
        return lambda value: [each(item) for item in _checked(value, list)]
    if origin is Literal:
        # A later daemon may say a further word: it is passed on as it is.
        word: Any = type(arguments[0])
        return _reader(word)
    if kind is float:
        return lambda value: float(_checked(value, int, float))
    return lambda value: _checked(value, kind)


def _object_reader(kind: Any) -> Reader:
    plan: list[tuple[str, str, bool, Reader]] = []

    def read(value: Any) -> Any:
        if not plan:  # only now: a dataclass may hold others of its own kind
            hints = get_type_hints(kind)
            for item in fields(kind):
                needed = item.default is MISSING and item.default_factory is MISSING
                plan.append((item.name, key(item.name), needed, _reader(hints[item.name])))
        given = _checked(value, dict)
        values = {}
        for name, spelled, needed, reader in plan:
            if spelled in given:
                values[name] = reader(given[spelled])
            elif needed:
                raise _bad(f"{kind.__name__} has no {spelled}")
        return kind(**values)

    return read


def _checked(value: Any, *kinds: type) -> Any:
    # bool is an int to Python, and is none to JSON.
    if isinstance(value, kinds) and (not isinstance(value, bool) or bool in kinds):
        return value
    raise _bad(f"{value!r:.60} is no {kinds[0].__name__}")


def _bad(what: str) -> InternalError:
    return InternalError("bad_reply", f"The daemon's reply is not one of cn's: {what}.")
