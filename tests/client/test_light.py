"""A warm call stays light: this is every module it imports beyond a bare Python start."""

from __future__ import annotations

import subprocess
import sys

from tests.client.conftest import FakeDaemon

# Adding one here costs every call that an agent makes. Measure first: python -X importtime -m cn_client …
ALLOWED = {
    "atexit", "_blake2", "_json", "_socket",
    "cn_client", "cn_client.__main__", "cn_client.call", "cn_client.connection", "cn_client.invocation",
    "cn_client.isolation",
    "cn_shared", "cn_shared.environment", "cn_shared.folders", "cn_shared.process", "cn_shared.state",
    "cn_shared.command_verbs", "cn_shared.relation_verbs", "cn_shared.survey_verbs",
    "cn_shared.verb", "cn_shared.verbs",
}  # fmt: skip

PROGRAM = """
import sys, time, os
before = set(sys.modules)
from cn_client.__main__ import carry_out
code = carry_out(["find", "User"])
os.write(2, "\\n".join(sorted(set(sys.modules) - before)).encode())
sys.exit(code)
"""


def test_modules_of_a_warm_call(daemon: FakeDaemon) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM], cwd=daemon.root, capture_output=True, text=True, timeout=30
    )
    assert (done.returncode, done.stdout) == (1, '{"symbols":[]}\n')
    assert set(done.stderr.split()) <= ALLOWED
