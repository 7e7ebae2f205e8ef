from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.adapters.command_sources.climpt import ClimptReader
from cn_daemon.application.libraries.library_ports import Refresh
from cn_daemon.domain.libraries.commands import Command

ROW = {"c1": "git", "c2": "group-commit", "c3": "unstaged-changes", "description": "Group changes"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    (tmp_path / "home").mkdir()
    return (tmp_path / "work").resolve()


def reader(root: Path) -> ClimptReader:
    return ClimptReader(root, root.parent / "home")


def write(path: Path, document: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document))


def registry(*rows: Any) -> dict[str, Any]:
    return {"version": "1.0.0", "description": "", "tools": {"commands": list(rows)}}


def commands(found: Refresh) -> list[Command]:
    return [text.command for unit in found.order for text in found.files.get(unit, ())]


def test_a_workspace_without_climpt_is_quiet(root: Path) -> None:
    found = reader(root).read(everything=False)
    assert (found.files, found.warnings, found.freshness.complete) == ({}, [], True)
    assert list(root.iterdir()) == []


def test_the_default_registry_needs_no_configuration(root: Path) -> None:
    write(root / ".agent/climpt/registry.json", registry(ROW))
    (command,) = commands(reader(root).read(everything=False))
    assert command.canonical_id == "climpt:climpt/git/group-commit/unstaged-changes"
    assert (command.name, command.description) == ("git group-commit unstaged-changes", "Group changes")
    assert not (root / ".agent/climpt/mcp/config.json").exists()


@pytest.mark.parametrize(
    ("configs", "agents"),
    [
        (["work/.agent/climpt/mcp/config.json", "home/.agent/climpt/mcp/config.json"], ["work-mcp"]),
        (["work/.agent/climpt/mcp/config.json", "work/.agent/climpt/config/registry_config.json"], ["work-config"]),
        (["work/.agent/climpt/config/registry_config.json", "home/.agent/climpt/mcp/config.json"], ["work-config"]),
        (["home/.agent/climpt/mcp/config.json"], ["home-mcp"]),
    ],
)
def test_configurations_are_looked_for_in_order(root: Path, configs: list[str], agents: list[str]) -> None:
    for name in configs:
        agent = f"{name.split('/')[0]}-{name.split('/')[3]}"
        write(root.parent / name, {"registries": {agent: ".agent/r.json"}})
    write(root / ".agent/r.json", registry(ROW))
    assert list(reader(root).read(everything=False).order) == agents


def test_registries_are_looked_for_in_the_workspace_then_at_home(root: Path) -> None:
    write(root / ".agent/climpt/mcp/config.json", {"registries": {"a": "r/a.json", "b": "r/b.json"}})
    write(root / "r/a.json", registry({**ROW, "description": "here"}))
    write(root.parent / "home/r/a.json", registry({**ROW, "description": "home"}))
    write(root.parent / "home/r/b.json", registry({**ROW, "description": "home"}))
    assert [command.description for command in commands(reader(root).read(everything=False))] == ["here", "home"]


@pytest.mark.parametrize("path", ["../out.json", "/etc/hostname", "link.json"])
def test_a_clone_names_no_file_outside(root: Path, path: str) -> None:
    write(root.parent / "out.json", registry(ROW))
    (root / "link.json").symlink_to(root.parent / "out.json")
    write(root / ".agent/climpt/mcp/config.json", {"registries": {"climpt": path}})
    found = reader(root).read(everything=False)
    assert commands(found) == []
    assert "outside" in found.warnings[0]
    write(root.parent / "home/.agent/climpt/mcp/config.json", {"registries": {"climpt": str(root.parent / "out.json")}})
    os.unlink(root / ".agent/climpt/mcp/config.json")
    assert len(commands(reader(root).read(everything=False))) == 1


def test_options_of_any_age_become_the_documented_ones(root: Path) -> None:
    old = {"input": ["-"], "adaptation": ["default"], "input_file": [True], "stdin": [False], "destination": [True]}
    new = {"edition": ["default", "yaml"], "file": False, "stdin": True, "destination": False}
    write(
        root / ".agent/climpt/registry.json",
        registry({**ROW, "options": old, "uv": [{"target": "What"}]}, {**ROW, "c1": "", "options": new, "uv": ""}),
    )
    first, second = commands(reader(root).read(everything=False))
    assert first.climpt is not None
    assert second.climpt is not None
    assert first.climpt.options == {
        "input": ["-"], "adaptation": ["default"], "file": True, "stdin": False, "destination": True,
    }  # fmt: skip
    assert first.climpt.variables == ("target",)
    assert (second.climpt.c1, second.climpt.options, second.climpt.variables) == ("", new, ())


