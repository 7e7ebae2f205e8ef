"""What `cn mcp` answers in place of a daemon that is not there yet.

A client that runs one prompt gives its model the tools that are listed by then, and does not wait for more: so the
opening of a session is answered at once. `opening.txt` is written from the daemon's own table of tools
(`tests/mcp/test_opening.py`).
"""

import os

from cn_shared import __version__

FILE = os.path.join(os.path.dirname(__file__), "opening.txt")
VERSION = b"{version}"  # stands for that of cn in the file
# What is listed, and how a client hears that there is another list.
CHANGED = {
    "tools/list": "notifications/tools/list_changed",
    "prompts/list": "notifications/prompts/list_changed",
    "resources/list": "notifications/resources/list_changed",
}
_TEMPLATES = "resources/templates/list"


class Opening:
    """`rows` of the file: `versions` of the protocol, the latest last; `initialize`, a result without its version; the
    templates of resources; and the tools, each by its set and in the order of the list. options: of `cn mcp`."""

    def __init__(self, options: "dict[str, object]") -> None:
        tools = options.get("tools")
        self._sets = str(tools or "code").split(",")
        # Settings in the environment are the daemon's to read.
        listed = bool(tools) or not os.environ.get("CN_MCP_TOOLS")
        self._lists = listed and not (options.get("structured") or os.environ.get("CN_MCP_STRUCTURED"))
        self._rows: list[tuple[str, bytes]] = []

    def answer(self, method: str, params: object) -> "bytes | None":
        """The result as JSON; None for what only the daemon can answer. Raises OSError."""
        given = params if isinstance(params, dict) else {}
        if method == "ping":
            return b"{}"
        if method == "initialize":
            return self._introduction(given) if introduced(given) else None
        if given.get("cursor") is not None:
            return None
        if method == _TEMPLATES:
            return self._row(_TEMPLATES)
        if method == "tools/list" and self._lists:
            tools = [text for name, text in self._all() if self._chosen(name)]
            return b'{"tools":[' + b",".join(tools) + b"]}"
        if method in CHANGED and method != "tools/list":
            return b'{"' + method.partition("/")[0].encode() + b'":[]}'
        return None

    def _introduction(self, params: "dict[str, object]") -> bytes:
        versions = self._row("versions").decode().split()
        requested = params["protocolVersion"]
        version = requested if requested in versions else versions[-1]
        result = self._row("initialize").replace(VERSION, __version__.encode(), 1)
        return result[:-1] + f',"protocolVersion":"{version}"}}'.encode()

    def _chosen(self, name: str) -> bool:
        kind, _, toolset = name.partition(" ")
        return kind == "tool" and ("all" in self._sets or toolset in self._sets)

    def _row(self, wanted: str) -> bytes:
        return next(text for name, text in self._all() if name == wanted)

    def _all(self) -> "list[tuple[str, bytes]]":
        if not self._rows:
            with open(FILE, "rb") as file:
                pairs = [line.rstrip(b"\n").partition(b"\t") for line in file]
            self._rows = [(name.decode(), text) for name, _, text in pairs]
        return self._rows


def introduced(params: "dict[str, object]") -> bool:
    """Whether those of `initialize` are what the protocol asks for."""
    client = params.get("clientInfo")
    return (
        isinstance(params.get("protocolVersion"), str)
        and isinstance(params.get("capabilities"), dict)
        and isinstance(client, dict)
        and all(isinstance(client.get(name), str) for name in ("name", "version"))
    )
