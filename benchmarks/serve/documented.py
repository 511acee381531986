"""schemathesis against a real server: server errors and undocumented answers, reach 0 of each.

$ .venv-integrations-frameworks/bin/python benchmarks/serve/documented.py --cases 1000 --seed 7
"""

from __future__ import annotations

import argparse
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

SERVED = Path(__file__).parent / "served.py"
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1_000, help="of each operation")
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, str(SERVED), str(port), "-", "0"], stdout=subprocess.DEVNULL) as server:
        try:
            while True:
                try:
                    httpx.get(f"http://127.0.0.1:{port}/healthz")
                    break
                except httpx.TransportError:
                    time.sleep(0.05)
            command = [
                str(Path(sys.executable).parent / "schemathesis"),
                "run",
                f"http://127.0.0.1:{port}/openapi.json",
            ]
            command += ["-n", str(args.cases), "--seed", str(args.seed), "--checks", CHECKS, "--continue-on-failure"]
            command += ["--phases", "examples,coverage,fuzzing", "--request-timeout", "30", "--workers", "2"]
            status = subprocess.run(command, check=False).returncode
        finally:
            server.kill()
    sys.exit(status)


if __name__ == "__main__":
    main()
