"""Vector search in process: time, exactness, memory and the longest pause of the event loop.

    python benchmarks/memory/vectors.py [ENTRIES] [QUERIES] [static|minilm]        100,000, 300 and minilm unless given

Vectors of "static" (256 dimensions) are sums of ten word pieces of its table, drawn by Zipf's law; those of "minilm"
(384) are mixed from three embedded tasks of the labelled sets and noise of a third of their length (seed 7). Queries
are a stored vector mixed with another one and noise. Each is searched with numpy alone and, where there are more than
131,072, with faiss; the anchor is one product of a numpy matrix with the query. "recall" compares the five best with
the anchor's.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from array import array
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from meanings import load

from jido_ai.memory.index import minilm_embedder, static_embedder
from jido_ai.memory.index.numpy_scan import NumpyScan
from jido_ai.memory.index.vector_index import VectorIndex
from jido_ai.memory.scope_index import turns_of

_REACH = {100_000: "p99 <= 12 ms, exact", 1_000_000: "p99 <= 40 ms, recall@5 >= 0.99"}


def make(count: int, seed: int, embedder: str) -> Any:
    """Return `count` vectors of length 1, in single precision."""
    rng = np.random.default_rng(seed)
    draw = _of_tasks() if embedder == "minilm" else _of_word_pieces()
    drawn = [draw(rng, min(20_000, count - start)).astype(np.float32) for start in range(0, count, 20_000)]
    made = np.concatenate(drawn)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


def _of_word_pieces() -> Callable[[Any, int], Any]:
    table = static_embedder._Table.shared()
    pieces = table._vectors.astype(np.float32) * table._weights
    shares = np.cumsum(1.0 / (np.arange(len(pieces)) + 40.0))
    return lambda rng, count: pieces[np.searchsorted(shares, rng.random((count, 10)) * shares[-1])].sum(axis=1)


@cache
def _of_tasks() -> Callable[[Any, int], Any]:
    texts = [row.task or row.question for half in ("dev", "test", "requests", "blind") for row in load(half)]
    known = np.array([minilm_embedder._Model.shared().embed(text) for text in texts], np.float32)

    def draw(rng: Any, count: int) -> Any:
        shares = rng.random((3, count, 1), np.float32)
        mixed = sum(share * known[rng.integers(0, len(known), count)] for share in shares)
        noise = rng.standard_normal(mixed.shape, np.float32) / np.sqrt(mixed.shape[1])
        return mixed + noise * np.linalg.norm(mixed, axis=1, keepdims=True) / 3

    return draw


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


async def main(entries: int, queries: int, embedder: str, label: str) -> None:
    vectors = make(entries, 7, embedder)
    size = vectors.shape[1]
    rng = np.random.default_rng(8)
    asked = vectors[rng.integers(0, entries, queries)] + 0.7 * make(queries, 9, embedder)
    asked += 0.05 * rng.normal(size=asked.shape).astype(np.float32)
    asked /= np.linalg.norm(asked, axis=1, keepdims=True)
    best, anchor = exact(vectors, asked)
    before = resident()
    if label == "numpy":
        sys.modules["faiss"] = None  # type: ignore[assignment]
    index = VectorIndex(size, NumpyScan())
    for row, vector in enumerate(vectors):
        index.add(row, array("f", vector.tobytes()))
    start = time.perf_counter()
    index.search(array("f", asked[0].tobytes()), 5, 0.0)
    first_ms = (time.perf_counter() - start) * 1e3
    ram = (resident() - before) / (entries * size * 4)
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
    entries, queries, embedder, *labels = [*sys.argv[1:], *("100000", "300", "minilm")[len(sys.argv) - 1 :]]
    if labels:
        asyncio.run(main(int(entries), int(queries), embedder, labels[0]))
    else:  # each in a process of its own: memory that one has freed would hide what the next one takes
        reach = _REACH.get(int(entries), "none")
        print(f"{int(entries):,} vectors of {embedder}, {queries} queries, seeds 7, 8, 9; reach: {reach}")
        for label in ("numpy", "faiss"):
            subprocess.run([sys.executable, __file__, entries, queries, embedder, label], check=True)
