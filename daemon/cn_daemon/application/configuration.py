"""`cn config show`: every setting, its value, and where that came from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.settings import KEYS, Settings

MASK = "***"


def show(settings: Settings) -> PlainAnswer:
    """`{"settings": {key: {"value", "source"}}, "warnings"}`. Secrets show that they are there, not what they are."""
    rows = {}
    for row in KEYS:
        value = getattr(settings, row.name)
        shown = _masked(value) if row.metadata["secret"] else _plain(value)
        rows[row.name] = {"value": shown, "source": settings.sources.get(row.name, "default")}
    return PlainAnswer({"settings": rows, "warnings": list(settings.warnings)})


def _masked(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _masked(inner) for name, inner in value.items()}
    return MASK if value else value


def _plain(value: Any) -> Any:
    match value:
        case Path():
            return str(value)
        case tuple():
            return [_plain(item) for item in value]
        case Mapping():
            return {name: _url(inner) if isinstance(inner, str) else inner for name, inner in value.items()}
    return value


def _url(text: str) -> str:
    """An address without the password that it may carry."""
    scheme, separator, rest = text.partition("://")
    user, at, place = rest.rpartition("@")
    return f"{scheme}{separator}{MASK}@{place}" if separator and at and "/" not in user else text
