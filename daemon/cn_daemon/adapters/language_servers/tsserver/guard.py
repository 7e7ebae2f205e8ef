"""tsserver reads no file that answers may not tell of: what it infers, describes and complains about would."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

GUARD = Path(__file__).with_name("guard.cjs")


def guarded(readable: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The variables by which tsserver, started by typescript-language-server, keeps to these folders. readable: as
    `Disclosure.readable`."""
    script = str(GUARD).replace("\\", "\\\\").replace('"', '\\"')
    return {"NODE_OPTIONS": f'--require "{script}"', "CN_READABLE": json.dumps(readable)}
