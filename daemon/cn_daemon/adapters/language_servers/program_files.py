"""What a program reads to run: itself, and what was installed with it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

# The folders in which programs are installed, and what is installed beside these.
_HOLDING = frozenset({"bin", "sbin", "lib", "libexec"})
_BESIDE = ("bin", "lib", "lib64", "libexec", "share", "include", "node_modules", "package.json", "pyvenv.cfg")
_FIRST_LINE = 256


def needed(program: str, path: str, depth: int = 3) -> Iterator[str]:
    """The files and folders, there or not, that a program of that path needs; of a script, those of its interpreter
    too. path: the variable PATH. depth: how many interpreters are followed."""
    if not os.path.isfile(program):
        return
    for file in dict.fromkeys((program, os.path.realpath(program))):
        yield file
        folder = os.path.dirname(file)
        if os.path.basename(folder) in _HOLDING:
            above = os.path.dirname(folder)
            yield from (os.path.join(above, name) for name in _BESIDE)
    interpreter = _interpreter(program, path)
    if interpreter and depth:
        yield from needed(interpreter, path, depth - 1)


def _interpreter(program: str, path: str) -> str:
    """The absolute path of what runs a script, by its first line; "" of what is none."""
    try:
        with open(program, "rb") as file:
            first = file.read(_FIRST_LINE).split(b"\n")[0]
    except OSError:
        return ""
    words = os.fsdecode(first[2:]).split() if first.startswith(b"#!") else []
    if not words:
        return ""
    if os.path.basename(words[0]) == "env":
        named = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        return (shutil.which(named[0], path=path) or "") if named else ""
    return words[0]
