"""What package.json and tsconfig files say of the names that modules are imported by."""

from __future__ import annotations

from pathlib import Path

import pytest

from cn_daemon.adapters.manifests import circular, packages
from cn_daemon.application.ports import Packages

A = '{"name": "a"}'
WORKSPACE = '{"name": "a", "workspaces": ["packages/*"]}'


def _anywhere(_real: str) -> bool:
    return True


def told(root: Path, files: dict[str, str]) -> Packages:
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return packages((str(root / path) for path in files), _anywhere)


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({"": WORKSPACE, "packages/a": A}, "packages/a"),  # a workspace that is named as its package
        ({"": WORKSPACE, "z": A}, "z"),
        ({"a": A, "a/lib/esm": A}, "a"),  # a part of it, with an own kind of modules
        ({"a": A, "a/z": A}, "a"),
        ({"a": A, "b": A}, "a"),
        ({"": WORKSPACE}, ""),
    ],
)
def test_packages_of_one_name(tmp_path: Path, files: dict[str, str], named: str) -> None:
    read = told(tmp_path, {f"{folder}/package.json".lstrip("/"): text for folder, text in files.items()})
    assert read.folders == {"a": str(tmp_path / named)}


def test_the_paths_that_specifiers_stand_for(tmp_path: Path) -> None:
    read = told(
        tmp_path,
        {
            "a/package.json": """{"name": "@x/a", "source": "src/a.ts", "exports": {
                ".": "./dist/a.js", "./part/*": {"types": "./dist/part/*.d.ts"}}, "imports": {"#own": "./own.js"}}""",
            "a/tsconfig.json": '{"compilerOptions": {"baseUrl": "src", "paths": {"@/*": ["./*"], "*": ["./any/*"]}}}',
        },
    )
    named = ("dist/a.js", "src/a.ts", "dist/part/*.d.ts", "own.js", "src/*")
    assert read.targets == {f"{tmp_path}/a/{path}" for path in named}


CONFIG = """
// one, /* none
{
  "compilerOptions": {
    "paths": { /* "@no/*": ["x"], */ "@app": ["./src/a.ts", ], "\\"//b": ["./b.ts",/* , */] , },
  }, // }
}
"""


def test_comments_and_last_commas_are_no_json(tmp_path: Path) -> None:
    (tmp_path / "tsconfig.json").write_text(CONFIG)
    assert packages([str(tmp_path / "tsconfig.json")], _anywhere).targets == {
        f"{tmp_path}/src/a.ts",
        f"{tmp_path}/b.ts",
    }


@pytest.mark.parametrize("part", [",/**/", "/* ", '"\\', '\\"', ", ", "[", "//"])
def test_a_tsconfig_of_nothing_but_beginnings_took_minutes(tmp_path: Path, part: str) -> None:
    (tmp_path / "tsconfig.json").write_text(part * 200_000)
    assert not packages([str(tmp_path / "tsconfig.json")], _anywhere).targets


def test_tsconfigs_that_extend_themselves(tmp_path: Path) -> None:
    files = {
        "own/tsconfig.json": '{"extends": "./tsconfig.json"}',
        "one/tsconfig.json": '{"extends": ["../base.json", "../two/tsconfig"]}',
        "two/tsconfig.json": '{"extends": "../one/tsconfig.json"}',
        "behind/tsconfig.json": '{"extends": "../own/tsconfig.json"}',
        "base.json": "{}",
        "loop.json": '{"extends": "./loop.json"}',
        "of_loop/tsconfig.json": '{"extends": "../loop.json"}',
    }
    told(tmp_path, files)
    circles = circular((str(tmp_path / path) for path in files if path.endswith("tsconfig.json")), _anywhere)
    expected = ("loop.json", "one/tsconfig.json", "own/tsconfig.json", "two/tsconfig.json")
    assert circles == [str(tmp_path / path) for path in expected]
