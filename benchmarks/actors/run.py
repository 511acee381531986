"""All figures of the runtime in one run, beside a bare deque mailbox, asyncio.Queue and pykka's threads.

    python benchmarks/actors/run.py [--rounds 5] [--small] [--scale 1.0] [--actors 100000] [--with autogen,xoscar,beam]

Every round runs in processes of their own, in turn, on the standard loop and with uvloop (left out when it is not
installed); growth is measured three times, memory twice and growth without the collector once, as they take long.
Inside of a round the runtimes take short slices in turn (`child.py`). Standard error shows how far it is.

Printed are the medians over the rounds; `share` is the median of what the rounds found for ours as a share of the deque
mailbox, and its spread. Times are CPU time of the process, which on a machine with rest is the time on the wall;
restarts and threads are by the wall.

`stop` awaits one stop after the other, as `spawn` does; `stop_crowd` is `asyncio.gather` over all stops;
`stop_tree` stops a DynamicSupervisor, against a message to each of the anchor's; `stop_closing` stops actors
with an on_stop, which the anchors have not.
Growth is the time for ten times the actors, as a factor; the worst step counts. The garbage collector's part in it
grows with all that lives, so it is judged as a share of the factor of the deque mailbox (look-up: of a plain dict) in
the same round, and measured without the collector, too.
Nothing here is random: there is no seed. Exit status 0, whatever is reached.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PER_S = ("ask", "ask_timeout", "ask_crowd", "tell", "ring")
#: figure -> share of the deque mailbox to reach: of its rate where more is better, of its time where less is
REACH = {
    "ask": 0.90,
    "ask_timeout": 0.80,
    "ask_crowd": 0.87,
    "tell": 0.78,
    "ring": 0.88,
    "spawn": 1.3,
    "stop": 1.3,
    "stop_crowd": 1.3,
    "stop_tree": 1.3,
    "stop_closing": 1.6,
}
#: figure -> the most that is allowed, on the standard loop and with uvloop
LIMIT = {"idle_bytes": (2_500, 2_500), "restart": (40, 25), "restart_p99": (200, 200)}
#: growth -> the most that is allowed, as a share of the deque mailbox's growth (for look-up: of a plain dict's)
GROWTH, THREADS = 1.15, 2.0
#: how often is measured what takes long, since it needs so many actors
LONG = {"memory": 2, "growth": 3, "growth-uncollected": 1}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    figure: str
    loop: str
    ours: float
    anchor: float
    share: float
    spread: tuple[float, float]
    reach: str
    reached: bool
    others: str = ""

    def __str__(self) -> str:
        low, high = self.spread
        measured = f"{shown(self.anchor)} | {shown(self.ours)} | {self.share:.2f} | {low:.2f} .. {high:.2f}"
        judged = f"{self.reach} | {'yes' if self.reached else 'NO'}"
        return f"| {self.figure} | {self.loop} | {measured} | {judged} | {self.others} |"


def shown(value: float) -> str:
    return f"{value / 1e6:.2f} M" if value >= 1e6 else f"{value / 1e3:.0f} k" if value >= 10_000 else f"{value:.2f}"


def child(scale: float, *arguments: str, script: str = "child.py") -> Any:
    """Run one measurement in a process of its own."""
    environment = {**os.environ, "SCALE": str(scale), "PYTHONPATH": f"{HERE}{os.pathsep}{HERE.parent.parent}"}
    command = [sys.executable, str(HERE / script), *arguments]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=600)
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(arguments)} failed:\n{run.stderr}")
    return json.loads(run.stdout.splitlines()[-1])


# -- measuring -------------------------------------------------------------------------------------


def measure(loops: list[str], rounds: int, scale: float) -> dict[str, list[Any]]:
    """Return what every process found, by what it measured, a list with an entry for each time."""
    found: dict[str, list[Any]] = {}
    works = plan(loops, rounds)
    began = time.perf_counter()
    for number, arguments in enumerate(works):
        took = f"{time.perf_counter() - began:.0f} s"
        print(f"\r{number + 1} of {len(works)}, {took}: {' '.join(arguments):40}", end="", file=sys.stderr, flush=True)
        found.setdefault(" ".join(arguments), []).append(child(scale, *arguments))
    print(file=sys.stderr)
    return found


def plan(loops: list[str], rounds: int) -> list[tuple[str, ...]]:
    """Return the arguments of every process, in the order in which they run: the runtimes in turn."""
    works: list[tuple[str, ...]] = []
    for number in range(rounds):
        for loop in loops:
            works += [("round", loop), ("threads", loop)]
            for what, times in LONG.items():
                if number < times:
                    works += [(what, loop, runtime) for runtime in ("deque", "ours")]
        works.append(("pykka", "none"))
    return works


def median_of(rounds: list[Any], *path: str) -> float:
    return statistics.median(values_of(rounds, *path))


def values_of(rounds: list[Any], *path: str) -> list[float]:
    values: list[float] = []
    for one in rounds:
        value = one
        for step in path:
            value = value[step]
        values.append(value)
    return values


# -- the table -------------------------------------------------------------------------------------


def rows(found: dict[str, list[Any]], loop: str, which: int) -> list[Row]:
    """Return the lines of one loop; `which` is 0 for the standard one and 1 for uvloop."""
    rounds = found[f"round {loop}"]
    table: list[Row] = []
    for figure, reach in REACH.items():
        shares = values_of(rounds, figure, "share")
        ours, deque, queue = (median_of(rounds, figure, runtime) for runtime in ("ours", "deque", "queue"))
        pykka = median_of(found["pykka none"], figure) if figure in found["pykka none"][0] else None
        rate = figure in PER_S
        if rate:  # a rate is what there is in a second
            shares = [1 / share for share in shares]
            ours, deque, queue = 1e6 / ours, 1e6 / deque, 1e6 / queue
            pykka = None if pykka is None else 1e6 / pykka
        share = statistics.median(shares)
        others = f"queue {shown(queue)}" + ("" if pykka is None else f", pykka {shown(pykka)}")
        bound = f"{'>=' if rate else '<='} {reach:.2f} x"
        name = f"{figure}_per_s" if rate else f"{figure}_us"
        reached = share >= reach if rate else share <= reach
        table.append(Row(name, loop, ours, deque, share, (min(shares), max(shares)), bound, reached, others))
    for figure, limits in LIMIT.items():
        if figure == "idle_bytes":
            ours = values_of(found[f"memory {loop} ours"], figure)
            deque = median_of(found[f"memory {loop} deque"], figure)
            others = f"pykka {shown(median_of(found['pykka none'], figure))}"
        else:
            ours, deque = values_of(rounds, figure, "ours"), median_of(rounds, figure, "deque")
            others = f"queue {shown(median_of(rounds, figure, 'queue'))}"
        name = figure if figure == "idle_bytes" else f"{figure}_us"
        middle, limit = statistics.median(ours), limits[which]
        spread = (min(ours) / deque, max(ours) / deque)
        table.append(Row(name, loop, middle, deque, middle / deque, spread, f"<= {limit}", middle <= limit, others))
    threads = found[f"threads {loop}"]
    shares = values_of(threads, "share")
    table.append(
        Row(
            "thread_ask_per_s",
            loop,
            median_of(threads, "ours"),
            median_of(threads, "to_thread"),
            statistics.median(shares),
            (min(shares), max(shares)),
            f">= {THREADS:.2f} x",
            statistics.median(shares) >= THREADS,
            f"anchor: to_thread(pykka.ask); 1,000 callers {shown(median_of(threads, 'ours_crowd'))}",
        )
    )
    return table + growth_rows(found, loop)


def growth_rows(found: dict[str, list[Any]], loop: str) -> list[Row]:
    """Return by which factors the whole costs more for ten times the actors, and ours as a share of the anchor's."""
    table: list[Row] = []
    for what, figures in (
        ("growth", ("spawn", "stop", "restart", "lookup")),
        ("growth-uncollected", ("spawn", "stop")),
    ):
        for figure in figures:
            factors = {name: worst_factors(found[f"{what} {loop} {name}"], figure) for name in ("ours", "deque")}
            ours, deque = (statistics.median(factors[name]) for name in ("ours", "deque"))
            each = [found[f"{what} {loop} ours"][0][figure], found[f"{what} {loop} deque"][0][figure]]
            costs = "; ".join(
                f"{name} {' '.join(f'{value:.1f}' for value in one.values())} us each"
                for name, one in zip(("ours", "deque"), each, strict=True)
            )
            name = f"{figure}_x10" + (" (collector off)" if what != "growth" else "")
            shares = [mine / anchor for mine, anchor in zip(factors["ours"], factors["deque"], strict=True)]
            share, spread = statistics.median(shares), (min(shares), max(shares))
            table.append(Row(name, loop, ours, deque, share, spread, f"<= {GROWTH:.2f} x", share <= GROWTH, costs))
    return table


