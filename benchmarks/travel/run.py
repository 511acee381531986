"""Runs have one owner: what happens when several processes want one, and what that costs.

    python benchmarks/travel/run.py [--rounds 200] [--stops 50] [--kills 20] [--parts together stopped dead cost]

"together": two or three processes resume one run at the same moment. One must go on, the others get `RunClaimedError`,
and no call is made twice. "stopped": the owner is stopped (SIGSTOP) past its lease, another process finishes the run,
and the owner wakes up: its write must be refused, and at most the call in flight is made twice. "dead": the owner is
killed with SIGKILL: another process goes on at once; if the owner was on another machine (its row is changed), after
`lease_s`. "cost": what a claim and its release add to a run, in milliseconds.

On SQLite, and on PostgreSQL if its programs are installed. Prints one JSON line per part and store; status 1 if a
figure misses its reach.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Final

sys.path.append(str(Path(__file__).parent.parent.parent / "tests"))
from postgres_cluster import Cluster, programs

from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.runs.leases import Leases
from jido_ai.values import Scope
from jido_ai.values.record import Record

HERE: Final = Path(__file__).parent
LEASE_S: Final = 0.5
REACH_MS: Final = {"in process": 0.2, "sqlite": 1.5, "postgres": None}
PARTS: Final = ("together", "stopped", "dead", "cost")


class Worker:
    """A process of `worker.py`."""

    def __init__(self, store: str, calls: Path, lease_s: float, step_s: float) -> None:
        command = [sys.executable, str(HERE / "worker.py"), store, str(calls), str(lease_s), str(step_s)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.answer()

    def tell(self, **command: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"a worker ended with status {self.process.wait()}")
        return json.loads(line)

    def send(self, number: int) -> None:
        os.kill(self.process.pid, number)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


@contextmanager
def workers(count: int, store: str, calls: Path, lease_s: float, step_s: float) -> Iterator[list[Worker]]:
    found: list[Worker] = []
    try:
        for _ in range(count):
            found.append(Worker(store, calls, lease_s, step_s))
        yield found
    finally:
        for worker in found:
            worker.end()


def steps_of(calls: Path) -> Counter[str]:
    return Counter(calls.read_text().splitlines()) if calls.exists() else Counter()


def together(store: str, calls: Path, rounds: int) -> dict[str, Any]:
    outcomes: Counter[str] = Counter()
    wrong: list[Any] = []
    with workers(3, store, calls, 30.0, 0.02) as crowd:
        for n in range(rounds):
            crowd[n % 3].tell(do="run", run=f"t{n}", cut="critique1")
            crowd[n % 3].answer()
            those = crowd[: 2 + n % 2]
            at = time.monotonic() + 0.03
            for worker in those:
                worker.tell(do="resume", run=f"t{n}", at=at)
            said = [worker.answer() for worker in those]
            outcomes.update(one["outcome"] for one in said)
            if sorted(one["outcome"] for one in said) != sorted(["accepted", *["RunClaimedError"] * (len(those) - 1)]):
                wrong.append(said)
    twice = {step: n for step, n in steps_of(calls).items() if n > 1}
    return {"rounds": rounds, "outcomes": outcomes, "wrong": wrong, "calls_twice": twice, "ok": not wrong and not twice}


def until_called(calls: Path, step: str) -> None:
    while step not in steps_of(calls):
        time.sleep(0.005)


def stopped(store: str, calls: Path, rounds: int) -> dict[str, Any]:
    owners: Counter[str] = Counter()
    successors: Counter[str] = Counter()
    most_twice = 0
    with workers(2, store, calls, LEASE_S, 0.1) as (owner, other):
        for n in range(rounds):
            owner.tell(do="run", run=f"s{n}")
            until_called(calls, f"s{n} revise1")
            time.sleep(0.001 * (n % 50))
            owner.send(signal.SIGSTOP)
            time.sleep(LEASE_S + 0.1)
            other.tell(do="resume", run=f"s{n}")
            successors[other.answer()["outcome"]] += 1
            owner.send(signal.SIGCONT)
            said = owner.answer()
            owners[f"{said['outcome']} {said['error']}"] += 1
            twice = [n for step, n in steps_of(calls).items() if step.startswith(f"s{n} ") and n > 1]
            most_twice = max(most_twice, len(twice))
    ok = set(owners) == {"error RunClaimedError"} and set(successors) == {"accepted"} and most_twice <= 1
    return {"rounds": rounds, "owners": owners, "successors": successors, "most_calls_twice": most_twice, "ok": ok}


async def moved(store: str) -> None:
    """Let the claims look as if their owners were on another machine."""
    if not store.startswith("postgresql"):
        with closing(sqlite3.connect(store)) as db:
            db.execute("""UPDATE claim SET owner = replace(owner, '"boot": "', '"boot": "another')""")
            db.commit()
        return
    import asyncpg

    db = await asyncpg.connect(store.partition("&schema=")[0])
    await db.execute("""UPDATE travel.claim SET owner = replace(owner, '"boot": "', '"boot": "another')""")
    await db.close()


def dead(store: str, calls: Path, rounds: int) -> dict[str, Any]:
    at_once: list[float] = []
    later: list[float] = []
    wrong: list[Any] = []
    lease_s = 1.5
    with workers(1, store, calls, lease_s, 0.02) as (other,):
        for n in range(2 * rounds):
            owner = Worker(store, calls, lease_s, 0.2)
            owner.tell(do="run", run=f"d{n}")
            until_called(calls, f"d{n} revise0")
            owner.end()
            killed = time.monotonic()
            if n % 2:
                asyncio.run(moved(store))
                other.tell(do="resume", run=f"d{n}")
                first = other.answer()
                if first["outcome"] != "RunClaimedError":
                    wrong.append(first)
            said: dict[str, Any] = {}
            while said.get("outcome") in (None, "RunClaimedError") and time.monotonic() < killed + 10.0:
                other.tell(do="resume", run=f"d{n}")
                said = other.answer()
                time.sleep(0.0 if n % 2 == 0 else 0.02)
            if said["outcome"] != "accepted":
                wrong.append(said)
            (later if n % 2 else at_once).append(time.monotonic() - killed - said.get("s", 0.0))
    waited = {"same machine": round(max(at_once), 3), "another": [round(min(later), 2), round(max(later), 2)]}
    ok = not wrong and max(at_once) < lease_s / 2 and max(later) < lease_s + 0.5
    return {"rounds": rounds, "lease_s": lease_s, "waited_s": waited, "wrong": wrong, "ok": ok}


async def cost(store: str | None, rounds: int = 300) -> dict[str, Any]:
    """Measure what a claim adds to a run: the last line written with claim and release, and without, in turn."""
    line = Record(log="journal", key="r", kind="stopped", data={"reason": "accepted"})
    without: list[float] = []
    claimed: list[float] = []
    async with ReflexionMemory(store) as memory:
        leases = Leases(memory, 30.0, lambda *_, **__: None)
        for n in range(rounds):
            began = time.perf_counter()
            await memory.append([line])
            without.append(1000.0 * (time.perf_counter() - began))
            began = time.perf_counter()
            lease = leases.new(f"c{n}", Scope())
            await memory.append([line], claim=await lease.claim(), release=True)
            lease.is_released = True
            await leases.release(lease)
            claimed.append(1000.0 * (time.perf_counter() - began))
        await leases.close()
    extra = [with_it - plain for with_it, plain in zip(claimed, without, strict=True)]
    low, *_, high = statistics.quantiles(extra, n=20)
    return {"rounds": rounds, "ms": round(statistics.median(extra), 3), "p5_p95": [round(low, 3), round(high, 3)]}


async def round_trip(store: str, rounds: int = 300) -> float:
    """Return how long a round trip to the server takes, in milliseconds."""
    import asyncpg

    db = await asyncpg.connect(store.partition("&schema=")[0])
    took: list[float] = []
    for _ in range(rounds):
        began = time.perf_counter()
        await db.fetchval("SELECT 1")
        took.append(1000.0 * (time.perf_counter() - began))
    await db.close()
    return statistics.median(took)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--stops", type=int, default=50)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    options = parser.parse_args()
    is_ok = True

    def tell(part: str, store: str, found: dict[str, Any]) -> None:
        nonlocal is_ok
        is_ok &= found.get("ok", True)
        print(json.dumps({"part": part, "store": store, **found}), flush=True)

    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stores = {"sqlite": str(directory / "memory.db")}
        if (bin := programs()) is not None:
            cluster = Cluster(bin)
            stack.callback(cluster.remove)
            cluster.start()
            stores["postgres"] = cluster.address("travel")
        for name, store in stores.items():
            for part, work, rounds in (
                ("together", together, options.rounds),
                ("stopped", stopped, options.stops),
                ("dead", dead, options.kills),
            ):
                if part in options.parts:
                    tell(part, name, work(store, directory / f"{part}-{name}", rounds))
        if "cost" in options.parts:
            for name, store in {"in process": None, **stores}.items():
                found, reach = asyncio.run(cost(store)), REACH_MS[name]
                if name == "postgres":
                    found["round_trip_ms"] = round(asyncio.run(round_trip(store or "")), 3)
                tell("cost", name, {**found, "reach_ms": reach, "ok": reach is None or found["ms"] <= reach})
    raise SystemExit(0 if is_ok else 1)


if __name__ == "__main__":
    main()
