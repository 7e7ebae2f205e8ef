"""A workspace of packages that import each other by name: by sources, by what is built, by conditions and patterns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.faults.churn.ground import Ground

APP = "packages/app/tsconfig.json"
CORE = "packages/core/tsconfig.json"
PATHS = {"@core/*": ["../packages/core/src/*"]}
SCOPE = "node_modules/@m"
LINKED = ("core", "plain", "cond", "hash")
BUILT = ("core", "plain", "cond")
IGNORED = "dist\nbuild\nnode_modules\n*.tsbuildinfo\n"
_OPTIONS: dict[str, Any] = {
    "composite": True, "declaration": True, "strict": True, "outDir": "dist", "rootDir": "src", "types": [],
    "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "skipLibCheck": True,
}  # fmt: skip


def tsconfig(extends: str = "", **options: Any) -> str:
    told = {"extends": extends} if extends else {}
    return json.dumps({**told, "compilerOptions": {**_OPTIONS, **options}, "include": ["src"]}, indent=2)


def _package(name: str, **more: Any) -> str:
    return json.dumps({"name": f"@m/{name}", "version": "1.0.0", **more}, indent=2)


FILES = {
    ".cn.json": "{}\n",
    ".gitignore": IGNORED,
    "package.json": '{"name": "root", "private": true, "workspaces": ["packages/*"]}',
    "tsconfig.base.json": '{"compilerOptions": {"noImplicitAny": true}}',
    "tools/base.json": json.dumps({"compilerOptions": {"paths": PATHS}}),
    "packages/core/package.json": _package("core", types="dist/index.d.ts", main="dist/index.js"),
    CORE: tsconfig(declarationMap=True),
    "packages/core/src/index.ts": 'export * from "./shape";\nexport { make } from "./make";\n',
    "packages/core/src/shape.ts": (
        "export class Shape {\n  area = 1;\n  grow() { return this.area; }\n}\n"
        "export const table = { key: 1 };\nexport enum Hue { Red, Blue }\n"
    ),
    "packages/core/src/make.ts": 'import { Shape } from "./shape";\nexport const make = () => new Shape();\n',
    "packages/plain/package.json": _package(
        "plain", exports={".": {"types": "./dist/index.d.ts", "default": "./dist/index.js"}}
    ),
    "packages/plain/tsconfig.json": tsconfig(),
    "packages/plain/src/index.ts": (
        "export class Plain {\n  size = 1;\n}\nexport const wrap = (one: Plain) => one.size;\n"
    ),
    "packages/cond/package.json": _package(
        "cond", exports={".": {"source": "./src/index.ts", "types": "./dist/index.d.ts"}}
    ),
    "packages/cond/tsconfig.json": tsconfig(declarationMap=True),
    "packages/cond/src/index.ts": "export interface Cond {\n  cond: number;\n}\nexport const conds: Cond[] = [];\n",
    "packages/hash/package.json": _package("hash", imports={"#lib/*": "./src/lib/*.ts"}, types="src/index.ts"),
    "packages/hash/tsconfig.json": tsconfig(),
    "packages/hash/src/index.ts": 'export { Hash } from "#lib/hash";\n',
    "packages/hash/src/lib/hash.ts": "export class Hash {\n  hash = 1;\n}\n",
    "packages/hash/src/other/hash.ts": "export class Hash {\n  other = 1;\n}\n",
    "packages/app/package.json": _package("app", dependencies={f"@m/{name}": "*" for name in LINKED}),
    APP: tsconfig("../../tsconfig.base.json"),
    "packages/app/src/core.ts": (
        'import { Hue, make, Shape, table } from "@m/core";\n'
        "export const used = [new Shape().area, make().grow(), table.key, Hue.Red];\n"
    ),
    "packages/app/src/plain.ts": (
        'import { Plain, wrap } from "@m/plain";\nexport const plain = [new Plain().size, wrap(new Plain())];\n'
    ),
    "packages/app/src/cond.ts": (
        'import { conds, type Cond } from "@m/cond";\nexport const cond = (one: Cond) => one.cond + conds[0].cond;\n'
    ),
    "packages/app/src/hash.ts": 'import { Hash } from "@m/hash";\nexport const hash = new Hash().hash;\n',
    "packages/app/src/alias.ts": 'import { Shape } from "@core/shape";\nexport const alias = new Shape().area;\n',
    "packages/app/src/third.ts": 'import { third } from "third";\nexport const fourth = third().grow();\n',
    "packages/app/src/hands.ts": 'import { hand } from "./hand";\nexport const hands = [hand().area, hand().grow()];\n',
    "packages/app/scripts/run.ts": 'import { Shape } from "@m/core";\nexport const run = new Shape().grow();\n',
}
# A script, and what says by hand what it makes.
BY_HAND = (
    ("packages/app/src/hand.js", 'import { Shape } from "@m/core";\nexport const hand = () => new Shape();\n'),
    ("packages/app/src/hand.d.ts", 'import { Shape } from "@m/core";\nexport declare const hand: () => Shape;\n'),
)
QUERIES = (
    "Shape", "Shape.area", "Shape.grow", "make", "table.key", "Hue.Red", "Plain", "Plain.size", "wrap", "Cond",
    "Cond.cond", "conds", "packages/hash/src/lib/hash.ts#Hash", "packages/hash/src/lib/hash.ts#Hash.hash",
    "packages/hash/src/other/hash.ts#Hash", "packages/app/src/core.ts:2:28", "packages/app/src/plain.ts:2:28",
    "packages/app/src/alias.ts:1:10", "packages/app/src/hash.ts:2:25", "packages/app/src/third.ts:2:31", "hand",
)  # fmt: skip


def lay(root: Path) -> None:
    """Write it, with the links that a package manager makes."""
    for path, text in FILES.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    scope = root / SCOPE
    scope.mkdir(parents=True)
    for name in LINKED:
        (scope / name).symlink_to(root / "packages" / name)


def link(ground: Ground, name: str, to: str) -> None:
    """Let `@m/name` be the package in the folder `to`, as package managers do: at one stroke."""
    ground.at(SCOPE).mkdir(parents=True, exist_ok=True)
    place, fresh = ground.at(f"{SCOPE}/{name}"), ground.at(f"{SCOPE}/{name}~")
    fresh.symlink_to(ground.at(f"packages/{to}"))
    if not place.is_symlink():
        ground.remove(f"{SCOPE}/{name}")
    fresh.replace(place)
