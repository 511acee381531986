"""The figures of the runtime beside a bare deque mailbox, asyncio.Queue and pykka's threads, interleaved.

    python benchmarks/actors/run.py [--rounds 5] [--scale 1] [--growth]

`stop_us` is the whole crowd at once: ours by its supervisor, the anchors by a message to each; `stop_each_us` asks each
ref of ours to stop, in a task. `ask_timeout_per_s` is with the default limit of 5 s, the other asks are without.
Every runtime runs in a process of its own, in turn, `rounds` times, on the standard loop and with uvloop. Printed are
medians, the share of the deque mailbox on the same loop, and what is to be reached. Ratios are what counts.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
#: figure -> (more is better, share of the deque mailbox to reach)
REACH = {
    "ask_per_s": (True, 0.90),
    "ask_timeout_per_s": (True, 0.80),
    "ask_crowd_per_s": (True, 0.87),
    "tell_per_s": (True, 0.78),
    "spawn_us": (False, 1.3),
    "stop_us": (False, 1.3),
    "stop_each_us": (False, None),
    "idle_bytes": (False, None),
    "ring_hops_per_s": (True, 0.88),
    "restart_us": (False, None),
    "restart_p99_us": (False, None),
}
ABSOLUTE = {
    "stop_each_us": "(no figure)",
    "idle_bytes": "<= 2500",
    "restart_us": "<= 40 / 25",
    "restart_p99_us": "<= 200",
}


def one(runtime: str, loop: str, what: str, scale: float) -> dict[str, float]:
    command = [sys.executable, str(HERE / "child.py"), runtime, loop, what]
    environment = {**os.environ, "SCALE": str(scale), "PYTHONPATH": str(HERE)}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=600)
    if run.returncode != 0:
        raise SystemExit(f"{runtime} on {loop} failed:\n{run.stderr}")
    return json.loads(run.stdout.splitlines()[-1])


def shown(value: float) -> str:
    return f"{value / 1e6:.2f} M" if value >= 1e6 else f"{value / 1e3:.0f} k" if value >= 10_000 else f"{value:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--growth", action="store_true", help="cost per actor at 1,000, 10,000 and 100,000 actors")
    options = parser.parse_args()
    if options.growth:
        for name, value in one("ours", "standard", "growth", options.scale).items():
            print(f"{name:<28} {value if isinstance(value, str) else round(value, 2)}")
        return
    cells = [(runtime, loop) for runtime in ("deque", "ours", "queue") for loop in ("standard", "uvloop")]
    cells.append(("pykka", "threads"))
    rows: dict[tuple[str, str], list[dict[str, float]]] = {cell: [] for cell in cells}
    for _ in range(options.rounds):
        for runtime, loop in cells:
            rows[runtime, loop].append(one(runtime, loop, "all", options.scale))
    table: dict[tuple[str, str], dict[str, list[float]]] = {
        cell: {name: [run[name] for run in runs if name in run] for name in REACH} for cell, runs in rows.items()
    }
    print(f"| figure | loop | deque | ours | share | reach | spread of ours | queue | pykka |\n|{'---|' * 9}")
    for name, (_, share) in REACH.items():
        for loop in ("standard", "uvloop"):
            medians = {runtime: statistics.median(table[runtime, loop][name]) for runtime in ("deque", "ours", "queue")}
            ours = table["ours", loop][name]
            pykka = table["pykka", "threads"][name]
            ratio = statistics.median(
                mine / anchor for mine, anchor in zip(ours, table["deque", loop][name], strict=True)
            )
            reach = ABSOLUTE.get(name) or f"{'>=' if REACH[name][0] else '<='} {share}"
            print(
                f"| {name} | {loop} | {shown(medians['deque'])} | {shown(medians['ours'])} | {ratio:.2f} | {reach} | "
                f"{shown(min(ours))} .. {shown(max(ours))} | {shown(medians['queue'])} | "
                f"{shown(statistics.median(pykka)) if pykka else '-'} |"
            )


if __name__ == "__main__":
    main()
