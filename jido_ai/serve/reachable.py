"""Reachable: whether the models that are served take connections. No request is sent, so a probe costs nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Final, cast
from urllib.parse import urlsplit

from jido_ai.graph.served import Served
from jido_ai.serve.kept_look import KeptLook

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
