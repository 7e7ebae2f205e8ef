"""`cn mcp`: copies a client's stdio to the daemon and back, line by line, and outlives the daemon.

An agent starts it and talks MCP to it. It knows of the protocol only what it takes to keep the client's session
when the daemon behind it is replaced: which requests are open, and how the client introduced itself. One loop,
no threads, and nothing imported that a warm call does not import.
"""

import os
import select
import time

from cn_client.call import workspace, write
from cn_client.jsonrpc import REPLY, as_json, failed, gone, greeting, id_of, too_long
from cn_shared import __version__, process
from cn_shared.state import LINE_LIMIT, State, live, parse

try:
    from _socket import AF_INET, SOCK_STREAM, socket
except ImportError:  # another Python than CPython
    from socket import AF_INET, SOCK_STREAM, socket  # type: ignore[assignment]

START_S = 60.0
# Long enough for a first answer on a busy machine; a client that does not wait for it ends this process itself.
DRAIN_S = 30.0
_DYING_S = 2.0
_PIECE = 262144


def run(root: str | None, options: "dict[str, object] | None" = None) -> int:
    """Pump until the client closes its end. options: of `cn mcp`. Raises InputError (no such root)."""
    Pump(workspace(root), options or {}).run()
    return 0


class Pump:
    """pending: the ids (as JSON) of requests that the daemon has not answered. opening, opened: the client's
    `initialize` and `notifications/initialized`, to be said again to the next daemon."""

    def __init__(self, root: str, options: "dict[str, object]") -> None:
        self.root = root
        self.options = options
        self.pending: dict[str, None] = {}
        self.opening = b""
        self.opened = b""
        self.connection: socket | None = None
        self.state: State | None = None
        self._heard = bytearray()  # of the daemon, since its last line end
        self._said = bytearray()  # of the client

    def run(self) -> None:
        poll = select.poll()
        poll.register(0, select.POLLIN)
        # A client that is gone is heard of only here, while nothing is written to it.
        poll.register(1, 0)
        while True:
            if self.connection is not None:
                poll.register(self.connection.fileno(), select.POLLIN)
            events = dict(poll.poll())
            if events.get(1, 0) & (select.POLLERR | select.POLLHUP | select.POLLNVAL):
                return
            if self.connection is not None:
                descriptor = self.connection.fileno()
                if descriptor in events and not self._from_daemon():
                    poll.unregister(descriptor)
                    self._lost()
            if 0 in events and not self._from_client():
                return self._drain()

    def _from_client(self) -> bool:
        """Pass on what the client said. False at its end."""
        piece = os.read(0, _PIECE)
        self._said += piece
        end = self._said.rfind(b"\n", len(self._said) - len(piece)) + 1
        if end:
            lines = bytes(self._said[:end]).split(b"\n")
            del self._said[:end]
            for line in filter(bytes.strip, lines):
                self._pass_on(line + b"\n")
        return bool(piece)

    def _pass_on(self, line: bytes) -> None:
        method, id = self._note(line)
        if len(line) > LINE_LIMIT:
            # A daemon that is sent more does not find the next message. A notification is never answered.
            self.pending.pop(id, None)
            if id or not method:
                write(1, too_long(id or "null", len(line)))
            return
        try:
            if self.connection is None:
                self._connect(replay=method != "initialize")
            self._send(line)
        except OSError:
            self._lost()
        except Exception as error:  # no daemon could be started: the client hears why, and may ask again
            if id:
                self.pending.pop(id, None)
                write(1, failed(id, error))

    def _note(self, line: bytes) -> tuple[str, str]:
        """The method and the id (as JSON; "" for a notification) of a client's message, remembered if need be."""
        try:
            message = parse(line.decode())
        except ValueError:
            return "", ""
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            return "", ""
        method = message["method"]
        if method == "notifications/initialized":
            self.opened = line
        elif method == "notifications/cancelled":
            cancelled = message.get("params")
            if isinstance(cancelled, dict):  # never answered
                self.pending.pop(as_json(cancelled.get("requestId")), None)
        if "id" not in message:
            return method, ""
        if method == "initialize":
            self.opening, self.opened = line, b""
        id = as_json(message["id"])
        self.pending[id] = None
        return method, id

    def _from_daemon(self) -> bool:
        """Pass on the daemon's whole lines. False at its end."""
        assert self.connection is not None
        try:
            piece = self.connection.recv(_PIECE)
        except OSError:
            return False
        self._heard += piece
        end = self._heard.rfind(b"\n", len(self._heard) - len(piece)) + 1
        if end:
            lines = bytes(self._heard[:end])
            del self._heard[:end]
            for line in lines.splitlines():
                if line.startswith(REPLY):
                    self.pending.pop(id_of(line), None)
            write(1, lines)
        return bool(piece)

    def _connect(self, replay: bool) -> None:
        """Find the daemon, or start it, and say who we are. Raises CnError, OSError."""
        # What replaced the first daemon may be newer than this process: any that runs will do.
        first = self.state is None
        self.state = live(self.root)
        if self.state is None or not self.state.pump_port or (first and self.state.version != __version__):
            self.state = _started(self.root)
        try:
            self._introduce(self.state, replay)
        except OSError:
            # One that was killed takes connections, and counts as running, until the kernel is done with it.
            process.wait_until_gone(self.state.pid, self.state.process_start, _DYING_S)
            self.state = _started(self.root)
            self._introduce(self.state, replay)

    def _introduce(self, state: State, replay: bool) -> None:
        self._dial(state)
        if replay and self.opening:
            self._send(self.opening)
            self._skip_line()
            self._send(self.opened or b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def _dial(self, state: State) -> None:
        connection = socket(AF_INET, SOCK_STREAM)
        try:
            connection.connect(("127.0.0.1", state.pump_port))
            connection.sendall(greeting(state.token, self.root, self.options))
        except OSError:
            connection.close()
            raise
        self.connection = connection
        self._heard.clear()

    def _send(self, line: bytes) -> None:
        assert self.connection is not None
        self.connection.sendall(line)

    def _skip_line(self) -> None:
        """The next daemon's answer to the introduction: the client has had one."""
        assert self.connection is not None
        while b"\n" not in self._heard:
            piece = self.connection.recv(_PIECE)
            if not piece:
                raise ConnectionResetError("the daemon ended")
            self._heard += piece
        del self._heard[: self._heard.index(b"\n") + 1]

    def _lost(self) -> None:
        """The daemon went away: whoever waits for it is told so. The next request finds or starts another."""
        if self.connection is not None:
            self.connection.close()
        self.connection = None
        self._heard.clear()
        for id in self.pending:
            write(1, gone(id, self.root, self.state))
        self.pending.clear()

    def _drain(self) -> None:
        """The client has closed its end: what is being answered is awaited, as `printf … | cn mcp` needs."""
        end = time.monotonic() + DRAIN_S
        poll = select.poll()
        poll.register(1, 0)
        if self.connection is None:
            return
        poll.register(self.connection.fileno(), select.POLLIN)
        while self.pending and (left := end - time.monotonic()) > 0:
            events = dict(poll.poll(left * 1000))
            if 1 in events:
                return
            if events and not self._from_daemon():
                return self._lost()


def _started(root: str) -> State:
    """The daemon of that root, of this version, started if need be. Raises CnError."""
    from cn_client.launcher import ensure

    return ensure(root, time.monotonic() + START_S)
