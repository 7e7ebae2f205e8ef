"""Which TypeScript a workspace asks for: by what is installed, by each package manager's lock, by its manifest."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning.releases import newest, releases
from cn_daemon.adapters.language_servers.provisioning.versions import PINNED, TYPESCRIPT
from cn_daemon.adapters.language_servers.provisioning.wanted import wanted

MEMBER = "packages/a"
# Each of a workspace that asks for "~5.8.0" at its top, and for "5.4.5" in a member package.
LOCKS = {
    "npm 6": ("package-lock.json", json.dumps({
        "lockfileVersion": 1,
        "dependencies": {
            "a": {"version": f"file:{MEMBER}", "dependencies": {"typescript": {"version": "5.4.5"}}},
            "typescript": {"version": "5.8.3", "resolved": "https://evil.example/x.tgz"},
        },
    })),
    "npm": ("package-lock.json", json.dumps({
        "lockfileVersion": 3,
        "packages": {
            "": {"devDependencies": {"typescript": "~5.8.0"}},
            "node_modules/typescript": {"version": "5.8.3", "resolved": "https://evil.example/x.tgz"},
            f"{MEMBER}/node_modules/typescript": {"version": "5.4.5"},
        },
    })),
    "shrinkwrap": ("npm-shrinkwrap.json", json.dumps({
        "lockfileVersion": 2,
        "packages": {
            "node_modules/typescript": {"version": "5.8.3"}, f"{MEMBER}/node_modules/typescript": {"version": "5.4.5"}
        },
    })),
    "pnpm 7": ("pnpm-lock.yaml", """lockfileVersion: 5.4

importers:

  .:
    specifiers:
      typescript: ~5.8.0
    devDependencies:
      typescript: 5.8.3

  packages/a:
    specifiers:
      typescript: 5.4.5
    devDependencies:
      typescript: 5.4.5

packages:

  /typescript/5.1.3:
    resolution: {integrity: sha512-x}
"""),
    "pnpm": ("pnpm-lock.yaml", """lockfileVersion: '9.0'

catalogs:
  default:
    typescript:
      specifier: ~5.1.0
      version: 5.1.3

importers:

  .:
    devDependencies:
      typescript:
        specifier: ~5.8.0
        version: 5.8.3

  'packages/a':
    dependencies:
      ts-node:
        specifier: ^10.9.2
        version: 10.9.2(typescript@5.4.5)
      typescript:
        specifier: 5.4.5
        version: 5.4.5(peer@1.0.0)

packages:

  typescript@5.1.3:
    resolution: {integrity: sha512-x}
"""),
    "yarn 1": ("yarn.lock", """# yarn lockfile v1


"@types/node@^20":
  version "20.0.0"

typescript@5.4.5:
  version "5.4.5"
  resolved "https://evil.example/x.tgz"

"typescript@>=4 <6", typescript@~5.8.0:
  version "5.8.3"
"""),
    "yarn": ("yarn.lock", """__metadata:
  version: 8

"typescript@npm:5.4.5":
  version: 5.4.5
  resolution: "typescript@npm:5.4.5"

"typescript@npm:^5.2.0, typescript@npm:~5.8.0":
  version: 5.8.3
  resolution: "typescript@npm:5.8.3"

"typescript@patch:typescript@npm%3A~5.8.0#optional!builtin<compat/typescript>":
  version: 5.8.3
"""),
    "bun": ("bun.lock", """{
  "workspaces": {
    "": { "name": "x", "devDependencies": { "typescript": "~5.8.0", }, },
    "packages/a": {
      "name": "a",
    },
  },
  "packages": {
    "typescript": ["typescript@5.8.3", "", {}, "sha512-x"],
    "a/typescript": ["typescript@5.4.5", "", {}, "sha512-x"],
  }
}
"""),
}  # fmt: skip


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def manifest(folder: Path, specifier: str, **other: object) -> None:
    write(folder / "package.json", json.dumps({"devDependencies": {"typescript": specifier}, **other}))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The top of a repository."""
    folder = tmp_path.resolve() / "top"
    (folder / ".git").mkdir(parents=True)
    return folder


