"""Documents that users and machines rely on, kept to the letter.

`CN_UPDATE_GOLDEN=1 pytest` writes them anew; the difference is then read and committed like any other.
"""

import os
from pathlib import Path

FOLDER = Path(__file__).parent
UPDATE = bool(os.environ.get("CN_UPDATE_GOLDEN"))


def check(name: str, actual: str, folder: Path = FOLDER) -> None:
    """Fails when `actual` is not what the golden file `name` holds."""
    file = folder / name
    if UPDATE:
        file.write_text(actual, encoding="utf-8")
    assert actual == file.read_text(encoding="utf-8"), f"{name} differs; if it should: CN_UPDATE_GOLDEN=1 pytest"
