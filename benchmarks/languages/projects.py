"""The Python projects that are measured: source distributions from PyPI, pinned by version and digest."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

_PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q")
ENVIRONMENT = ".venv"


@dataclass(frozen=True)
class Archive:
    """A source distribution."""

    name: str
    version: str
    sha256: str


@dataclass(frozen=True)
class Project(Archive):
    """sources: folders on the import path of its code and its tests; names are chosen from the first. further: other
    distributions that lie beside it in one workspace, as in the repository of both, each in a folder of its own.
    installed: what an environment in its folder has."""

    sources: tuple[str, ...]
    further: tuple[Archive, ...] = ()
    installed: tuple[str, ...] = ()


PROJECTS = (
    Project("click", "8.1.8", "ed53c9d8990d83c2a27deae68e4ee337473f6330c040a31d4225c9574d16096a", ("src", "tests")),
    Project("httpx", "0.28.1", "75e98c5f16b0f35b567856f597f06ff2270a374470a5c2392242528e3e3e42fc", (".",)),
    Project("attrs", "24.3.0", "8f5c07333d543103541ba7be0e2ce16eeee8130cb0b3f9238ab904ce1e85baff", ("src", "tests")),
    Project("werkzeug", "3.1.3", "60723ce945c19328679790e3282cc758aa4a6040e4bb330f53d30fa546d44746", ("src", "tests")),
)
# Those that completeness alone is measured on.
FURTHER = (
    Project(
        "flask",
        "3.1.0",
        "5f873c5184c897c8d9d1b05df1e3d01b14910ce69607a117bd3277098a5836ac",
        ("src", "tests"),
        installed=(
            *("werkzeug==3.1.3", "jinja2==3.1.5", "itsdangerous==2.2.0", "click==8.1.8", "blinker==1.9.0"),
            *("markupsafe==3.0.2", "pytest==8.3.4", "iniconfig==2.0.0", "pluggy==1.5.0", "packaging==24.2"),
        ),
    ),
    Project(
        "starlette",
        "0.45.3",
        "2cbcba2a75806f8a41c722141486f37c28e30a0921c5f6fe4346cb0dcee1302f",
        ("starlette", "tests"),
        installed=(
            *("anyio==4.8.0", "sniffio==1.3.1", "idna==3.10", "typing_extensions==4.12.2", "httpx==0.28.1"),
            *("pytest==8.3.4", "iniconfig==2.0.0", "pluggy==1.5.0", "packaging==24.2"),
        ),
    ),
    Project("httpie", "3.2.4", "302ad436c3dc14fd0d1b19d4572ef8d62b146bcd94b505f3c2521f701e2e7a2a", ("httpie", "tests")),
    Project("mkdocs", "1.6.1", "7b432f01d928c084353ab39c57282f29f92136665bdd6abf7c1ec8d822ef86f2", ("mkdocs",)),
    Project(
        "poetry",
        "2.1.1",
        "d82673865bf13d6cd0dacf28c69a89670456d8df2f9e5da82bfb5f833ba00efc",
        ("src", "tests"),
        installed=(
            *("anyio==4.16.0", "build==1.6.1", "cachebox==5.2.3", "CacheControl==0.14.4", "certifi==2026.10.19.post1"),
            *("cffi==2.1.1", "charset-normalizer==3.5.3", "cleo==2.1.0", "crashtest==0.4.1", "cryptography==50.0.2"),
            *("deepdiff==9.1.0", "distlib==0.4.4", "dulwich==1.2.21", "fastjsonschema==2.22.3", "filelock==4.3.1"),
            *("findpython==0.9.0", "h11==0.16.0", "httpcore==1.0.9", "httpx==0.28.1", "idna==3.20"),
            *("iniconfig==2.3.1", "installer==1.1.0", "jaraco.classes==3.4.0", "jeepney==0.9.0", "keyring==25.7.0"),
            *("more-itertools==11.2.1", "msgpack==1.2.4", "orderly-set==5.5.0", "packaging==26.4"),
            *("pbs-installer==2026.10.25", "pkginfo==2.0", "platformdirs==4.14.8", "pluggy==1.7.0"),
            *("poetry-core==2.1.1", "pyproject_hooks==1.3.3", "pytest==9.2.0", "pytest-mock==3.17.0"),
            *("RapidFuzz==3.14.6", "requests==2.34.2", "requests-toolbelt==1.0.0", "SecretStorage==3.5.0"),
            *("shellingham==1.5.4", "tomlkit==0.15.2", "trove-classifiers==2026.9.21.13", "typing_extensions==4.16.0"),
            *("urllib3==2.8.0", "virtualenv==21.15.11"),
        ),
    ),
    Project(
        "opentelemetry_sdk",
        "1.30.0",
        "c9287a9e4a7614b9946e933a67168450b9ab35f08797eb9bc77d998fa480fa18",
        (
            *("opentelemetry_sdk-1.30.0/src", "opentelemetry_api-1.30.0/src"),
            "opentelemetry_semantic_conventions-0.51b0/src",
        ),
        further=(
            Archive("opentelemetry_api", "1.30.0", "375893400c1435bf623f7dfb3bcd44825fe6b56c34d0667c542ea8257b1a1240"),
            Archive(
                "opentelemetry_semantic_conventions",
                "0.51b0",
                "3fabf47f35d1fd9aebcdca7e6802d86bd5ebc3bc3408b7e3248dde6e87a18c47",
            ),
        ),
    ),
)


def fetch(project: Project, cache: Path) -> Path:
    """The folder of the project's sources. Raises SystemExit when they are not the ones that are pinned."""
    cache.mkdir(parents=True, exist_ok=True)
    folder = cache / f"{project.name}-{project.version}"
    if project.further:
        folder = cache / f"{project.name}-{project.version}-beside"
    for archive in (project, *project.further):
        _unpack(archive, cache, folder if project.further else cache)
    environment = folder / ENVIRONMENT
    if project.installed and not environment.exists():
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
        pip = [*_PIP, "--python", str(environment), "install", "--no-deps", "--only-binary=:all:"]
        subprocess.run([*pip, *project.installed], check=True)
    return folder.resolve()


def files(root: Path) -> list[Path]:
    """The Python files of a project's folder, without those of its environment."""
    return [path for path in sorted(root.rglob("*.py")) if ENVIRONMENT not in path.relative_to(root).parts]


def _unpack(archive: Archive, cache: Path, target: Path) -> None:
    packed = cache / f"{archive.name}-{archive.version}.tar.gz"
    if not packed.exists():
        wanted = f"{archive.name}=={archive.version}"
        subprocess.run([*_PIP, "download", "--no-deps", "--no-binary=:all:", "-d", str(cache), wanted], check=True)
    if hashlib.sha256(packed.read_bytes()).hexdigest() != archive.sha256:
        raise SystemExit(f"{packed} is not the one that is pinned")
    if not (target / f"{archive.name}-{archive.version}").exists():
        with tarfile.open(packed) as opened:
            opened.extractall(target, filter="data")