def version(folder: Path) -> str | None:
    found = wanted(folder)
    return found.version if found else None


@pytest.mark.parametrize("manager", LOCKS)
def test_the_lock_of_each_package_manager(root: Path, manager: str) -> None:
    name, text = LOCKS[manager]
    write(root / name, text)
    manifest(root, "~5.8.0")
    manifest(root / MEMBER, "5.4.5", name="a")
    found = wanted(root)
    assert found is not None
    assert (found.version, found.source) == ("5.8.3", name)
    member = wanted(root / MEMBER)
    assert member is not None
    assert (member.version, member.source) == ("5.4.5", name)


@pytest.mark.parametrize("manager", ["pnpm 7", "pnpm", "yarn 1", "yarn"])
def test_a_member_package_answers_for_a_root_that_asks_for_none(root: Path, manager: str) -> None:
    name, text = LOCKS[manager]
    write(root / name, text.replace("  .:", "  packages/b:"))
    manifest(root / MEMBER, "5.4.5", name="a")
    assert version(root) == "5.4.5"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("package-lock.json", "{"),
        ("package-lock.json", '{"packages": {"node_modules/typescript": {"version": 5}}}'),
        ("package-lock.json", '{"packages": {"node_modules/typescript": {"link": true, "resolved": "../evil"}}}'),
        ("package-lock.json", '{"packages": {"node_modules/typescript": {"name": "@evil/ts", "version": "5.1.3"}}}'),
        ("package-lock.json", "[" * 100_000),
        (
            "pnpm-lock.yaml",
            "importers:\n  .:\n    devDependencies:\n      typescript:\n        version: link:../evil\n",
        ),
        ("pnpm-lock.yaml", "importers:\n\n  .:"),
        ("yarn.lock", "typescript@~5.8.0:"),
        ("yarn.lock", 'typescript@~5.8.0:\n  version "../evil"\n'),
        ("bun.lock", '    "typescript": ["@evil/ts@5.1.3", "", {}],'),
    ],
)
def test_a_lock_that_says_nothing_of_use_leaves_it_to_the_manifest(root: Path, name: str, text: str) -> None:
    write(root / name, text)
    manifest(root, "~5.8.0")
    found = wanted(root)
    assert found is not None
    assert (found.version, found.source) == ("5.8.3", "package.json")


def test_what_is_installed_comes_first(root: Path) -> None:
    write(root / "package-lock.json", LOCKS["npm"][1])
    manifest(root, "~5.8.0")
    write(root / "node_modules/typescript/package.json", '{"name": "typescript", "version": "5.7.2"}')
    found = wanted(root)
    assert found is not None
    assert (found.version, found.source) == ("5.7.2", "node_modules")
    assert version(root / "app") == "5.7.2"


def test_folders_above_the_root_count(root: Path) -> None:
    manifest(root, "~5.8.0")
    (root / "app" / "src").mkdir(parents=True)
    assert version(root / "app" / "src") == "5.8.3"


@pytest.mark.parametrize(
    ("specifier", "chosen"),
    [
        ("^5.0.0", "5.9.3"),
        ("5.1.3", "5.1.3"),
        ("=v5.1.3", "5.1.3"),
        ("5.9.0-dev.20260101", "5.9.0-dev.20260101"),
        ("npm:typescript@~5.2", "5.2.2"),
        ("npm:~5.2", "5.2.2"),
        ("npm:@typescript/typescript6@^6.0.0", "6.0.3"),
        ("latest", list(releases())[-1]),
        ("next", None),
        ("^4.9.0", None),
        ("npm:@evil/typescript@5.9.3", None),
        ("file:../typescript", None),
        ("link:../typescript", None),
        ("workspace:*", None),
        ("git+ssh://git@github.com/x/typescript#v5.9.3", None),
        ("github:x/typescript", None),
        ("https://evil.example/typescript-5.9.3.tgz", None),
        ("patch:typescript@npm%3A5.4.5#./x.patch", None),
    ],
)
@pytest.mark.parametrize("locked", [False, True])
def test_what_the_manifest_says(root: Path, specifier: str, chosen: str | None, locked: bool) -> None:
    """What is not a release in the registry is none by what a lock says of it either."""
    manifest(root, specifier)
    if locked and chosen is None and ":" in specifier:
        write(root / "package-lock.json", LOCKS["npm"][1])
        write(root / "yarn.lock", f'"typescript@{specifier}":\n  version "5.1.3"\n')
    found = wanted(root)
    assert found is not None
    assert (found.version, found.specifier) == (chosen, chosen if chosen == found.specifier else specifier)


