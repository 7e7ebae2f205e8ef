"""Which files hold which word, as of the question."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cn_daemon.adapters import identifier_index
from cn_daemon.adapters.identifier_index import IdentifierIndex
from cn_daemon.adapters.unread_texts import UnreadTexts, words_of
from cn_daemon.application.ports import Changes
from cn_shared.errors import InputError


class Shelf:
    """An index of a folder. Files are told as `path, text`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.index = IdentifierIndex(
            root, lambda name: name.endswith((".ts", ".js", ".cjs")), lambda name: name.endswith(".json")
        )
        self.refresh()

    def refresh(self) -> None:
        asyncio.run(self.index.refresh())

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8", newline="")

    def holding(self, word: str) -> list[str]:
        self.refresh()
        return [os.path.relpath(path, self.root) for path in self.index.files_with(word)]

    def tail(self, reader: str) -> list[str]:
        """What changed, as `+created ~changed -deleted`."""
        self.refresh()
        changes: Changes = self.index.changes_since(reader)
        told = zip("+~-", (changes.created, changes.changed, changes.deleted), strict=True)
        return sorted(sign + os.path.relpath(path, self.root) for sign, paths in told for path in paths)


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path.resolve())
    yield shelf
    shelf.index.close()


def test_at_the_root_of_the_file_system_a_question_read_all_of_it() -> None:
    with pytest.raises(InputError, match="whole file system"):
        asyncio.run(IdentifierIndex(Path("/"), bool, bool).refresh())


def test_whole_words_of_source_files(shelf: Shelf) -> None:
    shelf.write("b.ts", "class User {}")
    shelf.write("a.ts", "new User(); UserId; $User; aUser; User2")
    shelf.write("c.json", '"User"')
    shelf.write("d.ts", "Users")
    assert shelf.holding("User") == ["a.ts", "b.ts"]
    assert shelf.holding("$User") == ["a.ts"]
    assert shelf.holding("user") == []


def test_minified_scripts_are_not_looked_into(shelf: Shelf) -> None:
    code = "function a(b){return User(b,c(d))};" * 2000
    sheet = "`\n.a {\n  color: red;\n}\n`;\n" * 900
    for name, text in {
        "a.js": sheet + code,
        "a.ts": code,
        "lines.js": code.replace(";", ";\n"),
        "small.js": code[:9000],
    }.items():
        shelf.write(name, text)
    shelf.write("table.js", "const User = [" + "'a word', " * 9000 + "]")
    told = ["a.ts", "lines.js", "small.js", "table.js"]
    assert shelf.holding("User") == told
    assert shelf.index.minified("User") == [str(shelf.root / "a.js")]
    assert shelf.index.minified("Use") == []
    assert shelf.index.holds(str(shelf.root / "a.js"))
    shelf.write("a.js", "User()")
    assert shelf.holding("User") == ["a.js", *told]
    shelf.write("a.js", code)
    assert shelf.holding("User") == told
    (shelf.root / "a.js").unlink()
    assert shelf.holding("User") == told
    assert shelf.index.minified("User") == []


def test_what_yarn_keeps_is_none_of_the_sources(shelf: Shelf) -> None:
    for path in (".yarn/releases/yarn.cjs", ".yarn/sdks/a.ts", "a/.yarn/b.ts", "yarn/b.ts"):
        shelf.write(path, "User")
    assert shelf.holding("User") == ["yarn/b.ts"]


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\ufeff", "\u2028", "\u2029", "\u2003", "\u202f"])
def test_every_space_of_the_language_ends_a_word(shelf: Shelf, space: str) -> None:
    shelf.write("a.ts", f"{space}User{space}.été{space}")
    assert shelf.holding("User") == ["a.ts"]
    assert shelf.holding("été") == ["a.ts"]


def test_private_and_foreign_names(shelf: Shelf) -> None:
    shelf.write("a.ts", "class A { #secret = 1; été = 漢字; _x$y = `${inTemplate}` }")
    for word in ("secret", "été", "漢字", "_x$y", "inTemplate"):
        assert shelf.holding(word) == ["a.ts"], word


def test_it_follows_every_change(shelf: Shelf) -> None:
    shelf.write("a.ts", "one two")
    assert shelf.holding("one") == ["a.ts"]
    shelf.write("a.ts", "two three")
    assert (shelf.holding("one"), shelf.holding("two"), shelf.holding("three")) == ([], ["a.ts"], ["a.ts"])
    (shelf.root / "a.ts").rename(shelf.root / "b.ts")
    assert shelf.holding("two") == ["b.ts"]
    (shelf.root / "b.ts").unlink()
    assert shelf.holding("two") == []
    assert shelf.index.file_count == 0


