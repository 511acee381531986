"""The queues of a store at a glance, for `jido doctor`. It blocks, and makes no tables where there are none."""

# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from jido_ai.integrations.dbos_client import QueueView, view_of
from jido_ai.integrations.dbos_engine import Client, translating
from jido_ai.integrations.dbos_orders import place_of
from jido_ai.integrations.dbos_workers import WorkerTable


def queues_at(store: str) -> dict[str, QueueView]:
    """Return the state of the queues that a store has, by name; empty if it never had a worker.

    Raises:
        ConfigurationError: a store of this kind has no queues.
        StoreUnavailableError: the database cannot be reached.
    """
    place = place_of(store)
    if place.schema is None and not Path(f"{store}.queue").exists():
        return {}
    table = WorkerTable(place)
    with closing(table), translating(place):
        if not table.exists():
            return {}
        table.create()  # those that its workers' version did not have
        client = Client(place)
        try:
            names = sorted(queue.name for queue in client.list_queues())
            return {name: view_of(client, table, name) for name in names}
        finally:
            client.destroy()
