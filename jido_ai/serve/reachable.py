"""Reachable: whether the models that are served take connections. No request is sent, so a probe costs nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final, Generic, TypeVar, cast
from urllib.parse import urlsplit

from jido_ai.graph.served import Served

T = TypeVar("T")


class KeptLook(Generic[T]):
    """Looks at most every `kept_s` seconds.

    Args:
        look: looks anew.
    """

    def __init__(self, look: Callable[[], Coroutine[Any, Any, T]], kept_s: float) -> None:
        self._look = look
        self._kept_s = kept_s
        self._looking: asyncio.Task[T] | None = None
        self._seen_at = 0.0

    async def get(self) -> T:
        """Return the findings, which may be some seconds old. Raises the error of the look."""
        if self._looking is None or (self._looking.done() and time.monotonic() - self._seen_at > self._kept_s):
            self._looking = asyncio.create_task(self._timed())
        return await asyncio.shield(self._looking)

    async def close(self) -> None:
        """End a look under way."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait({self._looking})

    async def _timed(self) -> T:
        try:
            return await self._look()
        finally:
            self._seen_at = time.monotonic()


_KEPT_S: Final = 1.0
_CONNECT_S: Final = 1.5
_PORTS: Final = {"http": 80, "https": 443}

Address = tuple[str, int]


class ReachableModels:
    """Looks at the models that pipelines and graphs use; an answer is kept for a second.

    A model without an address (one in this process, or of a framework) counts as reachable.
    """

    def __init__(self, served: Iterable[Served]) -> None:
        self._served = tuple(served)
        self._kept = KeptLook(self._look, _KEPT_S)
        self.close = self._kept.close

    async def look(self) -> dict[str, bool]:
        """Return, for the name of each model, whether its address takes connections."""
        return await self._kept.get()

    async def _look(self) -> dict[str, bool]:
        models = addresses(part for one in self._served for part in one.uses())
        asked = sorted(set(models.values()))
        answers = dict(zip(asked, await asyncio.gather(*map(_connects, asked)), strict=True))
        found: dict[str, bool] = {}
        for (name, _), address in models.items():
            found[name] = answers[address] and found.get(name, True)
        return found


def addresses(parts: Iterable[object]) -> dict[tuple[str, str], Address]:
    """Return host and port of each model with a valid address, by its name and address."""
    found: dict[tuple[str, str], Address] = {}
    for part in parts:
        base_url: object = getattr(part, "base_url", None)
        if not (isinstance(base_url, str) and callable(getattr(part, "complete", None))):
            continue
        try:
            url = urlsplit(base_url)
            port = url.port or _PORTS.get(url.scheme)
        except ValueError:  # the model's own affair: its calls fail and say why
            continue
        if url.hostname and port:
            name = cast("object", getattr(part, "model", None) or type(part).__name__)
            found[str(name), base_url] = (url.hostname, port)
    return found


async def _connects(address: Address) -> bool:
    try:
        async with asyncio.timeout(_CONNECT_S):
            _, writer = await asyncio.open_connection(*address)
    except (OSError, TimeoutError, ValueError):  # ValueError: a host that is no name
        return False
    writer.close()
    return True