def test_a_reader_is_told_what_changed_since_it_asked(shelf: Shelf) -> None:
    shelf.write("a.ts", "a")
    assert shelf.tail("one") == []
    shelf.write("b.ts", "b")
    shelf.write("tsconfig.json", "{}")
    shelf.write("other.txt", "")
    assert shelf.tail("one") == ["+b.ts", "+tsconfig.json"]
    assert shelf.tail("two") == []
    shelf.write("b.ts", "changed")
    (shelf.root / "a.ts").unlink()
    assert shelf.tail("one") == ["-a.ts", "~b.ts"]
    shelf.write("a.ts", "again")
    assert shelf.tail("one") == ["+a.ts"]
    assert shelf.tail("one") == []


def test_a_reader_is_told_that_a_file_it_knew_was_made_anew(shelf: Shelf) -> None:
    """Told of a creation alone, the native server keeps the text that it has."""
    shelf.write("a.ts", "a")
    assert shelf.tail("one") == []
    (shelf.root / "a.ts").unlink()
    shelf.refresh()
    shelf.write("a.ts", "again")
    shelf.write("b.ts", "b")
    shelf.refresh()
    shelf.write("b.ts", "changed")
    shelf.write("c.ts", "c")
    shelf.refresh()
    (shelf.root / "c.ts").unlink()
    assert shelf.tail("one") == ["+a.ts", "+b.ts", "-c.ts", "~a.ts"]


def test_a_reader_that_asks_too_late_is_told_of_everything(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf.index, "_log", identifier_index.deque(maxlen=3))
    shelf.write("old.ts", "")
    assert shelf.tail("one") == []
    for number in range(5):
        shelf.write(f"new{number}.ts", "")
    told = shelf.tail("one")
    assert {change[1:] for change in told} == {"old.ts", *(f"new{number}.ts" for number in range(5))}


def test_numbers_that_count_no_more_are_dropped(shelf: Shelf) -> None:
    for number in range(50):
        shelf.write(f"f{number}.ts", f"word{number} common")
    shelf.refresh()
    for round_ in range(30):
        for number in range(50):
            shelf.write(f"f{number}.ts", f"word{number} common round{round_}" + " " * round_)
        shelf.refresh()
    assert len(shelf.holding("common")) == 50
    assert shelf.holding("word7") == ["f7.ts"]
    assert shelf.holding("round3") == []
    assert len(shelf.index._paths) <= 1000


def test_two_writes_within_one_tick_have_two_stamps(shelf: Shelf) -> None:
    """The kernel's clock for files goes in steps of milliseconds."""
    shelf.write("a.ts", "one")
    os.utime(shelf.root / "a.ts", ns=(1, 1))
    shelf.refresh()
    path = str(shelf.root / "a.ts")
    before = shelf.index.stamp(path)
    shelf.refresh()
    assert shelf.index.stamp(path) == before
    shelf.write("a.ts", "two")
    os.utime(shelf.root / "a.ts", ns=(1, 1))
    shelf.refresh()
    assert shelf.index.mode == "inotify"
    assert shelf.index.stamp(path) != before
    assert shelf.index.stamp(str(shelf.root / "none.ts")) is None


@given(
    st.lists(st.text(st.sampled_from("ab1_$é .\u00a0\\u{}6-"), max_size=12), min_size=1, max_size=4),
    st.text(st.sampled_from("ab1_$é"), min_size=1, max_size=3),
    st.sampled_from(["utf-8", "utf-16"]),
)
def test_what_is_not_in_the_index_yet_is_found_as_what_is(texts: list[str], word: str, encoding: str) -> None:
    unread, raw = UnreadTexts(), word.encode()
    files = {f"{number}": text.encode(encoding) for number, text in enumerate(texts)}
    assert all(unread.add(path, text) for path, text in files.items())
    assert unread.holding(raw) == [path for path, text in files.items() if raw in words_of(text)]


def test_the_index_is_made_while_nobody_asks(shelf: Shelf) -> None:
    for number in range(8):
        shelf.write(f"f{number}.ts", f"word{number} common " + "x" * identifier_index._BATCH_BYTES)
    index = IdentifierIndex(shelf.root, lambda name: name.endswith(".ts"), lambda name: False)
    waits = 0

    async def idle() -> None:
        nonlocal waits
        waits += 1
        # In the midst of it files change, and are asked about.
        shelf.write("f6.ts", f"changed{waits} common")
        (shelf.root / "f7.ts").unlink(missing_ok=True)
        await index.refresh()
        assert [os.path.basename(path) for path in index.files_with("common")] == [f"f{one}.ts" for one in range(7)]
        assert index.files_with("word7") == []

    async def settled() -> None:
        await index.refresh()
        assert len(index.files_with("common")) == 8
        assert len(index.files_with("word6")) == 1
        await index.settle(idle)

    asyncio.run(settled())
    assert waits >= 5
    assert index.files_with("word6") == []
    assert index.files_with(f"changed{waits}") == [str(shelf.root / "f6.ts")]
    assert len(index.files_with("common")) == 7
    assert index.starting("word3", 9) == ["word3"]
    index.close()


