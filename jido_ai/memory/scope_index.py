"""The index of one scope that follows the store: by keywords, or by embeddings.

What is done on the event loop is short: work above about two milliseconds goes to a thread. One task at a time uses an
index, under its lock; a rebuild works from a snapshot beside it and is swapped in.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import threading
import time
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from jido_ai.errors import ConfigurationError, EmbeddingError, JidoError, describe, message_of
from jido_ai.memory.index.keyword_index import PLAIN, Counting, KeywordIndex
from jido_ai.memory.index.similarity import Measure, measure_named
from jido_ai.memory.index.vector_index import VectorIndex, unit
from jido_ai.protocols import Changes, Cursor, Embedder, MemoryStore, Record
from jido_ai.text.pieces import no_turn
from jido_ai.values import Scope

__all__ = [
    "CHARS_PER_MS",
    "EmbeddingScope",
    "KeywordScope",
    "ScopeIndex",
    "Surroundings",
    "aside",
    "digest",
    "turns_of",
]

T = TypeVar("T")

CHARS_PER_MS: Final = 10_000
"""Characters that are read into words, or looked through for secrets, in about a millisecond."""
_MS_ON_THE_LOOP: Final = 2.0
_ROWS_PER_STEP: Final = 500
_MOST_ROWS_PER_STEP: Final = 1_000
_CHARS_PER_STEP: Final = 200_000
_RECORDS_PER_PAGE: Final = 2000
_ROWS_IN_A_ROW: Final = 20
_CHARS_IN_A_ROW: Final = 2_000
_CHARS_A_ROW_COSTS: Final = 100
_ADDING_WEIGHTS: Final = 3.0
"""How much longer weights take to add up than numbers to count, where numpy does neither."""
_REMOVALS_IN_A_ROW: Final = 200
_FREED_AT_ONCE: Final = 1_000
_TURN_S: Final = 0.001
_PAUSE_S: Final = 1e-5
_PAUSES_PER_VISIT: Final = 2
_LONGEST_VISIT_S: Final = 0.1
_TEXTS_PER_CALL: Final = 64
_PLAIN_IS_SLOW_ABOVE: Final = 100_000
_MULTIPLICATIONS_PER_MS: Final = 20_000


async def aside(ms: float, work: Callable[..., T], *args: Any) -> T:
    """Do `work` here when it takes about two milliseconds or less, else in a thread."""
    return work(*args) if ms <= _MS_ON_THE_LOOP else await asyncio.to_thread(work, *args)


class _Turns:
    """What long work in a thread calls often: about every millisecond it lets the loop have the interpreter.

    A thread that never does is asked to after five milliseconds, and a turn of the loop may have to ask two or three
    times. What is between two calls should take less than a millisecond. A pause is over too soon for a loop that is
    not given a processor at once, or while another thread works beside: so every second time the thread goes on only
    when the loop has come by.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._pauses = 0
        self._end = time.perf_counter() + _TURN_S

    def __call__(self) -> None:
        if time.perf_counter() > self._end:
            self._pauses += 1
            if self._pauses % _PAUSES_PER_VISIT:
                time.sleep(_PAUSE_S)
            else:
                self._wait_for_the_loop()
            self._end = time.perf_counter() + _TURN_S

    def _wait_for_the_loop(self) -> None:
        came_by = threading.Event()
        try:
            self._loop.call_soon_threadsafe(came_by.set)
        except RuntimeError:  # it was closed: nobody there is held up
            return
        came_by.wait(_LONGEST_VISIT_S)


async def _dismantle(index: KeywordIndex) -> None:
    """Free an index in a thread: the loop would take some 10 ms over it, and over a large one 100 ms."""
    if index.slots > _FREED_AT_ONCE:
        await asyncio.to_thread(index.dismantle, _Turns(asyncio.get_running_loop()))


