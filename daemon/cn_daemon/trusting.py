"""`python -m cn_daemon.trusting`: what `cn trust` asks. Keeps, or takes back, the trust in what a workspace runs.

It prints one JSON object: what is trusted and what that allows, or `{"error": …}` with code and message.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from cn_daemon import trust
from cn_daemon.adapters.language_servers.provisioning.own import digest_of, programs_of
from cn_daemon.adapters.language_servers.provisioning.packages import Package, in_workspace
from cn_daemon.adapters.language_servers.provisioning.versions import TYPESCRIPT
from cn_daemon.adapters.mcp_servers import McpServer, configured
from cn_daemon.settings import RootFiles, root_files
from cn_daemon.trust import Record
from cn_shared.errors import CnError

_OWN = "node_modules/typescript"


def main(arguments: list[str] | None = None) -> None:
    """Do it, and print what was done."""
    parser = argparse.ArgumentParser(prog="cn trust")
    parser.add_argument("--root", required=True)
    parser.add_argument("--revoke", action="store_true")
    options = parser.parse_args(arguments)
    root = Path(os.path.realpath(options.root))
    try:
        done = revoked(root) if options.revoke else vouched(root)
    except OSError as error:
        message = f"The trust cannot be kept: {error.strerror or error}."
        done = {"error": {"code": "unwritable", "message": message}}
    except CnError as error:
        done = {"error": {"code": error.code, "message": error.message, "hint": error.hint}}
    sys.stdout.buffer.write(json.dumps(done, ensure_ascii=False).encode("utf-8", "surrogateescape"))


def vouched(root: Path) -> dict[str, Any]:
    """Trust what is there now: the names of it, and a row for each program and key that this allows.

    allows: `file` and `key`; where the key names what is run, its `words`, and `programs` of the workspace's by path
    and hash; of its own TypeScript the `version` as well. Raises OSError, LanguageServerError.
    """
    files, typescript = root_files(root), _own(root)
    digest = digest_of(typescript) if typescript else ""
    servers, _ = configured(root)
    record = replace(
        files.record(files.programs(root), digest), servers={server.key: server.digest(root) for server in servers}
    )
    allows = [_row(files, file, key, record, root) for file, key in files.guarded(root)]
    if typescript:
        program = {"path": _relative(typescript.folder, root), "hash": digest}
        allows.append({"file": _OWN, "key": TYPESCRIPT, "version": typescript.version, "programs": [program]})
    allows += [_server(server, root) for server in servers]
    names = _names(record)
    if names:
        trust.keep(root, record)
    return {"root": str(root), "trusted": names, "allows": allows}


def revoked(root: Path) -> dict[str, Any]:
    """Take it back. Raises OSError."""
    return {"root": str(root), "revoked": _names(trust.revoke(root) or Record())}


def _row(files: RootFiles, file: str, key: str, record: Record, root: Path) -> dict[str, Any]:
    words = files.words(file, key)
    if not words:
        return {"file": file, "key": key}
    paths = [path for path in trust.candidates(root, words) if path in record.programs]
    programs = [{"path": _relative(Path(path), root), "hash": record.programs[path]} for path in paths]
    return {"file": file, "key": key, "words": words, "programs": programs}


def _server(server: McpServer, root: Path) -> dict[str, Any]:
    programs = [{"path": _relative(Path(path), root), "hash": known} for path, known in server.programs(root).items()]
    return {"file": server.file, "key": server.name, "words": list(server.words), "programs": programs}


def _own(root: Path) -> Package | None:
    installed = in_workspace(root, TYPESCRIPT)
    return programs_of(installed) if installed else None


def _names(record: Record) -> list[str]:
    files = dict.fromkeys([*sorted(record.files), *(key.partition(": ")[0] for key in record.servers)])
    return [*files, *([_OWN] if record.typescript else [])]


def _relative(path: Path, root: Path) -> str:
    return os.path.relpath(path, root) if path.is_relative_to(root) else str(path)


if __name__ == "__main__":
    main()
