"""Graphs of no-op async steps: CPU per node beside other frameworks, with a journal, and 10,000 runs in flight.

    python benchmarks/graphs/run.py [--runs 1000] [--repeats 3] [--environment DIR] [--without-peers]
                                    [--in-flight 10000]

Two shapes: ten steps in a line, and ten in parallel with a join. Each measurement is a process of its own; the
frameworks take turns, and the table shows the lowest and the highest of the repeats. The peers are installed into an
environment of their own, made here if it is missing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from jido_ai import Graph, StepNode

HERE = Path(__file__).parent
COUNT = 10
WARM_UP = 20
PACKAGES = ["langgraph", "langgraph-checkpoint-sqlite", "pydantic-graph", "haystack-ai", "agent-framework-core"]
PEERS = ["langgraph", "pydantic-graph", "haystack", "agent-framework"]


async def step(text: str) -> str:
    return text


async def join(**texts: str) -> str:
    return "ok"


async def wait(text: str) -> str:
    await GOING.wait()
    return text


GOING = asyncio.Event()


def graph_of(shape: str, memory: str | None = None, first: object = step) -> Graph:
    """Return a graph of ten steps in a line, or in parallel with a join."""
    if shape == "line":
        nodes = {"n0": StepNode(first, inputs={"text": "{t}"})}
        nodes |= {f"n{number}": StepNode(step, inputs={"text": f"{{n{number - 1}}}"}) for number in range(1, COUNT)}
        return Graph(nodes, inputs=["t"], output=f"n{COUNT - 1}", memory=memory)
    nodes = {f"n{number}": StepNode(step, inputs={"text": "{t}"}) for number in range(COUNT)}
    joined = {name: f"{{{name}}}" for name in nodes}
    return Graph({**nodes, "end": StepNode(join, inputs=joined)}, inputs=["t"], output="end", memory=memory)


async def ours(shape: str, runs: int, file: str | None) -> float:
    """Return the CPU seconds per node."""
    async with graph_of(shape, file) as graph:
        for _ in range(WARM_UP):
            await graph.run({"t": "x"})
        began = time.process_time()
        for _ in range(runs):
            result = await graph.run({"t": "x"})
        took = time.process_time() - began
    assert result.status == "completed"
    return took / runs / (COUNT if shape == "line" else COUNT + 1)


async def in_flight(runs: int) -> dict[str, float]:
    """Return memory per run of so many runs that all wait in their first step, and CPU seconds per run."""
    async with graph_of("line", first=wait) as graph:
        before, began = resident_kib(), time.process_time()
        handles = [await graph.start({"t": "x"}) for _ in range(runs)]
        while len(graph._hosts[0].tasks) < runs:
            await asyncio.sleep(0)
        kib = (resident_kib() - before) / runs
        GOING.set()
        results = [await handle.result() for handle in handles]
        assert all(result.status == "completed" for result in results)
        return {"kib_per_run": kib, "cpu_s_per_run": (time.process_time() - began) / runs}


def resident_kib() -> float:
    """Return the memory of this process now, as far as the system tells; else the most it had."""
    status = Path("/proc/self/status")
    if status.exists():
        return float(status.read_text().partition("VmRSS:")[2].split()[0])
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def measured(*command: str) -> float | str:
    """Return what a measurement prints, or the last line of why it did not."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["?"])[-1]
    return float(json.loads(done.stdout.strip().splitlines()[-1]))


def environment(folder: Path) -> str:
    """Return the Python of the peers' environment; it is made if it is missing."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES], check=True)
    return str(python)


def rows(options: argparse.Namespace, folder: Path) -> dict[str, list[float | str]]:
    """Take all measurements in turns."""
    python = None
    if not options.without_peers:
        try:
            python = environment(Path(options.environment))
        except (subprocess.CalledProcessError, OSError) as error:
            print(f"the other frameworks could not be installed: {error}")
    found: dict[str, list[float | str]] = {}
    runs = str(options.runs)
    few = str(max(1, options.runs // 10))
    for repeat in range(options.repeats):
        for shape in ("line", "parallel"):
            own = [sys.executable, __file__, "--one", shape]
            found.setdefault(f"{shape}: jido_ai", []).append(measured(*own, "--runs", runs))
            for peer in PEERS if python else []:
                command = (str(python), str(HERE / "peers.py"), peer, shape)
                found.setdefault(f"{shape}: {peer}", []).append(measured(*command, runs))
            files = [str(folder / f"{name}-{shape}-{repeat}.db") for name in ("ours", "theirs")]
            found.setdefault(f"{shape}, SQLite: jido_ai", []).append(measured(*own, "--runs", few, "--file", files[0]))
            if python:
                command = (str(python), str(HERE / "peers.py"), "langgraph", shape, few, files[1])
                found.setdefault(f"{shape}, SQLite: langgraph", []).append(measured(*command))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--environment", default=str(Path(tempfile.gettempdir()) / "graph-peers"))
    parser.add_argument("--without-peers", action="store_true")
    parser.add_argument("--in-flight", type=int, default=10_000)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--file", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(asyncio.run(ours(options.one, options.runs, options.file))))
        return
    with tempfile.TemporaryDirectory() as folder:
        found = rows(options, Path(folder))
    for name, figures in found.items():
        times = [figure for figure in figures if isinstance(figure, float)]
        told = f"{min(times) * 1e6:8.1f} to {max(times) * 1e6:8.1f} us" if times else f"failed: {figures[0]}"
        shape = name.partition(":")[0]
        anchor = [figure for figure in found.get(f"{shape}: langgraph", []) if isinstance(figure, float)]
        share = f"   {min(times) / min(anchor):.2f} of langgraph" if times and anchor else ""
        print(f"{name:32} {told}{share}")
    if options.in_flight:
        flight = asyncio.run(in_flight(options.in_flight))
        print(
            f"{options.in_flight:,} runs in flight: {flight['kib_per_run']:.1f} KiB and "
            f"{flight['cpu_s_per_run'] * 1e6:.0f} us of CPU for each"
        )


if __name__ == "__main__":
    main()
