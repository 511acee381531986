"""What memory is measured against: small indexes and loops that do the same with nothing around them.

`Scan` compares with every set; `Counted` counts packed arrays with `Counter`; `Bincounted` with numpy. `bare_commits`
is a group commit with nothing but a table; `bare_load` reads stored prompts into a `Counted`.
"""

from __future__ import annotations

import asyncio
import math
import re
import sqlite3
import time
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import nlargest
from itertools import chain
from pathlib import Path
from typing import Any

import aiosqlite

from jido_ai.values import SLACK, STOP_WORDS, MemoryEntry

__all__ = ["Bincounted", "Counted", "Scan", "bare_commits", "bare_load"]

_WORD = re.compile(r"\w+")
_COLUMNS = "tenant, id, prompt, mistake, correction, time, severity, importance, tags, body"
_BODY = (
    b'{"frequency":1,"impact":0.0,"use_count":0,"success_count":0,"evidence":[],"links":[],"source":"loop"}'
    + b" " * 150
)
"""As many bytes beside the columns as our own rows have in their JSON."""


class Scan:
    """Prepared sets, compared one by one."""

    def __init__(self) -> None:
        self.sets: dict[int, frozenset[str]] = {}

    def add(self, row: int, words: frozenset[str]) -> None:
        self.sets[row] = words

    def remove(self, row: int) -> None:
        del self.sets[row]

    def search(self, words: frozenset[str], k: int, threshold: float) -> list[tuple[int, float]]:
        asked, hits = len(words), list[tuple[float, int]]()
        for row, stored in self.sets.items():
            shared = len(words & stored)
            if shared:
                score = shared / (asked + len(stored) - shared)
                if score >= threshold - SLACK:
                    hits.append((score, row))
        return [(row, score) for score, row in nlargest(k, hits)]


class Counted:
    """Word to a packed array of slots; slots counted by `Counter`."""

    def __init__(self) -> None:
        self.slots: dict[str, array[int]] = {}
        self.sizes = array("H")
        self.rows = array("Q")
        self.slot_of: dict[int, int] = {}

    def add(self, row: int, words: frozenset[str]) -> None:
        slot = len(self.rows)
        self.rows.append(row)
        self.sizes.append(len(words))
        self.slot_of[row] = slot
        for word in words:
            slots = self.slots.get(word)
            if slots is None:
                slots = self.slots[word] = array("I")
            slots.append(slot)

    def remove(self, row: int) -> None:
        self.sizes[self.slot_of.pop(row)] = 0

    def lists(self, words: Iterable[str]) -> list[array[int]]:
        return [slots for word in words if (slots := self.slots.get(word)) is not None]

    def search(self, words: frozenset[str], k: int, threshold: float) -> list[tuple[int, float]]:
        asked, sizes, hits = len(words), self.sizes, list[tuple[float, int]]()
        least = max(1, math.ceil(threshold * asked - SLACK))
        for slot, shared in Counter(chain.from_iterable(self.lists(words))).items():
            if shared >= least and (size := sizes[slot]):
                score = shared / (asked + size - shared)
                if score >= threshold - SLACK:
                    hits.append((score, slot))
        return [(self.rows[slot], score) for score, slot in nlargest(k, hits)]


class Bincounted(Counted):
    """The same arrays, counted by one `bincount`."""

    def search(self, words: frozenset[str], k: int, threshold: float) -> list[tuple[int, float]]:
        import numpy as np

        lists = self.lists(words)
        if not lists:
            return []
        shared = np.bincount(np.concatenate([np.frombuffer(one, np.uint32) for one in lists]), minlength=len(self.rows))
        found = np.flatnonzero(shared >= max(1, math.ceil(threshold * len(words) - SLACK)))
        size = np.frombuffer(self.sizes, np.uint16)[found].astype(np.int64)
        common = shared[found]
        score = np.where(size > 0, common / (len(words) + size - common), 0.0)
        good = score >= threshold - SLACK
        found, score = found[good], score[good]
        if len(found) > k:
            among = score >= np.partition(score, len(score) - k)[len(score) - k]
            found, score = found[among], score[among]
        order = np.lexsort((-found, -score))[:k]
        return [
            (self.rows[slot], float(value)) for slot, value in zip(found[order].tolist(), score[order], strict=True)
        ]


async def bare_commits(path: Path, entries: Sequence[MemoryEntry], callers: int) -> None:
    """Commit entries in groups: callers who await a future each, one task, one hop through aiosqlite, one transaction.

    The table has the columns that any store of entries would have and one unique index; nothing is checked, serialised
    or redacted, and its callers only make a tuple.
    """
    loop = asyncio.get_running_loop()
    waiting: asyncio.Queue[tuple[tuple[Any, ...], asyncio.Future[None]]] = asyncio.Queue()

    def commit(db: sqlite3.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
        db.execute("BEGIN IMMEDIATE")
        db.executemany(f"INSERT INTO entry ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        db.execute("COMMIT")

    async def write(connection: aiosqlite.Connection) -> None:
        db = connection._conn
        while True:
            batch = [await waiting.get()]
            while not waiting.empty():
                batch.append(waiting.get_nowait())
            await connection._execute(commit, db, [row for row, _ in batch])
            for _, done in batch:
                done.set_result(None)

    async def call(own: Sequence[MemoryEntry]) -> None:
        for one in own:
            done: asyncio.Future[None] = loop.create_future()
            texts = (one.prompt, one.mistake, one.correction)
            row = ("default", one.id, *texts, 1.5, one.severity, one.importance, "date", _BODY)
            waiting.put_nowait((row, done))
            await done

    async with aiosqlite.connect(path, isolation_level=None) as connection:
        await connection.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
            f"CREATE TABLE entry (row INTEGER PRIMARY KEY, {_COLUMNS}); CREATE UNIQUE INDEX u ON entry (tenant, id);"
        )
        writer = asyncio.create_task(write(connection))
        await asyncio.gather(*(call(entries[first::callers]) for first in range(callers)))
        writer.cancel()


def bare_load(path: Path) -> tuple[float, Any]:
    """Return the seconds that reading all prompts of a memory file into a `Counted` takes, and that index."""
    index = Counted()
    start = time.perf_counter()
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    for row, prompt in db.execute("SELECT row, prompt FROM entry ORDER BY row"):
        words = frozenset(_WORD.findall(prompt.casefold()))
        index.add(row, words - STOP_WORDS or words)
    seconds = time.perf_counter() - start
    db.close()
    return seconds, index