@pytest.mark.parametrize(
    ("file", "text", "specifier"),
    [
        ("pnpm-workspace.yaml", "packages:\n  - a\ncatalog:\n  typescript: ~5.2.0\n", "catalog:"),
        ("pnpm-workspace.yaml", "catalog:\n  'typescript': '~5.2.0' # why\n", "catalog:default"),
        ("pnpm-workspace.yaml", "catalogs:\n  old:\n    typescript: ~5.2.0\n  new:\n    x: 1\n", "catalog:old"),
        (".yarnrc.yml", "catalogs:\n    old:\n        typescript: ~5.2.0\n", "catalog:old"),
        ("package.json", '{"catalog": {"typescript": "~5.2.0"}}', "catalog:"),
        ("package.json", '{"workspaces": {"catalogs": {"old": {"typescript": "~5.2.0"}}}}', "catalog:old"),
    ],
)
def test_catalogs(root: Path, file: str, text: str, specifier: str) -> None:
    write(root / file, text)
    manifest(root / "app", specifier)
    assert version(root / "app") == "5.2.2"


LONG = 1_000_000


@pytest.mark.parametrize(
    ("file", "text", "specifier"),
    [
        ("pnpm-workspace.yaml", "catalog:\n  typescript: a" + " " * LONG + "'", "catalog:"),
        ("package.json", json.dumps({"catalog": {"typescript": "5 " * LONG}}), "catalog:"),
        ("package.json", json.dumps({"catalog": {"typescript": "5 -" + " " * LONG}}), "catalog:"),
        ("pnpm-lock.yaml", "importers:\n" + " " * LONG + "\n  .:\n" + "    typescript:\n" * (LONG // 20), "^5"),
        ("yarn.lock", "typescript@" + ", typescript@" * (LONG // 20), "^5"),
        ("bun.lock", '"typescript": [' * (LONG // 20), "^5"),
    ],
)
def test_what_is_long_is_read_in_linear_time(root: Path, file: str, text: str, specifier: str) -> None:
    write(root / file, text)
    manifest(root / "app", specifier)
    started = time.monotonic()
    wanted(root / "app")
    assert time.monotonic() - started < 10


def test_a_catalog_that_is_nowhere(root: Path) -> None:
    manifest(root, "catalog:none")
    found = wanted(root)
    assert found is not None
    assert (found.version, found.specifier) == (None, "catalog:none")


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("", "newest"), ("*", "newest"), (">=5", "newest"), ("5", "5.9.3"), ("5.x", "5.9.3"), ("~5.4.2", "5.4.5"),
        ("~>5.2", "5.2.2"), (">=5 <5.5", "5.4.5"), (">= 5.2 < 5.4", "5.3.3"), ("5.0 - 5.3", "5.3.3"),
        ("5.0.2 - 5.3.2", "5.3.2"), ("^4.9 || ^5.2", "5.9.3"), ("<=5.3.2", "5.3.2"), (">=5.0.0 <=5.4", "5.4.5"),
        (">5.9.2-beta <6", "5.9.3"), ("<5.9.3-rc", "5.9.2"), ("^6.0.0-beta", "6.0.3"), ("<6.0", "5.9.3"),
        (">5.8", "newest"), ("^5.9.9", None), ("<5", None), (">*", None), ("one", None), ("5.1.3 one", None),
    ],
)  # fmt: skip
def test_ranges_as_npm_reads_them(text: str, chosen: str | None) -> None:
    assert newest(text) == (list(releases())[-1] if chosen == "newest" else chosen)


def test_the_table_holds_the_pinned_one() -> None:
    assert PINNED[TYPESCRIPT] in releases()
    assert all(integrity.startswith("sha512-") for integrity in releases().values())
