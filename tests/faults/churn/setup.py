"""Changes of the monorepo beside its sources: what is installed, and what is configured."""

from __future__ import annotations

import json
import shutil

from tests.faults.churn.ground import Change, Ground
from tests.faults.churn.monorepo import APP, BUILT, CORE, FILES, IGNORED, LINKED, SCOPE, link, tsconfig

_BASE = f"{SCOPE}/base"

# What is installed


def unlink(ground: Ground) -> str | None:
    path = f"{SCOPE}/{ground.random.choice(LINKED)}"
    if not ground.there(path):
        return None
    ground.remove(path)
    return path


def relink(ground: Ground) -> str:
    """To itself, most of the time."""
    one = ground.random.choice(LINKED)
    to = ground.random.choice([one, one, *LINKED])
    link(ground, one, to)
    return f"{one} -> {to}"


def install_a_copy(ground: Ground) -> str | None:
    one = ground.random.choice(LINKED)
    if not ground.there(f"packages/{one}"):
        return None
    ground.at(SCOPE).mkdir(parents=True, exist_ok=True)
    ground.remove(f"{SCOPE}/{one}")
    shutil.copytree(ground.at(f"packages/{one}"), ground.at(f"{SCOPE}/{one}"), symlinks=True)
    return one


def of_its_own(ground: Ground) -> str:
    modules = "packages/app/node_modules"
    if ground.there(modules):
        ground.remove(modules)
        return "gone"
    ground.at(f"{modules}/@m").mkdir(parents=True)
    ground.at(f"{modules}/@m/plain").symlink_to(ground.at("packages/plain"))
    return "linked"


def no_scope(ground: Ground) -> str | None:
    return ground.hide(SCOPE)


def no_modules(ground: Ground) -> str | None:
    return ground.hide("node_modules")


def linked_folder(ground: Ground) -> str:
    """Within the sources, to those of another package."""
    away = "packages/app/src/away"
    ground.remove(away)
    to = ground.random.choice(["packages/hash/src/lib", "packages/hash/src/other", "packages/core/src", "nowhere"])
    ground.at(away).symlink_to(ground.at(to))
    return to


def behind_the_link(ground: Ground) -> str:
    lines = 'import { Hash } from "./away/hash";\nimport { Shape } from "./away/shape";\n'
    return ground.swing("packages/app/src/behind.ts", lines + "export const b = [new Hash(), new Shape()];\n")


def another(ground: Ground) -> str:
    """A package of somebody else's comes, or goes, whose types come of one of ours."""
    folder = "node_modules/third"
    if ground.there(folder):
        ground.remove(folder)
        return "gone"
    ground.write(f"{folder}/package.json", '{"name": "third", "version": "1.0.0", "types": "index.d.ts"}')
    ground.write(f"{folder}/index.d.ts", 'import { Shape } from "@m/core";\nexport declare function third(): Shape;\n')
    return "there"


# What is configured


def paths(ground: Ground) -> str | None:
    values = (
        {"@core/*": ["../core/src/*"]},
        {"@m/core": ["../core/src/index.ts"]},
        {"@m/plain": ["../plain/src"]},
        None,
    )
    return ground.turn(APP, "compilerOptions.paths", *values)


def include(ground: Ground) -> str | None:
    return ground.turn(APP, "include", ["src"], ["src", "scripts"], ["src/core.ts"], None)


def exclude(ground: Ground) -> str | None:
    return ground.turn(APP, "exclude", ["src/core.ts"], ["src/c*", "src/many"], ["**/third.ts"], None)


def references(ground: Ground) -> str | None:
    values = ([{"path": "../core"}], [{"path": f"../{one}"} for one in BUILT], None)
    return ground.turn(APP, "references", *values)


def extends(ground: Ground) -> str | None:
    values = ("../../tsconfig.base.json", "../../tools/base.json", "@m/base/tsconfig.json", "./nothing.json", None)
    return ground.turn(APP, "extends", *values)


def conditions(ground: Ground) -> str | None:
    path = ground.random.choice([APP, "tools/base.json"])
    return ground.turn(path, "compilerOptions.customConditions", ["source"], None)


def base(ground: Ground) -> str | None:
    paths = {"@core/*": ["./packages/core/src/*"]}
    return ground.turn("tsconfig.base.json", "compilerOptions.paths", paths, None)


def no_base(ground: Ground) -> str:
    return ground.swing("tsconfig.base.json", FILES["tsconfig.base.json"])


def installed_base(ground: Ground) -> str:
    paths = {"@core/*": ["../../../packages/core/src/*"]}
    return ground.swing(f"{_BASE}/tsconfig.json", json.dumps({"compilerOptions": {"paths": paths}}))


def inner_tsconfig(ground: Ground) -> str:
    return ground.swing("packages/app/src/tsconfig.json", tsconfig(rootDir=".", outDir="../dist", composite=False))


def no_tsconfig(ground: Ground) -> str | None:
    return ground.hide(ground.random.choice([APP, CORE]))


def out_dir(ground: Ground) -> str | None:
    return ground.turn(CORE, "compilerOptions.outDir", "dist", "build")


def ignored(ground: Ground) -> str:
    ground.write(
        ".gitignore", ground.random.choice([IGNORED, f"{IGNORED}scripts\n", f"{IGNORED}cond.ts\n", IGNORED[5:]])
    )
    return ground.read(".gitignore")


def excluded(ground: Ground) -> str:
    told = ground.random.choice(["", "scripts\n", "cond.ts\n", "alias.ts\n"])
    ground.write(".git/info/exclude", told)
    return told


def forced(ground: Ground) -> str | None:
    """Let git track what it ignores, or no more."""
    ways = {"-c": ("rm", "-q", "--cached"), "-o": ("add", "-f")}
    which = ground.random.choice(sorted(ways))
    listed = ground.git("ls-files", which, "-i", "--exclude-standard", "packages").splitlines()
    found = [path for path in listed if "node_modules" not in path]
    if not found:
        return None
    path = ground.random.choice(found)
    ground.git(*ways[which], path)
    return f"{ways[which][0]} {path}"


def another_repository(ground: Ground) -> str:
    if ground.there("nested"):
        ground.remove("nested")
        return "gone"
    ground.write("nested/use.ts", 'import { Shape } from "@m/core";\nnew Shape();\n')
    Ground(ground.at("nested"), ground.away, ground.compile, ground.random).begin()
    return "there"


def many(ground: Ground) -> str:
    folder = "packages/app/src/many"
    if ground.there(folder):
        ground.remove(folder)
        return "gone"
    for number in range(200):
        lines = f'import {{ Shape }} from "@m/core";\nexport const many{number} = new Shape().area;\n'
        ground.write(f"{folder}/many{number}.ts", lines)
    return "there"


SETUP: tuple[Change, ...] = (
    unlink, relink, relink, install_a_copy, of_its_own, no_scope, no_modules, linked_folder, behind_the_link,
    paths, include, references, extends, conditions, base, no_base, installed_base, inner_tsconfig, no_tsconfig,
    out_dir, another, exclude, ignored, excluded, forced, forced, another_repository, many,
)  # fmt: skip
