"""The types of lsprotocol, each built when it is first used. Imported before pygls, which imports them.

attrs writes the methods of all four hundred while they are imported, for a quarter of a second. A session speaks in
plain messages and uses none of them.
"""

from __future__ import annotations

import threading
from typing import Any

import attrs

_TYPES = "lsprotocol.types"
_define: Any = attrs.define
_lock = threading.Lock()


def _later(kind: Any = None, **options: Any) -> Any:
    """`attrs.define`; one of those types is defined by its first instance."""
    if kind is None:
        return lambda one: _later(one, **options)
    if kind.__module__ != _TYPES:  # another thread may be importing what else uses attrs
        return _define(kind, **options)

    def first(self: Any, *values: Any, **named: Any) -> None:
        with _lock:
            if kind.__init__ is first:
                del kind.__init__  # attrs leaves methods alone that a class has
                _define(kind, **{**options, "slots": False})  # with slots it would make another class
        self.__init__(*values, **named)

    kind.__init__ = first
    return kind


vars(attrs)["define"] = _later
try:
    import lsprotocol.types  # noqa: F401
finally:
    vars(attrs)["define"] = _define
