"""Runs over HTTP beside the library's own: CPU of a run, 1,000 at once, and /healthz under that load.

$ python benchmarks/serve/load.py --runs 1000 --delay-ms 50 --rounds 5

The library's runs have the same memory (a file), journal and components. The clients are in a process of their own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import select
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
from served import CONFIG, FIRST, Stub

from jido_ai import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory

HERE = Path(__file__).parent


def cpu_of(pid: int) -> float:
    """Return the CPU seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Server:
    def __init__(self, folder: Path, delay_ms: float) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        args = [sys.executable, str(HERE / "served.py"), str(self.port), str(folder / "served.db"), str(delay_ms)]
        began = time.perf_counter()
        self.process = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{self.port}"
        while True:
            try:
                httpx.get(self.base + "/healthz").raise_for_status()
                break
            except httpx.TransportError:
                time.sleep(0.01)
        self.started_s = time.perf_counter() - began

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


async def library(folder: Path, runs: int, delay_ms: float) -> tuple[float, float]:
    """Return wall and CPU seconds of the library's own runs."""
    stub = Stub(delay_ms / 1000)
    path = str(folder / f"library{time.time_ns()}.db")
    async with (
        ReflexionMemory(path, similarity="weighted") as memory,
        Pipeline(None, stub, stub, config=CONFIG, memory=memory) as pipeline,
    ):
        await pipeline.run("warm up", FIRST)
        wall, cpu = time.perf_counter(), time.process_time()
        results = await asyncio.gather(*(pipeline.run(f"question {n}", FIRST) for n in range(runs)))
        told = time.perf_counter() - wall, time.process_time() - cpu
        assert all(result.total_iterations == 4 for result in results)
        return told


async def raw_post(port: int, body: bytes, *, wait_s: int) -> int:
    """Post a run on a connection of its own, with little work on the client's side; return the status."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"POST /v1/runs?wait={wait_s} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\n"
    writer.write(f"{head}content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body)
    answer = await reader.read()
    writer.close()
    assert b'"status":"completed"' in answer[:2000], answer[:300]
    return int(answer.split(b" ", 2)[1])


async def over_http(server: Server, runs: int, round_: int) -> tuple[float, float]:
    """Return wall seconds, and CPU seconds of the server, of as many runs."""
    bodies = [
        json.dumps({"pipeline": "answer", "prompt": f"question {round_} {n}", "initial_candidate": FIRST}).encode()
        for n in range(runs)
    ]
    await raw_post(server.port, bodies[0], wait_s=60)
    wall, cpu = time.perf_counter(), cpu_of(server.process.pid)
    answers = await asyncio.gather(*(raw_post(server.port, body, wait_s=120) for body in bodies))
    assert set(answers) == {200}
    return time.perf_counter() - wall, cpu_of(server.process.pid) - cpu


async def health_under(server: Server, runs: int, half: int, listeners: int) -> list[float]:
    """Return the seconds of each /healthz while runs, half-sent requests and listeners are there.

    A process of its own asks: the one that sends the runs is busy with them.
    """
    sent = []
    for _ in range(half):
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"POST /v1/runs HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-")
        sent.append(writer)
    body = {
        "pipeline": "answer",
        "prompt": "followed",
        "initial_candidate": FIRST,
        "run_id": f"followed{time.time_ns()}",
    }
    async with httpx.AsyncClient(base_url=server.base) as http:
        await http.post("/v1/runs", json=body)
    following = []
    for _ in range(listeners):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(f"GET /v1/runs/{body['run_id']}/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode())
        following.append((reader, writer))
    asking = subprocess.Popen([sys.executable, __file__, "--ask", str(server.port)], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)  # fmt: skip
    await over_http(server, runs, 99)
    told, _ = await asyncio.to_thread(asking.communicate)
    times: list[float] = json.loads(told)
    for writer in (*sent, *(writer for _, writer in following)):
        writer.close()
    return times


def ask_health(port: int) -> None:
    """Ask for /healthz until stdin ends; print the seconds of each answer."""
    times: list[float] = []
    while not select.select([sys.stdin], [], [], 0.01)[0]:
        began = time.perf_counter()
        with socket.create_connection(("127.0.0.1", port)) as to:
            to.sendall(b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
            assert b"200" in to.recv(4096)[:20]
        times.append(time.perf_counter() - began)
    print(json.dumps(times))


def _spread(figures: list[float]) -> str:
    return f"{min(figures):.2f} .. {max(figures):.2f}"


async def measure(args: argparse.Namespace) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = Server(folder, args.delay_ms)
        print(f"start to first answer: {server.started_s:.2f} s (reach 1.5)")
        rows: list[tuple[float, float, float, float]] = []
        for round_ in range(args.rounds):
            ours = await library(folder, args.runs, args.delay_ms)
            http = await over_http(server, args.runs, round_)
            rows.append((*ours, *http))
            print(f"  round {round_}: library {ours[0]:.2f} s, {1000 * ours[1] / args.runs:.2f} ms CPU; "
                  f"HTTP {http[0]:.2f} s, {1000 * http[1] / args.runs:.2f} ms CPU")  # fmt: skip
        ratios = sorted(row[2] / row[0] for row in rows)
        above = sorted(1000 * (row[3] - row[1]) / args.runs for row in rows)
        print(f"{args.runs} at once, {args.delay_ms:g} ms a call, median of {args.rounds}:")
        print(f"  wall over the library's: {statistics.median(ratios):.2f} ({_spread(ratios)}); reach 1.3")
        print(f"  CPU above the library's: {statistics.median(above):.2f} ms ({_spread(above)}); reach 2.5")
        times = sorted(await health_under(server, args.runs, 200, 500))
        print("/healthz under it, 200 half-sent requests and 500 listeners: "
              f"p50 {1000 * statistics.median(times):.0f} ms, "
              f"p99 {1000 * times[int(len(times) * 0.99)]:.0f} ms of {len(times)}; reach p99 100")  # fmt: skip
        server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--delay-ms", type=float, default=50.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ask", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.ask is not None:
        ask_health(args.ask)
    else:
        asyncio.run(measure(args))


if __name__ == "__main__":
    main()
