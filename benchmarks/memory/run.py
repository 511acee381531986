"""Every figure we claim of memory, beside what it is held against, in one run: one JSON line each.

    python benchmarks/memory/run.py                      # a million entries; some minutes and 6 GB
    python benchmarks/memory/run.py --entries 20000 --small

Each line: name, size, seed, ours, anchor (milliseconds, microseconds or bytes, as the name says), ratio, reach, and
whether it was reached. `--only` runs one part. A query's time is the least of three rounds, in which we and the anchor
take turns: what other programs took of the machine is in neither of the two that are compared. A scan is asked 20
queries, once. What goes on is told on stderr.
Compare ratios inside one run, never absolute figures of two machines.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import multiprocessing
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent.parent.parent / "tests"))

from anchors import Bincounted, Counted, Scan, bare_commits, bare_load
from corpus import Corpus
from lesson_costs import costs
from postgres_cluster import Cluster, programs
from quality import quality
from usefulness import wrong_share

from jido_ai.memory.index.keyword_index import PLAIN, KeywordIndex
from jido_ai.memory.index.numpy_counting import NumpyCounting
from jido_ai.memory.index.similarity import measure_named
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.values import SLACK, MemoryEntry, Scope

SEED, K, THRESHOLD = 7, 5, 0.1
MORE = 1000
"""Entries that are added one by one, to be timed, when all others are in."""


def tell(name: str, **facts: Any) -> None:
    print(json.dumps({"name": name, "seed": SEED, **facts}), flush=True)


def ours(counting: str) -> KeywordIndex:
    return KeywordIndex(measure_named("jaccard"), NumpyCounting() if counting == "numpy" else PLAIN)


START = time.perf_counter()


def say(what: str) -> None:
    """Report progress on stderr."""
    print(f"{time.perf_counter() - START:6.0f} s  {what}", file=sys.stderr, flush=True)


def spread(times_s: list[float], unit: float) -> dict[str, float]:
    ordered = sorted(times_s)
    return {
        "p50": round(statistics.median(ordered) * unit, 4),
        "p99": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))] * unit, 4),
    }


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


# Of each pair the anchor and we are asked in turns, in two processes that live at the same time.
INDEXES: dict[str, Callable[[], Any]] = {"scan": Scan, "anchor": Bincounted, "ours": lambda: ours("python")}
SEARCHES: dict[str, Callable[[Any], Callable[..., object]]] = {
    "scan": lambda index: index.search,
    "counter": lambda index: partial(Counted.search, index),  # the same arrays: made once, counted in two ways
    "bincount": lambda index: index.search,
    "ours": lambda index: counted_by(index, PLAIN).search,
    "ours numpy": lambda index: counted_by(index, NumpyCounting()).search,
}


def counted_by(index: KeywordIndex, counting: Any) -> KeywordIndex:
    index.count_with(counting)
    return index


def serve_index(maker: str, corpus: Corpus, asked: list[frozenset[str]], pipe: Connection) -> None:
    """Be one index in this process: what is wanted comes through the pipe, figures go back."""
    entries = len(corpus.entries) - MORE
    gc.collect()
    gc.freeze()
    gc.disable()  # nothing here is cyclic; as with a frozen heap
    index, before = INDEXES[maker](), resident()
    while (wanted := pipe.recv()) != "end":
        if wanted == "build":
            start = time.process_time()  # minutes apart from the anchor's: what others took meanwhile does not count
            for row in range(entries):
                index.add(row, corpus.entries[row])
            build_s = time.process_time() - start
            gc.collect()
            used = round((resident() - before) / entries)
            pipe.send({"build_us": round(build_s / entries * 1e6, 2), "bytes": used})
        elif wanted == "churn":
            more = corpus.entries[entries:]
            inserts = [timed(index.add, entries + at, words) for at, words in enumerate(more)]
            removals = [timed(index.remove, row) for row in range(min(entries, 1000))]
            pipe.send({"insert_us": spread(inserts, 1e6), "remove_us": spread(removals, 1e6)})
        else:
            search = SEARCHES[wanted](index)
            for words in asked[:3]:
                search(words, K, THRESHOLD)
            pipe.send([timed(search, words, K, THRESHOLD) for words in asked])


def timed(call: Callable[..., object], *args: object) -> float:
    start = time.perf_counter()
    call(*args)
    return time.perf_counter() - start


def index_rows(corpus: Corpus, queries: int) -> None:
    entries = len(corpus.entries) - MORE
    asked = corpus.queries(queries)
    fork = multiprocessing.get_context("fork")  # the corpus is made once, and shared by all
    pipes: dict[str, Connection] = {}
    processes: list[Any] = []
    built: dict[str, dict[str, Any]] = {}
    for maker in INDEXES:  # each in a process of its own: memory is counted from nothing
        say(f"building the index: {maker}")
        here, there = fork.Pipe()
        few = asked[:20] if maker == "scan" else asked
        process = fork.Process(target=serve_index, args=(maker, corpus, few, there), daemon=True)
        process.start()
        there.close()
        pipes[maker] = here
        processes.append(process)
        built[maker] = ask_index(here, "build")
    times: dict[str, list[list[float]]] = {}
    for turn in range(3):
        for search, maker in {**SEARCH_IN, **({"scan": "scan"} if turn == 0 else {})}.items():  # a scan is the same
            say(f"{queries} queries, {turn + 1} of 3: {search}")
            times.setdefault(search, []).append(ask_index(pipes[maker], search))
    for maker in ("anchor", "ours"):
        built[maker] |= ask_index(pipes[maker], "churn")
    for pipe, process in zip(pipes.values(), processes, strict=True):
        pipe.send("end")
        process.join()
    facts: dict[str, dict[str, Any]] = {}
    for search, maker in {"scan": "scan", **SEARCH_IN}.items():
        least = [min(each) for each in zip(*times[search], strict=True)]
        facts[search] = {**built[maker], "query_ms": spread(least, 1e3)}
        tell(f"index: {search}", entries=entries, queries=len(least), rounds=len(times[search]), **facts[search])
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
        tell(
            name,
            entries=entries,
            ours=mine,
            anchor=anchor,
            ratio=round(mine / anchor, 5),
            reach=f"<= {reach:.4g}",
            reached=mine <= reach * anchor,
        )
    removed = facts["ours"]["remove_us"]["p99"]
    tell("remove p99 us", entries=entries, ours=removed, reach="<= 5", reached=removed <= 5)


SEARCH_IN = {"counter": "anchor", "ours": "ours", "bincount": "anchor", "ours numpy": "ours"}


def ask_index(pipe: Connection, wanted: str) -> Any:
    pipe.send(wanted)
    return pipe.recv()


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
    tell(
        "exactness, differences from a brute force",
        queries=asked,
        ours=differences,
        reach="0",
        reached=differences == 0,
    )


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
    mine, anchor = list[tuple[float, float]](), list[tuple[float, float]]()
    for turn in range(repeats):
        say(f"{rows} durable inserts, {turn + 1} of {repeats}")
        with tempfile.TemporaryDirectory() as folder:
            anchor.append(await seconds(bare_commits(Path(folder) / "bare.db", entries, callers)))
            async with ReflexionMemory(Path(folder) / "memory.db", max_entries=10**9) as memory:
                calls = (store_all(memory, entries[first::callers]) for first in range(callers))
                mine.append(await seconds(asyncio.gather(*calls)))
    ratio = statistics.median(other[0] / one[0] for one, other in zip(mine, anchor, strict=True))
    cpu = statistics.median(other[1] / one[1] for one, other in zip(mine, anchor, strict=True))
    tell(
        "durable inserts a second, 64 callers",
        rows=rows,
        ours=[round(rows / took) for took, _ in mine],
        anchor=[round(rows / took) for took, _ in anchor],
        ratio=round(ratio, 3),
        reach=">= 20000, ratio >= 0.7",
        reached=ratio >= 0.7 and max(rows / took for took, _ in mine) >= 20_000,
        ours_cpu_us=[round(cpu / rows * 1e6, 1) for _, cpu in mine],
        anchor_cpu_us=[round(cpu / rows * 1e6, 1) for _, cpu in anchor],
        cpu_ratio=round(cpu, 3),
    )


async def seconds(work: Awaitable[object]) -> tuple[float, float]:
    """Return how long `work` takes, and how much processor time of this process."""
    start, cpu = time.perf_counter(), time.process_time()
    await work
    return time.perf_counter() - start, time.process_time() - cpu


async def store_all(memory: ReflexionMemory, entries: list[MemoryEntry]) -> None:
    for one in entries:
        await memory.store(one)


async def cold_start(rows: int, repeats: int) -> None:
    NumpyCounting()  # numpy's own import is no part of a load, and comes once per process
    mine, anchor = list[float](), list[float]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        say(f"storing {rows} entries in SQLite")
        async with ReflexionMemory(path, max_entries=10**9, timeout_s=600) as memory:
            await asyncio.gather(*(store_all(memory, [entry(number)]) for number in range(rows)))
        for turn in range(repeats):
            say(f"cold start, {turn + 1} of {repeats}")
            anchor.append((await asyncio.to_thread(bare_load, path))[0])
            async with ReflexionMemory(path, max_entries=10**9, timeout_s=600) as memory:
                mine.append((await seconds(memory.retrieve_similar("word1 word2")))[0])
        gc.collect()
        gc.freeze()
        async with ReflexionMemory(path, max_entries=10**9, timeout_s=600) as memory:
            late = await gaps(0.0, lambda: memory.retrieve_similar("word1 word2"))
        gc.unfreeze()
    ratio = statistics.median(one / other for one, other in zip(mine, anchor, strict=True))
    tell(
        "cold start us an entry",
        entries=rows,
        ours=[round(took / rows * 1e6, 2) for took in mine],
        anchor=[round(took / rows * 1e6, 2) for took in anchor],
        ratio=round(ratio, 3),
        reach="<= 1.3",
        reached=ratio <= 1.3,
    )
    tell_gaps("loop gap ms, load from SQLite", rows, late)


async def load_from_postgres(rows: int) -> None:
    """Tell the gaps of the loop while a scope is loaded from a PostgreSQL of our own, where it is installed."""
    bin = programs()
    if bin is None:
        tell("loop gap ms, load from PostgreSQL", left_out="PostgreSQL is not installed")
        return
    say(f"storing {rows} entries in PostgreSQL")
    cluster = Cluster(bin)
    try:
        cluster.start()
        address = cluster.address("load")
        async with ReflexionMemory(address, max_entries=10**9, timeout_s=600) as memory:
            await asyncio.gather(*(store_all(memory, [entry(number)]) for number in range(rows)))
        gc.collect()
        gc.freeze()
        say("load")
        async with ReflexionMemory(address, max_entries=10**9, timeout_s=600) as memory:
            late = await gaps(0.0, lambda: memory.retrieve_similar("word1 word2"))
        gc.unfreeze()
    finally:
        cluster.remove()
    tell_gaps("loop gap ms, load from PostgreSQL", rows, late)


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


async def loop(corpus: Corpus, entries: int, counting: str, similarity: str = "jaccard") -> None:
    store = InProcessStore()
    scope = Scope()
    say(f"{entries} entries for the loop, {counting}, {similarity}")
    gc.disable()
    ids: list[str] = []
    for words in islice(corpus.entries, entries):
        ids.append((await store.add(MemoryEntry(" ".join(sorted(words)), scope=scope), max_entries=10**9)).id)
    asked = [" ".join(sorted(words)) for words in corpus.queries(50)]
    gc.enable()
    gc.freeze()  # what a collection costs is the caller's entries, not our query
    found: dict[str, list[tuple[float, float]]] = {"idle": await gaps(min(2.0, entries / 5_000))}
    async with ReflexionMemory(
        store=store,
        counting=counting,  # type: ignore[arg-type]
        similarity=similarity,  # type: ignore[arg-type]
        timeout_s=600,
        max_entries=10**9,
    ) as memory:
        say("load")
        found["load"] = await gaps(0.0, lambda: memory.retrieve_similar(asked[0], threshold=THRESHOLD))

        async def ask() -> None:
            for prompt in asked:
                await memory.retrieve_similar(prompt, threshold=THRESHOLD)

        async def insert() -> None:
            for number in range(min(entries, 5_000) // 50):
                await asyncio.gather(*(memory.store(MemoryEntry(f"{asked[at]} {number}")) for at in range(50)))
                await memory.retrieve_similar(asked[0], threshold=THRESHOLD)

        say("queries")
        found["query"] = await gaps(0.0, ask)
        say("inserts, each 50 with a query")
        found["insert"] = await gaps(0.0, insert)
        say("removing three of ten from the store")
        for start in range(0, entries * 3 // 10, 200):
            await store.remove(ids[start : start + 200])
        say("a load again of what had gone too far to follow, or a rebuild")
        found["rebuild"] = await gaps(0.0, lambda: rebuilt(memory, asked))
    gc.unfreeze()
    say("the same gaps beside a thread that only counts")
    found["counting alone"] = await gaps(0.0, lambda: counted_beside(len(found["load"]) / 500))
    for name, late in found.items():
        tell_gaps(f"loop gap ms, {name}, {counting}, {similarity}", entries, late)


async def rebuilt(memory: ReflexionMemory, asked: list[str]) -> None:
    """Ask until nothing is rebuilt any more, at least ten times."""
    for prompt in asked[:10]:
        await memory.retrieve_similar(prompt, threshold=THRESHOLD)
        await asyncio.sleep(0.1)


async def counted_beside(seconds: float) -> None:
    """Let a thread count and pause as ours do: what is late then is so because of the machine."""

    def work() -> None:
        end = time.perf_counter() + seconds
        while (now := time.perf_counter()) < end:
            number = 0
            while time.perf_counter() < now + 0.001:
                number += 1
            time.sleep(1e-5)

    await asyncio.to_thread(work)


def tell_gaps(name: str, entries: int, late: list[tuple[float, float]]) -> None:
    tell(
        name,
        entries=entries,
        largest=round(late[-1][0], 2),
        p99=round(late[int(len(late) * 0.99)][0], 2),
        above_10_ms=sum(gap > 10.0 for gap, _ in late),
        above_10_ms_of_cpu=sum(gap > 10.0 and cpu > 10.0 for gap, cpu in late),
        of=len(late),
        reach="above_10_ms_of_cpu 0",
        reached=not any(gap > 10.0 and cpu > 10.0 for gap, cpu in late),
    )


# -- all -------------------------------------------------------------------------------------------


async def stores(entries: int, *, small: bool) -> None:
    await durable(500 if small else 20_000, 1 if small else 5)
    await cold_start(500 if small else min(entries, 100_000), 1 if small else 5)
    await load_from_postgres(500 if small else min(entries, 50_000))
    for row in await costs(100 if small else 5_000, 1 if small else 5):
        tell(**row)


async def loops(corpus: Corpus, entries: int, *, small: bool) -> None:
    for similarity in ("weighted", "jaccard"):
        await loop(corpus, 500 if small else min(entries, 100_000), "python", similarity)
    await loop(corpus, 500 if small else entries, "numpy")


async def worth(*, small: bool) -> None:
    for similarity in ("jaccard", "weighted"):
        shares = {name: round(share, 3) for name, share in (await quality(similarity)).items()}
        reach: dict[str, Any] = {}
        if similarity == "weighted":  # the default of pipelines
            enough = shares["hits"] >= 0.60 and shares["false"] <= 0.06 and shares["recall_at_3"] >= 0.71
            reach = {"reach": "hits >= 0.60, false <= 0.06, recall_at_3 >= 0.71", "reached": enough}
        tell(f"quality, {similarity}", pairs=60, **shares, **reach)
    for shared in (False, True):
        wrong = statistics.mean([await wrong_share(seed=seed, shared=shared) for seed in range(1 if small else 10)])
        judged = "lessons of a run share its outcome" if shared else "each lesson judged"
        name = f"wrong among offered after 200 uses, {judged}"
        tell(name, ours=round(wrong, 4), reach="<= 0.02", reached=wrong <= 0.02)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--small", action="store_true", help="see that it runs")
    parser.add_argument("--only", choices=["index", "exactness", "store", "loop", "worth"], help="one part")
    options = parser.parse_args()
    corpus: Corpus | None = None
    if options.only in (None, "index", "loop"):
        say(f"making {options.entries} prompts")
        gc.disable()
        corpus = Corpus(options.entries + MORE, SEED)
        gc.enable()
    if options.only in (None, "index") and corpus:
        index_rows(corpus, options.queries)
    if options.only in (None, "loop") and corpus:
        asyncio.run(loops(corpus, options.entries, small=options.small))
    del corpus
    if options.only in (None, "exactness"):
        say("exactness")
        exactness(200 if options.small else 10_000)
    if options.only in (None, "store"):
        asyncio.run(stores(options.entries, small=options.small))
    if options.only in (None, "worth"):
        say("quality and usefulness")
        asyncio.run(worth(small=options.small))
    say("done")


if __name__ == "__main__":
    main()
