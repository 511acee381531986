"""Durability: counts acknowledged writes that a store loses when its process or server is killed under many writers.

    python benchmarks/bench_durability.py [--rounds 50] [--restarts 20] [--pause 15] [--writers 64]

Prints one JSON line per part. "kill -9": a process with `writers` callers on one SQLite file is killed, `rounds` times;
every id that it printed after `store` returned must be in the file, which must be whole. "restarts": PostgreSQL is
restarted under `writers` callers (immediate, fast, SIGKILL in turn), `pause` seconds apart; every record that was
acknowledged must be there, none twice, and a counter must have counted each once. Without PostgreSQL it is left out.
The only acceptable figure is 0.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "tests"))
from postgres_cluster import Cluster, programs

from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.postgres.store import PostgresStore
from jido_ai.values import MemoryEntry
from jido_ai.values.record import Record

WRITER = """
import asyncio, sys
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import MemoryEntry

async def main():
    async with ReflexionMemory(sys.argv[1], max_entries=10_000_000) as memory:
        async def write(lane):
            n = 0
            while True:
                entry = await memory.store(MemoryEntry(f"lane {lane} entry {n}"))
                print(entry.id, flush=True)
                n += 1
        await asyncio.gather(*map(write, range(int(sys.argv[2]))))

asyncio.run(main())
"""


async def kills(path: Path, rounds: int, writers: int) -> dict[str, object]:
    acknowledged: set[str] = set()
    for n in range(rounds):
        command = [sys.executable, "-c", WRITER, str(path), str(writers)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            acknowledged.update(writer.stdout.readline().strip() for _ in range(100 + 37 * n % 400))
            os.kill(writer.pid, signal.SIGKILL)
            acknowledged.update(line.strip() for line in writer.stdout if line.endswith("\n"))
    async with ReflexionMemory(path) as memory:
        stored = {entry.id for entry in await memory.list_entries()}
    with closing(sqlite3.connect(path)) as db:
        (integrity,) = db.execute("PRAGMA integrity_check").fetchone()
    return {
        **{"part": "kill -9", "rounds": rounds, "writers": writers, "acknowledged": len(acknowledged)},
        **{"lost": len(acknowledged - stored), "integrity": integrity},
    }


async def restarts(cluster: Cluster, rounds: int, pause_s: float, writers: int) -> dict[str, object]:
    acknowledged: set[str] = set()
    longest_s = 0.0
    began, stopping = time.monotonic(), asyncio.Event()
    store = PostgresStore(cluster.address("durability"), patience_s=60.0)
    await store.open()
    counter = await store.add(MemoryEntry("counter"), max_entries=10)

    async def write(lane: int) -> None:
        nonlocal longest_s
        n = 0
        while not stopping.is_set():
            asked = time.monotonic()
            await store.append([Record(log="journal", key=f"{lane} {n}", data={"n": n})])
            await store.update(counter.id, lambda entry: entry.replace(use_count=entry.use_count + 1))
            longest_s = max(longest_s, time.monotonic() - asked)
            acknowledged.add(f"{lane} {n}")
            n += 1

    async with asyncio.TaskGroup() as lanes:
        for lane in range(writers):
            lanes.create_task(write(lane))
        for n in range(rounds):
            await asyncio.sleep(pause_s)
            await asyncio.to_thread(cluster.restart, (signal.SIGQUIT, signal.SIGINT, signal.SIGKILL)[n % 3])
        stopping.set()
    found = Counter(record.key for record in await store.records("journal"))
    counted = await store.get(counter.id)
    await store.close()
    assert counted is not None
    return {
        **{"part": "restarts", "restarts": rounds, "seconds": round(time.monotonic() - began), "writers": writers},
        **{"acknowledged": len(acknowledged), "lost": len(acknowledged - set(found))},
        **{"doubled": sum(found.values()) - len(found), "counter_off_by": counted.use_count - len(acknowledged)},
        "longest_wait_s": round(longest_s, 2),
    }


async def measure(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(await kills(Path(folder) / "memory.db", options.rounds, options.writers)), flush=True)
    bin = programs()
    if bin is None:
        print(json.dumps({"part": "restarts", "left out": "PostgreSQL is not installed"}))
        return
    cluster = Cluster(bin)
    try:
        cluster.start()
        print(json.dumps(await restarts(cluster, options.restarts, options.pause, options.writers)))
    finally:
        cluster.remove()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--restarts", type=int, default=20)
    parser.add_argument("--pause", type=float, default=15.0)
    parser.add_argument("--writers", type=int, default=64)
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