def worst_factors(rounds: list[Any], figure: str) -> list[float]:
    """Return for each round the largest factor in time of one step to ten times the actors."""
    factors: list[float] = []
    for one in rounds:
        costs = list(one[figure].values())
        factors.append(max(10.0 * after / before for before, after in pairwise(costs)))
    return factors


def optional(names: list[str], scale: float) -> None:
    """Print what the runtimes of other projects do, those that are installed."""
    for name in names:
        if name == "beam":
            print_beam(scale)
        elif importlib.util.find_spec({"autogen": "autogen_core"}.get(name, name)) is None:
            print(f"{name}: skipped, it is not installed in {sys.prefix}")
        else:
            print(f"{name}: {json.dumps(child(scale, name, script='others.py'))}")


def print_beam(scale: float) -> None:
    from shutil import which

    elixir = which("elixir")
    if elixir is None:
        print("beam: skipped, there is no `elixir` on the PATH")
        return
    environment = {**os.environ, "SCALE": str(scale)}
    command = [elixir, str(HERE / "beam.exs")]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=600)
    print(f"beam: {run.stdout.strip() or run.stderr.strip()}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1.0, help="of all sizes")
    parser.add_argument(
        "--actors", type=int, choices=(100_000, 1_000_000), default=100_000, help="largest crowd of the growth"
    )
    parser.add_argument("--small", action="store_true", help="one round at a fiftieth of the size: does it still run?")
    parser.add_argument("--with", dest="others", default="", help="autogen, xoscar, beam; with commas between them")
    options = parser.parse_args()
    others = [name for name in options.others.split(",") if name]
    unknown = set(others) - {"autogen", "xoscar", "beam"}
    if unknown:
        parser.error(f"--with knows autogen, xoscar and beam, not {', '.join(sorted(unknown))}")
    rounds, scale = (1, 0.02) if options.small else (options.rounds, options.scale)
    loops = ["standard"] + (["uvloop"] if importlib.util.find_spec("uvloop") else [])
    os.environ["ACTORS"] = str(options.actors)  # for the processes that measure growth
    began = time.perf_counter()
    found = measure(loops, rounds, scale)
    print(
        f"{rounds} rounds at scale {scale}; Python {platform.python_version()}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f}; 10,000 actors for spawn and stop, 50,000 for memory; growth from 1,000 to "
        f"{options.actors:,}; no seed\n"
    )
    print(f"| figure | loop | deque | ours | share | spread of share | reach | reached | others |\n|{'---|' * 9}")
    for which, loop in enumerate(loops):
        for row in rows(found, loop, which):
            print(row)
    print(f"\ntook {time.perf_counter() - began:.0f} s")
    optional(others, scale)


if __name__ == "__main__":
    main()
