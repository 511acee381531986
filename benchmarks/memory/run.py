"""Every figure we claim of memory, beside what it is held against, in one run: one JSON line each.

    python benchmarks/memory/run.py                      # a million entries; takes a while and 3 GB
    python benchmarks/memory/run.py --entries 20000 --small

Each line: name, size, seed, ours, anchor (milliseconds, microseconds or bytes, as the name says), ratio and reach.
Compare ratios inside one run, never absolute figures of two machines.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from anchors import Bincounted, Counted, Scan, bare_commits, bare_load
from corpus import Corpus
from quality import quality
from usefulness import wrong_share

from jido_ai.adapters.index_numpy import NumpyCounting
from jido_ai.adapters.storage_memory import InProcessStore
from jido_ai.components.reflexion_memory import ReflexionMemory
from jido_ai.logic.keyword_index import PLAIN, KeywordIndex
from jido_ai.logic.similarity import measure_named
from jido_ai.values import SLACK, MemoryEntry, Scope

SEED, K, THRESHOLD = 7, 5, 0.1


def tell(name: str, **facts: Any) -> None:
    print(json.dumps({"name": name, "seed": SEED, **facts}), flush=True)


def ours(counting: str) -> KeywordIndex:
    return KeywordIndex(measure_named("jaccard"), NumpyCounting() if counting == "numpy" else PLAIN)


MAKERS: dict[str, Callable[[], Any]] = {
    "scan": Scan,
    "counter": Counted,
    "bincount": Bincounted,
    "ours": lambda: ours("python"),
    "ours numpy": lambda: ours("numpy"),
}


def spread(times_s: list[float], unit: float) -> dict[str, float]:
    ordered = sorted(times_s)
    return {
        "p50": round(statistics.median(ordered) * unit, 4),
        "p99": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))] * unit, 4),
    }


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def measure_index(maker: str, entries: int, queries: int) -> None:
    """Measure one index in this process, and print it: build, memory, queries, inserts, removals."""
    corpus = Corpus(entries + 1000, SEED)
    asked = corpus.queries(queries)
    gc.collect()
    index, before = MAKERS[maker](), resident()
    start = time.perf_counter()
    for row in range(entries):
        index.add(row, corpus.entries[row])
    build_s = time.perf_counter() - start
    gc.collect()
    facts: dict[str, Any] = {"build_us": round(build_s / entries * 1e6, 2)}
    facts["bytes"] = round((resident() - before) / entries)
    for row in asked[:5]:
        index.search(row, K, THRESHOLD)
    facts["query_ms"] = spread([timed(index.search, words, K, THRESHOLD) for words in asked], 1e3)
    more = corpus.entries[entries:]
    facts["insert_us"] = spread([timed(index.add, entries + at, words) for at, words in enumerate(more)], 1e6)
    facts["remove_us"] = spread([timed(index.remove, row) for row in range(0, min(entries, 1000))], 1e6)
    print(json.dumps(facts))


def timed(call: Callable[..., object], *args: object) -> float:
    start = time.perf_counter()
    call(*args)
    return time.perf_counter() - start


def index_rows(entries: int, queries: int) -> None:
    facts: dict[str, dict[str, Any]] = {}
    for maker in MAKERS:  # each in a process of its own: memory is counted from nothing
        few = min(queries, 60) if maker == "scan" else queries
        command = [sys.executable, __file__, "--index", maker, "--entries", str(entries), "--queries", str(few)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        facts[maker] = json.loads(done.stdout)
        tell(f"index: {maker}", entries=entries, **facts[maker])
    scan, counter, bincount = facts["scan"], facts["counter"], facts["bincount"]
    for name, mine, anchor, reach in (
        ("query p99 ms, numpy", facts["ours numpy"]["query_ms"]["p99"], bincount["query_ms"]["p99"], 1.2),
        (
            "query p50 ms, numpy, against the scan",
            facts["ours numpy"]["query_ms"]["p50"],
            scan["query_ms"]["p50"],
            1 / 150,
        ),
        ("query p99 ms, no numpy", facts["ours"]["query_ms"]["p99"], counter["query_ms"]["p99"], 1.2),
        ("insert p50 us", facts["ours"]["insert_us"]["p50"], counter["insert_us"]["p50"], 2.0),
        ("build us an entry", facts["ours"]["build_us"], counter["build_us"], 2.0),
        ("RAM bytes an entry", facts["ours"]["bytes"], counter["bytes"], 1.3),
    ):
        tell(name, entries=entries, ours=mine, anchor=anchor, ratio=round(mine / anchor, 5), reach=f"<= {reach:.4g}")
    tell("remove p99 us", entries=entries, ours=facts["ours"]["remove_us"]["p99"], reach="<= 5")


# -- exactness -------------------------------------------------------------------------------------


def exactness(queries: int) -> None:
    """Random queries with churn, scopes and ties against a comparison with everything, by all measures."""
    rng, differences, asked = random.Random(SEED), 0, 0
    words = [f"v{number}" for number in range(40)]
    while asked < queries:
        for name in ("jaccard", "weighted", "overlap"):
            measure = measure_named(name)
            for counting in (PLAIN, NumpyCounting()):
                scopes = [KeywordIndex(measure, counting, large_from=0) for _ in range(3)]
                alive: list[dict[int, frozenset[str]]] = [{} for _ in scopes]
                for row in range(1, 400):
                    scope = rng.randrange(3)
                    text = frozenset(rng.choices(words, k=rng.randint(1, 8)))
                    scopes[scope].add(row, text)
                    alive[scope][row] = text
                    if rng.random() < 0.3 and alive[scope]:
                        gone = rng.choice(list(alive[scope]))
                        del alive[scope][gone]
                        scopes[scope].remove(gone)
                    if scopes[scope].is_stale and rng.random() < 0.5:
                        scopes[scope] = scopes[scope].compacted()
                    if rng.random() < 0.5 and asked < queries:
                        asked += 1
                        one = frozenset([*rng.choices(words, k=rng.randint(1, 8)), "unseen"])
                        threshold = rng.choice([0.0, 0.1, 0.15, 0.3, 0.5, 0.7, 1.0])
                        k = rng.randint(1, 8)
                        found = scopes[scope].search(one, k, threshold)
                        differences += found != brute_force(scopes[scope], name, alive[scope], one, threshold)[:k]
    tell("exactness, differences from a brute force", queries=asked, ours=differences, reach="0")


def brute_force(
    index: KeywordIndex, measure: str, rows: dict[int, frozenset[str]], asked: frozenset[str], threshold: float
) -> list[tuple[int, float]]:
    def weigh(words: frozenset[str]) -> int:
        return sum(map(index.weight, words))

    scored: list[tuple[int, float]] = []
    for row, words in rows.items():
        shared = weigh(words & asked)
        score = float(shared) if measure == "overlap" else shared / (weigh(words) + weigh(asked) - shared)
        if score >= threshold - SLACK and (shared or measure != "overlap"):
            scored.append((row, score))
    return sorted(scored, key=lambda pair: (-pair[1], -pair[0]))


# -- stores ----------------------------------------------------------------------------------------


def entry(number: int) -> MemoryEntry:
    rng = random.Random(number)
    return MemoryEntry(
        " ".join(f"word{int(rng.paretovariate(0.6)) % 5000}" for _ in range(17)),
        "the first candidate read the date without a time zone",
        "use an aware datetime",
        tags=("date",),
    )


async def durable(rows: int, repeats: int, callers: int = 64) -> None:
    entries = [entry(number) for number in range(rows)]
    bare = [(one.id, one.prompt, one.model_dump_json().encode()) for one in entries]
    mine, anchor = list[float](), list[float]()
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            anchor.append(await bare_commits(Path(folder) / "bare.db", bare, callers))
            async with ReflexionMemory(Path(folder) / "memory.db", max_entries=10**9) as memory:
                start = time.perf_counter()
                await asyncio.gather(*(store_all(memory, entries[first::callers]) for first in range(callers)))
                mine.append(rows / (time.perf_counter() - start))
    ratio = statistics.median(one / other for one, other in zip(mine, anchor, strict=True))
    tell(
        "durable inserts a second, 64 callers",
        rows=rows,
        ours=[round(one) for one in mine],
        anchor=[round(one) for one in anchor],
        ratio=round(ratio, 3),
        reach=">= 20000, ratio >= 0.7",
    )


async def store_all(memory: ReflexionMemory, entries: list[MemoryEntry]) -> None:
    for one in entries:
        await memory.store(one)


async def cold_start(rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        async with ReflexionMemory(path, max_entries=10**9) as memory:
            entries = [entry(number) for number in range(rows)]
            await asyncio.gather(*(store_all(memory, entries[first::64]) for first in range(64)))
        bare_s, index = await asyncio.to_thread(bare_load, path)
        del index
        async with ReflexionMemory(path, max_entries=10**9, timeout_s=600) as memory:
            start = time.perf_counter()
            await memory.retrieve_similar("word1 word2")
            mine_s = time.perf_counter() - start
    tell(
        "cold start us an entry",
        entries=rows,
        ours=round(mine_s / rows * 1e6, 2),
        anchor=round(bare_s / rows * 1e6, 2),
        ratio=round(mine_s / bare_s, 3),
        reach="<= 1.3",
    )


# -- the loop --------------------------------------------------------------------------------------


async def gaps(seconds: float, work: Callable[[], Any] | None = None) -> list[tuple[float, float]]:
    """Return by how many milliseconds the loop was late, each time it was to wake up, and the CPU used meanwhile.

    The CPU is that of the whole process, threads included: where it is little, the machine was busy elsewhere.
    """
    late: list[tuple[float, float]] = []
    running = True

    async def watch() -> None:
        while running:
            start, cpu = time.perf_counter(), time.process_time()
            await asyncio.sleep(0.001)
            late.append(((time.perf_counter() - start - 0.001) * 1e3, (time.process_time() - cpu) * 1e3))

    watcher = asyncio.create_task(watch())
    await asyncio.sleep(0)
    await (asyncio.sleep(seconds) if work is None else work())
    running = False
    await watcher
    return sorted(late)


async def loop(entries: int, counting: str) -> None:
    store = InProcessStore()
    scope = Scope()
    corpus = Corpus(entries, SEED)
    for words in corpus.entries:
        await store.add(MemoryEntry(" ".join(sorted(words)), scope=scope), max_entries=10**9)
    asked = [" ".join(sorted(words)) for words in corpus.queries(50)]
    del corpus
    gc.collect()
    gc.freeze()  # what a collection costs is the caller's entries, not our query
    idle = await gaps(min(2.0, entries / 5_000))
    async with ReflexionMemory(store=store, counting=counting, timeout_s=600, max_entries=10**9) as memory:  # type: ignore[arg-type]
        load = await gaps(0.0, lambda: memory.retrieve_similar(asked[0], threshold=THRESHOLD))

        async def ask() -> None:
            for prompt in asked:
                await memory.retrieve_similar(prompt, threshold=THRESHOLD)

        query = await gaps(0.0, ask)
    gc.unfreeze()
    for name, late in (("idle", idle), ("load", load), ("query", query)):
        tell(
            f"loop gap ms, {name}, {counting}",
            entries=entries,
            largest=round(late[-1][0], 2),
            p99=round(late[int(len(late) * 0.99)][0], 2),
            above_10_ms=sum(gap > 10.0 for gap, _ in late),
            above_10_ms_of_cpu=sum(gap > 10.0 and cpu > 10.0 for gap, cpu in late),
            of=len(late),
            reach="above_10_ms_of_cpu 0",
        )


# -- all -------------------------------------------------------------------------------------------


async def measured(options: argparse.Namespace) -> None:
    small = options.small
    await durable(500 if small else 20_000, 1 if small else 5)
    await cold_start(500 if small else min(options.entries, 100_000))
    await loop(500 if small else min(options.entries, 100_000), "python")
    await loop(500 if small else options.entries, "numpy")
    for similarity, reach in (("jaccard", None), ("weighted", "hits >= 0.60, false <= 0.06, recall_at_3 >= 0.71")):
        shares = {name: round(share, 3) for name, share in (await quality(similarity)).items()}
        tell(f"quality, {similarity}", pairs=60, **shares, **({"reach": reach} if reach else {}))
    seeds = range(1 if small else 10)
    for shared in (False, True):
        shares = [await wrong_share(seed=seed, shared=shared) for seed in seeds]
        judged = "lessons of a run share its outcome" if shared else "each lesson judged"
        reach = {} if shared else {"reach": "<= 0.02"}
        tell(f"wrong among offered after 200 uses, {judged}", ours=round(statistics.mean(shares), 4), **reach)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--small", action="store_true", help="see that it runs")
    parser.add_argument("--only", choices=["index", "exactness", "loop", "rest"], help="one part")
    parser.add_argument("--index", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.index:
        measure_index(options.index, options.entries, options.queries)
        return
    if options.only in (None, "index"):
        index_rows(options.entries, options.queries)
    if options.only in (None, "exactness"):
        exactness(200 if options.small else 10_000)
    if options.only == "loop":
        asyncio.run(loop(min(options.entries, 100_000), "python"))
        asyncio.run(loop(options.entries, "numpy"))
    if options.only in (None, "rest"):
        asyncio.run(measured(options))


if __name__ == "__main__":
    main()
