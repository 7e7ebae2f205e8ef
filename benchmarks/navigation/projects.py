"""The workspaces that are measured: pinned public packages that ship their sources, and one monorepo of our own."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import platform
import shutil
import subprocess
import tarfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

HERE = Path(__file__).resolve().parent
_LOCK = HERE.parents[1] / "daemon/cn_daemon/adapters/language_servers/provisioning/pinned_native/package-lock.json"
_MACHINES = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64"}


class FetchError(Exception):
    """A package could not be had, or is not the one that is pinned."""


@dataclass(frozen=True)
class Package:
    """An npm package. integrity: `sha512-…` of its tarball, as npm's lock files spell it."""

    name: str
    version: str
    integrity: str


@dataclass(frozen=True)
class Project:
    """take: what of the package becomes the workspace. configs: files that the package does not ship."""

    name: str
    package: Package | None
    take: tuple[str, ...] = ()
    configs: Mapping[str, Any] = field(default_factory=dict)
    dependencies: tuple[Package, ...] = ()


TYPESCRIPT = {
    "5": Package(
        "typescript",
        "5.9.3",
        "sha512-jl1vZzPDinLr9eUt3J/t7V6FgNEw9QjvBPdysz9KfQDD41fQrC2Y4vKQdiaUpFT4bXlb1RHhLpp8wtm6M5TgSw==",
    ),
    "7": Package(
        "typescript",
        "7.0.2",
        "sha512-8FYau96o3NKOhbjKi/qNvG/W5jhzxkbdm5sj9AbZ/5T5sWqn3hJgLfGx27sRKZWTvyzCP8dLRBTf5tBTSRVUNA==",
    ),
}
_SPEC = Package(
    "@standard-schema/spec",
    "1.0.0",
    "sha512-m2bOd0f2RT9k8QJx1JN85cZYyH1RqFBdlwtkSlf4tBDYLCiiZnv1fIIwacK6cqwXavOydf0NPToMQgpKq+dVlA==",
)
_FAST_CHECK = Package(
    "fast-check",
    "3.23.2",
    "sha512-h5+1OzzfCC3Ef7VbtKdcv7zsstUQwUDlYpUTvjeUsJAssPgLn7QzbboPtL5ro04Mq0rPOsMzl7q5hIbRs2wD1A==",
)
_IMMER = Package(
    "immer",
    "10.2.0",
    "sha512-d/+XTN3zfODyjr89gM3mPq1WNX2B8pYsu7eORitdwyA2sBubnTl3laYlBk4sXY5FUa5qTZGBDPJICVbvqzjlbw==",
)


def _config(**options: object) -> dict[str, Any]:
    common = {"target": "ES2022", "module": "NodeNext", "moduleResolution": "NodeNext", "strict": True, "noEmit": True}
    return {"compilerOptions": {**common, "skipLibCheck": True, "types": [], **options}, "include": ["src"]}


PROJECTS = (
    Project(
        "rxjs",
        Package(
            "rxjs",
            "7.8.2",
            "sha512-dhKf903U/PQZY6boNNtAGdWbG85WAbjT/1xYoZIC7FAY0yWapOBQVsVrDl58W86//e1VpMNBtRV4MaXfdMySFA==",
        ),
        ("src/", "tsconfig.json", "package.json"),
    ),
    Project(
        "zod",
        Package(
            "zod",
            "4.1.12",
            "sha512-JInaHOamG8pt5+Ey8kGmdcAcg3OL9reK8ltczgHTAwNhMys/6ThXHityHxVV2p3fkw/c+MAvBHFVYHFZDmjMCQ==",
        ),
        ("src/", "package.json"),
        # Its tests import it by name: this leads them to the sources, as in its repository.
        {"tsconfig.json": _config(customConditions=["@zod/source"])},
        (_SPEC,),
    ),
    Project(
        "mobx",
        Package(
            "mobx",
            "6.16.1",
            "sha512-syNcDdX3KT+Jq3je6eGjBhuc24Z68td2VG0zNFqRswaE433D9SNH5VRy/xrGbJsUixfppLLccXhAW9JSf6n+SQ==",
        ),
        ("src/", "package.json"),
        # It names `ReadonlySetLike`, which no library before ES2025 declares.
        {
            "tsconfig.json": _config(
                module="ESNext", moduleResolution="Bundler", lib=["ESNext", "DOM"], experimentalDecorators=True
            )
        },
    ),
    Project(
        "effect",
        Package(
            "effect",
            "3.19.0",
            "sha512-eFvvryWkbXvQ4Gak1Nadv9CW6U35+UUS/fIkF4c/Th8rs2u47g+tNkViYeVGliglNnR6Ai5Otl9tLbav3yZjXg==",
        ),
        ("src/", "package.json"),
        {"tsconfig.json": _config(exactOptionalPropertyTypes=True)},
        (_SPEC, _FAST_CHECK),
    ),
    Project(
        "immer",
        _IMMER,
        ("src/", "package.json"),
        {"tsconfig.json": _config(module="ESNext", moduleResolution="Bundler")},
    ),
    Project(
        "redux-toolkit",
        Package(
            "@reduxjs/toolkit",
            "2.10.0",
            "sha512-DCDKKB+DDy00kULFGoj5jtxRXksCGtEKEPbeSqRi20/vUrwrBD+zyJx+jQ7xkIU1pUHQ6OIYHyc9NiVSEjAlNA==",
        ),
        ("src/", "package.json"),
        {
            "tsconfig.json": _config(
                module="ESNext",
                moduleResolution="Bundler",
                jsx="react-jsx",
                paths={
                    "@reduxjs/toolkit": ["./src/index.ts"],
                    "@reduxjs/toolkit/react": ["./src/react/index.ts"],
                    "@reduxjs/toolkit/query": ["./src/query/index.ts"],
                    "@reduxjs/toolkit/query/react": ["./src/query/react/index.ts"],
                    "@internal/*": ["./src/*"],
                },
            )
        },
        (_IMMER, _SPEC),
    ),
    Project("monorepo", None),
)
# Fetched only when asked for by name.
DEFAULT = ("rxjs", "zod", "mobx", "effect", "monorepo")


