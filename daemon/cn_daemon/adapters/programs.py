"""What programs that read the code get of the caller's variables."""

from __future__ import annotations

import re
from collections.abc import Mapping

_PRIVATE = re.compile(
    r"^(?:CN|AICMD)_|^PYTHON|^NODE_OPTIONS$|TOKEN|SECRET|PASS(?:WORD|WD|PHRASE)|CREDENTIAL"
    r"|_(?:API|ACCESS|PRIVATE|SIGNING|AUTH)_?KEY|APIKEY|^SSH_AUTH_SOCK$|_AUTH$|_DSN$|DATABASE_URL|_PAT$",
    re.IGNORECASE,
)


def lean(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables for programs that read code and need nobody's trust: none of cn's own, and none that looks like a
    secret. Node's options and Python's are left out too: a debugger's or a loader's flags, and a project's own modules,
    are not for our programs."""
    return {name: value for name, value in environ.items() if not _PRIVATE.search(name)}
