"""Breakers and rate limits of providers that workers share: the table `jido_limit`, one row for each place.

A row has a version. A worker writes only if the version is the one that it read; otherwise it reads again. What workers
can see of a place is its provider; its address is hashed, since it may contain a password.
"""

# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

import sqlalchemy as sa

from jido_ai.errors import StoreDamagedError, StoreUnavailableError
from jido_ai.integrations.dbos_orders import QueueAddress
from jido_ai.integrations.dbos_workers import Tables
from jido_ai.models.limits import Change, PlaceState

T = TypeVar("T")
_TRIES: Final = 200
_PAUSE_S: Final = 0.01


class TableLimits:
    """Keeps the states of places for all workers of a store. See `SharedLimits`."""

    def __init__(self, place: QueueAddress) -> None:
        self._tables = Tables(place)
        self._limits = sa.Table(
            "jido_limit",
            self._tables.meta,
            sa.Column("place", sa.Text, primary_key=True),
            sa.Column("version", sa.BigInteger, nullable=False),
            sa.Column("state", sa.Text, nullable=False),
        )
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="jido-limits")  # one, so that changes keep their order

    def create(self) -> None:
        """Make the table if it is not there. Raises `StoreUnavailableError`."""
        self._tables.create()

    async def change(self, provider: str, base_url: str, rule: Change[T]) -> T:
        """Apply a rule to the state of a place, and keep the result."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._change, provider, base_url, rule)

    def close(self) -> None:
        """Carry out the changes under way, and close the connections."""
        self._thread.shutdown()
        self._tables.close()

    def _change(self, provider: str, base_url: str, rule: Change[T]) -> T:
        place = f"{provider} {hashlib.sha256(base_url.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
        table = self._limits.c
        query = sa.select(table.version, table.state, self._tables.now.label("now")).where(table.place == place)
        for _ in range(_TRIES):
            rows = self._tables.read(query)
            if not rows:
                empty: Any = self._tables.insert(self._limits).values(place=place, version=0, state="{}")
                self._tables.run(empty.on_conflict_do_nothing())
                continue
            version, text, now = rows[0]
            before = _state_in(text, provider)
            after, told = rule(before, float(now))
            if after == before or self._wrote(place, version, after):
                return told
            time.sleep(random.uniform(0.0, _PAUSE_S))
        raise StoreUnavailableError(f"the shared limits of {provider} were changed by others {_TRIES} times in a row")

    def _wrote(self, place: str, version: int, state: PlaceState) -> bool:
        update = sa.update(self._limits).where(self._limits.c.place == place, self._limits.c.version == version)
        return bool(self._tables.run(update.values(version=version + 1, state=json.dumps(state.to_map()))))


def _state_in(text: str, provider: str) -> PlaceState:
    try:
        return PlaceState.from_map(json.loads(text))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise StoreDamagedError(f"the shared limits of {provider} cannot be read: {type(error).__name__}") from error
