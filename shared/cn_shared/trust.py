"""Which settings files of a workspace the user vouches for (`cn trust`).

A cloned repository must not choose what cn runs, so keys that name a program, a URL or a folder outside
count in a root's own files only after the user said so once. As direnv does, the record is a file named by
the hash of the path and of the content: an edited file, or the same file elsewhere, is not trusted again by
itself.
"""

import hashlib
import os
import stat
from pathlib import Path

from cn_shared.folders import base, state_folder

FILES = (".cn.json", ".ai-command-tool.json")


def is_trusted(file: Path, content: bytes) -> bool:
    """Whether exactly this content at this path was trusted: the bytes in use, not a second read of them."""
    try:
        facts = os.lstat(_record(file, content))
    except OSError:
        return False
    return stat.S_ISREG(facts.st_mode) and facts.st_uid == os.geteuid()


def trust(root: Path) -> list[Path]:
    """Vouch for the settings files of `root` as they are now; returns those there are. Raises OSError."""
    found = []
    for file, content in _contents(root):
        record = state_folder() / "trust" / _record(file, content).name
        record.parent.mkdir(mode=0o700, exist_ok=True)
        record.write_text(f"{file}\n", encoding="utf-8", errors="surrogateescape")
        found.append(file)
    return found


def revoke(root: Path) -> list[Path]:
    """Take back every trust ever given to the settings files of `root`; returns those that had one."""
    files = {f"{file}\n": file for file in (_real(root / name) for name in FILES)}
    revoked = []
    for record in _folder().glob("*"):
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
    return _folder() / digest


def _folder() -> Path:
    # Not made by asking: a home that cannot be written to must not keep the daemon from starting.
    return Path(base("XDG_STATE_HOME", ".local/state"), "trust")


def _real(file: Path) -> Path:
    # The folder is resolved, the name is not: a link `.cn.json` is trusted under its own name.
    return Path(os.path.realpath(file.parent), file.name)
