"""The real clients: pinned, installed from npm, each told of `cn` and of the model as its users tell it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PROMPT = "Answer the questions."
TIMEOUT_S = 400
TOKENIZER = "gpt-tokenizer@4.0.0"


@dataclass(frozen=True, slots=True)
class Client:
    """package: on npm. prepare: writes its settings below its home, for a server's command line (none: other settings
    name it) and the model's address; the command line and the variables that ask it one thing."""

    name: str
    package: str
    prepare: Callable[[Path, list[str], str], tuple[list[str], dict[str, str]]]


def claude(home: Path, server: list[str], url: str) -> tuple[list[str], dict[str, str]]:
    words = ["claude", "-p", PROMPT, "--allowedTools", "mcp__cn"]
    if server:
        config = _json(home / "mcp.json", {"mcpServers": _entry(server)})
        words += ["--mcp-config", config, "--strict-mcp-config"]
    return words, {
        "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none", "CLAUDE_CONFIG_DIR": str(home),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "MCP_CONNECTION_NONBLOCKING": "false",
    }  # fmt: skip


def codex(home: Path, server: list[str], url: str) -> tuple[list[str], dict[str, str]]:
    lines = (
        'model = "mock"', 'model_provider = "mock"', 'approval_policy = "never"', "[model_providers.mock]",
        'name = "mock"', f'base_url = "{url}/v1"', 'wire_api = "responses"', 'env_key = "MOCK_KEY"',
    )  # fmt: skip
    if server:
        command, *arguments = map(json.dumps, server)
        lines += ("[mcp_servers.cn]", f"command = {command}", f"args = [{', '.join(arguments)}]")
        lines += ('default_tools_approval_mode = "approve"',)
    (home / "config.toml").write_text("\n".join(lines) + "\n")
    words = ["codex", "exec", "--skip-git-repo-check", "--sandbox", "read-only", PROMPT]
    return words, {"CODEX_HOME": str(home), "MOCK_KEY": "none"}


def gemini(home: Path, server: list[str], url: str) -> tuple[list[str], dict[str, str]]:
    settings = {"mcpServers": _entry(server, trust=True), "security": {"auth": {"selectedType": "gemini-api-key"}}}
    _json(home / ".gemini" / "settings.json", settings)
    words = ["gemini", "-p", PROMPT, "--yolo", "--skip-trust", "-m", "gemini-2.5-flash"]
    return words, {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": url}


def qwen(home: Path, server: list[str], url: str) -> tuple[list[str], dict[str, str]]:
    settings = {"mcpServers": _entry(server, trust=True), "security": {"auth": {"selectedType": "openai"}}}
    _json(home / ".qwen" / "settings.json", settings)
    words = ["qwen", "-p", PROMPT, "--yolo", "--auth-type", "openai"]
    return words, {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_MODEL": "mock"}


def opencode(home: Path, server: list[str], url: str) -> tuple[list[str], dict[str, str]]:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{url}/v1", "apiKey": "none"},
        "models": {"mock": {"name": "mock"}},
    }
    settings = {
        "provider": {"mock": provider},
        "mcp": {"cn": {"type": "local", "command": server}} if server else {},
        "autoupdate": False,
    }
    config = _json(home / "opencode.json", settings)
    return ["opencode", "run", "--model", "mock/mock", PROMPT], {
        "OPENCODE_CONFIG": config, "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1",
    }  # fmt: skip


def _entry(server: list[str], **more: bool) -> dict[str, object]:
    return {"cn": {"command": server[0], "args": server[1:], **more}} if server else {}


CLIENTS = (
    Client("claude", "@anthropic-ai/claude-code@2.1.197", claude),
    Client("codex", "@openai/codex@0.169.0", codex),
    Client("gemini", "@google/gemini-cli@0.61.0", gemini),
    Client("opencode", "opencode-ai@1.18.33", opencode),
    Client("qwen", "@qwen-code/qwen-code@0.15.10", qwen),
)


def install(work: Path) -> Path:
    """The folder with everybody's programs, installed once. Their own installation scripts do not run."""
    folder = work / "clients"
    wanted = [TOKENIZER, *(client.package for client in CLIENTS)]
    mark = folder / "installed.json"
    if not mark.is_file() or json.loads(mark.read_text()) != wanted:
        folder.mkdir(parents=True, exist_ok=True)
        _json(folder / "package.json", {"private": True})
        subprocess.run(
            ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", *wanted], cwd=folder, check=True
        )
        _json(mark, wanted)
    return folder


def program(folder: Path, name: str) -> list[str]:
    """How it is started. What an installation script would have linked is found in its place."""
    native = sorted(folder.glob(f"node_modules/@anthropic-ai/*-linux-*/{name}"))
    native += sorted(folder.glob(f"node_modules/{name}-linux-x64/bin/{name}"))
    return [str(native[0])] if native else [str(folder / "node_modules" / ".bin" / name)]


def run(client: Client, folder: Path, home: Path, root: Path, server: list[str], url: str) -> str:
    """Let it ask; what it printed. Raises subprocess.SubprocessError."""
    home.mkdir(parents=True, exist_ok=True)
    words, variables = client.prepare(home, server, url)
    environment = {
        "HOME": str(home), "PATH": os.environ["PATH"], "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"), "XDG_STATE_HOME": str(home / "state"), "NO_PROXY": "127.0.0.1",
        "NO_COLOR": "1", **variables,
    }  # fmt: skip
    with (home / "said").open("w+b") as said:
        process = subprocess.Popen(
            [*program(folder, words[0]), *words[1:]], cwd=root, env=environment, stdin=subprocess.DEVNULL, stdout=said,
            stderr=said, start_new_session=True,
        )  # fmt: skip
        try:
            process.wait(TIMEOUT_S)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # what it leaves behind, too
            process.wait()
        said.seek(0)
        return said.read().decode("utf-8", "replace")


def _json(file: Path, document: object) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(document, indent=2))
    return str(file)
