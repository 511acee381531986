"""Clients that stop reading: the memory that they take, and how long their sockets stay.

$ python benchmarks/serve/stalled.py [--clients 100] [--megabytes 3] [PATH ...]

Each asks for the events of one run, or for the run itself, over a connection with a small buffer, and reads nothing.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import tempfile
import time
from pathlib import Path

import httpx
from load import Server

LIMIT_S = 60.0


def rss_mb(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def sockets(pid: int) -> int:
    """Return how many sockets a process has open."""
    names = (str(one.readlink()) for one in Path(f"/proc/{pid}/fd").iterdir() if one.is_symlink())
    return sum(name.startswith("socket:") for name in names)


def stalled(port: int, path: str) -> socket.socket:
    """Ask, and read nothing."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return client


def measure(server: Server, path: str, clients: int) -> None:
    """Print what clients of a path take."""
    pid = server.process.pid
    httpx.get(server.base + path, timeout=60).raise_for_status()
    before, open_before = rss_mb(pid), sockets(pid)
    held = [stalled(server.port, path) for _ in range(clients)]
    most = rss_mb(pid)
    while (
        path.endswith("/events") and f"jido_event_streams {clients:.1f}" not in httpx.get(server.base + "/metrics").text
    ):
        time.sleep(0.1)
    began, gone_s = time.monotonic(), None
    while time.monotonic() - began < 2 * LIMIT_S:
        most = max(most, rss_mb(pid))
        if time.monotonic() - began > 10 and sockets(pid) <= open_before:
            gone_s = time.monotonic() - began
            break
        time.sleep(0.2)
    after = rss_mb(pid)
    gone = "never" if gone_s is None else f"{gone_s - LIMIT_S:+.1f} s after the limit"
    print(
        f"{path:30} {clients} clients: {before:.0f} MB before, +{most - before:.0f} at most, "
        f"+{after - before:.0f} at the end; sockets gone {gone}",
        flush=True,
    )
    for one in held:
        one.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--megabytes", type=float, default=3.0)
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), 0.0)
        try:
            prompt = "p" * int(options.megabytes * 1e6)
            body = {"pipeline": "answer", "prompt": prompt, "initial_candidate": "draft 0", "run_id": "big"}
            httpx.post(server.base + "/v1/runs?wait=60", json=body, timeout=60).raise_for_status()
            for path in options.paths or ("/v1/runs/big/events", "/v1/runs/big", "/v1/runs/big/events"):
                measure(server, path, options.clients)
        finally:
            server.stop()


if __name__ == "__main__":
    sys.exit(main())
