"""Another program of ours, or pip, run by this Python: with nothing of the caller's Python environment."""

from __future__ import annotations

import contextlib
import os
import site
import sys

from cn_shared.execution import Territory

# `-I` leaves out PYTHONPATH and its like, the current folder, and what the user's own site adds: where this process
# finds its packages (those of the user, of an editable installation, a zipapp) is passed on.
_START = (
    "import os, runpy, sys; sys.path[:] = sys.argv.pop(1).split(os.pathsep); "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)
_OURS = ("cn_shared", "cn_client", "cn_daemon")


def command(module: str, *words: str, root: str = "") -> list[str]:
    """The command line of `python -m module words`.

    root: a workspace; modules are looked for in nothing that came with it, but this Python's, the user's own and cn's.
    """
    return [sys.executable, "-I", "-c", _START, os.pathsep.join(_searched(root)), module, *words]


def _searched(root: str) -> list[str]:
    """The entries of `sys.path` that are neither PYTHONPATH's, the running script's nor the workspace's."""
    named = [*os.environ.get("PYTHONPATH", "").split(os.pathsep), os.path.dirname(sys.argv[0])]
    with contextlib.suppress(OSError):  # the current folder is gone
        named = [os.path.abspath(entry) for entry in named]
    foreign = set(named)
    if os.path.dirname(os.path.dirname(os.path.abspath(__file__))) in foreign:  # cn itself lies there
        foreign = set()
    library = os.path.dirname(os.__file__)
    own = tuple(os.path.join(prefix, "") for prefix in (library, sys.prefix, site.USER_SITE or library))
    territory = Territory(root) if root else None
    return [
        entry
        for entry in sys.path
        if os.path.isabs(entry)
        and (entry.startswith(library) or entry not in foreign)
        and (territory is None or f"{entry}/".startswith(own) or _holds_us(entry) or not territory.holds(entry))
    ]


def _holds_us(entry: str) -> bool:
    return any(os.path.isdir(os.path.join(entry, name)) for name in _OURS)
