"""The port `Traits`: what a workspace consists of, by its own files, as words that commands are searched with.

Names and endings of files, of three levels of folders, and what the manifests among them depend on. Nothing is run.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cn_daemon.adapters import json_text, toml_text
from cn_daemon.adapters.ignored import SKIPPED
from cn_daemon.adapters.patient_files import inside, read_file
from cn_daemon.adapters.python.manifests import dependencies

_DEEPEST, _MOST_FILES, _LARGEST_BYTES = 3, 5000, 1 << 20
_ENDINGS = {
    ".astro": "astro", ".c": "c", ".cpp": "c++", ".cs": "csharp dotnet", ".dart": "dart flutter", ".ex": "elixir",
    ".go": "golang", ".graphql": "graphql", ".html": "html", ".ipynb": "jupyter notebook", ".java": "java",
    ".js": "javascript", ".jsx": "react", ".kt": "kotlin", ".php": "php", ".prisma": "prisma",
    ".proto": "grpc protobuf", ".py": "python", ".rb": "ruby", ".rs": "rust", ".scala": "scala", ".sol": "solidity",
    ".sql": "sql",
    ".svelte": "svelte", ".swift": "swift", ".tf": "terraform", ".ts": "typescript", ".tsx": "react typescript",
    ".vue": "vue",
}  # fmt: skip
_NAMES = {
    "dockerfile": "docker", "docker-compose.yml": "docker", "docker-compose.yaml": "docker", "compose.yaml": "docker",
    "chart.yaml": "helm kubernetes", "kustomization.yaml": "kubernetes", "jenkinsfile": "jenkins ci",
    ".gitlab-ci.yml": "gitlab ci", ".pre-commit-config.yaml": "pre-commit", "changelog.md": "changelog",
    "openapi.yaml": "openapi", "openapi.json": "openapi", "cargo.toml": "rust", "go.mod": "golang", "gemfile": "ruby",
    "composer.json": "php", "tsconfig.json": "typescript", "nx.json": "monorepo", "turbo.json": "monorepo",
    "pnpm-workspace.yaml": "monorepo", "lerna.json": "monorepo", "vercel.json": "vercel", "netlify.toml": "netlify",
    "serverless.yml": "serverless", "ansible.cfg": "ansible",
}  # fmt: skip
_FOLDERS = {
    "migrations": "database migration",
    "workflows": "github actions",
    "locales": "translation",
    "k8s": "kubernetes",
}
_SECTIONS = ("dependencies", "devDependencies", "peerDependencies", "require", "require-dev", "dev-dependencies")
_GO_MODULE = re.compile(r"^\s*(?:require\s+)?([\w.-]+(?:/[\w.~-]+)+)\s+v\d", re.MULTILINE)
_GEM = re.compile(r"^\s*gem\s+[\"']([\w-]+)", re.MULTILINE)
_REQUIRED = re.compile(r"^([A-Za-z][\w.-]*)", re.MULTILINE)


class WorkspaceTraits:
    """root: an absolute, real path."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)

    async def traits(self) -> Mapping[str, str]:
        return await asyncio.to_thread(self._traits)

    def _traits(self) -> dict[str, str]:
        found: dict[str, str] = {}
        manifests: list[str] = []
        for path, name in self._entries():
            relative, lower = os.path.relpath(path, self._root), name.lower()
            words = f"{_NAMES.get(lower, '')} {_ENDINGS.get(os.path.splitext(lower)[1], '')} {_FOLDERS.get(lower, '')}"
            for word in words.split():
                found.setdefault(word, relative)
            if lower in _READERS:
                manifests.append(path)
        for path in manifests:
            with contextlib.suppress(OSError, ValueError, RecursionError):
                for dependency in self._dependencies(path):
                    for word in _words(dependency):
                        found.setdefault(word, os.path.relpath(path, self._root))
        return found

    def _entries(self) -> Iterator[tuple[str, str]]:
        """Files and folders with their names, the nearest first."""
        level, left = [self._root], _MOST_FILES
        for _ in range(_DEEPEST):
            folders: list[str] = []
            for folder in level:
                with contextlib.suppress(OSError), os.scandir(folder) as entries:
                    for entry in sorted(entries, key=lambda entry: entry.name)[:left]:
                        left -= 1
                        if entry.name in SKIPPED:
                            continue
                        yield entry.path, entry.name
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(entry.path)
            level = folders

    def _dependencies(self, path: str) -> Iterator[str]:
        name = os.path.basename(path).lower()
        if name == "pyproject.toml":
            yield from dependencies([path], self._may_read)
            return
        text = read_file(path, _LARGEST_BYTES, self._may_read).decode("utf-8-sig", "replace")
        pattern = _READERS[name]
        if pattern is not None:
            yield from pattern.findall(text)
            return
        document: Any = toml_text.load(text) if name.endswith(".toml") else json_text.load(text.encode())
        for section in _SECTIONS:
            if isinstance(document, dict) and isinstance(document.get(section), dict):
                yield from map(str, document[section])

    def _may_read(self, real: str) -> bool:
        return inside(real, self._root)


# Those that name what they depend on by a pattern; the others are documents.
_READERS: dict[str, re.Pattern[str] | None] = {
    "package.json": None, "composer.json": None, "cargo.toml": None, "pyproject.toml": None, "go.mod": _GO_MODULE,
    "gemfile": _GEM, "requirements.txt": _REQUIRED,
}  # fmt: skip


def _words(dependency: str) -> Iterator[str]:
    """Of `@playwright/test` both parts, of `github.com/spf13/cobra` the last two; what has several words, joined: one
    of them alone may mean anything."""
    for part in dependency.lower().lstrip("@").split("/")[-2:]:
        yield part.replace("-", "").replace("_", "").replace(".", "")
