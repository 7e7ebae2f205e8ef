"""The applications that are measured, pinned, with the declarations of what they import; and the language servers of
the frameworks, which are the oracle. All is fetched into a folder of the benchmark's own."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.navigation.projects import FetchError, Package, fetch, unpack


@dataclass(frozen=True)
class Clone:
    """A folder of a git repository at a commit. without: what of it is left out, as copies of the rest."""

    url: str
    commit: str
    folder: str
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Project:
    """ending: of its components. dependencies: what npm installs for their types, at exact versions. files: what the
    application does not ship, or a tool of its own would write."""

    name: str
    ending: str
    source: Package | Clone
    dependencies: Mapping[str, str]
    files: Mapping[str, object] = field(default_factory=dict)


def _tsconfig(include: list[str], **options: object) -> dict[str, object]:
    common = {"target": "ESNext", "module": "ESNext", "moduleResolution": "bundler", "strict": True, "noEmit": True}
    return {"compilerOptions": {**common, "skipLibCheck": True, **options}, "include": include}


PROJECTS = (
    Project(
        "slidev",
        ".vue",
        Package(
            "@slidev/client",
            "53.0.0",
            "sha512-y95YzIeqEhXGAKQ0BabG7QLBYwDaqwjtAAttNmJL9E2qmgSoEuIg2KVMIyz15bdchS6XyouqlDiNdzgDag47Kw==",
        ),
        {
            "@slidev/parser": "53.0.0",
            "@slidev/types": "53.0.0",
            "@vueuse/core": "14.4.0",
            "typescript": "5.9.3",
            "vite": "6.4.1",
            "vue": "3.5.42",
            "vue-router": "4.5.1",
        },
        {"tsconfig.json": _tsconfig(["**/*.ts", "**/*.vue"], jsx="preserve", types=["vite/client"])},
    ),
    Project(
        "shadcn-svelte",
        ".svelte",
        Clone(
            "https://github.com/huntabyte/shadcn-svelte",
            "bf4f461d88526359d0e96e1950f637912bbeebe7",
            "docs",
            ("src/lib/registry/examples", "src/lib/registry/blocks"),
        ),
        {
            "@lucide/svelte": "0.577.0",
            "@sveltejs/kit": "2.60.1",
            "bits-ui": "2.16.3",
            "clsx": "2.1.1",
            "mode-watcher": "1.1.0",
            "runed": "0.37.1",
            "svelte": "5.55.7",
            "tailwind-merge": "3.5.0",
            "tailwind-variants": "3.2.2",
            "typescript": "5.9.3",
        },
        {
            "tsconfig.json": _tsconfig(
                ["src/**/*.ts", "src/**/*.svelte"],
                verbatimModuleSyntax=True,
                isolatedModules=True,
                types=["@sveltejs/kit"],
                paths={"$lib": ["./src/lib"], "$lib/*": ["./src/lib/*"]},
            )
        },
    ),
    Project(
        "starlight",
        ".astro",
        Clone(
            "https://github.com/withastro/starlight",
            "3999be7cc18b41095d61e3b63d68ff3e6c6c050b",
            "packages/starlight",
        ),
        {"@astrojs/mdx": "8.0.0", "astro": "7.2.10", "i18next": "26.0.7", "typescript": "5.9.3"},
        {
            "tsconfig.json": _tsconfig(
                ["**/*.ts", "**/*.astro"],
                jsx="preserve",
                allowJs=True,
                allowImportingTsExtensions=True,
                resolveJsonModule=True,
            )
        },
    ),
)

SERVERS = {
    "@astrojs/language-server": "2.17.1",
    "@emnapi/runtime": "1.11.3",  # which those of Astro expect beside them
    "@vue/language-server": "2.2.12",
    "svelte-language-server": "0.18.4",
    "typescript": "5.9.3",
}
# One of its dependencies is had from git otherwise.
_QUIETLY = ("--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--silent")
_OVERRIDES = {"@emmetio/css-parser": "0.4.1"}


def assemble(project: Project, work: Path) -> Path:
    """A workspace of the application, installed. Raises FetchError."""
    root = work / "workspaces" / project.name
    if not (root / "node_modules").is_dir():
        shutil.rmtree(root, ignore_errors=True)
        root.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(project.source, Package):
            unpack(fetch(project.source, work), root)
        else:
            _clone(project.source, root)
        for name, document in {**project.files, ".cn.json": {}}.items():
            (root / name).write_text(json.dumps(document, indent=2) + "\n", "utf-8")
        install(work / "dependencies" / project.name, project.dependencies)
        (work / "dependencies" / project.name / "node_modules").rename(root / "node_modules")
    return root.resolve()


def install(folder: Path, packages: Mapping[str, str]) -> Path:
    """The node_modules of a folder that has these packages; no script of any is run. Raises FetchError."""
    modules = folder / "node_modules"
    if not modules.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        manifest = {"private": True, "dependencies": dict(packages), "overrides": _OVERRIDES}
        (folder / "package.json").write_text(json.dumps(manifest), "utf-8")
        _run(
            ["npm", "install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--silent"], folder
        )
    return modules


def _clone(source: Clone, root: Path) -> None:
    clone = root.with_name(f"{root.name}.git")
    clone.mkdir(exist_ok=True)
    _run(["git", "init", "-q"], clone)
    _run(["git", "fetch", "-q", "--depth", "1", source.url, source.commit], clone)
    _run(["git", "checkout", "-q", "FETCH_HEAD"], clone)
    (clone / source.folder).rename(root)
    for name in source.without:
        shutil.rmtree(root / name)
    shutil.rmtree(clone)


def _run(command: list[str], folder: Path) -> None:
    told = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if told.returncode != 0:
        raise FetchError(f"{' '.join(command)}: {told.stderr.strip()}")
