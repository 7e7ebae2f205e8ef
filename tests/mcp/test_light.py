"""The daemon's start does not pay for MCP: the SDK is imported when a client asks, or when nothing else is to do."""

import subprocess
import sys

PROGRAM = """
import sys
import cn_daemon.lifecycle
cn_daemon.lifecycle._doors()
print(*sorted(name for name in sys.modules if name.partition(".")[0] in ("mcp", "mcp_types", "sse_starlette", "jwt")))
"""


def test_the_daemon_starts_without_the_sdk() -> None:
    done = subprocess.run([sys.executable, "-P", "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == []


def test_the_pump_is_as_light_as_a_warm_call() -> None:
    program = """
import sys
before = set(sys.modules)
import cn_client.__main__, cn_client.pump
print(*sorted(set(sys.modules) - before))
"""
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert set(done.stdout.split()) <= {
        "atexit", "_blake2", "_json", "_socket", "select",
        "cn_client", "cn_client.__main__", "cn_client.call", "cn_client.connection", "cn_client.invocation",
        "cn_client.isolation",
        "cn_client.jsonrpc", "cn_client.opening", "cn_client.pump",
        "cn_shared", "cn_shared.command_verbs", "cn_shared.environment", "cn_shared.folders", "cn_shared.process",
        "cn_shared.relation_verbs", "cn_shared.state", "cn_shared.survey_verbs", "cn_shared.verb", "cn_shared.verbs",
    }  # fmt: skip
