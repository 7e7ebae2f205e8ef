from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cn_daemon.adapters.command_sources.markdown import MarkdownReader, places
from cn_daemon.adapters.markdown_text import read_markdown
from cn_daemon.application.libraries.library_ports import Refresh
from cn_daemon.domain.libraries.commands import CommandText

Readers = Callable[..., MarkdownReader]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("work/.claude/commands", "home/.cursor/commands", "library/git"):
        (tmp_path / name).mkdir(parents=True)
    return (tmp_path / "work").resolve()


@pytest.fixture
def reader() -> Iterator[Readers]:
    made: list[MarkdownReader] = []

    def make(root: Path, configured: Path | None = None) -> MarkdownReader:
        made.append(MarkdownReader(*places(root, root.parent / "home", configured), ttl_s=3600))
        return made[-1]

    yield make
    for one in made:
        one.close()


def texts(found: Refresh) -> list[CommandText]:
    return [text for unit in found.order for text in found.files.get(unit, ())]


def names(found: Refresh) -> list[str]:
    return [f"{text.command.origin} {text.command.name}" for text in texts(found)]


def test_folders_come_nearest_first(reader: Readers, root: Path) -> None:
    (root / ".claude/commands/fix.md").write_text("Fix it.")
    (root.parent / "home/.cursor/commands/fix.md").write_text("Fix it.")
    (root.parent / "library/git/commit.amend.md").write_text("Commit.")
    (root.parent / "library/notes.txt").write_text("no command")
    (root.parent / "library/.hidden.md").write_text("no command")
    assert names(reader(root, root.parent / "library").read(everything=False)) == [
        "workspace fix",
        "user fix",
        "library git/commit.amend",
    ]


def test_a_folder_named_twice_is_read_once(reader: Readers, root: Path) -> None:
    (root / ".claude/commands/fix.md").write_text("Fix it.")
    assert names(reader(root, root / ".claude/commands").read(everything=False)) == ["workspace fix"]


def test_a_repository_in_a_library_is_read_whatever_it_ignores(reader: Readers, root: Path) -> None:
    library = root.parent / "library"
    (library / "git/.git").mkdir()
    (library / "git/.gitignore").write_text("*.md")
    (library / "git/amend.md").write_text("Commit.")
    assert names(reader(root, library).read(everything=False)) == ["library git/amend"]


def test_a_link_out_of_the_workspace_is_told_and_not_read(reader: Readers, root: Path) -> None:
    (root.parent / "library/secret.md").write_text("Secret.")
    (root / ".cursor").mkdir()
    (root / ".cursor/commands").symlink_to(root.parent / "library")
    found = reader(root).read(everything=False)
    assert names(found) == []
    assert "leads out of the workspace" in found.warnings[0]


def test_what_a_command_is_made_of(reader: Readers, root: Path) -> None:
    file = root / ".claude/commands/review.md"
    file.write_text("---\ndescription: Review code\ntags: [quality, pr]\n---\n# Review\n\n## Steps\n\nLook closely.\n")
    (text,) = texts(reader(root).read(everything=False))
    command = text.command
    assert (command.canonical_id, command.description) == ("md:review", "Review code")
    assert command.keywords == ("quality", "pr")
    assert (command.path, command.file_size) == (str(file), file.stat().st_size)
    assert command.last_modified == pytest.approx(file.stat().st_mtime)
    assert text.headings == "Review\nSteps"
    assert "Look closely." in text.body


def test_new_changed_and_deleted_files_are_seen_by_the_next_question(reader: Readers, root: Path) -> None:
    folder = root / ".claude/commands"
    source = reader(root)
    assert names(source.read(everything=False)) == []
    (folder / "a.md").write_text("A.")
    (folder / "sub").mkdir()
    (folder / "sub/b.md").write_text("B.")
    assert names(source.read(everything=False)) == ["workspace a", "workspace sub/b"]
    assert source.read(everything=False).files == {}
    (folder / "a.md").write_text("Another.")
    assert texts(source.read(everything=False))[0].command.description == "Another."
    (folder / "a.md").unlink()
    assert source.read(everything=False).files == {str(folder / "a.md"): []}
    assert names(source.read(everything=True)) == ["workspace sub/b"]


