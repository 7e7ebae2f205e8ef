"""What lies outside the workspace and was put there by a package manager, or by a language, is shown as ever; what the
user has put beside it is a doubt that says so."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.settings import Settings
from cn_shared.wire import LocationRef
from tests.server.desk import Desk, places

pytestmark = [pytest.mark.server, pytest.mark.slow]

CONFIG = {"strict": True, "module": "esnext", "moduleResolution": "bundler", "types": [], "lib": ["es2022"]}
DECLARATIONS = "/** Kept by a package manager. */\nexport declare class Kept {\n  total(): number;\n}\n"


class Nested(Desk):
    """A repository whose folder `packages/app` is the root, in a home of its own."""

    def __init__(self, home: Path, server: str) -> None:
        self.repository = home / "repository"
        super().__init__(self.repository / "packages" / "app", Settings(server=server))
        subprocess.run(["git", "init", "-q", str(self.repository)], check=True)
        self.write({"tsconfig.json": json.dumps({"compilerOptions": CONFIG, "include": ["src"]})})

    def package(self, folder: Path, text: str = DECLARATIONS) -> Path:
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(
            json.dumps({"name": folder.name, "version": "1.0.0", "types": "index.d.ts"})
        )
        (folder / "index.d.ts").write_text(text)
        return folder

    def take(self, name: str) -> LocationRef | str:
        """Where an import of `Kept` leads, or the reason why that is not told."""
        self.write({"src/a.ts": f'import {{ Kept }} from "{name}";\nexport const kept = new Kept().total();\n'})
        answer = self.find("src/a.ts:1:10", mode="definition")
        if answer.definition is not None and answer.definition.file_path != "src/a.ts":
            return answer.definition
        assert answer.completeness.status == "partial", answer
        return answer.completeness.reason or ""


@pytest.fixture(params=["typescript", "native"])
def nested(request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path: Path) -> Iterator[Nested]:
    desk = Nested(tmp_path.resolve(), request.param)
    yield desk
    assert desk.close() == []


def shown(desk: Nested, found: LocationRef | str) -> str:
    """The code of a place outside, by its id."""
    assert isinstance(found, LocationRef), found
    assert found.external
    assert "class Kept" in found.preview
    told = desk.inspect(found.id).result
    assert told.documentation == "Kept by a package manager."
    return found.file_path


def test_packages_above_the_root(nested: Nested) -> None:
    nested.package(nested.repository / "node_modules" / "kept")
    assert shown(nested, nested.take("kept")) == str(nested.repository / "node_modules/kept/index.d.ts")


def test_packages_in_the_virtual_store_of_the_workspace(nested: Nested) -> None:
    kept = nested.package(nested.repository / "node_modules/.pnpm/kept@1.0.0/node_modules/kept")
    (nested.root / "node_modules").mkdir()
    (nested.root / "node_modules" / "kept").symlink_to(os.path.relpath(kept, nested.root / "node_modules"))
    assert shown(nested, nested.take("kept")) == str(kept / "index.d.ts")


def test_packages_in_the_store_of_the_user(nested: Nested, user_folders: Path) -> None:
    store = user_folders / ".local/share/pnpm/store/v10/links" / nested.root.parents[2].name
    kept = nested.package(store / "kept/1.0.0/0123/node_modules/kept")
    (nested.root / "node_modules").mkdir()
    (nested.root / "node_modules" / "kept").symlink_to(kept)
    assert shown(nested, nested.take("kept")) == str(kept / "index.d.ts")


def test_packages_of_another_working_tree(nested: Nested) -> None:
    kept = nested.package(nested.repository.parent / "main" / "node_modules" / "kept")
    (nested.root / "node_modules").symlink_to(kept.parent)
    assert shown(nested, nested.take("kept")) == str(kept / "index.d.ts")


def test_a_package_that_the_user_has_linked_is_a_doubt(nested: Nested) -> None:
    kept = nested.package(nested.repository.parent / "kept")
    (nested.root / "node_modules").mkdir()
    (nested.root / "node_modules" / "kept").symlink_to(kept)
    assert nested.take("kept")


def test_a_sibling_package_of_the_repository_is_a_doubt_that_names_it(nested: Nested) -> None:
    kept = nested.package(nested.repository / "packages" / "kept")
    (nested.repository / "node_modules").mkdir()
    (nested.repository / "node_modules" / "kept").symlink_to(kept)
    told = nested.take("kept")
    assert isinstance(told, str)
    assert str(kept / "index.d.ts") in told
    assert "outside the workspace" in told


def test_a_type_that_extends_what_is_not_read_is_told_in_part(nested: Nested) -> None:
    (nested.repository.parent / "kept.ts").write_text("export class Kept {}\n")
    away = os.path.relpath(nested.repository.parent / "kept", nested.root / "src")
    nested.write({"src/a.ts": f'import * as all from "{away}";\nexport class Own extends all.Kept {{}}\n'})
    answer = nested.run(nested.ask("types", query="Own"))
    assert answer.supertypes == []
    assert answer.completeness.status == "partial"


def test_a_tsconfig_above_the_root_counts(nested: Nested) -> None:
    base = {"compilerOptions": {**CONFIG, "paths": {"@own/*": ["./packages/app/src/*"]}}}
    (nested.repository / "tsconfig.base.json").write_text(json.dumps(base))
    nested.write(
        {
            "tsconfig.json": '{"extends": "../../tsconfig.base.json", "include": ["src"]}',
            "src/own.ts": "export class Own {}\n",
            "src/use.ts": 'import { Own } from "@own/own";\nnew Own();\n',
        }
    )
    answer = nested.find("src/own.ts#Own", limit=0)
    assert places(answer.references or []) == ["src/use.ts:1", "src/use.ts:2"]
    assert answer.completeness.status == "complete", answer.completeness


def test_the_library_of_the_language(nested: Nested) -> None:
    nested.write({"src/a.ts": "export const all = new Array<string>();\n"})
    answer = nested.find("src/a.ts:1:24", mode="definition")
    assert answer.definition is not None
    assert answer.definition.external
    assert "Array" in nested.inspect(answer.definition.id).result.code


def test_the_libraries_of_python(user_folders: Path, tmp_path: Path) -> None:
    """Its own by what ty knows of it, and those of a virtual environment in the workspace."""
    desk = Desk(tmp_path.resolve() / "work")
    try:
        packages = ".venv/lib/python3.11/site-packages"
        desk.write(
            {
                ".venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.11.2\n",
                f"{packages}/kept.py": "class Kept:\n    pass\n",
                "a.py": "import json\nimport kept\nmade = kept.Kept()\ntext = json.dumps(made)\nsize = len(text)\n",
            }
        )
        for place, name in (("a.py:3:13", "class Kept"), ("a.py:4:13", "def dumps"), ("a.py:5:8", "def len")):
            definition = desk.find(place, mode="definition").definition
            assert definition is not None, place
            assert name in definition.preview
            assert name in desk.inspect(definition.id).result.code
    finally:
        assert desk.close() == []
