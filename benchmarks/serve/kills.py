"""Kill -9 of the server at random, under clients that retry with the same ids and follow by server-sent events.

$ python benchmarks/serve/kills.py --kills 50 --clients 64 --seed 7

Prints, beside what SERVING.md asks for: runs lost, runs done twice, gaps and doubles in the streams, calls made again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import httpx

HERE = Path(__file__).parent


class Server:
    """The server process, killed and started again at one port."""

    def __init__(self, folder: Path, delay_ms: float) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.calls = folder / "calls"
        self._args = [sys.executable, str(HERE / "served.py"), str(self.port), str(folder / "memory.db")]
        self._args += [str(delay_ms), str(self.calls)]
        self._log = (folder / "log").open("ab")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(self._args, stdout=self._log, stderr=self._log)

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


async def until(call, *, limit_s: float = 120.0):
    """Return what a call returns, tried again while the server is away."""
    end = time.monotonic() + limit_s
    while True:
        try:
            return await call()
        except (httpx.TransportError, httpx.HTTPStatusError):
            if time.monotonic() > end:
                raise
            await asyncio.sleep(0.05)


def is_end(event: dict) -> bool:
    """Tell whether a run ends with an event; a loop of a graph ends with one that has a path."""
    return event["type"] in ("RunStopped", "GraphStopped") and not event.get("path")


async def client(base: str, number: int, runs: int, seen: dict[str, list[dict]]) -> None:
    """Start runs one after another, each with an id of its own, and follow each to its end."""
    async with httpx.AsyncClient(base_url=base, timeout=30.0) as http:
        for index in range(runs):
            run_id = f"run-{number}-{index}"
            kind = {"pipeline": "answer", "prompt": f"{run_id}?", "initial_candidate": "draft 0"}
            body = kind if index % 2 == 0 else {"graph": "graph", "inputs": {"prompt": f"{run_id}?"}}

            async def start(body=body, run_id=run_id):
                answer = await http.post("/v1/runs", json={**body, "run_id": run_id})
                answer.raise_for_status()

            await until(start)
            events = seen.setdefault(run_id, [])

            async def follow(run_id=run_id, events=events):
                last = str(events[-1]["seq"]) if events else "0"
                async with http.stream("GET", f"/v1/runs/{run_id}/events", headers={"Last-Event-ID": last}) as stream:
                    if stream.status_code != 200:
                        raise httpx.HTTPStatusError("not there", request=stream.request, response=stream)
                    async for line in stream.aiter_lines():
                        if line.startswith("data: "):
                            events.append(json.loads(line[6:]))
                if not events or not is_end(events[-1]):
                    raise httpx.ReadError("the stream ended early")

            await until(follow)


async def measure(args: argparse.Namespace) -> int:
    random.seed(args.seed)
    with tempfile.TemporaryDirectory() as name:
        server = Server(Path(name), args.delay_ms)
        server.start()
        base = f"http://127.0.0.1:{server.port}"
        seen: dict[str, list[dict]] = {}
        clients = asyncio.gather(*(client(base, number, args.runs, seen) for number in range(args.clients)))
        kills = 0
        async with httpx.AsyncClient(base_url=base) as http:
            while kills < args.kills and not clients.done():
                await until(lambda: http.get("/healthz"))
                await asyncio.sleep(random.uniform(0.0, args.every_s))
                server.kill()
                kills += 1
                server.start()
                print(f"\r{kills} kills, {len(seen)} runs", end="", file=sys.stderr, flush=True)
            await clients
            lost = doubled = gaps = twice = told_of = 0
            for run_id, events in seen.items():
                answer = await until(lambda run_id=run_id: http.get(f"/v1/runs/{run_id}"))
                run = answer.json()
                lost += run["status"] != "completed"
                numbers = [event["seq"] for event in events]
                gaps += numbers != list(range(1, len(numbers) + 1))
                judged = [event["iteration"]["index"] for event in events if event["type"] == "Critiqued"]
                gaps += judged != [0, 1, 2, 3]
                doubled += sum(map(is_end, events)) != 1
                if gaps + doubled > told_of:
                    told_of = gaps + doubled
                    print(f"\n{run_id}: {[(event['seq'], event['type'], event.get('path', '')) for event in events]}")
            calls = Counter(server.calls.read_text().splitlines())
            twice = sum(count - 1 for count in calls.values())
            most = max(calls.values())
        server.kill()
    print(f"\n{kills} kills, {args.clients} clients, {len(seen)} runs, {sum(calls.values())} calls; seed {args.seed}")
    print(f"runs lost            {lost}    (reach 0)")
    print(f"runs done twice      {doubled}    (reach 0)")
    print(f"gaps and doubles     {gaps}    (reach 0)")
    print(f"calls made again     {twice}, at most {most - 1} times each (in flight at a kill)")
    return int(lost + doubled + gaps > 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--runs", type=int, default=20, help="runs of each client")
    parser.add_argument("--delay-ms", type=float, default=50.0)
    parser.add_argument("--every-s", type=float, default=1.5, help="most seconds between a start and the kill")
    parser.add_argument("--seed", type=int, default=7)
    sys.exit(asyncio.run(measure(parser.parse_args())))


if __name__ == "__main__":
    main()
