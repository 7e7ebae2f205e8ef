"""What a distribution says of where it comes from, which its source does not know.

REPOSITORY_URL in the environment of the build (`publish.yml` sets it) is the address of the repository. The wheel then
has `project.urls`, and the links of the README lead there; without it there are none, and the README stays as it is.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(?P<image>!?)(?P<text>\[[^\]]*\])\((?P<path>(?!\w+:|#)[^)\s]+)\)")


class CustomMetadataHook(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in `urls` and `readme`."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        address = os.environ.get("REPOSITORY_URL", "").rstrip("/")
        if address:
            metadata["urls"] = {
                "Repository": address,
                "Documentation": f"{address}/tree/HEAD/docs",
                "Changelog": f"{address}/blob/HEAD/CHANGELOG.md",
                "Issues": f"{address}/issues",
            }
            text = _LINK.sub(lambda link: _absolute(link, address), text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def _absolute(link: re.Match[str], address: str) -> str:
    kind = "raw" if link["image"] else "blob"
    return f"{link['image']}{link['text']}({address}/{kind}/HEAD/{link['path']})"
