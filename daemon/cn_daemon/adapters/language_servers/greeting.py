"""What a language server is sent first: `initialize`.

It is written to the process at once: the server begins with it while what speaks to it is still imported.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cn_shared import __version__

# The request's id; a session counts its own ones from 1.
ID = "cn-0"


def parameters(root: Path, options: Mapping[str, Any]) -> dict[str, Any]:
    """Of `initialize`. options: the server's own."""
    return {
        "processId": os.getpid(),
        "clientInfo": {"name": "cn", "version": __version__},
        "rootUri": root.as_uri(),
        "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
        "capabilities": {
            "window": {"workDoneProgress": True},
            "workspace": {
                "configuration": True,
                "workspaceFolders": True,
                "didChangeWatchedFiles": {"dynamicRegistration": True},
            },
            "textDocument": {
                "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
                "definition": {"linkSupport": True},
                "hover": {"contentFormat": ["markdown"]},
            },
        },
        "initializationOptions": dict(options),
    }


def message(parameters: Mapping[str, Any]) -> bytes:
    """The request as it is sent."""
    return written({"id": ID, "method": "initialize", "params": parameters})


def written(message: Mapping[str, Any]) -> bytes:
    """A message of JSON-RPC, with its head."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
