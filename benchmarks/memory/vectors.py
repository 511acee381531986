"""Vector search in process: time, exactness, memory and the longest pause of the event loop.

    python benchmarks/memory/vectors.py [ENTRIES] [QUERIES]        100,000 and 300 unless given

Vectors are sums of ten word pieces of the static table, drawn by Zipf's law (seed 7); queries are a stored vector mixed
with another one and noise. Each is searched with numpy alone and, where there are more than 131,072, with faiss; the
anchor is one product of a numpy matrix with the query. "recall" compares the five best with the anchor's.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from array import array
from pathlib import Path
from typing import Any

import numpy as np

from jido_ai.memory.index import static_embedder
from jido_ai.memory.index.numpy_scan import NumpyScan
from jido_ai.memory.index.vector_index import VectorIndex
from jido_ai.memory.scope_index import turns_of

_SIZE = 256
_REACH = {100_000: "p99 <= 12 ms, exact", 1_000_000: "p99 <= 40 ms, recall@5 >= 0.99"}


def make(count: int, seed: int) -> Any:
    """Return `count` vectors of length 1, in single precision."""
    table = static_embedder._Table.shared()
    pieces = table._vectors.astype(np.float32) * table._weights
    rng = np.random.default_rng(seed)
    shares = np.cumsum(1.0 / (np.arange(len(pieces)) + 40.0))
    made = np.empty((count, _SIZE), np.float32)
    for start in range(0, count, 20_000):
        some = made[start : start + 20_000]
        drawn = np.searchsorted(shares, rng.random((len(some), 10)) * shares[-1])
        some[:] = pieces[drawn].sum(axis=1)
        some /= np.linalg.norm(some, axis=1, keepdims=True)
    return made


def resident() -> int:
    """Return the resident memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


class Pauses:
    """Measures how late the event loop runs a timer of 1 ms."""

    def __init__(self) -> None:
        self.longest_s = 0.0
        self._task = asyncio.ensure_future(self._watch())

    async def _watch(self) -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            self.longest_s = max(self.longest_s, time.perf_counter() - before - 0.001)

    def stop(self) -> float:
        self._task.cancel()
        return self.longest_s * 1e3


def spread(times_s: list[float]) -> str:
    p50, p99, worst = np.percentile(times_s, [50, 99, 100]) * 1e3
    return f"p50 {p50:6.2f}  p99 {p99:6.2f}  max {worst:6.2f} ms"


def exact(vectors: Any, asked: Any) -> tuple[list[list[int]], list[float]]:
    """Return the five best rows of each query, and the times of the anchor."""
    times, best = list[float](), list[list[int]]()
    for query in asked:
        start = time.perf_counter()
        scores = vectors @ query
        top = np.argpartition(scores, -5)[-5:]
        times.append(time.perf_counter() - start)
        best.append(top[np.argsort(-scores[top])].tolist())
    return best, times


async def main(entries: int, queries: int, label: str) -> None:
    vectors = make(entries, 7)
    rng = np.random.default_rng(8)
    asked = vectors[rng.integers(0, entries, queries)] + 0.7 * make(queries, 9)
    asked += 0.05 * rng.normal(size=asked.shape).astype(np.float32)
    asked /= np.linalg.norm(asked, axis=1, keepdims=True)
    best, anchor = exact(vectors, asked)
    before = resident()
    if label == "numpy":
        sys.modules["faiss"] = None  # type: ignore[assignment]
    index = VectorIndex(_SIZE, NumpyScan())
    for row, vector in enumerate(vectors):
        index.add(row, array("f", vector.tobytes()))
    start = time.perf_counter()
    index.search(array("f", asked[0].tobytes()), 5, 0.0)
    first_ms = (time.perf_counter() - start) * 1e3
    ram = (resident() - before) / (entries * _SIZE * 4)
    times, found = list[float](), 0
    pauses = Pauses()
    for query, wanted in zip(asked, best, strict=True):
        vector = array("f", query.tobytes())
        start = time.perf_counter()
        hits = await asyncio.to_thread(index.search, vector, 5, 0.0, turns_of(10.0))
        times.append(time.perf_counter() - start)
        found += len({row for row, _ in hits} & set(wanted))
    print(f"{label:6} {spread(times)}  recall@5 {found / (5 * queries):.4f}  RAM {ram:.2f} x vectors")
    print(f"{'':6} first query {first_ms:.0f} ms, loop waits {pauses.stop():.1f} ms at most; anchor {spread(anchor)}")


if __name__ == "__main__":
    sizes = (sys.argv[1:] + ["100000", "300"][len(sys.argv) - 1 :])[:2]
    if len(sys.argv) > 3:
        asyncio.run(main(int(sizes[0]), int(sizes[1]), sys.argv[3]))
    else:  # each in a process of its own: memory that one has freed would hide what the next one takes
        print(
            f"{int(sizes[0]):,} entries, {sizes[1]} queries, seeds 7, 8, 9; reach: {_REACH.get(int(sizes[0]), 'none')}"
        )
        for label in ("numpy", "faiss"):
            subprocess.run([sys.executable, __file__, *sizes, label], check=True)
