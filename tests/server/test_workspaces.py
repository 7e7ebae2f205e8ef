"""Workspaces of odd shapes: what cannot be read, what is too large, libraries, a TypeScript of their own (others:
tests/cases/workspaces.test)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.adapters.language_servers.provisioning.packages import in_workspace
from cn_daemon.settings import Settings
from cn_shared.errors import CnError
from tests.conftest import npm_install
from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server


LIBRARY = "export class Basis {\n  go() {}\n}\n"


@pytest.fixture(scope="module", params=["typescript", "native"])
def desk(
    request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    """The workspace that all tests here share, once for each server."""
    desk = Desk(tmp_path_factory.mktemp("desk").resolve() / "work", Settings(server=request.param))
    yield desk
    assert desk.close() == []


@pytest.fixture(scope="module", autouse=True)
def root_file(desk: Desk) -> None:
    desk.write({"readme.ts": "export {};\n"})


def test_what_one_file_cannot_be_read_does_not_stop_the_rest(desk: Desk) -> None:
    """In a project and outside: invalid UTF-8, zeros, a file too large for an editor."""
    for folder, config in (("torn", {"torn/tsconfig.json": TSCONFIG}), ("torn_loose", {})):
        name = folder.title().replace("_", "")
        use = f'import {{ {name} }} from "./torn";\nnew {name}();\n'
        desk.write({**config, f"{folder}/torn.ts": f"export class {name} {{}}\n", f"{folder}/use.ts": use})
        (desk.root / folder / "latin.ts").write_bytes(use.encode() + b"// caf\xe9\n")
        (desk.root / folder / "zeros.ts").write_bytes(use.encode() + b"\0\0\0\n")
        assert {f"{folder}/use.ts:1", f"{folder}/use.ts:2"} <= set(desk.uses(name))
        # And once more while they are written.
        (desk.root / folder / "latin2.ts").write_bytes(use.encode() + b"// caf\xe9\n")
        assert {f"{folder}/use.ts:1", f"{folder}/use.ts:2"} <= set(desk.uses(name))


def test_a_library_symbol_is_external_and_only_it_is_readable(desk: Desk) -> None:
    desk.write({"external/tsconfig.json": TSCONFIG})
    desk.write({"external/a.ts": "export const p = new Promise<Map<string, 1>>(() => {});\n"})
    with pytest.raises(CnError) as refused:
        desk.inspect("/etc/passwd:1:1")
    assert refused.value.code == "outside_root"
    answer = desk.find("external/a.ts:1:22")
    assert answer.definition is not None
    assert answer.definition.external
    assert answer.definition.file_path.startswith("/")
    assert answer.definition.file_path.endswith(".d.ts")
    shown = desk.inspect(answer.definition.id).result
    assert "Promise" in shown.code
    assert shown.external
    with pytest.raises(CnError) as refused:
        desk.inspect("/etc/passwd:1:1")
    assert refused.value.code == "outside_root"
    neighbour = answer.definition.file_path.rpartition("/")[0] + "/typescript.js"
    with pytest.raises(CnError) as refused:
        desk.inspect(neighbour + ":1:1")
    assert refused.value.code == "outside_root"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("package", "version"),
    [
        ("typescript@5.9.3", "5.9.3"),
        # What Microsoft gives to those who keep 6 beside 7, which only hands on another package.
        ("typescript@npm:@typescript/typescript6@6.0.2", "6."),
    ],
)
def test_a_typescript_of_the_workspaces_own(own_desk: Desk, toolchain: Toolchain, package: str, version: str) -> None:
    own_desk.write({"package.json": '{"private": true}', "tsconfig.json": TSCONFIG, "src/basis.ts": LIBRARY})
    own_desk.write({"src/use.ts": 'import { Basis } from "./basis";\nnew Basis().go();\n'})
    npm_install(toolchain, own_desk.root, package)
    assert own_desk.uses("Basis") == ["src/use.ts:1", "src/use.ts:2"]
    assert own_desk.uses("Basis.go") == ["src/use.ts:2"]
    own = in_workspace(own_desk.root, "typescript")
    assert own is not None
    assert own_desk.services.language_servers()[0].typescript == own.version
    assert own.version.startswith(version)


def test_a_large_file_is_mapped(desk: Desk) -> None:
    """Five megabytes: tsserver's own limit for a project's file is four."""
    body = "".join(f"    this.log('step {number} of many', {number} * this.factor);\n" for number in range(450))
    text = "".join(f"export class Big{number} {{\n  method() {{\n{body}  }}\n}}\n" for number in range(250))
    assert len(text) > 5_000_000
    desk.write({"large/tsconfig.json": TSCONFIG})
    (desk.root / "large" / "big.ts").write_text(text)
    symbols = desk.map("large/big.ts").symbols
    assert len(symbols) == 250 * 2
    assert (symbols[-2].name, symbols[-2].line) == ("Big249", 249 * 454 + 1)
    (desk.root / "large" / "big.ts").unlink()


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"export const a = '\xff';\n", "invalid_utf8"), (b"\0\1\2\3", "binary_file"), (None, "not_a_file")],
)
def test_what_is_no_text_is_refused(desk: Desk, content: bytes | None, code: str) -> None:
    file = desk.root / "refused" / f"{code}.ts"
    file.parent.mkdir(exist_ok=True)
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)
    for question in (desk.map, desk.inspect):
        with pytest.raises(CnError) as refused:
            question(f"refused/{code}.ts" + (":1" if question == desk.inspect else ""))
        # What is a folder is looked at as one.
        assert refused.value.code in (code, "folder_not_found" if content is None else code)
        assert refused.value.exit_code == 2
