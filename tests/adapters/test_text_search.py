"""The process that looks through texts: what it finds by either program, and that no pattern holds anything up."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.adapters.texts.text_search import ProcessTextSearch
from cn_daemon.application.text_ports import Searched, Sought
from cn_shared.errors import DeadlineError, InputError, InternalError

# Each way to read it takes twice as long for one letter more.
HOSTILE = "(a+)+$"
PATIENCE_S = 60.0
PROGRAMS = [
    pytest.param("", id="python"),
    pytest.param("rg", id="ripgrep", marks=pytest.mark.skipif(not shutil.which("rg"), reason="there is no ripgrep")),
]


def environ(program: str) -> dict[str, str]:
    found = shutil.which(program) if program else None
    return {"PATH": os.path.dirname(found) if found else ""}


class Searcher:
    def __init__(self, root: Path, texts: dict[str, str | bytes], program: str = "", **variables: str) -> None:
        for name, text in texts.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.root = root
        self.search = ProcessTextSearch(root, lambda: {**environ(program), **variables})

    def searched(self, pattern: str, *names: str, most: int = 100, **options: bool) -> Searched:
        return asyncio.run(self.asked(pattern, *names, most=most, **options))

    async def asked(self, pattern: str, *names: str, most: int = 100, **options: bool) -> Searched:
        paths = [str(self.root / name) for name in names] or sorted(await self.search.files())
        deadline = asyncio.get_running_loop().time() + PATIENCE_S
        return await self.search.search(Sought(pattern, **options), paths, most, deadline)

    def places(self, pattern: str, *names: str, **options: Any) -> list[str]:
        found = self.searched(pattern, *names, **options).hits
        return [
            f"{os.path.relpath(one.path, self.root)}:{line}:{character}"
            for one in found
            for line, character in one.places
        ]


@pytest.mark.parametrize("program", PROGRAMS)
def test_lines_and_characters_are_those_of_editors(tmp_path: Path, program: str) -> None:
    texts: dict[str, str | bytes] = {
        "a.ts": "one\r\n𝔘 two\r\nthree two two\r\n",
        "utf16.txt": "two".encode("utf-16"),
        "bom.txt": b"\xef\xbb\xbftwo\n",
        "latin.txt": b"\xe4 two\n",
        "binary": b"two\0\1\2",
        "cr.txt": "one\rtwo\r",
        "new\nline.txt": "two",
    }
    search = Searcher(tmp_path, texts, program)
    others = ["bom.txt:1:1", "cr.txt:2:1", "latin.txt:1:3", "new\nline.txt:1:1", "utf16.txt:1:1"]
    assert search.places("two") == ["a.ts:2:4", "a.ts:3:7", *others]
    assert search.places("two$") == ["a.ts:2:4", "a.ts:3:11", *others]
    assert search.places("TWO|^o", "a.ts", ignore_case=True) == ["a.ts:1:1", "a.ts:2:4", "a.ts:3:7"]
    assert search.places("t.o", "a.ts", fixed=True) == []
    assert search.places("th|two", "a.ts", word=True) == ["a.ts:2:4", "a.ts:3:7"]
    assert search.places("wo", fixed=True, word=True) == []


@pytest.mark.parametrize("program", PROGRAMS)
def test_files_are_told_in_the_order_that_was_asked_for(tmp_path: Path, program: str) -> None:
    names = [f"{number}.txt" for number in range(40)]
    search = Searcher(tmp_path, dict.fromkeys(names, "needle\nneedle\n"), program)
    backwards = names[::-1]
    assert search.places("needle", *backwards) == [f"{name}:{line}:1" for name in backwards for line in (1, 2)]
    cut = search.searched("needle", *backwards, most=5)
    assert sum(len(one.places) for one in cut.hits) == 5
    assert [Path(one.path).name for one in cut.hits] == backwards[:3]
    assert cut.cut
    assert not search.searched("needle", *backwards, most=80).cut


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_only_python_reads_is_read_by_python(tmp_path: Path, program: str) -> None:
    assert Searcher(tmp_path, {"a.txt": "ab\nac\n"}, program).places("a(?=c)") == ["a.txt:2:1"]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("pattern", ["foo(", "[", "*", "(" * 4000])
def test_what_is_no_pattern_is_said(tmp_path: Path, program: str, pattern: str) -> None:
    with pytest.raises(InputError, match="is not a regular expression"):
        Searcher(tmp_path, {"a.txt": "a"}, program).searched(pattern)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_text_that_is_too_large_is_said_and_a_picture_is_none(tmp_path: Path, program: str) -> None:
    large = 17 << 20
    texts: dict[str, str | bytes] = {"a.json": "a" * large, "b.png": b"a\0" + b"a" * large, "c.txt": "a"}
    found = Searcher(tmp_path, texts, program).searched("a")
    assert [Path(one.path).name for one in found.hits] == ["c.txt"]
    assert found.unsearched == {str(tmp_path / "a.json"): "it is too large"}


def test_a_pattern_that_takes_for_ever_costs_one_file_and_holds_nobody_up(tmp_path: Path) -> None:
    search = Searcher(tmp_path, {"a.txt": "aaa\n", "b.txt": "a" * 60 + "!\n", "c.txt": "xa\n"})

    async def asked() -> tuple[Searched, int]:
        question = asyncio.ensure_future(search.asked(HOSTILE))
        turns = 0
        while not question.done():
            turns += 1
            await asyncio.sleep(0)
        return await question, turns

    found, turns = asyncio.run(asked())
    assert [Path(one.path).name for one in found.hits] == ["a.txt", "c.txt"]
    assert found.unsearched == {str(tmp_path / "b.txt"): "the pattern takes too long"}
    assert turns > 100


def test_a_pattern_that_takes_for_ever_in_many_files_is_given_up(tmp_path: Path) -> None:
    names = [f"{number:02}.txt" for number in range(30)]
    found = Searcher(tmp_path, dict.fromkeys(names, "a" * 60 + "!\n")).searched(HOSTILE)
    assert sorted(Path(path).name for path in found.unsearched) == names


def test_time_that_runs_out_ends_the_process_and_tells_how_far_it_was(tmp_path: Path) -> None:
    search = Searcher(tmp_path, {"a.txt": "aaa\n", "b.txt": "a" * 60 + "!\n", "c.txt": "b\n"})

    async def asked() -> Searched:
        paths = sorted(await search.search.files())
        return await search.search.search(Sought(HOSTILE), paths, 9, asyncio.get_running_loop().time())

    found = asyncio.run(asked())
    assert (found.hits, found.reached, found.cut) == ([], 0, False)
    with pytest.raises(DeadlineError):
        asyncio.run(search.search.fitting(HOSTILE, ["a" * 60 + "b"], 0))


def test_a_process_that_ends_before_it_is_done_is_no_answer(tmp_path: Path) -> None:
    search = Searcher(tmp_path, {"a.txt": "a"})
    pipe = asyncio.subprocess.PIPE

    async def started() -> asyncio.subprocess.Process:
        command = [sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.read()"]
        return await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, start_new_session=True)

    search.search._started = started  # type: ignore[method-assign]
    with pytest.raises(InternalError):
        search.searched("a")


def test_names_that_a_pattern_fits(tmp_path: Path) -> None:
    search = Searcher(tmp_path, {})

    def fitting(pattern: str, *words: str) -> list[str]:
        async def asked() -> list[str]:
            return await search.search.fitting(pattern, words, asyncio.get_running_loop().time() + PATIENCE_S)

        return asyncio.run(asked())

    assert fitting("get.*Path", "getPath", "x", "getTheXPath", "get" + "a" * 1000 + "Path") == [
        "getPath",
        "getTheXPath",
    ]
    for pattern in (HOSTILE, "("):
        with pytest.raises(InputError):
            fitting(pattern, "a" * 60 + "b")


def test_the_files_are_those_that_git_does_not_ignore_and_the_token_is_in_none(tmp_path: Path) -> None:
    texts: dict[str, str | bytes] = {
        ".gitignore": "out/\n",
        **dict.fromkeys(("a.ts", "docs/a.md", "out/a.js", "node_modules/b/b.js", ".cn-daemon.json", ".git/x"), ""),
    }
    search = Searcher(tmp_path, texts)
    (tmp_path / "link").symlink_to("/etc")
    (tmp_path / "linked.md").symlink_to("/etc/passwd")
    found = asyncio.run(search.search.files())
    assert {os.path.relpath(path, tmp_path) for path in found} == {".gitignore", "a.ts", "docs/a.md"}
    (tmp_path / "b.ts").write_text("abc")
    assert str(tmp_path / "b.ts") in asyncio.run(search.search.files())


FAKE = f"""#!{sys.executable}
import json, os, sys
with open(os.environ["SEEN"], "a") as file:
    file.write(json.dumps([sys.argv[1:], sorted(os.environ)]) + "\\n")
