"""A real PostgreSQL for tests: a cluster of its own in a temporary directory, reached by a unix socket only.

PostgreSQL refuses to run as root; started by root it runs as the user `postgres`, or `nobody`. It ends with the tests
however these end: the server is told when its parent is gone.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

READY_S = 30.0


def programs() -> Path | None:
    """Return the newest folder that has PostgreSQL's programs, or None."""
    found = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/usr").glob("pgsql-*/bin")]
    if on_path := shutil.which("initdb"):
        found.append(Path(on_path).resolve().parent)
    usable = [folder for folder in found if (folder / "initdb").exists() and (folder / "postgres").exists()]
    return max(usable, key=_version, default=None)


def _version(folder: Path) -> list[int]:
    return [int(part) for part in folder.parent.name.split("-")[-1].split(".") if part.isdigit()]


class Cluster:
    """One server. `start`, `stop` and `kill` may follow each other any number of times; `remove` ends it for good."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self._folder = Path(tempfile.mkdtemp(prefix="jido-pg-"))
        self._data = self._folder / "data"
        self._user = _plain_user()
        self._server: subprocess.Popen[str] | None = None
        self._log: deque[str] = deque(maxlen=50)
        self._starter = ThreadPoolExecutor(1)  # the server ends with the thread that started it: one that lasts
        self._listener: threading.Thread | None = None
        try:
            if self._user:
                os.chown(self._folder, self._user["user"], self._user["group"])
            self._run(
                "initdb", "-D", self._data, *["-U", "jido", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
            )
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    @property
    def folder(self) -> Path:
        """All that is the server's."""
        return self._folder

    def address(self, schema: str, user: str = "jido") -> str:
        return f"postgresql://{user}@/postgres?host={self._folder}&schema={schema}"

    def start(self) -> None:
        """Return when it is ready for connections."""
        self._starter.submit(self._start).result()

    def _start(self) -> None:
        settings = {
            **{"listen_addresses": "", "unix_socket_directories": str(self._folder), "fsync": "off"},
            **{"full_page_writes": "off", "max_connections": "60", "shared_buffers": "32MB", "max_wal_senders": "0"},
            **{"wal_level": "minimal", "lc_messages": "C", "logging_collector": "off"},
        }
        command: list[str | Path] = [self.programs / "postgres", "-D", self._data]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        if setpriv := shutil.which("setpriv"):
            command = [setpriv, "--pdeathsig", "QUIT", *command]
        self._server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=self._folder, **self._user)
        ready = threading.Event()
        assert self._server.stderr is not None
        self._listener = threading.Thread(target=self._listen, args=(self._server.stderr, ready), daemon=True)
        self._listener.start()
        if not ready.wait(READY_S) or self._server.poll() is not None:
            self.stop(signal.SIGQUIT)
            raise RuntimeError("PostgreSQL did not start: " + " | ".join(self._log))

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: SIGINT is a fast shutdown, SIGQUIT an immediate one, which loses what is not written."""
        server, self._server = self._server, None
        if server is None:
            return
        server.send_signal(how)
        server.wait(READY_S)
        if self._listener is not None:
            self._listener.join(READY_S)
        if server.stderr is not None:
            server.stderr.close()

    def restart(self, how: signal.Signals = signal.SIGQUIT) -> None:
        self.stop(how)
        self.start()

    def remove(self) -> None:
        self.stop(signal.SIGQUIT)
        self._starter.shutdown()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _listen(self, log: IO[str], ready: threading.Event) -> None:
        for line in log:
            self._log.append(line.strip())
            if "ready to accept connections" in line:
                ready.set()
        ready.set()  # it ended

    def _run(self, program: str, *args: str | Path) -> None:
        command = [self.programs / program, *args]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self._folder, check=False, **self._user)
        if done.returncode != 0:
            raise RuntimeError(f"{program} failed: {done.stderr}")


def pgbouncer() -> str | None:
    """Return the program pgbouncer, or None."""
    return shutil.which("pgbouncer", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))


class Pooler:
    """A pgbouncer before a cluster, in transaction mode with few connections, reached by a unix socket only."""

    PORT = 6432

    def __init__(self, program: str, cluster: Cluster, *, sessions: int = 3, **settings: str) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="jido-pgb-"))
        self._user = _plain_user()
        (self._folder / "users").write_text('"jido" ""\n')
        lines = {
            **{"unix_socket_dir": str(self._folder), "listen_port": str(self.PORT), "auth_type": "trust"},
            **{"auth_file": str(self._folder / "users"), "pool_mode": "transaction"},
            **{"default_pool_size": str(sessions), **settings},
        }
        written = "\n".join(f"{name} = {value}" for name, value in lines.items())
        (self._folder / "ini").write_text(f"[databases]\n* = host={cluster.folder}\n[pgbouncer]\n{written}\n")
        if self._user:
            for each in (self._folder, *self._folder.iterdir()):
                os.chown(each, self._user["user"], self._user["group"])
        self._process = subprocess.Popen(
            [program, self._folder / "ini"], stderr=subprocess.PIPE, text=True, cwd=self._folder, **self._user
        )
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if "process up" in line:
                break
        else:
            self.remove()
            raise RuntimeError("pgbouncer did not start")
        self._listener = threading.Thread(target=self._process.stderr.read, daemon=True)
        self._listener.start()

    def address(self, schema: str) -> str:
        return f"postgresql://jido@/postgres?host={self._folder}&port={self.PORT}&schema={schema}"

    def remove(self) -> None:
        self._process.kill()
        self._process.wait(READY_S)
        if self._process.stderr is not None:
            self._process.stderr.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _plain_user() -> dict[str, Any]:
    """Return who runs the server, as arguments of `Popen`: nothing special unless we are root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}
    raise RuntimeError("neither the user postgres nor nobody is there to run PostgreSQL")
