"""Changes that any workspace may meet, and seldom does: see `odd_files`."""

from __future__ import annotations

from tests.faults import odd_files
from tests.faults.churn.ground import Change, Ground


def odd(ground: Ground) -> str:
    path = ground.source()
    kind = ground.random.choice(sorted(odd_files.KINDS))
    odd_files.put(kind, ground.at(path), ground.at(path).read_bytes())
    return f"{path}: {kind}"


def linked(ground: Ground) -> str:
    """To another source."""
    path, to = ground.source(), ground.source()
    if path != to:
        ground.remove(path)
        ground.at(path).symlink_to(ground.at(to))
    return f"{path} -> {to}"


def restore(ground: Ground) -> str | None:
    """A source that differs from that of the base, or has something else in its place."""
    changed = ground.git("diff", "--name-only", "--diff-filter=MT", "base").splitlines()
    changed = [path for path in changed if path.endswith((".ts", ".tsx")) and ground.there(path)]
    if not changed:
        return None
    path = ground.random.choice(sorted(changed))
    ground.remove(path)
    ground.write(path, ground.git("show", f"base:{path}"))
    return path


ODD: tuple[Change, ...] = (*[odd] * 6, linked, *[restore] * 5)
