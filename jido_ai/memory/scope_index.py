"""ScopeIndex: the index of one scope, by keywords or by embeddings, kept up to date with the store.

Work of more than about 2 ms runs in a thread, not on the event loop. One task at a time uses an index, under its lock;
a rebuild works on a snapshot and replaces the index when done.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import threading
import time
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Any, Final, TypeVar

from cachetools import LRUCache

from jido_ai.errors import ConfigurationError, EmbeddingError, JidoError, StoreError, describe, message_of
from jido_ai.memory.index.keyword_index import PLAIN, Counting, KeywordIndex
from jido_ai.memory.index.similarity import Measure, measure_named
from jido_ai.memory.index.vector_index import PLAIN_SCAN, Scan, VectorIndex, joined, unit
from jido_ai.memory.lessons import found_by
from jido_ai.memory.store import MemoryStore
from jido_ai.protocols import Embedder, TunedEmbedder
from jido_ai.text.pieces import no_turn
from jido_ai.values import MemoryEntry, Scope
from jido_ai.values.record import Changes, Cursor, Record

T = TypeVar("T")

CHARS_PER_MS: Final = 10_000
"""Characters split into words, or searched for secrets, per millisecond, approximately."""
_MS_ON_THE_LOOP: Final = 2.0
_ROWS_PER_STEP: Final = 500
_MOST_ROWS_PER_STEP: Final = 1_000
_CHARS_PER_STEP: Final = 200_000
_RECORDS_PER_PAGE: Final = 2000
_QUERIES_IN_MIND: Final = 32  # runs often ask about the same finding
_VECTORS_IN_MIND: Final = 200
_RECORDS_PER_MS: Final = 100
_NUMBERS_PER_MS: Final = 20_000
"""Vectors that are read, and their numbers that are scaled, in a millisecond."""
_ROWS_IN_A_ROW: Final = 20
_CHARS_IN_A_ROW: Final = 2_000
_CHARS_A_ROW_COSTS: Final = 100
_ADDING_WEIGHTS: Final = 3.0
"""Cost of adding weights relative to counting, without numpy."""
_REMOVALS_IN_A_ROW: Final = 200
_FREED_AT_ONCE: Final = 1_000
_TURN_S: Final = 0.001
_PAUSE_S: Final = 1e-5
_PAUSES_PER_VISIT: Final = 2
_LONGEST_VISIT_S: Final = 0.1
_TEXTS_PER_CALL: Final = 64
_CHARS_PER_CALL: Final = 20_000
"""Of the pending texts' characters, as many are embedded by one call: about a second with a slow model."""
_TEXTS_PER_VISIT: Final = 1_024
_LONGEST_FILL_S: Final = 1.0
"""Texts embedded, and the time after which no more are, while a query waits; the background embeds the others."""
_FURTHER_TEXTS: Final = 1 << 62
"""Numbers from here on stand for further texts of entries, above all rows."""
_ROWS_PER_FETCH: Final = 100
_PLAIN_IS_SLOW_ABOVE: Final = 100_000


async def aside(ms: float, work: Callable[..., T], *args: Any) -> T:
    """Run `work` here if it takes about 2 ms or less, else in a thread."""
    return work(*args) if ms <= _MS_ON_THE_LOOP else await asyncio.to_thread(work, *args)


class _Turns:
    """Callable for long work in a thread: about every millisecond it releases the GIL to the event loop.

    Without it the interpreter makes a thread release the GIL only every 5 ms, and a turn of the loop may need it two or
    three times. Work between two calls should take less than 1 ms. A short sleep is not always enough, for example if
    the loop's thread gets no CPU at once or other threads compete: so every second pause waits until the loop has run.
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
        except RuntimeError:  # the loop is closed: nothing to wait for
            return
        came_by.wait(_LONGEST_VISIT_S)


async def _dismantle(index: KeywordIndex) -> None:
    """Free an index in a thread: on the event loop it would take 10 ms, for a large one 100 ms."""
    if index.slots > _FREED_AT_ONCE:
        await asyncio.to_thread(index.dismantle, _Turns(asyncio.get_running_loop()))


def turns_of(ms: float) -> Callable[[], None]:
    """Return the callable that work of `ms` milliseconds uses to release the GIL; a no-op for short work."""
    return no_turn if ms <= _MS_ON_THE_LOOP else _Turns(asyncio.get_running_loop())


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The parts of the actor that an index uses.

    Attributes:
        emit: emits an event, by name and facts.
        run_task: starts a task that ends with the actor.
        large_counting: loads the arithmetic for large indexes; returns None if only the plain one is available.
        large_scan: the same for embeddings.
    """

    store: MemoryStore
    emit: Callable[[str, dict[str, object]], None]
    run_task: Callable[[Coroutine[Any, Any, None]], object]
    large_counting: Callable[[], Counting | None]
    large_scan: Callable[[], Scan | None] = lambda: None


