"""What a process of ours parses, and which request is given up: a file without a name, to which both sides write."""

from __future__ import annotations

import json
import os
import tempfile

# Behind what is parsed, as in `process.mjs`.
_GIVEN_UP = 32_768


class Note:
    """`[path, milliseconds since 1970]`, a line of JSON; an empty one while nothing is parsed. Behind it, in 8 bytes,
    the number of a request that ends as if its time were over."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (closed by `close`)
        self.clear()

    @property
    def descriptor(self) -> int:
        return self._file.fileno()

    def clear(self) -> None:
        os.pwrite(self.descriptor, b"\n", 0)
        self.give_up(0)

    def give_up(self, number: int) -> None:
        """Nobody waits for the answer to that request any more."""
        os.pwrite(self.descriptor, number.to_bytes(8, "little"), _GIVEN_UP)

    def read(self) -> tuple[str, float]:
        """The path, relative to the root, or "", and since when it is parsed: seconds since 1970."""
        line, _, _ = os.pread(self.descriptor, _GIVEN_UP, 0).partition(b"\n")
        path, since_ms = json.loads(line or '["", 0]')
        return path, since_ms / 1000

    def close(self) -> None:
        self._file.close()
