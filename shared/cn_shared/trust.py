"""Which settings files of a workspace the user vouches for (`cn trust`).

A cloned repository must not choose what cn runs, so keys that name a program, a URL or a folder outside
count in a root's own files only after the user said so once. As direnv does, the record is a file named by
the hash of the path and of the content: an edited file, or the same file elsewhere, is not trusted again by
itself.
"""

import hashlib
import os
from pathlib import Path

from cn_shared.folders import state_folder

FILES = (".cn.json", ".ai-command-tool.json")


def is_trusted(file: Path, content: bytes) -> bool:
    """Whether exactly this content at this path was trusted: the bytes in use, not a second read of them."""
    return _record(file, content).is_file()


def trust(root: Path) -> list[Path]:
    """Vouch for the settings files of `root` as they are now; returns those there are. Raises OSError."""
    found = []
    for file, content in _contents(root):
        record = _record(file, content)
        record.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        record.write_text(f"{file}\n", encoding="utf-8", errors="surrogateescape")
        found.append(file)
    return found


def revoke(root: Path) -> list[Path]:
    """Take back every trust ever given to the settings files of `root`; returns those that had one."""
    files = {f"{file}\n": file for file in (_real(root / name) for name in FILES)}
    revoked = []
    for record in (state_folder() / "trust").glob("*"):
        file = files.get(record.read_text(encoding="utf-8", errors="surrogateescape"))
        if file is not None:
            record.unlink(missing_ok=True)
            revoked.append(file)
    return sorted(set(revoked))


def _contents(root: Path) -> list[tuple[Path, bytes]]:
    files = [_real(root / name) for name in FILES]
    return [(file, file.read_bytes()) for file in files if file.is_file()]


def _record(file: Path, content: bytes) -> Path:
    digest = hashlib.sha256(os.fsencode(_real(file)) + b"\0" + content).hexdigest()
    return state_folder() / "trust" / digest


def _real(file: Path) -> Path:
    # The folder is resolved, the name is not: a link `.cn.json` is trusted under its own name.
    return Path(os.path.realpath(file.parent), file.name)
