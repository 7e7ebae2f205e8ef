"""What only some systems have is behind the one platform module, or met late where it is used."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conftest import ROOT

SOME_SYSTEMS_HAVE = {
    "fcntl",
    "grp",
    "inotify_simple",
    "msvcrt",
    "pty",
    "pwd",
    "resource",
    "syslog",
    "termios",
    "tty",
    "winreg",
}
# Inside a function, with a way out.
MAY = {"shared/cn_shared/process.py", "daemon/cn_daemon/adapters/file_tree.py"}
# Attributes that are not there on every system: `os.geteuid()` in a module's body would break its import.
ATTRIBUTES = {
    "geteuid", "getuid", "pidfd_open", "getpgid", "getpgrp", "killpg", "O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK",
    "SIGKILL", "SIGHUP", "poll", "sched_getaffinity", "register_at_fork",
}  # fmt: skip
SOURCES = [file for part in ("shared", "client", "daemon") for file in sorted((ROOT / part).rglob("*.py"))]


def imported(tree: ast.AST) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def at_import(tree: ast.AST) -> list[ast.AST]:
    """Every node that runs when the module is imported."""
    found, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        found.append(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += [*node.decorator_list, *node.args.defaults, *(one for one in node.args.kw_defaults if one)]
        elif not isinstance(node, ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return found


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_module_can_be_imported_on_any_system(file: Path) -> None:
    tree = ast.parse(file.read_text("utf-8"))
    if file.relative_to(ROOT).as_posix() not in MAY:
        assert not imported(tree) & SOME_SYSTEMS_HAVE
    for node in at_import(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            assert not imported(node) & SOME_SYSTEMS_HAVE
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in ("os", "signal", "select")
        ):
            assert node.attr not in ATTRIBUTES, f"line {node.lineno}"
