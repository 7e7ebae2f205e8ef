"""Imported before any module of the standard library that is a file: from here on none is looked for where the caller's
Python project keeps its own, be it called `types.py`.

What a Python of the caller runs before any program of ours, cn cannot help: `sitecustomize` and `usercustomize` on
PYTHONPATH, packages named `encodings` or `cn_client` there, and `re` for a console script that pip before 26 wrote.
"""

import os
import sys


def _isolate() -> None:
    """Take PYTHONPATH and the current folder off `sys.path`, unless cn itself lies there."""
    try:
        # An empty entry is the current folder.
        foreign = {os.path.abspath(entry) for entry in ("", *os.environ.get("PYTHONPATH", "").split(os.pathsep))}
    except OSError:  # that folder is gone, with all that was in it
        return
    if os.path.dirname(os.path.dirname(os.path.abspath(__file__))) not in foreign:
        library = os.path.dirname(os.__file__)
        sys.path[:] = [one for one in sys.path if one.startswith(library) or os.path.abspath(one) not in foreign]


_isolate()
