"""Uses of optional members: what implements one need not stand below a class that declares it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from tests.conftest import npm_install
from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

FILES = {
    "tsconfig.json": TSCONFIG,
    "types.ts": """
        export interface Strategy {
          verify?(text: string): void;
          name: string;
        }
        export interface Wider extends Strategy {
          verify(text: string): void;
        }
        export interface Other { verify?(text: string): void }
        """,
    "classes.ts": """
        import type { Other, Strategy } from "./types";
        export class Base implements Strategy { name = "base"; }
        export abstract class Middle extends Base {}
        export class First extends Base {
          verify(text: string) {}
        }
        export class Second extends Middle {
          verify = (text: string) => {};
        }
        export class Apart implements Other {
          static verify() {}
          #verify() {}
          verify(text: string) {}
        }
        export class Alone {
          verify() {}
        }
        """,
    "use.ts": """
        import { Alone, Apart, First, Second } from "./classes";
        import type { Strategy, Wider } from "./types";
        export function use(one: Strategy, wider: Wider, first: First, second: Second) {
          one.verify?.("a");
          wider.verify("b");
          first.verify("c");
          second.verify("d");
          new Apart().verify("e");
          Apart.verify();
          new Alone().verify();
        }
        """,
}
MEMBERS = ["types.ts:2", "types.ts:6", "classes.ts:5", "classes.ts:8"]
USES = ["use.ts:4", "use.ts:5", "use.ts:6", "use.ts:7"]


@pytest.fixture(scope="module", params=["", "5.8.3"])
def desk(
    request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    """With the TypeScript that is installed where a workspace has none, and with an older one."""
    root: Path = tmp_path_factory.mktemp("optional").resolve() / "work"
    desk = Desk(root)
    desk.write(FILES)
    if request.param:
        npm_install(toolchain, root, f"typescript@{request.param}")
    yield desk
    assert desk.close() == []


@pytest.mark.parametrize(
    "name",
    ["Strategy.verify", "Wider.verify", "First.verify", "Second.verify"],
    ids=lambda name: name.partition(".")[0],
)
def test_uses_beyond_a_class_that_does_not_declare_the_member_were_not_told(desk: Desk, name: str) -> None:
    own = dict(zip(["Strategy.verify", "Wider.verify", "First.verify", "Second.verify"], MEMBERS, strict=True))[name]
    assert desk.uses(name) == sorted({*MEMBERS, *USES} - {own})


def test_members_of_that_name_which_implement_nothing_of_it_are_apart(desk: Desk) -> None:
    assert desk.uses("Alone.verify") == ["use.ts:10"]
    assert desk.uses("Other.verify") == ["classes.ts:13", "use.ts:8"]