def test_odd_rows_were_left_out_in_silence(root: Path) -> None:
    rows = [ROW, {**ROW, "c3": ""}, ROW, "no row", {"c1": 3}, {"description": "nothing"}, {**ROW, "description": None}]
    path = root / ".agent/climpt/registry.json"
    write(path, registry(*rows, None))
    os.utime(path, (1, 1))  # long ago: a later daemon need not read it again
    source = reader(root)
    answer = source.read(everything=False)
    assert [(one.name, one.description) for one in commands(answer)] == [
        ("git group-commit unstaged-changes", "Group changes"),
        ("git group-commit", "Group changes"),
        ("git group-commit unstaged-changes", "Group changes"),
        ("git group-commit unstaged-changes", ""),
    ]
    told = "row 4 is not an object, row 5 has no text as c1, row 6 has neither c1 nor c2, ..."
    assert answer.warnings == [f"climpt: {path}: 4 of 8 rows are left out: {told}."]
    assert answer.failures == {}
    again = source.read(everything=False)
    assert (again.files, again.warnings) == ({}, answer.warnings)
    later = reader(root)
    later.resume(answer.marks)
    assert later.read(everything=False).warnings == answer.warnings
    write(path, registry(ROW))
    assert source.read(everything=False).warnings == []


def test_an_agent_whose_registry_is_no_path_was_left_out_in_silence(root: Path) -> None:
    config = root / ".agent/climpt/mcp/config.json"
    write(config, {"registries": {"good": "good.json", "a": 3, "b": "", "c": "x\0y"}})
    write(root / "good.json", registry(ROW))
    found = reader(root).read(everything=False)
    assert len(commands(found)) == 1
    assert found.warnings == [f"{config}: the registry of {name} is not a path." for name in "abc"]


def test_an_agents_steps_are_commands(root: Path) -> None:
    step = {"name": "Initial", "description": "Start", "c2": "initial", "c3": "issue", "edition": "default",
            "uvVariables": ["number"], "usesStdin": True}  # fmt: skip
    write(
        root / ".agent/climpt/registry.json", {"agentId": "iterator", "c1": "steps", "steps": {"initial.issue": step}}
    )
    (command,) = commands(reader(root).read(everything=False))
    assert command.climpt is not None
    assert command.climpt.identity == ("steps", "initial", "issue")
    assert command.climpt.variables == ("number",)
    assert command.climpt.options == {"edition": ["default"], "adaptation": [], "stdin": True}


@pytest.mark.parametrize(
    ("content", "details"),
    [
        ("{", "It is not valid JSON (line 1)"),
        ("[]", "It must hold a JSON object"),
        ('{"tools": {"commands": 3}}', "It has no list tools.commands"),
        ('{"other": 1}', "It has no list tools.commands"),
    ],
)
def test_a_broken_registry_is_named_and_costs_nothing_else(root: Path, content: str, details: str) -> None:
    write(root / ".agent/climpt/mcp/config.json", {"registries": {"good": "good.json", "bad": "bad.json"}})
    write(root / "good.json", registry(ROW))
    write(root / "bad.json", content)
    found = reader(root).read(everything=False)
    assert len(commands(found)) == 1
    assert found.failures == {"bad": ("bad.json", details)}
    assert found.warnings == [f"bad: Failed to load registry bad.json: {details}."]


def test_a_registry_named_but_missing_is_told(root: Path) -> None:
    write(root / ".agent/climpt/mcp/config.json", {"registries": {"climpt": "r.json"}})
    assert reader(root).read(everything=False).failures == {"climpt": ("r.json", "File not found")}


def test_a_broken_configuration_is_told_and_the_next_one_counts(root: Path) -> None:
    write(root / ".agent/climpt/mcp/config.json", "{")
    write(root / ".agent/climpt/registry.json", registry(ROW))
    found = reader(root).read(everything=False)
    assert len(commands(found)) == 1
    assert "config.json" in found.warnings[0]


def test_changes_are_seen_and_a_failed_reload_keeps_what_was_there(root: Path) -> None:
    file = root / ".agent/climpt/registry.json"
    write(file, registry(ROW))
    source = reader(root)
    assert len(commands(source.read(everything=False))) == 1
    assert source.read(everything=False).files == {}
    assert len(commands(source.read(everything=True))) == 1
    write(file, registry(ROW, {**ROW, "c3": "other"}))
    assert len(commands(source.read(everything=False))) == 2
    write(file, "{ half written")
    broken = source.read(everything=True)
    assert broken.files == {}
    assert list(broken.failures) == ["climpt"]
    write(file, registry(ROW))
    healed = source.read(everything=False)
    assert (len(commands(healed)), healed.failures) == (1, {})
    write(root / ".agent/climpt/mcp/config.json", {"registries": {"other": ".agent/climpt/registry.json"}})
    moved = source.read(everything=False)
    assert moved.files["climpt"] == []
    assert len(moved.files["other"]) == 1
