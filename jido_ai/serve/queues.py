"""Queues of `jido worker`s that are beside the server's memory."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from jido_ai.serve.kept_look import KeptLook

_KEPT_S: Final = 2.0


class Queues:
    """The runs in the queues, their workers and hand-overs; read at most every two seconds.

    Args:
        store: address of the memory; None has no queues.
    """

    def __init__(self, store: str | None) -> None:
        self._store = store
        self._kept = KeptLook(self._look, _KEPT_S)
        self.close = self._kept.close

    async def look(self) -> list[dict[str, Any]]:
        """Return the queues; none if no worker ever had this store, or DBOS is not installed.

        Raises:
            StoreUnavailableError: the database cannot be reached.
        """
        return await self._kept.get() if self._may_have_some() else []

    def _may_have_some(self) -> bool:
        store = self._store
        if store is None or find_spec("dbos") is None:
            return False
        return store.startswith(("postgresql://", "postgres://")) or Path(f"{store}.queue").exists()

    async def _look(self) -> list[dict[str, Any]]:
        from jido_ai.integrations.dbos_overview import queues_at  # noqa: PLC0415 - an extra

        assert self._store is not None
        found: dict[str, Any] = await asyncio.to_thread(queues_at, self._store)
        return [_queue(name, view) for name, view in found.items()]


def _queue(name: str, view: Any) -> dict[str, Any]:
    return {
        "name": name,
        "waiting": view.waiting,
        "running": view.running,
        "workers": [
            {
                "id": one.id,
                "status": "gone" if one.is_gone else "silent" if one.is_silent else "running",
                "running": one.running,
                "concurrency": one.concurrency,
                "release": one.release,
                "names": list(one.names),
                "silent_s": round(one.silent_s, 1),
            }
            for one in view.workers
        ],
        "handovers": [
            {"run_id": one.run_id, "from": one.from_worker, "by": one.by_worker, "seconds_ago": round(one.seconds_ago)}
            for one in view.handovers
        ],
        "given_up": [
            {"run_id": one.run_id, "attempts": one.attempts, "seconds_ago": round(one.seconds_ago)}
            for one in view.given_up
        ],
    }
