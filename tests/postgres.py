"""A PostgreSQL server of the system's packages (Debian: postgresql), started for a test in a folder of its own."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path


def programs() -> Path | None:
    """The folder of `initdb`, None where there is none."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    found = next((folder for folder in folders if (folder / "initdb").exists()), None)
    on_path = shutil.which("initdb")
    return found or (Path(on_path).parent if on_path else None)


class Server:
    """One cluster. url: of its database, with a password in it."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self._programs, self._data = programs, folder / "data"
        self._port = _free_port()
        self.url = f"postgresql://cn:hush@127.0.0.1:{self._port}/postgres"
        # It refuses to run as root.
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(folder, self._user, self._user)
        (folder / "password").write_text("hush")
        self._run("initdb", "-U", "cn", "-A", "scram-sha-256", f"--pwfile={folder / 'password'}", "-E", "UTF8",
                  "--locale=C.UTF-8", "-N")  # fmt: skip

    def start(self) -> None:
        options = f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
        self._run("pg_ctl", "-w", "-o", options, "-l", str(self._data.parent / "log"), "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-w", "-m", "immediate", "stop")

    def pid(self) -> int:
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def _run(self, program: str, *words: str) -> None:
        subprocess.run([self._programs / program, "-D", self._data, *words], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, user=self._user, cwd="/", stdin=subprocess.DEVNULL)  # fmt: skip


@contextlib.contextmanager
def running() -> Iterator[Server | None]:
    """None where the system has no PostgreSQL."""
    found = programs()
    if found is None:
        yield None
        return
    # The folder of a run is root's own: another user, as which the server of root runs, does not get there.
    place = "/tmp" if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="cn-postgres-", dir=place) as folder:
        server = Server(Path(folder), found)
        server.start()
        try:
            yield server
        finally:
            with contextlib.suppress(subprocess.CalledProcessError):
                server.stop()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
    return port
