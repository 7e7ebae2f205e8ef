"""Outlines that the syntax server of TypeScript ≤ 6 tells of the texts that it is given."""

from __future__ import annotations

from typing import Any

import pytest

from cn_daemon.adapters.language_servers.linked import Linked
from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.domain.source.text import Document
from tests.conftest import npm_install
from tests.server.desk import Desk

pytestmark = pytest.mark.server


def outlines(desk: Desk, texts: dict[str, str]) -> list[str]:
    """The first name of each text."""
    code = desk.services.code.made
    assert code is not None
    server: Any = code.servers.server_for("any.ts", "typescript")
    assert isinstance(server, Linked)
    documents = [Document(str(desk.root / path), text) for path, text in texts.items()]
    told = desk.run(server.outlines(documents, desk.call().deadline))
    return [told[one.path][0].name for one in documents]


def test_each_of_several_texts_has_its_own_outline_however_long_the_others_are(desk: Desk) -> None:
    desk.write({"app/user.ts": "export class User {}\n"})
    assert desk.uses("User") == []
    longer = "".join(f"export const long{number} = {number};\n" for number in range(20))
    assert outlines(desk, {"app/user.ts": "export class Short {}\n", "app/use.ts": longer}) == ["Short", "long0"]


def test_a_module_that_is_imported_in_two_ways(own_desk: Desk, toolchain: Toolchain) -> None:
    """Of which the syntax server of TypeScript 5 died, and again at the next question."""
    own_desk.write({"package.json": '{"private": true}', "a.ts": "export class User {}\n"})
    npm_install(toolchain, own_desk.root, "typescript@5.9.3")
    assert own_desk.uses("User") == []
    twice = 'import a from "thing";\nimport type b from "thing" with { "resolution-mode": "require" };\n'
    texts = {"ways/one.ts": twice + "export const one = 1;\n", "ways/two.js": "export const two = 1;\n"}
    assert outlines(own_desk, texts) == ["one", "two"]
