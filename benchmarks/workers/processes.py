"""Worker processes and a PostgreSQL of their own, for the benchmarks in this folder."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "tests"))

from postgres_cluster import Cluster, programs  # noqa: E402

from jido_ai.integrations.dbos import WorkClient, client  # noqa: E402


@contextmanager
def cluster() -> Generator[Cluster]:
    """Run a PostgreSQL until the block is left."""
    found = programs()
    if found is None:
        raise SystemExit("PostgreSQL is not installed on this machine (Debian: apt-get install postgresql)")
    server = Cluster(found)
    server.start()
    try:
        yield server
    finally:
        server.remove()


class Workers:
    """Worker processes, by number. Their output goes to one file each."""

    def __init__(self, store: str, queue: str, port: int, **options: object) -> None:
        self._command = [sys.executable, str(HERE / "working.py"), store, queue, str(port)]
        for name, value in options.items():
            self._command += [f"--{name.replace('_', '-')}", str(value)]
        self._folder = tempfile.TemporaryDirectory()
        self.processes: dict[int, subprocess.Popen[bytes]] = {}

    def log(self, number: int) -> Path:
        return Path(self._folder.name) / f"{number}.log"

    def logs(self) -> str:
        return "".join(path.read_text() for path in sorted(Path(self._folder.name).iterdir()))

    def start(self, number: int) -> None:
        with self.log(number).open("ab") as log:
            self.processes[number] = subprocess.Popen(self._command, stdout=log, stderr=subprocess.STDOUT)

    async def started(self, number: int) -> None:
        """Wait until a worker takes runs."""
        process = self.processes[number]
        async with asyncio.timeout(60.0):
            while not re.search(rf"worker\.started worker=\S+-{process.pid}-", self.log(number).read_text()):
                if process.poll() is not None:
                    raise RuntimeError(f"worker {number} ended: {self.log(number).read_text()[-2000:]}")
                await asyncio.sleep(0.02)

    def kill(self, number: int) -> int:
        """Kill a worker with SIGKILL and return its pid."""
        process = self.processes.pop(number)
        process.send_signal(signal.SIGKILL)
        process.wait()
        return process.pid

    def stop(self) -> None:
        for process in self.processes.values():
            process.send_signal(signal.SIGCONT)
            process.send_signal(signal.SIGTERM)
        for process in self.processes.values():
            try:
                process.wait(60.0)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes.clear()

    def close(self) -> None:
        self.stop()
        self._folder.cleanup()


@asynccontextmanager
async def at_work(store: str, port: int, count: int, **options: object) -> AsyncGenerator[tuple[Workers, WorkClient]]:
    """Start workers and a client."""
    workers = Workers(store, "bench", port, **options)
    try:
        async with client(store=store, queue="bench") as work:
            for number in range(count):
                workers.start(number)
            for number in range(count):
                await workers.started(number)
            yield workers, work
    finally:
        workers.close()
