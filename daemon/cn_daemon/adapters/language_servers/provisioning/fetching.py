"""What is fetched by the user's own pip, uv or npm: how they are called, and what their output says."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Mapping
from importlib.resources import as_file
from importlib.resources.abc import Traversable
from pathlib import Path

from cn_daemon.adapters.language_servers.provisioning.install import failed
from cn_daemon.adapters.language_servers.provisioning.process import Finished, run
from cn_shared import interpreter
from cn_shared.execution import find_executables

FETCH_IDLE_S = 30.0
FETCH_TOTAL_S = 900.0

_PIP = (
    "install",
    "--no-input",
    "--disable-pip-version-check",
    "--no-compile",
    "--progress-bar=off",
    "--retries=0",
)
# The hashes of every platform's wheel are in the file, so nothing but what was pinned can arrive.
_EXACTLY = ("--no-deps", "--only-binary=:all:", "--require-hashes")
_NOT_PASSED = ("CN_", "AICMD_", "NODE_OPTIONS", "PYTHON")
# npm gives each property of an error a line of its own before the sentence.
# As Node.js and OpenSSL name a certificate that nobody vouches for, such as that of a company's proxy.
_CERTIFICATE = re.compile(
    r"SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF)|self[- ]signed certificate|certificate verify failed"
    r"|unable to (?:get local issuer|verify the first) certificate|UNKNOWN_CA",
    re.IGNORECASE,
)
CERTIFICATE_REMEDY = (
    "A certificate on the way there is not known. Name the file of the authority that signed it (of a company's proxy, "
    "say) in NODE_EXTRA_CA_CERTS (npm; where npm config get cafile names a file, that one counts instead) or PIP_CERT "
    "(pip), then: cn stop, and ask again."
)
NPM_REMEDY = "Check the network, npm's registry and its proxy settings (npm config list), and ask again."
_ERROR = re.compile(r"error|npm err(?!or (code|syscall|errno|path) )", re.IGNORECASE)


async def fetch_wheel(
    requirements: Traversable, folder: Path, lacking: str, by_hand: str, root: Path, environ: Mapping[str, str]
) -> None:
    """Install what the file of requirements pins, and nothing else, into `folder`.

    lacking: what a sentence that it could not be had begins with; by_hand: what to do then. Raises LanguageServerError
    (`provisioning_failed`).
    """
    command = installer(root, environ)
    if command is None:
        raise failed(f"{lacking} could not be fetched: neither pip nor uv is there.", by_hand)
    with as_file(requirements) as file:
        finished = await run(
            [*command, *_EXACTLY, "--target", folder, "-r", file],
            cwd=folder,
            env={**plain(environ), "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"},
            total_s=FETCH_TOTAL_S,
            idle_s=FETCH_IDLE_S,
            root=root,
        )
    if not finished.succeeded:
        message = f"{lacking} could not be fetched: {reason(finished)}"
        raise failed(message, remedy(finished, by_hand), output=finished.output[-2000:])


def plain(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables without NODE_OPTIONS and Python's (a debugger's or a loader's flags and a project's own modules are
    not for our programs) and without our own. What npm and pip need to be known by, they get."""
    return {name: value for name, value in environ.items() if not name.startswith(_NOT_PASSED)}


def installer(root: Path, environ: Mapping[str, str]) -> list[str | Path] | None:
    """pip of this Python, else uv, else another pip: all leave the wheel's files in the target folder."""
    if importlib.util.find_spec("pip"):
        return [*interpreter.command("pip", *_PIP, root=str(root))]
    for uv in find_executables("uv", root, environ):
        return [uv, "pip", "install", "--no-progress", "--python", sys.executable]
    for pip in find_executables("pip3", root, environ):
        return [pip, *_PIP]
    return None


def remedy(finished: Finished, otherwise: str) -> str:
    """What helps against what its output says; where that is no certificate, `otherwise`."""
    return CERTIFICATE_REMEDY if _CERTIFICATE.search(finished.output) else otherwise


def reason(finished: Finished) -> str:
    """What an installer's output says most clearly, as the end of a sentence."""
    if finished.exit_code is None:
        return "it made no progress and was ended (no network, or a proxy that does not answer?)."
    if "(from versions: none)" in finished.output:
        return "the package index cannot be reached, or does not have it."
    lines = [line.strip() for line in finished.output.splitlines() if line.strip()]
    errors = [line for line in lines if _ERROR.match(line)]
    telling = errors or lines[-1:] or [f"exit code {finished.exit_code}"]
    return telling[0].removeprefix("npm error ").removeprefix("ERROR: ").rstrip(".") + "."
