"""A workspace that was removed while its daemon runs answered that nothing was found, and that this was complete."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.application.caveats import refused_when_gone
from cn_daemon.application.ports import Call, Handler
from cn_shared.errors import NotFoundError
from tests.application.test_navigation import Bench


def asked(handler: Handler, root: Path, query: str) -> Any:
    async def ask() -> Any:
        return await refused_when_gone(handler, str(root))(
            Call(None, asyncio.get_running_loop().time() + 10), query=query
        )

    return asyncio.run(ask())


def test_nothing_is_found_in_what_is_not_there(tmp_path: Path) -> None:
    find = Bench().navigation.find
    assert asked(find, tmp_path, "Nothing").outcome() == "empty"
    assert asked(find, tmp_path / "gone", "User").outcome() == "found"
    with pytest.raises(NotFoundError) as caught:
        asked(find, tmp_path / "gone", "Nothing")
    assert caught.value.code == "root_gone"