def test_near_words(shelf: Shelf) -> None:
    shelf.write("a.ts", "UserStore userStore UserStores Unrelated gone")
    shelf.write("b.ts", "gone")
    assert shelf.index.similar("x") == []
    shelf.refresh()
    assert shelf.index.similar("USERSTORE")[:2] in (["UserStore", "userStore"], ["userStore", "UserStore"])
    assert "UserStores" in shelf.index.similar("UserStroe")
    assert "UserStore" not in shelf.index.similar("UserStore")
    shelf.write("a.ts", "")
    shelf.refresh()
    assert shelf.index.similar("USERSTORE") == []


def test_questions_at_once_share_one_building(tmp_path: Path) -> None:
    index = IdentifierIndex(tmp_path.resolve(), lambda name: name.endswith(".ts"), lambda name: False)
    (tmp_path / "a.ts").write_text("word")

    async def several() -> None:
        await asyncio.gather(*(index.refresh() for _ in range(10)))

    asyncio.run(several())
    assert len(index.files_with("word")) == 1
    assert index.mode in ("inotify", "stat sweep")
    index.close()


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(["write", "delete", "move", "ask"]), st.integers(0, 3)),
        max_size=12,
    )
)
def test_it_agrees_with_the_disk(tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, int]]) -> None:
    shelf = Shelf(tmp_path_factory.mktemp("shelf").resolve())
    try:
        for name, step, number in steps:
            file = shelf.root / f"{name}.ts"
            if step == "write":
                shelf.write(f"{name}.ts", f"w{number}")
            elif step == "delete":
                file.unlink(missing_ok=True)
            elif step == "move" and file.exists():
                file.rename(shelf.root / f"m{number}.ts")
            elif step == "ask":
                shelf.refresh()
        for number in range(4):
            expected = sorted(file.name for file in shelf.root.glob("*.ts") if file.read_text() == f"w{number}")
            assert shelf.holding(f"w{number}") == expected
    finally:
        shelf.index.close()


def test_what_unread_texts_hold_is_told_of_those_that_are_there() -> None:
    unread = UnreadTexts()
    unread.add("/a", b"one two")
    unread.add("/b", b"one")
    assert unread.holding(b"one") == ["/a", "/b"]
    unread.drop("/a")
    assert unread.holding(b"one") == ["/b"]
    unread.add("/a", b"two")
    assert (unread.holding(b"one"), unread.holding(b"two")) == (["/b"], ["/a"])


def test_what_git_begins_to_track_was_no_new_source(tmp_path: Path) -> None:
    """What a build writes is watched while git ignores it, too."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    shelf = Shelf(tmp_path.resolve())
    shelf.write(".gitignore", "dist\n")
    shelf.write("package.json", '{"name": "a", "main": "dist/a.js"}')
    shelf.write("dist/a.js", "one")
    shelf.tail("one")
    assert shelf.holding("one") == []
    subprocess.run(["git", "-C", str(tmp_path), "add", "-f", "dist/a.js"], check=True)
    assert (shelf.tail("one"), shelf.holding("one")) == (["+dist/a.js"], ["dist/a.js"])
    subprocess.run(["git", "-C", str(tmp_path), "rm", "-q", "--cached", "dist/a.js"], check=True)
    assert (shelf.tail("one"), shelf.holding("one")) == (["~dist/a.js"], [])
    shelf.index.close()


def test_what_a_tsconfig_extends_is_installed_and_removed(shelf: Shelf) -> None:
    """It was seen by the next daemon alone."""
    missing = "extends @m/base/tsconfig.json, which is not there"
    config = str(shelf.root / "tsconfig.json")

    def flaw() -> str:
        shelf.refresh()
        return shelf.index.packages().flaw(config)

    shelf.write("tsconfig.json", '{"extends": "@m/base/tsconfig.json"}')
    shelf.write("apart/node_modules/@m/base/tsconfig.json", "{}")
    assert flaw() == missing
    assert shelf.tail("one") == []
    (shelf.root / "apart" / "node_modules").rename(shelf.root / "node_modules")
    assert flaw() == ""
    assert "~tsconfig.json" in shelf.tail("one")
    (shelf.root / "node_modules").rename(shelf.root / "apart" / "node_modules")
    assert flaw() == missing
    assert "~tsconfig.json" in shelf.tail("one")
