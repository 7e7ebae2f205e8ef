"""`cn mcp`: copies a client's stdio to the daemon and back, line by line, and outlives the daemon.

An agent starts it and talks MCP to it. It knows of the protocol only what it takes to keep the client's session
when the daemon behind it is replaced: which requests are open, and how the client introduced itself. While a daemon
starts, the opening of the session is answered here (`opening`), and the rest waits. One loop, a thread only to start a
daemon, and nothing imported that a warm call does not import.
"""

import _thread
import os
import select
import time

from cn_client.call import workspace, write
from cn_client.jsonrpc import REPLY, as_json, failed, gone, greeting, id_of, too_long
from cn_client.opening import CHANGED, Opening, introduced
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
_OWN = "cn mcp: "  # how the ids of our own requests begin


def run(root: str | None, options: "dict[str, object] | None" = None) -> int:
    """Pump until the client closes its end. options: of `cn mcp`. Raises InputError (no such root)."""
    Pump(workspace(root), options or {}).run()
    return 0


class Pump:
    """pending: the ids (as JSON) of requests that the daemon has not answered. waiting: messages for a daemon that is
    not there yet, each with its id. opening, opened: the client's `initialize` and `notifications/initialized`, to be
    said to each daemon. answered: by method, the results that were given in its place."""

    def __init__(self, root: str, options: "dict[str, object]") -> None:
        self.root = root
        self.options = options
        self.pending: dict[str, None] = {}
        self.waiting: list[tuple[str, bytes]] = []
        self.opening = b""
        self.opened = b""
        self.answered: dict[str, bytes] = {}
        self.connection: socket | None = None
        self.state: State | None = None
        self._answers = Opening(options)
        self._ready = False  # the daemon knows the client
        self._again = False  # one was lost before it did
        self._starting = -1  # can be read from once a daemon was started
        self._started: tuple[State, socket] | Exception | None = None
        self._received = bytearray()  # of the daemon, since its last line end
        self._said = bytearray()  # of the client

    def run(self) -> None:
        end: float | None = None  # the client has closed its end: `printf … | cn mcp` still wants its answers
        while end is None or ((self.pending or self.waiting) and time.monotonic() < end):
            # A connection that is lost below leaves its number to what is opened next: these events are not of that.
            starting, events = self._starting, self._events(end)
            if events.get(1, 0) & (select.POLLERR | select.POLLHUP | select.POLLNVAL):
                return
            if self.connection is not None and self.connection.fileno() in events and not self._from_daemon():
                self._lost()
            if starting in events:
                self._arrived()
            if 0 in events and not self._from_client():
                end = time.monotonic() + DRAIN_S + (START_S if self._starting >= 0 else 0)

    def _events(self, end: float | None) -> dict[int, int]:
        poll = select.poll()
        # A client that is gone is noticed only here, while nothing is written to it.
        poll.register(1, 0)
        if end is None:
            poll.register(0, select.POLLIN)
        if self.connection is not None:
            poll.register(self.connection.fileno(), select.POLLIN)
        if self._starting >= 0:
            poll.register(self._starting, select.POLLIN)
        return dict(poll.poll(None if end is None else max(0.0, end - time.monotonic()) * 1000))

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
        method, id, params, is_request = _read(line)
        if len(line) > LINE_LIMIT:
            # A daemon that is sent more does not find the next message. A notification is never answered.
            if id or not method:
                write(1, too_long(id or "null", len(line)))
            return
        self._note(method, params, line)
        if self._ready:
            try:
                self._send(id, line)
            except OSError:
                self._lost()
            return
        may_answer = is_request and (self.opening or method == "ping")
        answer = self._answers.answer(method, params) if may_answer else None
        if answer is not None:
            self.answered[method] = answer
            write(1, REPLY + id.encode() + b',"result":' + answer + b"}\n")
        elif method != "notifications/initialized":
            self.waiting.append((id, line))
        self._reach()

    def _note(self, method: str, params: object, line: bytes) -> None:
        """Remember what the next daemon has to know."""
        if not isinstance(params, dict):
            params = {}
        if method == "initialize" and introduced(params):
            self.opening, self.opened = line, b""
        elif method == "notifications/initialized":
            self.opened = line
        elif method == "notifications/cancelled":  # never answered
            id = as_json(params.get("requestId"))
            self.pending.pop(id, None)
            self.waiting = [(other, line) for other, line in self.waiting if other != id]

    def _from_daemon(self) -> bool:
        """Pass on the daemon's whole lines. False at its end."""
        assert self.connection is not None
        try:
            piece = self.connection.recv(_PIECE)
            self._received += piece
            end = self._received.rfind(b"\n", len(self._received) - len(piece)) + 1
            if end:
                lines = bytes(self._received[:end])
                del self._received[:end]
                write(1, b"".join([line + b"\n" for line in lines.split(b"\n")[:-1] if self._for_client(line)]))
        except OSError:
            return False
        return bool(piece)

    def _for_client(self, line: bytes) -> bool:
        """Whether the client is to have that line of the daemon's. Raises OSError."""
        if not self._ready:  # the answer to the introduction: the client has had one
            self._go_on()
            return False
        if line.startswith(REPLY):
            id = id_of(line)
            if id.startswith(f'"{_OWN}'):
                self._compare(id[len(_OWN) + 1 : -1], line)
                return False
            self.pending.pop(id, None)
        return True

    def _compare(self, method: str, line: bytes) -> None:
        """Tell the client when the daemon lists something else than was listed in its place."""
        reply = parse(line.decode())
        before = self.answered.pop(method, None)
        if before is not None and isinstance(reply, dict) and reply.get("result", before) != parse(before.decode()):
            write(1, f'{{"jsonrpc":"2.0","method":"{CHANGED[method]}"}}\n'.encode())

    def _reach(self) -> None:
        """Connect to the daemon there is, or have one started."""
        if self.connection is not None or self._starting >= 0:
            return
        # What replaced the first daemon may be newer than this process: any that runs will do.
        first = self.state is None
        state = live(self.root)
        if state is not None and state.pump_port and not (first and state.version != __version__):
            try:
                return self._introduce(state, self._dial(state))
            except OSError:
                pass
        else:
            state = None
        self._begin(state)

    def _begin(self, dying: State | None) -> None:
        """Have a daemon started. dying: one that was there and has no time for us."""
        self._starting, said = os.pipe()
        _thread.start_new_thread(self._start, (dying, said))

    def _start(self, dying: State | None, said: int) -> None:
        """In a thread."""
        from cn_client.launcher import ensure

        try:
            if dying is not None:
                # One that was killed takes connections, and counts as running, until the kernel is done with it.
                process.wait_until_gone(dying.pid, dying.process_start, _DYING_S)
            state = ensure(self.root, time.monotonic() + START_S)
            self._started = state, self._dial(state)
        except Exception as error:
            self._started = error
        finally:
            os.close(said)

    def _arrived(self) -> None:
        """A daemon was started; or none could be: who waits hears why, and may ask again."""
        os.close(self._starting)
        self._starting = -1
        started, self._started = self._started, None
        if isinstance(started, tuple):
            return self._introduce(*started)
        waiting, self.waiting = self.waiting, []
        for id, _ in waiting:
            if id:
                write(1, failed(id, started or RuntimeError("no daemon was started")))

    def _dial(self, state: State) -> socket:
        connection = socket(AF_INET, SOCK_STREAM)
        try:
            connection.connect(("127.0.0.1", state.pump_port))
            connection.sendall(greeting(state.token, self.root, self.options))
        except OSError:
            connection.close()
            raise
        return connection

    def _introduce(self, state: State, connection: socket) -> None:
        """Say who the client is. What it asks waits for the answer to that."""
        self.state, self.connection = state, connection
        self._received.clear()
        try:
            if self.opening:
                connection.sendall(self.opening)
            else:
                self._go_on()
        except OSError:
            self._lost()

    def _go_on(self) -> None:
        """Send what waited, and ask for what was answered in the daemon's place. Raises OSError."""
        self._ready, self._again = True, False
        if self.opening and self.opened:
            self._send("", self.opened)
        waiting, self.waiting = self.waiting, []
        self.pending.update({id: None for id, _ in waiting if id})
        for id, line in waiting:
            self._send(id, line)
        for method in CHANGED.keys() & self.answered.keys():
            self._send("", f'{{"jsonrpc":"2.0","id":"{_OWN}{method}","method":"{method}"}}\n'.encode())

    def _send(self, id: str, line: bytes) -> None:
        """Raises OSError."""
        assert self.connection is not None
        if id:
            self.pending[id] = None
        self.connection.sendall(line)

    def _lost(self) -> None:
        """The daemon went away: whoever waits for it gets an error. The next request finds or starts another."""
        if self.connection is not None:
            self.connection.close()
        self.connection = None
        if not self._ready and self.waiting and not self._again:
            self._again = True
            return self._begin(self.state)
        self._ready = False
        for id in (*self.pending, *(id for id, _ in self.waiting if id)):
            write(1, gone(id, self.root, self.state))
        self.pending.clear()
        self.waiting.clear()


def _read(line: bytes) -> tuple[str, str, object, bool]:
    """Method, id (as JSON) and parameters of a client's message, "" for a method or an id that it has not; and whether
    it is a request by the protocol. What is none is the daemon's to refuse."""
    try:
        message = parse(line.decode())
    except ValueError:
        return "", "", None, False
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        return "", "", None, False
    if "id" not in message:
        return message["method"], "", message.get("params"), False
    id = message["id"]
    try:
        known = id.encode() is not None if isinstance(id, str) else as_json(id) != "null"
    except UnicodeEncodeError:  # half a character
        known = False
    return message["method"], as_json(id), message.get("params"), known and message.get("jsonrpc") == "2.0"
