"""What a workspace is made of, by its own files."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cn_daemon.adapters.workspace_traits import WorkspaceTraits

FILES = {
    "package.json": '{"dependencies": {"react-router": "7"}, "devDependencies": {"@playwright/test": "", "jest": ""}}',
    "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["fastapi>=0.1", "python-multipart"]\n',
    "go.mod": "module example.com/shop\n\nrequire (\n\tgithub.com/spf13/cobra v1.8.0\n)\n",
    "Gemfile": "source 'https://example.com'\ngem 'rails', '~> 7'\n",
    "requirements.txt": "Django==4\n# none\n",
    "infra/Dockerfile": "FROM x\n",
    "infra/main.tf": "",
    "db/migrations/1.sql": "",
    ".github/workflows/ci.yml": "",
    "node_modules/left/vue.vue": "",
    "a/b/c/d/deep.rs": "",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def traits(root: Path) -> dict[str, str]:
    return dict(asyncio.run(WorkspaceTraits(root).traits()))


def test_names_endings_folders_and_manifests_say_it(root: Path) -> None:
    found = traits(root)
    assert {word: found[word] for word in ("docker", "terraform", "sql", "migration", "actions")} == {
        "docker": "infra/Dockerfile",
        "terraform": "infra/main.tf",
        "sql": "db/migrations/1.sql",
        "migration": "db/migrations",
        "actions": ".github/workflows",
    }
    assert {word: file for word, file in found.items() if file == "package.json"} == {
        "reactrouter": "package.json", "playwright": "package.json", "test": "package.json", "jest": "package.json",
    }  # fmt: skip
    for word, file in (("fastapi", "pyproject.toml"), ("cobra", "go.mod"), ("rails", "Gemfile"),
                       ("django", "requirements.txt")):  # fmt: skip
        assert found[word] == file
    assert "vue" not in found  # installed
    assert "rust" not in found  # too deep


def test_what_cannot_be_read_or_leads_outside_says_nothing(root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text('{"dependencies": {"hush": "1"}}')
    (root / "package.json").unlink()
    (root / "package.json").symlink_to(tmp_path / "secret.json")
    (root / "outside").symlink_to(tmp_path)
    (root / "composer.json").write_text("{")
    (root / "Cargo.toml").write_text("[dependencies]\n= 1")
    found = traits(root)
    assert "hush" not in found
    assert not any(file.startswith("outside/") for file in found.values())
    assert traits(tmp_path / "missing") == {}
