"""Changes of the monorepo beside its sources: what is built of it, and what its packages say of themselves."""

from __future__ import annotations

import os
import shutil
import subprocess

from tests.faults.churn.ground import Change, Ground
from tests.faults.churn.monorepo import BUILT, BY_HAND, SCOPE, link, tsconfig

# What is built


def build(ground: Ground) -> str:
    return _built(ground, "-p", ground.random.choice(BUILT))


def build_all(ground: Ground) -> str:
    return _built(ground, "-b", *BUILT)


def _built(ground: Ground, how: str, *names: str) -> str:
    """Errors that it tells are none of ours."""
    folders = [f"packages/{name}" for name in names if ground.there(f"packages/{name}/tsconfig.json")]
    if folders:
        subprocess.run([*ground.compile, how, *folders], cwd=ground.root, capture_output=True, check=False)
    return " ".join(folders)


def clean(ground: Ground) -> str:
    package = f"packages/{ground.random.choice(BUILT)}"
    for path in ("dist", "build", "tsconfig.tsbuildinfo"):
        ground.remove(f"{package}/{path}")
    return package


def lose_one(ground: Ground) -> str | None:
    return _lost(ground, "*.d.ts*", 1)


def lose_a_kind(ground: Ground) -> str | None:
    return _lost(ground, ground.random.choice(["*.d.ts", "*.d.ts.map", "*.js"]), 100)


def _lost(ground: Ground, pattern: str, most: int) -> str | None:
    found = _of_builds(ground, pattern)
    gone = ground.random.sample(found, min(most, len(found)))
    for path in gone:
        ground.remove(path)
    return f"{pattern}: {len(gone)}" if gone else None


def _of_builds(ground: Ground, pattern: str) -> list[str]:
    found = (ground.root / "packages").glob(f"*/dist/**/{pattern}")
    return sorted(os.path.relpath(one, ground.root) for one in found)


def swap(ground: Ground) -> str | None:
    """Another build takes the place of this one."""
    dist = f"packages/{ground.random.choice(BUILT)}/dist"
    if not ground.there(dist):
        return None
    fresh = ground.away / f"dist{ground.step}"
    shutil.copytree(ground.at(dist), fresh)
    for file in fresh.rglob("*.d.ts"):
        file.write_text("// moved\n" * ground.random.randint(0, 2) + file.read_text())
    ground.remove(dist)
    shutil.move(fresh, ground.at(dist))
    return dist


def hollow(ground: Ground) -> str | None:
    """A build that leaves nothing of its exports, or writes them one line further down."""
    found = _of_builds(ground, "index.d.ts")
    if not found:
        return None
    path = ground.random.choice(found)
    ground.write(path, ground.random.choice(["export {};\n", "// edited\n" + ground.read(path)]))
    return path


# What packages say of themselves


def types(ground: Ground) -> str | None:
    values = ("dist/index.d.ts", "src/index.ts", "dist/nothing.d.ts", None)
    return ground.turn("packages/core/package.json", "types", *values)


def main(ground: Ground) -> str | None:
    return ground.turn("packages/core/package.json", "main", "dist/index.js", "src/index.ts", None)


def by_hand(ground: Ground) -> str:
    """What declares a script by hand, or the script."""
    path, text = ground.random.choice(BY_HAND)
    return ground.swing(path, text)


def exports(ground: Ground) -> str | None:
    built = {".": {"types": "./dist/index.d.ts"}}
    values = ("./src/index.ts", built, {".": "./dist/gone.js"}, {"./shape": "./src/shape.ts"}, None)
    return ground.turn(f"packages/{ground.random.choice(['core', 'plain'])}/package.json", "exports", *values)


def imports(ground: Ground) -> str | None:
    values = ({"#lib/*": "./src/lib/*.ts"}, {"#lib/*": "./src/other/*.ts"}, None)
    return ground.turn("packages/hash/package.json", "imports", *values)


def entry(ground: Ground) -> str | None:
    return ground.turn("packages/hash/package.json", "types", "src/index.ts", "src/other/hash.ts")


def workspaces(ground: Ground) -> str | None:
    return ground.turn("package.json", "workspaces", ["packages/*"], ["packages/app"], None)


def name(ground: Ground) -> str | None:
    return ground.turn("packages/plain/package.json", "name", "@m/plain", "@m/renamed")


def another_package(ground: Ground) -> str:
    package = "packages/extra"
    if ground.there(package):
        ground.remove(package)
        ground.remove(f"{SCOPE}/extra")
        return "gone"
    ground.write(f"{package}/package.json", '{"name": "@m/extra", "types": "src/index.ts"}')
    lines = (
        'export { Shape } from "@m/core";\nimport { Plain } from "@m/plain";\nexport const extra = new Plain().size;\n'
    )
    ground.write(f"{package}/src/index.ts", lines)
    ground.write(f"{package}/tsconfig.json", tsconfig())
    link(ground, "extra", "extra")
    return "there"


def move_package(ground: Ground) -> str:
    here, there = "packages/cond", "packages/moved"
    if ground.there(there):
        ground.remove(here)
        here, there = there, here
    ground.move(here, there)
    return f"{here} -> {there}"


BUILDS: tuple[Change, ...] = (
    build, build, build_all, build_all, clean, lose_one, lose_a_kind, swap, hollow,
    types, main, by_hand, exports, exports, imports, entry, workspaces, name, another_package, move_package,
)  # fmt: skip
