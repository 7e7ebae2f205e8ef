"""The Python projects that are measured: source distributions from PyPI, pinned by version and digest."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Project:
    """A source distribution. sources: folders on the import path of its code and its tests."""

    name: str
    version: str
    sha256: str
    sources: tuple[str, ...]


PROJECTS = (
    Project("click", "8.1.8", "ed53c9d8990d83c2a27deae68e4ee337473f6330c040a31d4225c9574d16096a", ("src", "tests")),
    Project("httpx", "0.28.1", "75e98c5f16b0f35b567856f597f06ff2270a374470a5c2392242528e3e3e42fc", (".",)),
    Project("attrs", "24.3.0", "8f5c07333d543103541ba7be0e2ce16eeee8130cb0b3f9238ab904ce1e85baff", ("src", "tests")),
    Project("werkzeug", "3.1.3", "60723ce945c19328679790e3282cc758aa4a6040e4bb330f53d30fa546d44746", ("src", "tests")),
)


def fetch(project: Project, cache: Path) -> Path:
    """The folder of the project's sources. Raises SystemExit when they are not the ones that are pinned."""
    cache.mkdir(parents=True, exist_ok=True)
    archive = cache / f"{project.name}-{project.version}.tar.gz"
    if not archive.exists():
        wanted = f"{project.name}=={project.version}"
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary=:all:", "-d", str(cache)]
        subprocess.run([*pip, wanted], check=True)
    if hashlib.sha256(archive.read_bytes()).hexdigest() != project.sha256:
        raise SystemExit(f"{archive} is not the one that is pinned")
    folder = cache / f"{project.name}-{project.version}"
    if not folder.exists():
        with tarfile.open(archive) as packed:
            packed.extractall(cache, filter="data")
    return folder.resolve()
