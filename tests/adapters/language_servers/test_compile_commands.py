"""What of a workspace's compile commands clangd is given."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.clang.arguments import Reader
from cn_daemon.adapters.language_servers.clang.database import CompileCommands


def reader(root: Path) -> Reader:
    return Reader(lambda real: f"{real}/".startswith(f"{root}/"), lambda path: Path(path).read_text())


def kept(root: Path, *words: str) -> list[str]:
    return reader(root).flags(words, str(root)).arguments


@pytest.mark.parametrize(
    "words",
    [
        "-std=c++20", "-std=gnu11", "-O2", "-Wall", "-Wno-error=unused", "-Werror=format-security", "-m64",
        "-march=x86-64-v3", "-mavx2", "-mno-sse", "-fno-exceptions", "-fPIC", "-fvisibility=hidden", "-ffreestanding",
        "-fsanitize=address,undefined", "-nostdinc++", "--target=arm-none-eabi", "-D A=1", "-U A", "-x c++", "-pthread",
    ],
)  # fmt: skip
def test_what_says_how_code_is_read_is_kept(tmp_path: Path, words: str) -> None:
    assert kept(tmp_path, *words.split(" ")) == words.split(" ")


def test_joined_and_separate_values_are_one_and_paths_absolute(tmp_path: Path) -> None:
    for told in (["-Iinc"], ["-I", "inc"], [f"-I{tmp_path}/inc"], ["-I./x/../inc"]):
        assert kept(tmp_path, *told) == ["-I", f"{tmp_path}/inc"]
    assert kept(tmp_path, "-isystem", "inc", "-include", "a.h", f"-isystem{tmp_path}/b", "-DA=\"x y\"", "-xc++") == [
        "-isystem", f"{tmp_path}/inc", "-include", f"{tmp_path}/a.h", "-isystem", f"{tmp_path}/b", "-D", 'A="x y"',
        "-x", "c++",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "-serialize-diagnostics OUT", "--serialize-diagnostics OUT", "-fmodules -fmodules-cache-path=OUT", "-MJ OUT",
        "-MD -MF OUT", "-o OUT", "-save-temps", "--save-temps=obj", "-fcrash-diagnostics-dir=OUT", "-gen-reproducer",
        "-fplugin=OUT", "-fpass-plugin=OUT", "-Xclang -load -Xclang OUT", "-fmodule-file=OUT", "-index-store-path OUT",
        "-ftime-trace=OUT", "-ftime-trace", "-fprofile-generate=OUT", "-fprofile-use=OUT", "-Wp,-MD,OUT", "-Wa,-o,OUT",
        "-fuse-ld=OUT", "-ivfsoverlay OUT", "--config=OUT", "-fprebuilt-module-path=OUT", "-stats-file=OUT",
        "-mllvm -x",
        "-dependency-file OUT", "-fdiagnostics-log-file=OUT", "-Xclang -fdump-record-layouts", "-cc1", "-emit-pch",
        "-fsave-optimization-record", "-foptimization-record-file=OUT", "-B OUT", "--gcc-toolchain=OUT", "-wrapper OUT",
        "-specs=OUT", "-include-pch OUT", "-fembed-offload-object=OUT", "-resource-dir OUT",
        "-mlink-builtin-bitcode OUT",
        "-fsanitize-ignorelist=OUT", "-working-directory OUT", "-header-include-file OUT", "-api-notes-modules",
    ],
)  # fmt: skip
def test_what_is_not_known_to_be_harmless_is_left_out(tmp_path: Path, words: str) -> None:
    told = words.replace("OUT", str(tmp_path / "out")).split(" ")
    assert kept(tmp_path, *told, "-DLAST") == ["-D", "LAST"]
    assert kept(tmp_path, *(word for one in told for word in ("-Xclang", one)), "-DLAST") == ["-D", "LAST"]


def test_no_option_is_smuggled_in_a_value(tmp_path: Path) -> None:
    told = reader(tmp_path).command(
        ["g++", "-D", "-fplugin=x", "-x", "c -load", "--", "-load"], str(tmp_path), "/a.cpp"
    )
    assert told.arguments == ["g++", "-D", "-fplugin=x", "--", "/a.cpp"]  # a macro of an odd name


@pytest.mark.parametrize(
    "option", ["-I", "-isystem", "-iquote", "-include", "-imacros", "-F", "-isysroot", "--sysroot"]
)
def test_folders_outside_are_left_out_and_told(tmp_path: Path, option: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)
    for value in ("/home/other", "..", "link", "=/x"):
        told = reader(root).flags([option, value], str(root))
        assert told.arguments == []
        assert told.dropped == {f"{option} {value}"}


def test_response_files_are_read_by_the_same_rule(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "more").write_text('-DONE "-DTWO=a b" @nested -fplugin=x')
    (root / "nested").write_text("-DTHREE @nested")
    (tmp_path / "outside").write_text("-DFOUR")
    told = reader(root).flags(["@more", "@../outside", "@gone"], str(root))
    assert told.arguments == ["-D", "ONE", "-D", "TWO=a b", *["-D", "THREE"] * 3]
    assert told.dropped == {"-fplugin", "@nested", "@../outside", "@gone"}


@pytest.mark.parametrize(
    ("compiler", "name"),
    [
        ("/usr/bin/g++-12", "g++-12"),
        ("ccache g++", "g++"),
        ("./evil.sh", "clang"),
        ("arm-none-eabi-gcc", "arm-none-eabi-gcc"),
        ("C:\\x\\clang-cl.exe", "clang"),
        ("", "clang"),
    ],
)
def test_the_compiler_is_a_name_and_no_path(tmp_path: Path, compiler: str, name: str) -> None:
    told = reader(tmp_path).command(compiler.split(" ") if compiler else [], str(tmp_path), "/a.c")
    assert told.arguments == [name, "--", "/a.c"]


class Workspace:
    """Its databases, of which the repository may hold a part above the root."""

    def __init__(self, folder: Path) -> None:
        self.repository = folder
        self.root = folder / "root"
        self.root.mkdir()
        inside = lambda real: real.startswith(f"{folder}/") and "outside" not in real  # noqa: E731
        self.commands = CompileCommands(self.root, self.sources, inside)

    def sources(self) -> Iterable[str]:
        return [str(path) for path in self.root.rglob("*.*") if path.suffix in (".c", ".cc", ".h", ".hpp")]

    def put(self, path: str, content: object = "") -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content))

    def told(self) -> dict[str, list[str]]:
        """The arguments of each file."""
        (argument,) = self.commands.write()
        rows = json.loads(Path(argument.partition("=")[2], "compile_commands.json").read_text())
        return {os.path.relpath(row["file"], self.root): row["arguments"][1:-2] for row in rows}


@pytest.fixture
def workspace(tmp_path: Path, user_folders: Path) -> Workspace:
    return Workspace(tmp_path.resolve())


def row(file: str, *words: str, folder: str = ".") -> dict[str, object]:
    return {"directory": folder, "file": file, "arguments": ["cc", *words, file]}


def test_the_nearest_database_says_how_a_file_is_compiled(workspace: Workspace) -> None:
    for file in ("a.c", "lib/b.c", "old/c.c", "old/deep/d.c"):
        workspace.put(file)
    workspace.put("build/compile_commands.json", [row("../a.c", "-DTOP"), row("../lib/b.c", "-DTOP")])
    workspace.put("lib/compile_commands.json", [{"directory": ".", "file": "b.c", "command": "cc -DLIB 'b.c'"}])
    workspace.put("old/compile_flags.txt", "-DOLD\n\n-Iinc\n")
    inc = f"{workspace.root}/old/inc"
    assert workspace.told() == {
        "a.c": ["-D", "TOP"],
        "lib/b.c": ["-D", "LIB"],
        "old/c.c": ["-D", "OLD", "-I", inc],
        "old/deep/d.c": ["-D", "OLD", "-I", inc],
    }


def test_a_database_above_the_root_counts_when_it_is_of_the_repository(workspace: Workspace) -> None:
    workspace.put("a.c")
    (workspace.repository / "compile_commands.json").write_text(json.dumps([row("root/a.c", "-DTOP"), row("b.c")]))
    assert workspace.told() == {"a.c": ["-D", "TOP"]}
    (workspace.repository / "compile_commands.json").rename(workspace.repository / "outside.json")
    (workspace.repository / "compile_commands.json").symlink_to(workspace.repository / "outside.json")
    assert workspace.told() == {}


@pytest.mark.parametrize("text", ["", "{", "null", "[1, null, {}]", '[{"file": 1}]', "[" * 100_000])
def test_a_torn_database_says_nothing(workspace: Workspace, text: str) -> None:
    workspace.put("a.c")
    workspace.put("compile_commands.json", text)
    assert workspace.told() == {}


def test_what_is_left_out_is_told(workspace: Workspace) -> None:
    workspace.put("a.c")
    workspace.put("compile_commands.json", [row("a.c", "-fplugin=/x", "-ftime-trace", "-O2", "-c", "-o", "a.o")])
    workspace.told()
    assert workspace.commands.note == "of the compile commands -fplugin, -ftime-trace is left out"


def test_it_is_another_one_when_a_database_comes_changes_or_goes(workspace: Workspace) -> None:
    workspace.put("a.c")
    workspace.told()
    assert not workspace.commands.is_other()
    for text in ("-DA", "-DAB", None):
        if text is None:
            (workspace.root / "compile_flags.txt").unlink()
        else:
            workspace.put("compile_flags.txt", text)
        assert workspace.commands.is_other()
        workspace.told()
        assert not workspace.commands.is_other()


def test_without_a_database_the_folders_are_named_that_headers_are_included_from(workspace: Workspace) -> None:
    workspace.put("include/lib/a.h", '#include "b.h"\n')
    workspace.put("include/lib/b.h", "#include <string.h>\n#include <gone/x.h>\n")
    workspace.put("src/use.cc", '#include <lib/a.h>\n#  include "inner/c.hpp"\n#include "near.hpp"\n')
    workspace.put("src/near.hpp")
    workspace.put("private/inner/c.hpp")
    root = workspace.root
    roots = [f"{root}/include", f"{root}/private"]
    headers = ["-x", "objective-c++-header"]
    flags = [part for one in roots for part in ("-I", one)]
    assert workspace.told() == {
        "include/lib/a.h": [*headers, *flags],
        "include/lib/b.h": [*headers, *flags],
        "private/inner/c.hpp": [part for one in roots[::-1] for part in ("-I", one)],
        "src/near.hpp": flags,
        "src/use.cc": flags,
    }


def test_of_two_headers_of_a_name_the_one_in_the_same_project_comes_first(workspace: Workspace) -> None:
    for project in ("one", "two"):
        workspace.put(f"{project}/include/common/config.h")
        workspace.put(f"{project}/src/use.c", "#include <common/config.h>\n")
    one, two = (f"{workspace.root}/{project}/include" for project in ("one", "two"))
    told = workspace.told()
    assert told["one/src/use.c"] == ["-I", one, "-I", two]
    assert told["two/src/use.c"] == ["-I", two, "-I", one]
    # There is no C++: a header alone is one of C.
    assert told["two/include/common/config.h"] == ["-x", "c-header", "-I", two, "-I", one]


def test_a_folder_with_a_header_of_the_systems_name_comes_after_the_systems(workspace: Workspace) -> None:
    workspace.put("util/string.h")
    workspace.put("util/own.h")
    workspace.put("a.c", "#include <own.h>\n")
    assert workspace.told()["a.c"] == ["-idirafter", f"{workspace.root}/util"]
    workspace.put("a.c", '#include "own.h"\n')
    assert workspace.commands.is_other(edited=[f"{workspace.root}/a.c"])
    assert workspace.told()["a.c"] == ["-iquote", f"{workspace.root}/util"]


def test_a_new_header_matters_where_it_is_included(workspace: Workspace) -> None:
    workspace.put("a.c", "#include <own.h>\n")
    workspace.put("b.c")
    assert workspace.told() == {}
    workspace.put("other/b.h")
    assert not workspace.commands.is_other(edited=[f"{workspace.root}/other/b.h"])
    workspace.put("lib/own.h")
    assert workspace.commands.is_other(edited=[f"{workspace.root}/lib/own.h"])
    assert workspace.told()["b.c"] == ["-I", f"{workspace.root}/lib"]
