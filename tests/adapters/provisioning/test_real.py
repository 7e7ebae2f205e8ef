"""The real programs: Node.js of PATH and of the wheel, npm, TypeScript 5.9, and a registry that is not there.

Each toolchain is proven by the language server's answer to `initialize`.
"""

from __future__ import annotations

import asyncio
import dataclasses
import http.server
import json
import os
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain, provision
from cn_daemon.adapters.language_servers.provisioning.versions import TESTED
from cn_daemon.settings import Settings
from cn_shared.errors import LanguageServerError
from tests.conftest import npm_install

pytestmark = [pytest.mark.server, pytest.mark.slow]

CLOSED = "http://127.0.0.1:9/"


def run(root: Path, cache: Path, environ: Mapping[str, str] | None = None) -> Toolchain:
    return asyncio.run(provision(root, Settings(cache_directory=cache), print, environ=environ))


def outline(toolchain: Toolchain, root: Path) -> list[str]:
    """The names that a session with this toolchain gives for one small file."""
    file = (root / "a.ts").as_uri()
    options = {"tsserver": {"path": str(toolchain.tsserver)}, "disableAutomaticTypingAcquisition": True}
    document = {"uri": file, "languageId": "typescript", "version": 1, "text": "export class Seen {}\n"}
    session = {
        "processId": None,
        "rootUri": root.as_uri(),
        "capabilities": {},
        "initializationOptions": options,
    }
    messages = [
        {"id": 1, "method": "initialize", "params": session},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"id": 2, "method": "textDocument/documentSymbol", "params": {"textDocument": {"uri": file}}},
        # Answered by the semantic server, whose project is loaded then.
        {
            "id": 3,
            "method": "textDocument/definition",
            "params": {"textDocument": {"uri": file}, "position": {"line": 0, "character": 13}},
        },
    ]
    command = [toolchain.node, toolchain.server, "--stdio"]
    names: list[str] = []
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in messages:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        process.stdin.flush()
        while True:
            length = 0
            while header := process.stdout.readline().strip():
                if header.lower().startswith(b"content-length:"):
                    length = int(header.split(b":")[1])
            assert length, "the language server ended"
            answer = json.loads(process.stdout.read(length))
            if "method" in answer:
                continue
            if answer["id"] == 2:
                names = [symbol["name"] for symbol in answer["result"]]
            if answer["id"] == 3:
                process.stdin.close()
                process.wait(10)
                return names


def path_without_node(folder: Path) -> dict[str, str]:
    """The variables of a machine that has git and a shell, but no Node.js."""
    folder.mkdir()
    for program in ("git", "sh", "uv"):
        if found := shutil.which(program):
            (folder / program).symlink_to(found)
    return {**os.environ, "PATH": str(folder)}


def test_no_node_at_all(tmp_path: Path) -> None:
    """The pinned Node.js is fetched as a wheel, and its npm installs the language server."""
    root = tmp_path.resolve()
    environ = path_without_node(root / "bin")
    toolchain = run(root, root / "cache", environ)
    assert toolchain.node.is_relative_to(root / "cache")
    assert outline(toolchain, root) == ["Seen"]
    started = time.monotonic()
    assert run(root, root / "cache", environ) == toolchain
    assert time.monotonic() - started < 2


def test_node_of_the_path(toolchain: Toolchain, tmp_path: Path) -> None:
    """The session's toolchain: the PATH's Node.js when there is one in range, the wheel's otherwise."""
    assert TESTED["node"].holds(toolchain.node_version)
    assert (toolchain.server_version, toolchain.typescript_version) == ("5.3.0", "6.0.3")
    assert outline(toolchain, tmp_path.resolve()) == ["Seen"]


def test_own_typescript_5(toolchain: Toolchain, tmp_path: Path, user_folders: Path) -> None:
    root = tmp_path.resolve()
    npm_install(toolchain, root, "typescript@5.9.3")
    own = run(root, user_folders / "cache" / "cn")
    assert own.typescript_version == "5.9.3"
    # A plugin that the tsconfig names is there and is not loaded, as it is by the TypeScript beside it.
    plugin, trace = root / "node_modules" / "evil", root / "trace"
    plugin.mkdir()
    (plugin / "index.js").write_text(f"require('fs').writeFileSync({json.dumps(str(trace))}, 'ran')")
    (root / "tsconfig.json").write_text('{"compilerOptions": {"plugins": [{"name": "evil"}]}}')
    assert outline(own, root) == ["Seen"]
    assert not trace.exists()
    in_place = root / "node_modules" / "typescript" / "lib" / "tsserver.js"
    outline(dataclasses.replace(own, tsserver=in_place), root)
    assert trace.exists()