def assemble(project: Project, typescript: str, work: Path, root: Path | None = None) -> Path:
    """A fresh workspace of `project` with that TypeScript in its node_modules. Raises FetchError."""
    root = root or work / "workspaces" / f"{project.name}-ts{typescript}"
    if root.exists():
        shutil.rmtree(root)
    root.mkdir(parents=True)
    if project.package is None:
        _monorepo(root)
    else:
        unpack(fetch(project.package, work), root, project.take)
    for name, document in project.configs.items():
        (root / name).write_text(json.dumps(document, indent=2) + "\n")
    (root / ".cn.json").write_text("{}\n")
    install([*project.dependencies, *compiler(typescript)], root, work)
    return root


def install(packages: Iterable[Package], root: Path, work: Path) -> None:
    """Put them in its node_modules. Raises FetchError."""
    for package in packages:
        unpack(fetch(package, work), root / "node_modules" / package.name)
    for program in root.glob("node_modules/@typescript/*/lib/tsc*"):
        program.chmod(0o755)


def compiler(typescript: str) -> list[Package]:
    """The packages of a TypeScript: from 7 on, the native program of this platform goes with it."""
    packages = [TYPESCRIPT[typescript]]
    if typescript == "7":
        machine = _MACHINES.get(platform.machine(), platform.machine())
        name = f"@typescript/typescript-{platform.system().lower()}-{machine}"
        told = json.loads(_LOCK.read_text("utf-8"))["packages"][f"node_modules/{name}"]
        packages.append(Package(name, told["version"], told["integrity"]))
    return packages


def library(work: Path) -> Path:
    """The compiler that the oracle asks."""
    folder = work / "compiler" / TYPESCRIPT["5"].version
    if not folder.is_dir():
        unpack(fetch(TYPESCRIPT["5"], work), folder)
    return folder / "lib" / "typescript.js"


def fetch(package: Package, work: Path) -> Path:
    """The package's tarball. Raises FetchError when it cannot be had or is another one."""
    folder = work / "packages"
    folder.mkdir(parents=True, exist_ok=True)
    tarball = folder / f"{package.name.lstrip('@').replace('/', '-')}-{package.version}.tgz"
    if not tarball.is_file():
        npm = ["npm", "pack", f"{package.name}@{package.version}", "--silent", "--pack-destination", str(folder)]
        told = subprocess.run(npm, cwd=folder, capture_output=True, text=True, check=False)
        if told.returncode != 0 or not tarball.is_file():
            raise FetchError(f"npm pack {package.name}@{package.version}: {told.stderr.strip() or 'no tarball'}")
    digest = base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode()
    if f"sha512-{digest}" != package.integrity:
        tarball.unlink()
        raise FetchError(f"{package.name}@{package.version} has another content than the pinned one.")
    return tarball


def unpack(tarball: Path, folder: Path, take: tuple[str, ...] = ()) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(tarball) as archive:
        for member in archive.getmembers():
            # The first folder is `package`, most of the time.
            inner = PurePosixPath(*PurePosixPath(member.name).parts[1:])
            wanted = not take or any(f"{inner}".startswith(one) for one in take)
            if member.isfile() and wanted:
                archive.extract(member.replace(name=str(inner), deep=False), folder, filter="data")


def _monorepo(root: Path) -> None:
    """Our own sources, with the links that a package manager would make."""
    shutil.copytree(HERE / "monorepo", root, dirs_exist_ok=True)
    for package in sorted((root / "packages").iterdir()):
        name = json.loads((package / "package.json").read_text("utf-8"))["name"]
        link = root / "node_modules" / name
        link.parent.mkdir(parents=True, exist_ok=True)
        os.symlink(os.path.relpath(package, link.parent), link)
