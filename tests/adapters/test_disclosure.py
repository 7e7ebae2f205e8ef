"""Which files outside the workspace may be shown: by where they really lie, not by who names them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from cn_daemon.adapters.disclosure import OUTSIDE, Disclosure, folders


class Place:
    """A home with a repository in it, whose folder `app` is the root."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.repository = home / "repository"
        self.root = self.repository / "app"
        (self.root / "node_modules").mkdir(parents=True)
        (self.repository / ".git").mkdir()

    def judge(self, **variables: str) -> Disclosure:
        return Disclosure(self.root, {"HOME": str(self.home), "PATH": os.environ["PATH"], **variables})

    def file(self, path: str) -> str:
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")
        return str(file)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path.resolve() / "home")


def test_what_only_the_repository_names_is_refused_with_the_reason(place: Place) -> None:
    for path in (".docker/config.json", "other/src/a.ts", "other/node_modules/x/a.d.ts", "repository-2/a.ts"):
        assert place.judge().refusal(place.file(path)) == OUTSIDE
        assert not place.judge().reads(place.file(path))


def test_packages_above_the_root_are_shown(place: Place) -> None:
    for path in ("repository/node_modules/x/a.d.ts", "node_modules/.pnpm/x@1/node_modules/x/a.d.ts"):
        assert place.judge().shows(place.file(path))


def test_a_package_folder_that_is_a_link_is_judged_by_where_it_leads(place: Place) -> None:
    secret = place.file("private/x/a.ts")
    (place.repository / "node_modules").symlink_to(place.home / "private")
    (place.root / "node_modules" / "x").symlink_to(place.home / "private" / "x")
    for name in (place.repository / "node_modules/x/a.ts", place.root / "node_modules/x/a.ts"):
        assert os.path.realpath(name) == secret
        assert not place.judge().shows(os.path.realpath(name))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_packages_that_another_user_put_above_the_repository_are_refused(place: Place) -> None:
    theirs = place.file("node_modules/x/a.d.ts")
    os.chown(place.home / "node_modules", 12345, 12345)
    assert not place.judge().shows(theirs)


def test_a_sibling_in_the_repository_is_read_and_not_shown(place: Place) -> None:
    for path in ("repository/lib/a.ts", "repository/tsconfig.base.json"):
        assert place.judge().reads(place.file(path))
        assert not place.judge().shows(place.file(path))


@pytest.mark.parametrize("marked", ["home", "above"])
def test_a_home_that_is_a_repository_brought_nothing(place: Place, marked: str) -> None:
    """Dotfiles: an archive unpacked there is no part of them."""
    (place.repository / ".git").rmdir()
    ((place.home if marked == "home" else place.home.parent) / ".git").mkdir()
    assert not place.judge().reads(place.file(".docker/config.json"))
    assert not place.judge().reads(place.file("repository/lib/a.ts"))


@pytest.mark.parametrize(
    ("store", "variables"),
    [
        (".local/share/pnpm", {}),
        ("elsewhere", {"PNPM_HOME": "{home}/elsewhere"}),
        (".yarn/berry", {}),
        (".bun/install/cache", {}),
    ],
)
def test_a_store_is_shown_when_an_installed_link_leads_to_it(
    place: Place, store: str, variables: dict[str, str]
) -> None:
    kept = place.file(f"{store}/x@1/a.d.ts")
    judge = place.judge(**{name: value.format(home=place.home) for name, value in variables.items()})
    assert not judge.shows(kept)
    packages = place.root / "packages" / "one" / "node_modules" / "@scope"
    packages.mkdir(parents=True)
    (packages / "x").symlink_to(Path(kept).parent)
    assert judge.shows(kept)


def test_the_library_of_a_language_is_shown(place: Place) -> None:
    library = place.file("sdk/lib/a.rs")
    judge = place.judge()
    assert not judge.shows(library)
    judge.add([str(place.home / "sdk")])
    assert judge.shows(library)
    assert not judge.shows(place.file("sdk-2/a.rs"))


def test_folders_of_variables_that_are_not_set_or_relative_are_none(tmp_path: Path) -> None:
    (tmp_path / "a*b" / "one").mkdir(parents=True)
    (tmp_path / "aXb" / "two").mkdir(parents=True)
    known = {"HERE": str(tmp_path / "a*b"), "RELATIVE": "src"}
    patterns = ("{HERE}/*", "{HERE}/later", "{RELATIVE}/x", "{NOT_SET}/x", "{HERE}/n*")
    assert list(folders(patterns, known)) == [str(tmp_path / "a*b" / "one"), str(tmp_path / "a*b" / "later")]


def git(place: Place, *words: str) -> None:
    if not (place.repository / ".git" / "HEAD").exists():
        (place.repository / ".git").rmdir()
    subprocess.run(["git", *words], cwd=place.repository, check=True, capture_output=True)


@pytest.mark.parametrize(("folder", "shown"), [("other/node_modules", True), ("other/private", False)])
def test_packages_of_another_working_tree_are_shown_by_a_link_of_the_users(
    place: Place, folder: str, shown: bool
) -> None:
    git(place, "init", "-q")
    package = place.file(f"{folder}/x/a.d.ts")
    (place.root / "node_modules").rmdir()
    (place.root / "node_modules").symlink_to(place.home / folder)
    assert place.judge().shows(package) is shown
    assert any(package.startswith(one) for one in place.judge().folders()) is shown


@pytest.mark.parametrize("known", ["tracked", "torn", "no repository"])
def test_a_link_to_packages_that_may_have_been_brought_counts_for_nothing(place: Place, known: str) -> None:
    git(place, "init", "-q")
    package = place.file("other/node_modules/x/a.d.ts")
    (place.root / "node_modules").rmdir()
    (place.root / "node_modules").symlink_to(place.home / "other" / "node_modules")
    if known == "tracked":
        git(place, "add", "app/node_modules")
    elif known == "torn":
        (place.repository / ".git" / "HEAD").write_text("nonsense")
    else:
        shutil.rmtree(place.repository / ".git")
    assert not place.judge().shows(package)
