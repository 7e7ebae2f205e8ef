"""What the process of the bindings parses at the moment, in a file without a name to which it alone writes."""

from __future__ import annotations

import json
import os
import tempfile


class Note:
    """`[path, milliseconds since 1970]`, a line of JSON; an empty one while nothing is parsed."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (closed by `close`)
        self.clear()

    @property
    def descriptor(self) -> int:
        return self._file.fileno()

    def clear(self) -> None:
        os.pwrite(self.descriptor, b"\n", 0)

    def read(self) -> tuple[str, float]:
        """The path, relative to the root, or "", and since when it is parsed: seconds since 1970."""
        line, _, _ = os.pread(self.descriptor, 16_384, 0).partition(b"\n")
        path, since_ms = json.loads(line or '["", 0]')
        return path, since_ms / 1000

    def close(self) -> None:
        self._file.close()