class ScopeIndex(ABC):
    """Similarity search in one scope: first `follow`, then `read` and `search`.

    Attributes:
        lock: held by the task that changes the index, and during a search.
        examples: rows of the worked examples.
    """

    def __init__(self, scope: Scope, around: Surroundings) -> None:
        self.lock = asyncio.Lock()
        self._scope = scope
        self._around = around
        self._cursor = Cursor()
        self.examples = set[int]()
        self._begun = self._ended = 0  # the newest visit to the store that began, and that ended
        self._went_back = False

    @property
    def pending(self) -> int:
        """Number of entries that cannot be found yet."""
        return 0

    async def follow(self, *, fills: bool = True) -> bool:
        """Apply all that the store had when this was called; those that wait together visit it once.

        Args:
            fills: also embed entries that cannot be found yet, for about a second.

        Returns:
            False if another task did so in the meantime.
        """
        wanted = self._begun + 1
        async with self.lock:
            is_behind = self._ended < wanted
            if is_behind:
                await self._visit()
            if fills and self.pending:
                await self.fill()
        return is_behind

    async def _visit(self) -> None:
        self._begun += 1
        self._went_back = False
        await self.catch_up()
        self._ended = self._begun

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of entries that can be found."""

    async def catch_up(self) -> None:
        """Apply the store's changes since the last call, in steps; steps are longer for short texts."""
        rows = _ROWS_PER_STEP
        while True:
            changes = await self._around.store.changes(self._scope, self._cursor, rows)
            await self._apply(changes)
            if changes.start_over:
                self.examples.clear()
            self.examples.update(changes.examples)
            self.examples.difference_update(changes.went)
            self._cursor = changes.cursor
            if changes.is_complete:
                break
            chars = sum(len(text) for _, text in changes.came)
            rows = max(_ROWS_PER_STEP, min(_MOST_ROWS_PER_STEP, rows * _CHARS_PER_STEP // max(1, chars)))

    @abstractmethod
    async def _apply(self, changes: Changes) -> None: ...

    async def fill(self) -> None:  # noqa: B027 - keywords need none
        """Add entries that could not be found yet, for about a second."""

    async def drop(self) -> None:  # noqa: B027 - not every index takes long to free
        """Free the memory. The index can still be used, and then starts empty."""

    @abstractmethod
    async def read(self, text: str) -> Any:
        """Return the form of a text that `search` takes. Raises `EmbeddingError`."""

    async def search(self, asked: Any, k: int, threshold: float) -> list[tuple[int, float]]:
        """Return at most `k` pairs of row and score in [0, 1], best first, ties newest first."""
        async with self.lock:
            if self._went_back:  # to an earlier cursor, since it was followed
                await self._visit()
            return await self._search(asked, k, threshold)

    @abstractmethod
    async def _search(self, asked: Any, k: int, threshold: float) -> list[tuple[int, float]]: ...


# -- keywords --------------------------------------------------------------------------------------


class KeywordScope(ScopeIndex):
    """Searches by keywords."""

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
                {"entries": len(index), "hint": "search is slow at this size; pip install 'jido-ai[numpy]'"},
            )
        if index.is_stale and not self._is_compacting:
            if len(index) * 20 <= _MS_ON_THE_LOOP * CHARS_PER_MS:
                self._index = index.compacted()
            else:
                self._is_compacting = True
                self._around.run_task(self._compact())

    async def _compact(self) -> None:
        """Rebuild the index during searches; later changes are read again from the cursor at the start."""
        try:
            async with self.lock:
                index, cursor = self._index, self._cursor
                slots = index.slots
            fresh = await asyncio.to_thread(index.compacted, slots, _Turns(asyncio.get_running_loop()))
            useless = [index]
            async with self.lock:
                if self._index is index:
                    self._index, self._cursor, self._went_back = fresh, cursor, True
                else:  # the store asked to start over, or the scope was dropped
                    useless.append(fresh)
            for each in useless:
                await _dismantle(each)
        finally:
            self._is_compacting = False

    async def _start_over(self) -> None:
        index, self._index = self._index, KeywordIndex(self._measure)
        self._knows_counting = False
        if not self._is_compacting:  # else `_compact` still reads it, and frees it
            await _dismantle(index)

    async def drop(self) -> None:
        async with self.lock:
            self._cursor, self._went_back = Cursor(), True
            await self._start_over()

    async def _apply(self, changes: Changes) -> None:
        if changes.start_over:
            await self._start_over()
        came, went, further = changes.came, changes.went, changes.texts
        if further:
            came = [(row, text) for row, prompt in came for text in (prompt, *further.get(row, ()))]
        chars = sum([len(text) for _, text in came])
        ms = (chars + _CHARS_A_ROW_COSTS * len(came) + 20 * len(went)) / CHARS_PER_MS
        await aside(ms, self._take, came, went, chars + 1, turns_of(ms))

    def _take(
        self, came: Sequence[tuple[int, str]], went: Sequence[int], chars: int, others_turn: Callable[[], None]
    ) -> None:
        add, words, remove = self._index.add_all, self._measure.words, self._index.remove
        rows = max(1, min(_ROWS_IN_A_ROW, _CHARS_IN_A_ROW * len(came) // chars))
        texts = 1 if self._measure.weighs else rows  # a word that is new to the stemmer takes some 30 us
        for start in range(0, len(came), rows):
            some = came[start : start + rows]
            read: list[frozenset[str]] = []
            for first in range(0, len(some), texts):
                others_turn()
                read.extend([words(prompt) for _, prompt in some[first : first + texts]])
            add([row for row, _ in some], read)
        for start in range(0, len(went), _REMOVALS_IN_A_ROW):
            others_turn()
            for row in went[start : start + _REMOVALS_IN_A_ROW]:
                remove(row)

    async def read(self, text: str) -> frozenset[str]:
        return await aside(len(text) / CHARS_PER_MS, self._measure.words, text)

    async def _search(self, asked: frozenset[str], k: int, threshold: float) -> list[tuple[int, float]]:
        index, whole = self._index, len(asked) if self._measure.counts else 1
        ms = index.cost(asked) / index.counting.per_ms
        if self._measure.weighs and index.counting is PLAIN:
            ms *= _ADDING_WEIGHTS
        found = await aside(ms, index.search, asked, k, threshold * whole, turns_of(ms))
        return found if whole == 1 else [(row, score / whole) for row, score in found]


# -- embeddings ------------------------------------------------------------------------------------


class EmbeddingScope(ScopeIndex):
    """Searches by the cosine of embeddings. Each embedding is computed once and stored next to the entries.

    The vector of an entry is its prompt's, plus its correction's times the embedder's `correction_weight`. An entry
    without an embedding is pending: it is stored but cannot be found. A task in the background embeds pending entries,
    and `fill` up to 1,024 of them in about a second; after a failure the next `catch_up` or `fill` tries again.
    """

    def __init__(self, scope: Scope, around: Surroundings, embedder: Embedder) -> None:
        super().__init__(scope, around)
        self._embedder = embedder
        self._correction_weight = embedder.correction_weight if isinstance(embedder, TunedEmbedder) else 0.0
        self._index: VectorIndex | None = None
        self._texts: dict[int, tuple[str, str]] = {}  # row -> prompt and correction, of pending entries
        self._keys: dict[int, str] = {}  # row -> key of its record, of pending entries
        self._kept: dict[str, array[float]] = {}  # key -> vector, read ahead from the store, and some of the newest
        self._asked: LRUCache[str, array[float]] = LRUCache(_QUERIES_IN_MIND)
        self._row_of: dict[int, int] = {}  # number of a further text -> row of its entry
        self._further: dict[int, list[int]] = {}  # the other way round
        self._next_number = _FURTHER_TEXTS
        self._record = 0
        self._knows_scan = False
        self._has_failed = False
        self._is_filling = False

    def __len__(self) -> int:
        return 0 if self._index is None else len(self._index)

    @property
    def pending(self) -> int:
        """Number of entries without an embedding."""
        return len(self._texts)

    async def catch_up(self) -> None:
        await super().catch_up()
        if len(self._kept) > _VECTORS_IN_MIND:
            self._kept = dict(islice(reversed(self._kept.items()), _VECTORS_IN_MIND // 2))
        if self._texts and not self._is_filling:
            self._is_filling = True
            self._around.run_task(self._fill_on())
        index = self._index
        if index is not None and index.is_stale:
            self._index = await asyncio.to_thread(index.compacted, _Turns(asyncio.get_running_loop()))
            await self._drop_orphans()

    async def _fill_on(self) -> None:
        """Embed the pending entries, one call of the embedder at a time; queries go between them."""
        try:
            while self._texts:
                async with self.lock:
                    if not await self._embed_some(_TEXTS_PER_CALL):
                        break
        except StoreError:
            return  # the next query meets the error again and raises it
        finally:
            self._is_filling = False

    async def _apply(self, changes: Changes) -> None:
        if changes.start_over:
            await self._start_over()
        came = await self._texts_of(changes.came)
        for row, further in changes.texts.items():
            for text in further:
                number, self._next_number = self._next_number, self._next_number + 1
                self._row_of[number] = row
                self._further.setdefault(row, []).append(number)
                came[number] = (text, "")
        for row, texts in came.items():
            self._texts[row] = texts
            self._keys[row] = _key_of(*texts)
        for row in changes.went:
            for number in (row, *self._further.pop(row, ())):
                self._row_of.pop(number, None)
                self._texts.pop(number, None)
                self._keys.pop(number, None)
                if self._index is not None:
                    self._index.remove(number)
        await self._take_kept(list(came))

    async def _texts_of(self, came: Sequence[tuple[int, str]]) -> dict[int, tuple[str, str]]:
        """Return the prompt and the correction of each row; the correction is empty if it does not count."""
        texts = {row: (prompt, "") for row, prompt in came}
        if self._correction_weight > 0:
            rows = list(texts)
            for start in range(0, len(rows), _ROWS_PER_FETCH):
                entries = await self._around.store.fetch(rows[start : start + _ROWS_PER_FETCH])
                texts.update({row: (entry.prompt, entry.correction) for row, entry in entries.items()})
                await asyncio.sleep(0)  # a store that answers at once never yields to the event loop
        return texts

    async def _take_kept(self, rows: Sequence[int]) -> None:
        """Read the vectors that were stored earlier, by this or another process, up to those of `rows`.

        Vectors of later rows are kept for the next call.
        """
        wanted = {self._keys[row] for row in rows if row in self._keys} - self._kept.keys()
        while wanted:
            page = await self._around.store.records(
                "embeddings", scope=self._scope, kind=self._embedder.name, after=self._record, limit=_RECORDS_PER_PAGE
            )
            await aside(len(page) / _RECORDS_PER_MS, self._read_page, page)
            wanted -= self._kept.keys()
            if len(page) < _RECORDS_PER_PAGE:
                break
        for row in rows:
            vector = self._kept.get(self._keys.get(row, ""))
            if vector is not None:
                self._add(row, vector)

    def _read_page(self, page: Sequence[Record]) -> None:
        for record in page:
            vector = array("f", base64.b64decode(record.data["vector"]))
            if self._embedder.dim in (0, len(vector)):
                self._kept[record.key] = vector
            self._record = record.row

    async def fill(self) -> None:
        """Embed at most 1,024 pending entries, and begin no more after a second."""
        time = asyncio.get_running_loop().time
        ends, left = time() + _LONGEST_FILL_S, _TEXTS_PER_VISIT
        while left > 0 and time() < ends:
            embedded = await self._embed_some(left)
            if not embedded:
                break
            left -= embedded

    async def _embed_some(self, limit: int) -> int:
        """Embed at most `limit` pending entries by one call of the embedder, and store their vectors.

        Return how many: 0 if none is pending or the embedder fails. Then they stay pending, and one event is emitted
        until it works again.
        """
        rows = self._next_rows(limit)
        if not rows:
            return 0
        try:
            vectors = await self._vectors([self._texts[row] for row in rows])
        except EmbeddingError as error:
            if not self._has_failed:
                self._around.emit("memory.embedding.failed", {"error": error, "pending": self.pending})
            self._has_failed = True
            return 0
        self._has_failed = False
        await self._around.store.append(
            [
                Record(
                    log="embeddings",
                    key=self._keys[row],
                    kind=self._embedder.name,
                    data={"vector": base64.b64encode(vector.tobytes()).decode()},
                    scope=self._scope,
                )
                for row, vector in zip(rows, vectors, strict=True)
            ]
        )
        for row, vector in zip(rows, vectors, strict=True):
            self._add(row, vector)
        return len(rows)

    def _next_rows(self, limit: int) -> list[int]:
        """Return the rows of the pending entries to embed next, no more than `limit`; none if none is pending."""
        chars = accumulate(len(prompt) + len(correction) for prompt, correction in self._texts.values())
        rows = list(islice(zip(self._texts, chars, strict=True), min(limit, _TEXTS_PER_CALL)))
        return [row for row, so_far in rows if so_far <= _CHARS_PER_CALL] or [row for row, _ in rows[:1]]

    async def _vectors(self, texts: Sequence[tuple[str, str]]) -> list[array[float]]:
        """Return the vector of each prompt and its correction. Raises `EmbeddingError`."""
        corrections = [place for place, (_, correction) in enumerate(texts) if correction]
        vectors = await self._embed([*(prompt for prompt, _ in texts), *(texts[place][1] for place in corrections)])
        for place, vector in zip(corrections, vectors[len(texts) :], strict=True):
            vectors[place] = joined(vectors[place], vector, self._correction_weight)
        return vectors[: len(texts)]

    async def _embed(self, texts: Sequence[str]) -> list[array[float]]:
        """Return vectors of length 1. Raises `EmbeddingError` for any error of the embedder."""
        name = self._embedder.name
        try:
            vectors = [list(vector) for vector in await self._embedder.embed(texts)]
            if len(vectors) != len(texts):
                raise ConfigurationError(f"expected {len(texts)} embeddings, got {len(vectors)}")
            dimension = self._embedder.dim
            ms = len(vectors) * dimension / _NUMBERS_PER_MS
            return await aside(ms, lambda: [unit(vector, dimension) for vector in vectors])
        except EmbeddingError:
            raise
        except JidoError as error:
            raise EmbeddingError(name, message_of(error)) from error
        except Exception as error:  # a plug-in may raise anything
            raise EmbeddingError(name, f"failed: {describe(error)}") from error

    def _add(self, row: int, vector: array[float]) -> None:
        del self._texts[row]
        key = self._keys.pop(row)
        if len(self._kept) < _VECTORS_IN_MIND:  # a lesson that is merged again comes with the same text in a new row
            self._kept[key] = vector
        if self._index is None:
            self._index = VectorIndex(len(vector))
        self._index.add(row, vector)

    async def _drop_orphans(self) -> None:
        """Remove the vectors of texts that no entry has anymore."""
        alive, cursor, is_complete = set[str](), Cursor(), False
        while not is_complete:
            changes = await self._around.store.changes(self._scope, cursor, _ROWS_PER_STEP)
            texts = await self._texts_of(changes.came)
            alive.update(await asyncio.to_thread(_keys_of, texts))
            alive.update([_key_of(text, "") for further in changes.texts.values() for text in further])
            cursor, is_complete = changes.cursor, changes.is_complete
        after = 0
        while page := await self._around.store.records(
            "embeddings", scope=self._scope, kind=self._embedder.name, after=after, limit=_RECORDS_PER_PAGE
        ):
            for record in page:
                if record.key not in alive:
                    await self._around.store.drop_records("embeddings", scope=self._scope, key=record.key)
            after = page[-1].row

    async def read(self, text: str) -> array[float]:
        if text not in self._asked:
            (self._asked[text],) = await self._embed([text])
        return self._asked[text]

    async def _search(self, asked: array[float], k: int, threshold: float) -> list[tuple[int, float]]:
        index = self._index
        if index is None:
            return []
        if not self._knows_scan and index.numbers > PLAIN_SCAN.per_ms:
            self._knows_scan = True
            scan = await asyncio.to_thread(self._around.large_scan)
            if scan is not None:
                index.scan_with(scan)
        ms = index.numbers / index.scan.per_ms
        wanted = k
        while True:
            found = await aside(ms, index.search, asked, wanted, threshold, turns_of(ms))
            best: dict[int, float] = {}
            for number, score in found:
                best.setdefault(self._row_of.get(number, number), score)
            if len(best) >= k or len(found) < wanted or not self._row_of:
                return list(best.items())[:k]
            wanted *= 4

    async def drop(self) -> None:
        async with self.lock:
            self._cursor, self._went_back = Cursor(), True
            await self._start_over()

    async def _start_over(self) -> None:
        """Forget everything. The memory of a large index is freed in a thread."""
        index, self._index, self._record, self._knows_scan = self._index, None, 0, False
        for held in (self._texts, self._keys, self._kept, self._row_of, self._further):
            held.clear()
        if index is not None and len(index) > _FREED_AT_ONCE:
            await asyncio.to_thread(index.dismantle, _Turns(asyncio.get_running_loop()))


def digests(entry: MemoryEntry) -> set[str]:
    """Return the keys under which the embeddings of an entry may be stored."""
    further = found_by(entry.kind, entry.prompt, entry.__dict__)
    return {_key_of(entry.prompt, entry.correction), *(_key_of(text, "") for text in (entry.prompt, *further))}


def _keys_of(texts: Mapping[int, tuple[str, str]]) -> set[str]:
    return {_key_of(prompt, correction) for prompt, correction in texts.values()}


def _key_of(prompt: str, correction: str) -> str:
    text = f"{prompt}\0{correction}" if correction else prompt
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