def turns_of(ms: float) -> Callable[[], None]:
    """Return how work that takes so long lets others have their turn: on the loop it is too short to."""
    return no_turn if ms <= _MS_ON_THE_LOOP else _Turns(asyncio.get_running_loop())


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an index needs of the actor that holds it.

    Attributes:
        emit: an event, by name and facts.
        run_task: start a task that ends with the actor.
        large_counting: load what counts in large indexes; None when there is nothing better than the plain way.
    """

    store: MemoryStore
    emit: Callable[[str, dict[str, object]], None]
    run_task: Callable[[Coroutine[Any, Any, None]], object]
    large_counting: Callable[[], Counting | None]


class ScopeIndex(ABC):
    """What is alike in one scope. `catch_up` first, then `read` and `search`, all under `lock`."""

    def __init__(self, scope: Scope, around: Surroundings) -> None:
        self.lock = asyncio.Lock()
        self._scope = scope
        self._around = around
        self._cursor = Cursor()

    @abstractmethod
    def __len__(self) -> int:
        """Return how many entries can be found."""

    async def catch_up(self) -> None:
        """Read what happened in the store since last time, step by step; short texts in longer steps."""
        rows = _ROWS_PER_STEP
        while True:
            changes = await self._around.store.changes(self._scope, self._cursor, rows)
            await self._apply(changes)
            self._cursor = changes.cursor
            if changes.is_complete:
                break
            chars = sum(len(text) for _, text in changes.came)
            rows = max(_ROWS_PER_STEP, min(_MOST_ROWS_PER_STEP, rows * _CHARS_PER_STEP // max(1, chars)))

    @abstractmethod
    async def _apply(self, changes: Changes) -> None: ...

    async def drop(self) -> None:  # noqa: B027 - not every index takes long to free
        """Give the memory back. Whoever borrows it still, or again, finds it as if it were new."""

    @abstractmethod
    async def read(self, text: str) -> Any:
        """Return what `search` takes for a text. Raises `EmbeddingError`."""

    @abstractmethod
    async def search(self, asked: Any, k: int, threshold: float) -> list[tuple[int, float]]:
        """Return at most `k` pairs of row and score in [0, 1], best first, ties newest first."""


# -- keywords --------------------------------------------------------------------------------------


class KeywordScope(ScopeIndex):
    """Finds by words."""

    def __init__(self, scope: Scope, around: Surroundings, measure: str) -> None:
        super().__init__(scope, around)
        self._measure: Measure = measure_named(measure)
        self._index = KeywordIndex(self._measure)
        self._is_compacting = False
        self._knows_counting = False
        self._knows_limit = False

    def __len__(self) -> int:
        return len(self._index)

    async def catch_up(self) -> None:
        await super().catch_up()
        index = self._index
        if index.is_large and not self._knows_counting:
            self._knows_counting = True
            counting = await asyncio.to_thread(self._around.large_counting)
            if counting is not None:
                index.count_with(counting)
        if not self._knows_limit and index.counting is PLAIN and len(index) > _PLAIN_IS_SLOW_ABOVE:
            self._knows_limit = True
            self._around.emit(
                "memory.high_water",
                {"entries": len(index), "hint": "searching so many is slow; pip install 'jido-ai[numpy]'"},
            )
        if index.is_stale and not self._is_compacting:
            if len(index) * 20 <= _MS_ON_THE_LOOP * CHARS_PER_MS:
                self._index = index.compacted()
            else:
                self._is_compacting = True
                self._around.run_task(self._compact())

    async def _compact(self) -> None:
        """Rebuild beside those who search; what happened meanwhile is read again from the cursor of the beginning."""
        try:
            async with self.lock:
                index, cursor = self._index, self._cursor
                slots = index.slots
            fresh = await asyncio.to_thread(index.compacted, slots, _Turns(asyncio.get_running_loop()))
            useless = [index]
            async with self.lock:
                if self._index is index:
                    self._index, self._cursor = fresh, cursor
                else:  # the store told us to start over, or the scope was dropped
                    useless.append(fresh)
            for each in useless:
                await _dismantle(each)
        finally:
            self._is_compacting = False

    async def _start_over(self) -> None:
        index, self._index = self._index, KeywordIndex(self._measure)
        self._knows_counting = False
        if not self._is_compacting:  # else it is still read, and whoever reads it dismantles it
            await _dismantle(index)

    async def drop(self) -> None:
        async with self.lock:
            self._cursor = Cursor()
            await self._start_over()

    async def _apply(self, changes: Changes) -> None:
        if changes.start_over:
            await self._start_over()
        chars = sum(len(text) for _, text in changes.came)
        cost = chars + _CHARS_A_ROW_COSTS * len(changes.came) + 20 * len(changes.went)
        ms = cost / CHARS_PER_MS
        await aside(ms, self._take, changes, turns_of(ms))

    def _take(self, changes: Changes, others_turn: Callable[[], None]) -> None:
        add, words, remove = self._index.add_all, self._measure.words, self._index.remove
        chars = sum(len(text) for _, text in changes.came) + 1
        rows = max(1, min(_ROWS_IN_A_ROW, _CHARS_IN_A_ROW * len(changes.came) // chars))
        texts = 1 if self._measure.weighs else rows  # a word that is new to the stemmer takes some 30 us
        for start in range(0, len(changes.came), rows):
            some = changes.came[start : start + rows]
            read: list[frozenset[str]] = []
            for first in range(0, len(some), texts):
                others_turn()
                read.extend([words(prompt) for _, prompt in some[first : first + texts]])
            add([row for row, _ in some], read)
        for start in range(0, len(changes.went), _REMOVALS_IN_A_ROW):
            others_turn()
            for row in changes.went[start : start + _REMOVALS_IN_A_ROW]:
                remove(row)

    async def read(self, text: str) -> frozenset[str]:
        return await aside(len(text) / CHARS_PER_MS, self._measure.words, text)

    async def search(self, asked: frozenset[str], k: int, threshold: float) -> list[tuple[int, float]]:
        index, whole = self._index, len(asked) if self._measure.counts else 1
        ms = index.cost(asked) / index.counting.per_ms
        if self._measure.weighs and index.counting is PLAIN:
            ms *= _ADDING_WEIGHTS
        found = await aside(ms, index.search, asked, k, threshold * whole, turns_of(ms))
        return found if whole == 1 else [(row, score / whole) for row, score in found]


# -- embeddings ------------------------------------------------------------------------------------


class EmbeddingScope(ScopeIndex):
    """Finds by the cosine of embeddings, each made once and kept in the store beside the entries.

    An entry whose embedding failed is pending: it is stored, cannot be found yet, and is tried again at the next
    `catch_up`.
    """

    def __init__(self, scope: Scope, around: Surroundings, embedder: Embedder) -> None:
        super().__init__(scope, around)
        self._embedder = embedder
        self._index: VectorIndex | None = None
        self._prompts: dict[int, str] = {}  # row -> prompt, of what is pending
        self._digests: dict[int, str] = {}  # row -> digest of its prompt
        self._kept: dict[str, array[float]] = {}  # digest -> vector, read ahead from the store
        self._record = 0
        self._knows_counting = False
        self._has_failed = False

    def __len__(self) -> int:
        return 0 if self._index is None else len(self._index)

    @property
    def pending(self) -> int:
        """How many entries wait for their embedding."""
        return len(self._prompts)

    async def catch_up(self) -> None:
        await super().catch_up()
        await self._fill()
        index = self._index
        if index is not None and index.is_stale:
            self._index = await asyncio.to_thread(index.compacted)
            await self._drop_orphans()

    async def _apply(self, changes: Changes) -> None:
        if changes.start_over:
            self._index, self._record = None, 0
            self._prompts.clear()
            self._digests.clear()
        for row, prompt in changes.came:
            self._prompts[row] = prompt
            self._digests[row] = digest(prompt)
        for row in changes.went:
            self._prompts.pop(row, None)
            self._digests.pop(row, None)
            if self._index is not None:
                self._index.remove(row)
        await self._take_kept()

    async def _take_kept(self) -> None:
        """Take the vectors that were made earlier, here or by another process."""
        wanted = {self._digests[row] for row in self._prompts} - self._kept.keys()
        while wanted:
            page = await self._around.store.records(
                "embeddings", scope=self._scope, kind=self._embedder.name, after=self._record, limit=_RECORDS_PER_PAGE
            )
            await asyncio.to_thread(self._read_page, page)
            wanted -= self._kept.keys()
            if len(page) < _RECORDS_PER_PAGE:
                break
        for row in [row for row in self._prompts if self._digests[row] in self._kept]:
            self._add(row, self._kept[self._digests[row]])
        self._kept.clear()

    def _read_page(self, page: Sequence[Record]) -> None:
        for record in page:
            vector = array("f", base64.b64decode(record.data["vector"]))
            if self._embedder.dim in (0, len(vector)):
                self._kept[record.key] = vector
            self._record = record.row

    async def _fill(self) -> None:
        """Embed what is pending. A failure leaves it pending, and is told once until it works again."""
        while self._prompts:
            rows = list(self._prompts)[:_TEXTS_PER_CALL]
            try:
                vectors = await self._embed([self._prompts[row] for row in rows])
            except EmbeddingError as error:
                if not self._has_failed:
                    self._around.emit("memory.embedding.failed", {"error": error, "pending": self.pending})
                self._has_failed = True
                return
            self._has_failed = False
            await self._around.store.append(
                [
                    Record(
                        log="embeddings",
                        key=self._digests[row],
                        kind=self._embedder.name,
                        data={"vector": base64.b64encode(vector.tobytes()).decode()},
                        scope=self._scope,
                    )
                    for row, vector in zip(rows, vectors, strict=True)
                ]
            )
            for row, vector in zip(rows, vectors, strict=True):
                self._add(row, vector)

    async def _embed(self, texts: Sequence[str]) -> list[array[float]]:
        """Return vectors of length 1. Raises `EmbeddingError`, whatever the embedder did."""
        name = self._embedder.name
        try:
            vectors = [list(vector) for vector in await self._embedder.embed(texts)]
            if len(vectors) != len(texts):
                raise ConfigurationError(f"asked for {len(texts)} embeddings, got {len(vectors)}")
            dimension = self._embedder.dim
            return await asyncio.to_thread(lambda: [unit(vector, dimension) for vector in vectors])
        except EmbeddingError:
            raise
        except JidoError as error:
            raise EmbeddingError(name, message_of(error)) from error
        except Exception as error:  # a plug-in: whatever it raises, the memory goes on without it
            raise EmbeddingError(name, f"failed: {describe(error)}") from error

    def _add(self, row: int, vector: array[float]) -> None:
        del self._prompts[row]
        if self._index is None:
            self._index = VectorIndex(len(vector))
        self._index.add(row, vector)

    async def _drop_orphans(self) -> None:
        """Remove the vectors of prompts that no entry has any more."""
        alive = set(self._digests.values())
        after = 0
        while page := await self._around.store.records(
            "embeddings", scope=self._scope, kind=self._embedder.name, after=after, limit=_RECORDS_PER_PAGE
        ):
            for record in page:
                if record.key not in alive:
                    await self._around.store.drop_records("embeddings", scope=self._scope, key=record.key)
            after = page[-1].row

    async def read(self, text: str) -> array[float]:
        (vector,) = await self._embed([text])
        return vector

    async def search(self, asked: array[float], k: int, threshold: float) -> list[tuple[int, float]]:
        index = self._index
        if index is None:
            return []
        if not self._knows_counting and index.numbers > _MULTIPLICATIONS_PER_MS:
            self._knows_counting = True
            counting = await asyncio.to_thread(self._around.large_counting)
            if counting is not None:
                index.multiply_with(counting.products)
        return await aside(index.numbers / _MULTIPLICATIONS_PER_MS, index.search, asked, k, threshold)


def digest(prompt: str) -> str:
    """Return the key under which the embedding of a prompt is kept."""
    return hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()
