"""Documents that users and machines rely on, kept to the letter.

`GOLDEN=write pytest` writes them anew; the difference is then read and committed like any other.
"""

import os
from pathlib import Path

FOLDER = Path(__file__).parent
UPDATE = os.environ.get("GOLDEN") == "write"


def check(name: str, actual: str, folder: Path = FOLDER) -> None:
    """Fails when `actual` is not what the golden file `name` holds."""
    file = folder / name
    if UPDATE:
        file.write_text(actual, encoding="utf-8")
    assert actual == file.read_text(encoding="utf-8"), f"{name} differs; if it should: GOLDEN=write pytest"
