"""The cache wrapper: answers a repeated request without calling the model."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final, Literal

from cachetools import TTLCache

from jido_ai.errors import ConfigurationError, ModelTimeoutError
from jido_ai.models.wrappers.wrapper import Item, Wrapper, pieces
from jido_ai.protocols import LanguageModel
from jido_ai.values import Completion, CompletionRequest, Usage

_CLOSE_S: Final = 5.0
_ENTRY_BYTES: Final = 500
"""Approximate bytes of an entry besides its text."""


class CompletionCache:
    """Keeps whole answers; the least recently used is dropped first. Several models may share one.

    Args:
        max_entries, max_bytes: whichever is reached first; an answer larger than `max_bytes` is not kept.
        ttl_s: how long an answer is good for.
        when: "deterministic" takes requests with temperature 0, "always" all; `metadata["cache"]` of a request, True
            or False, goes before it.

    Raises:
        ConfigurationError: a figure is out of range.
    """

    def __init__(
        self,
        *,
        max_entries: int = 1_000,
        max_bytes: int = 16 * 1024 * 1024,
        ttl_s: float = 3_600.0,
        when: Literal["deterministic", "always"] = "deterministic",
    ) -> None:
        if max_entries < 1 or max_bytes < 1 or not 0.0 < ttl_s < math.inf:
            raise ConfigurationError(
                f"a cache needs max_entries, max_bytes and ttl_s above 0, got {max_entries}, {max_bytes}, {ttl_s}"
            )
        if when not in ("deterministic", "always"):
            raise ConfigurationError(f'when must be "deterministic" or "always", got {when!r}')
        self._max_entries = max_entries
        self._is_always = when == "always"
        self._kept: TTLCache[str, Completion] = TTLCache(max_bytes, ttl_s, timer=_now, getsizeof=_size)

    def __len__(self) -> int:
        return len(self._kept)

    def takes(self, request: CompletionRequest) -> bool:
        """True if a request may be answered from the cache."""
        wish: object = request.metadata.get("cache")
        if isinstance(wish, bool):
            return wish
        return self._is_always or request.temperature == 0.0

    def get(self, key: str) -> Completion | None:
        """Return the answer, at no cost, or None."""
        kept = self._kept.get(key)
        return None if kept is None else _again(kept)

    def put(self, key: str, completion: Completion) -> None:
        """Keep an answer, unless it was cut off, refused, filtered or too large."""
        if completion.finish_reason != "stop" or _size(completion) > self._kept.maxsize:
            return
        self._kept[key] = completion
        while len(self._kept) > self._max_entries:
            self._kept.popitem()


def _now() -> float:
    return asyncio.get_running_loop().time()


def _size(completion: Completion) -> int:
    return _ENTRY_BYTES + len(completion.text.encode("utf-8", "surrogatepass"))


def _again(completion: Completion) -> Completion:
    return completion.model_copy(update={"usage": Usage(), "is_cached": True})


@dataclass(slots=True, eq=False)
class _Flight:
    """A call that several wait for; it is cancelled when the last of them leaves."""

    task: asyncio.Task[Completion]
    waiting: int = 0
    is_paid: bool = False


def _take_error(task: asyncio.Task[Completion]) -> None:
    """Retrieve the error of a flight that may have lost all its waiters."""
    if not task.cancelled():
        task.exception()


class CachedModel(Wrapper):
    """Sends equal requests once: concurrent ones wait for the answer, later ones get it from the cache.

    Equal are provider, address, model, messages, temperature, max_tokens, stop, seed and schema. Of those who wait
    for one call the first to get the answer gets the usage, the others none. When one is cancelled, or out of time, the
    others go on waiting. Errors go to all waiters and are not cached, and neither is an incomplete answer.
    A stream is answered from the cache and fills it, but never waits for another.
    """

    def __init__(self, inside: LanguageModel, cache: CompletionCache | None = None) -> None:
        super().__init__(inside)
        self._cache = CompletionCache() if cache is None else cache
        self._flights: dict[tuple[asyncio.AbstractEventLoop, str], _Flight] = {}

    async def complete(self, request: CompletionRequest) -> Completion:
        if not self._cache.takes(request):
            return await self.inside.complete(request)
        key = self._key(request)
        return self._cache.get(key) or await self._fly(key, request)

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[Item]:
        key = self._key(request) if self._cache.takes(request) else None
        kept = None if key is None else self._cache.get(key)
        if kept is not None:
            if kept.text:
                yield kept.text
            yield kept
            return
        async with aclosing(pieces(self.inside, request)) as items:
            async for item in items:
                if key is not None and isinstance(item, Completion):
                    self._cache.put(key, item)
                yield item

    def _key(self, request: CompletionRequest) -> str:
        asked = {
            "provider": self.provider,
            "base_url": self.base_url,
            "model": self.name_of(request),
            "messages": [(message.role, message.content) for message in request.messages],
            "temperature": request.temperature,
            "top_p": request.top_p,
            "max_tokens": request.max_tokens,
            "stop": request.stop,
            "seed": request.seed,
            "schema": request.schema,
        }
        return hashlib.sha256(json.dumps(asked).encode()).hexdigest()  # which escapes lone surrogates

    async def _fly(self, key: str, request: CompletionRequest) -> Completion:
        """Wait for the call that is under way, or make it."""
        place = (asyncio.get_running_loop(), key)
        while True:
            flight = self._flights.get(place)
            is_first = flight is None
            if flight is None:
                task = asyncio.get_running_loop().create_task(self._call(place, request))
                task.add_done_callback(_take_error)
                flight = self._flights[place] = _Flight(task)
            try:
                completion = await self._wait(place, flight, request)
            except ModelTimeoutError:
                if is_first or not flight.task.done() or flight.task.cancelled():
                    raise
                continue  # its starter had less time than we have
            if flight.is_paid:
                return _again(completion)
            flight.is_paid = True
            return completion

    async def _wait(
        self, place: tuple[asyncio.AbstractEventLoop, str], flight: _Flight, request: CompletionRequest
    ) -> Completion:
        flight.waiting += 1
        limit = asyncio.timeout(request.timeout_s)
        try:
            async with limit:
                return await asyncio.shield(flight.task)
        except TimeoutError:
            if not limit.expired():
                raise
            raise self.too_late(request) from None
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                self._flights.pop(place, None)
                flight.task.cancel()
                await asyncio.wait({flight.task}, timeout=_CLOSE_S)

    async def _call(self, place: tuple[asyncio.AbstractEventLoop, str], request: CompletionRequest) -> Completion:
        """Make the call; its waiters own it."""
        try:
            completion = await self.inside.complete(request)
            self._cache.put(place[1], completion)
            return completion
        finally:
            flight = self._flights.get(place)
            if flight is not None and flight.task is asyncio.current_task():
                del self._flights[place]