def test_offline_without_the_server(toolchain: Toolchain, tmp_path: Path) -> None:
    """A registry that refuses: the error says so within seconds, and the next try is not spoilt."""
    root = tmp_path.resolve()
    # The npm_config_ names are those that npm itself exports; an outer `npm run` would otherwise win.
    offline = {"npm_config_registry": CLOSED, "npm_config_cache": str(root / "npm"), "npm_config_proxy": ""}
    settings = Settings(cache_directory=root / "cache", node=toolchain.node)
    started = time.monotonic()
    with pytest.raises(LanguageServerError, match=r"could not be installed: .*ECONNREFUSED") as caught:
        asyncio.run(provision(root, settings, print, environ={**os.environ, **offline}))
    assert time.monotonic() - started < 100  # npm by itself tries for 140 s
    assert "npm install -g typescript-language-server@5.3.0" in caught.value.hint
    assert asyncio.run(provision(root, settings, print)).server_version == "5.3.0"


@pytest.mark.parametrize("old", [False, True], ids=["none", "too old"])
def test_offline_without_node(tmp_path: Path, old: bool) -> None:
    root, bin_ = tmp_path.resolve() / "workspace", tmp_path.resolve() / "bin"
    root.mkdir()
    offline = {"PIP_EXTRA_INDEX_URL": "", "PIP_FIND_LINKS": ""}
    offline |= {"PIP_INDEX_URL": CLOSED, "UV_INDEX_URL": CLOSED, "PIP_NO_CACHE_DIR": "1", "UV_NO_CACHE": "1"}
    environ = {**path_without_node(bin_), **offline}
    if old:
        (bin_ / "node").write_text("#!/bin/sh\nprintf 'v16.20.0\\n%s\\n' \"$0\"\n")
        (bin_ / "node").chmod(0o755)
    started = time.monotonic()
    said = (
        "node is 16.20.0, and .* is needed; .* could not be fetched" if old else "no Node.js; .* could not be fetched"
    )
    with pytest.raises(LanguageServerError, match=said) as caught:
        run(root, tmp_path / "cache", environ)
    assert time.monotonic() - started < 100  # npm by itself tries for 140 s
    assert "cn-bridge[node]" in caught.value.hint


class Deaf(http.server.BaseHTTPRequestHandler):
    """A registry that has nothing."""

    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def private_registry(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The address of a registry whose certificate nobody vouches for, and the file of that."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl makes a certificate here")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate]
    name = ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run([*made, *name], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Deaf) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"https://127.0.0.1:{server.server_port}/", certificate
        server.shutdown()


def test_a_registry_behind_a_certificate_of_its_own(tmp_path: Path, private_registry: tuple[str, Path]) -> None:
    registry, certificate = private_registry
    (tmp_path / "root").mkdir()
    # The machine's own npmrc may name a cafile, beside which NODE_EXTRA_CA_CERTS does not count.
    files = {name: str(tmp_path / name) for name in ("npm_config_globalconfig", "npm_config_userconfig")}
    plain = {**files, "npm_config_registry": registry}

    def refused(**more: str) -> LanguageServerError:
        environ = {**os.environ, "NODE_EXTRA_CA_CERTS": "", **plain, **more}
        with pytest.raises(LanguageServerError) as caught:
            run(tmp_path / "root", tmp_path / "cache", environ)
        return caught.value

    unknown = refused()
    assert "self-signed certificate" in unknown.message
    assert "NODE_EXTRA_CA_CERTS" in unknown.hint
    assert "cafile" in unknown.hint
    assert "404" in refused(NODE_EXTRA_CA_CERTS=str(certificate)).message
    assert "404" in refused(npm_config_cafile=str(certificate)).message
    assert "cafile" in refused(NODE_EXTRA_CA_CERTS=str(certificate), npm_config_cafile="/etc/hostname").hint
