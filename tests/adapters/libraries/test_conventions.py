"""Commands, prompts, workflows and skills where agents' clients keep them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cn_daemon.adapters.command_sources.conventions import CONVENTIONS
from cn_daemon.adapters.command_sources.markdown import MarkdownReader, places
from cn_daemon.adapters.command_sources.plugins import InstalledPlugins
from cn_daemon.domain.libraries.commands import CommandText

SKILL = "---\nname: pdf-forms\ndescription: Fill in PDF forms.\n---\nRun scripts/fill.py.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    (tmp_path / "home").mkdir()
    return (tmp_path / "work").resolve()


@pytest.fixture
def reader(root: Path) -> Iterator[MarkdownReader]:
    home = root.parent / "home"
    one = MarkdownReader(*places(root, home, None), ttl_s=3600, plugins=InstalledPlugins(home))
    yield one
    one.close()


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def told(reader: MarkdownReader) -> list[CommandText]:
    found = reader.read(everything=True)
    assert not found.warnings
    return [text for unit in found.order for text in found.files.get(unit, ())]


def names(reader: MarkdownReader) -> list[str]:
    return [f"{text.command.origin} {text.command.name}" for text in told(reader)]


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        (".claude/commands/git/fix.md", "Fix it.", "git/fix"),
        (".cursor/commands/fix.md", "Fix it.", "fix"),
        (".github/prompts/fix.prompt.md", "Fix it.", "fix"),
        (".gemini/commands/git/fix.toml", 'description = "Fix it."\nprompt = "Now {{args}}"', "git/fix"),
        (".qwen/commands/fix.md", "Fix it.", "fix"),
        (".opencode/commands/fix.md", "Fix it.", "fix"),
        (".codex/prompts/fix.md", "Fix it.", "fix"),
        (".clinerules/workflows/fix.md", "Fix it.", "fix"),
        (".windsurf/workflows/fix.md", "Fix it.", "fix"),
        (".roo/commands/fix.md", "Fix it.", "fix"),
    ],
)
def test_each_clients_commands_are_found(reader: MarkdownReader, root: Path, path: str, text: str, name: str) -> None:
    write(root / path, text)
    (one,) = told(reader)
    assert (one.command.name, one.command.description) == (name, "Fix it.")


@pytest.mark.parametrize("folder", [one.folder for one in CONVENTIONS if one.skills])
def test_a_skill_is_named_by_itself_or_its_folder_and_its_other_files_are_no_commands(
    reader: MarkdownReader, root: Path, folder: str
) -> None:
    write(root / folder / "pdf/SKILL.md", SKILL)
    write(root / folder / "pdf/reference.md", "All fields.")
    write(root / folder / "pdf/examples/SKILL.md", "An example of a skill.")
    write(root / folder / "office/docx/SKILL.md", "Write documents.")
    assert sorted(names(reader)) == ["workspace docx", "workspace pdf-forms"]


def test_a_skill_that_another_comes_to_hold_is_none_any_more(reader: MarkdownReader, root: Path) -> None:
    inner = write(root / ".claude/skills/pdf/examples/SKILL.md", "An example.")
    assert reader.read(everything=False).files[str(inner)]
    outer = write(root / ".claude/skills/pdf/SKILL.md", SKILL)
    found = reader.read(everything=False)
    assert found.files[str(inner)] == []
    assert found.files[str(outer)]
    outer.unlink()
    assert reader.read(everything=False).files[str(inner)]


def test_a_skill_linked_from_one_client_into_another_is_told_once(reader: MarkdownReader, root: Path) -> None:
    write(root / ".agents/skills/pdf/SKILL.md", SKILL)
    (root / ".claude/skills").mkdir(parents=True)
    (root / ".claude/skills/pdf").symlink_to("../../.agents/skills/pdf")
    assert names(reader) == ["workspace pdf-forms"]


def test_the_skills_and_commands_of_installed_plugins_come_and_go_with_them(reader: MarkdownReader, root: Path) -> None:
    plugins = root.parent / "home/.claude/plugins"
    write(plugins / "cache/office/1.0/skills/pdf/SKILL.md", SKILL)
    write(plugins / "cache/office/1.0/commands/sign.md", "Sign it.")
    write(plugins / "cache/other/1.0/commands/unused.md", "Not installed.")
    assert names(reader) == []
    listed = {"version": 2, "plugins": {"office@market": [{"installPath": str(plugins / "cache/office/1.0")}]}}
    write(plugins / "installed_plugins.json", json.dumps(listed))
    assert names(reader) == ["user sign", "user pdf-forms"]
    write(plugins / "installed_plugins.json", json.dumps({"plugins": {"office@market": {"installPath": 7}, "x": []}}))
    found = reader.read(everything=False)
    assert [len(texts) for texts in found.files.values()] == [0, 0]
    assert found.order == []
    write(plugins / "installed_plugins.json", "no JSON")
    assert names(reader) == []


def test_a_toml_command_is_its_prompt_and_a_broken_one_is_named(reader: MarkdownReader, root: Path) -> None:
    path = write(root / ".gemini/commands/a.toml", 'prompt = """\nFix {{args}}\n"""\n')
    write(root / ".gemini/commands/b.toml", 'description = "no prompt"')
    write(root / ".gemini/commands/c.toml", "= no TOML")
    found = reader.read(everything=False)
    assert [text.command.name for unit in found.order for text in found.files[unit]] == ["a"]
    assert reader.text(str(path)) == "Fix {{args}}\n"
    assert [Path(warning.partition(":")[0]).name for warning in found.warnings] == ["b.toml", "c.toml"]


def test_a_helper_of_other_commands_is_hidden(reader: MarkdownReader, root: Path) -> None:
    write(root / ".claude/commands/helper.md", "---\nis_dependency: true\n---\nLog in first.")
    write(root / ".claude/commands/deploy.md", "Deploy it.")
    assert [(one.command.name, one.command.hidden) for one in told(reader)] == [("deploy", False), ("helper", True)]