def test_a_folder_that_appears_later_is_read(reader: Readers, root: Path) -> None:
    source = reader(root)
    source.read(everything=False)
    (root / ".cursor/commands").mkdir(parents=True)
    (root / ".cursor/commands/late.md").write_text("Late.")
    assert names(source.read(everything=False)) == ["workspace late"]


def test_a_configured_folder_out_of_reach_keeps_its_commands(reader: Readers, root: Path) -> None:
    library = root.parent / "library"
    (library / "a.md").write_text("A.")
    source = reader(root, library)
    source.read(everything=False)
    library.rename(root.parent / "away")
    gone = source.read(everything=False)
    assert "library: it is not there" in gone.freshness.stale
    assert gone.files == {}
    assert len(gone.order) == 1
    (root.parent / "away").rename(library)
    (library / "b.md").write_text("B.")
    back = source.read(everything=False)
    assert back.freshness.stale == ""
    assert names(back) == ["library b"]


def test_a_workspaces_own_folder_that_is_removed_is_empty(reader: Readers, root: Path) -> None:
    (root / ".claude/commands/a.md").write_text("A.")
    source = reader(root)
    source.read(everything=False)
    (root / ".claude/commands/a.md").unlink()
    (root / ".claude/commands").rmdir()
    found = source.read(everything=False)
    assert (found.freshness.stale, list(found.order)) == ("", [])


def test_a_missing_configured_folder_is_told_with_every_answer_and_serves_nothing(reader: Readers, root: Path) -> None:
    found = reader(root, root.parent / "nowhere").read(everything=False)
    assert names(found) == []
    assert "there is no folder" in found.freshness.stale


def test_a_file_that_cannot_be_read_is_named(reader: Readers, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / ".claude/commands/good.md").write_text("Good.")
    (root / ".claude/commands/huge.md").write_bytes(b"x" * ((10 << 20) + 1))
    (root / ".claude/commands/bytes.md").write_bytes(b"\xff\xfeA\x00.\x00")
    found = reader(root).read(everything=False)
    assert names(found) == ["workspace bytes", "workspace good"]
    assert found.warnings == [f"{root}/.claude/commands/huge.md: it is larger than 10 MB."]


def test_the_worlds_frontmatter_is_read_or_recovered() -> None:
    fine = read_markdown("---\ndescription: >\n  Two\n  lines\nallowed-tools: [Read]\n---\nBody")
    assert (fine.description, fine.valid, fine.body) == ("Two lines", True, "Body")
    colon = read_markdown("---\ndescription: /fix: a bug\nargument-hint: [a] [b]\n---\nBody")
    assert (colon.description, colon.valid) == ("/fix: a bug", False)
    assert colon.frontmatter["argument-hint"] == "[a] [b]"
    toml = read_markdown('```toml\n[advisory]\nid = "X-1"\ndate = "2021-01-02"\n```\n# Title\n')
    assert (toml.frontmatter["id"], toml.title) == ("X-1", "Title")
    bomb = "a: &a [x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(9)
    )
    assert read_markdown(f"---\n{bomb}---\nBody").description == "Body"


@pytest.mark.parametrize(
    ("text", "description"),
    [
        ("# Title\n\n- a list\n\nThe first words\ngo on.\n\nSecond.", "The first words go on."),
        ("---\ndescription: DESCRIPTION_PLACEHOLDER\n---\n# TITLE_PLACEHOLDER\n", ""),
        ("---\ndescription: $(echo x)\n---\nReal words.", "Real words."),
        ("```\ncode\n```\n<!-- comment -->\n> quote\n\nWords.", "Words."),
        ("---\ndescription: ''\n---\n", ""),
        ("", ""),
        ("---\nunclosed: yes\n\nWords.", "unclosed: yes"),
    ],
)
def test_a_description_is_stated_or_the_first_paragraph(text: str, description: str) -> None:
    assert read_markdown(text).description == description