sys.exit(1)
"""


def test_ripgrep_reads_no_configuration_and_is_none_that_a_clone_brought(tmp_path: Path) -> None:
    """SEEN is where the fake tells how it was called."""
    root, elsewhere = tmp_path / "clone", tmp_path / "bin"
    seen = tmp_path / "seen"
    for folder in (root / "node_modules" / ".bin", elsewhere):
        folder.mkdir(parents=True)
        (folder / "rg").write_text(FAKE)
        (folder / "rg").chmod(0o755)
    (root / "a.txt").write_text("a\n")
    (root / "package.json").write_text("{}")
    (root / "film.mp4").write_bytes(b"\0" * (17 << 20))

    def searched(path: str) -> list[str]:
        variables = {"PATH": path, "SEEN": str(seen), "RIPGREP_CONFIG_PATH": str(root / "rgrc")}
        search = Searcher(root, {}, **variables)
        search.search = ProcessTextSearch(root, lambda: variables, lambda: False)
        search.searched("a")
        return seen.read_text().splitlines() if seen.exists() else []

    assert searched(f"{root}/node_modules/.bin") == []
    told = searched(f"{root}/node_modules/.bin{os.pathsep}{elsewhere}")
    assert len(told) == 2
    assert "a.txt" in told[1]
    assert "film.mp4" not in told[1]
    assert all("--no-config" in line and "RIPGREP_CONFIG_PATH" not in line for line in told)


@pytest.mark.skipif(sys.platform != "linux", reason="the sandbox needs Linux")
def test_the_process_cannot_read_what_lies_outside(tmp_path: Path) -> None:
    from cn_daemon.adapters.language_servers import sandbox

    if sandbox.lacking():
        pytest.skip(sandbox.lacking())
    root = tmp_path / "root"
    search = Searcher(root, {"a.txt": "secret\n", "../outside.txt": "secret\n"})
    found = search.searched("secret", "a.txt", "../outside.txt")
    assert [Path(one.path).name for one in found.hits] == ["a.txt"]


def test_no_process_outlives_its_question(tmp_path: Path) -> None:
    search = Searcher(tmp_path, {"a.txt": "a" * 60 + "!\n"})
    started: list[asyncio.subprocess.Process] = []
    start = search.search._started
    begun = asyncio.Event()

    async def noted() -> asyncio.subprocess.Process:
        started.append(await start())
        begun.set()
        return started[0]

    search.search._started = noted  # type: ignore[method-assign]

    async def asked() -> None:
        question = asyncio.ensure_future(search.asked(HOSTILE))
        await begun.wait()
        question.cancel()
        await asyncio.wait({question})

    asyncio.run(asked())
    assert started[0].returncode is not None
