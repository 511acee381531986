"""gunicorn with --preload: prints the report of a worker."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
from pathlib import Path

HERE, SOCKET = Path(__file__).parent, str(Path(sys.argv[1]) / "g.sock")
options = ["--preload", "--workers", "1", "--bind", f"unix:{SOCKET}", "--config", "python:gunicorn_hooks"]
command = [sys.executable, "-m", "gunicorn", *options, "forking_app:app"]
with subprocess.Popen(command, cwd=HERE, stderr=subprocess.PIPE, text=True) as server:
    try:
        assert server.stderr is not None
        lines: list[str] = []
        for line in server.stderr:
            lines.append(line)
            if "Booting worker" in line:
                break
        else:
            raise SystemExit("".join(lines))
        connection = http.client.HTTPConnection("localhost", timeout=60)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(60)
        connection.sock.connect(SOCKET)
        connection.request("GET", "/")
        print(connection.getresponse().read().decode())
    finally:
        server.terminate()
        server.stderr.read()