@given(st.text(alphabet="-:#\n `>[]{}&*!ab'\"\t", max_size=80))
def test_any_text_is_some_markdown(text: str) -> None:
    read_markdown(text)
    read_markdown(f"---\n{text}\n---\n")


def test_the_time_of_an_edit_is_not_needed(reader: Readers, root: Path) -> None:
    file = root / ".claude/commands/a.md"
    file.write_text("One.")
    facts = file.stat()
    source = reader(root)
    source.read(everything=False)
    file.write_text("Two.")
    os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert texts(source.read(everything=False))[0].command.description == "Two."


def linked(root: Path, target: Path) -> Path:
    link = root / ".claude/commands/linked.md"
    link.symlink_to(target)
    return link


def within(root: Path) -> MarkdownReader:
    return MarkdownReader(*places(root, root.parent / "home", None), ttl_s=3600, within=[root])


def test_a_command_that_is_a_link_within_the_readable_folders_is_read_and_its_changes_are_seen(root: Path) -> None:
    target = root / "shared.md"
    target.write_text("Mow the lawn.")
    link = linked(root, target)
    source = within(root)
    assert [text.command.description for text in texts(source.read(everything=False))] == ["Mow the lawn."]
    assert source.text(str(link)) == "Mow the lawn."
    assert source.read(everything=False).files == {}
    target.write_text("Rake the leaves.")
    assert [text.command.description for text in texts(source.read(everything=False))] == ["Rake the leaves."]
    target.unlink()
    assert source.read(everything=False).files == {str(link): []}
    source.close()


def test_a_command_that_links_out_of_the_readable_folders_is_named_and_not_read(root: Path) -> None:
    secret = root.parent / "secret.md"
    secret.write_text("A secret.")
    link = linked(root, secret)
    (root / ".claude/commands/folder").symlink_to(root.parent / "library")
    source = within(root)
    found = source.read(everything=False)
    assert texts(found) == []
    assert [warning.split(" leads")[0] for warning in found.warnings] == [str(link.parent / "folder"), str(link)]
    with pytest.raises(PermissionError):
        source.text(str(link))
    source.close()


def test_a_command_that_becomes_a_link_out_is_forgotten(root: Path) -> None:
    (root.parent / "secret.md").write_text("A secret.")
    (root / "shared.md").write_text("Mow the lawn.")
    link = linked(root, root / "shared.md")
    source = within(root)
    assert texts(source.read(everything=False))
    link.unlink()
    link.symlink_to(root.parent / "secret.md")
    with pytest.raises(PermissionError):
        source.text(str(link))
    found = source.read(everything=False)
    assert found.files == {str(link): []}
    assert any("linked.md leads elsewhere" in warning for warning in found.warnings)
    source.close()


def test_a_frontmatter_that_holds_itself_or_doubles_without_end_is_cut(root: Path) -> None:
    doubling = "\n".join([f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" if n else "a0: &a0 [x, x]" for n in range(40)])
    (root / ".claude/commands/doubling.md").write_text(f"---\n{doubling}\n---\nText.")
    (root / ".claude/commands/itself.md").write_text("---\nme: &me\n  again: *me\nday: 2024-05-06\nn: .nan\n---\nText.")
    source = within(root)
    doubled, itself = (text.command.frontmatter for text in texts(source.read(everything=False)))
    assert len(str(doubled)) < 100_000
    assert str(itself["me"]).endswith("'…'" + "}" * 19)
    assert (itself["day"], itself["n"]) == ("2024-05-06", ".nan")
    source.close()
