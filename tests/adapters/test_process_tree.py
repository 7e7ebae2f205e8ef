"""What a process and everything below it weigh."""

import os
import subprocess
import sys

from cn_daemon.adapters.process_tree import resident_bytes


def test_children_count() -> None:
    alone = resident_bytes(os.getpid())
    assert alone > 5_000_000
    command = [sys.executable, "-c", "x = bytearray(60_000_000); print(flush=True); input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert resident_bytes(os.getpid()) > alone + 50_000_000
        child.communicate(b"\n")


def test_a_process_that_is_gone_weighs_nothing() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        pass
    assert resident_bytes(child.pid) == 0
