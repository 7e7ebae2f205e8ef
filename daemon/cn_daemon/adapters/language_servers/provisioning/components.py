"""The parsers of components: those of Vue, Svelte and Astro themselves, pinned."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from cn_daemon.adapters.language_servers.provisioning.install import Progress
from cn_daemon.adapters.language_servers.provisioning.node import Cache, Node
from cn_daemon.adapters.language_servers.provisioning.npm import Manifests, install_manifests, read_manifests
from cn_daemon.settings import Settings

_FILES = resources.files(__package__) / "pinned_components"
PINNED_COMPONENTS: dict[str, str] = json.loads((_FILES / "package.json").read_text("utf-8"))["dependencies"]
# When npm is silent for so long, scripts are read without templates.
_PATIENCE_S = 10.0


def pinned_components() -> Manifests:
    def is_complete(folder: Path) -> bool:
        return all((folder / "node_modules" / name / "package.json").is_file() for name in PINNED_COMPONENTS)

    title = "the parsers of Vue, Svelte and Astro"
    return Manifests(read_manifests(_FILES), "components", title, "", is_complete, _PATIENCE_S)


async def provision_components(
    root: Path, settings: Settings, node: Node, progress: Progress, *, environ: Mapping[str, str]
) -> Path:
    """The folder whose node_modules holds them. Raises LanguageServerError (`provisioning_failed`), OSError."""
    return await install_manifests(pinned_components(), node, root, environ, Cache.of(settings), progress)
