"""Served pipelines and graphs: checked, and running while they are offered by name."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import cast

from jido_ai.errors import ConfigurationError, describe
from jido_ai.graph.graph import Graph
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.wrappers.ledger import CostLedger, persistent_ledger
from jido_ai.telemetry import Sink

Served = Pipeline | Graph


def checked_served(things: object) -> dict[str, Served]:
    """Return pipelines and graphs by name. Raises `ConfigurationError` if one is neither, or no name."""
    if not isinstance(things, Mapping):
        raise ConfigurationError(f"things must be a mapping of names to pipelines and graphs, got {describe(things)}")
    found = cast("Mapping[object, object]", things)
    for name, one in found.items():
        if not isinstance(name, str) or not 1 <= len(name) <= 255 or not name.isprintable():
            raise ConfigurationError(f"a name must be a printable text of 1 to 255 characters, got {describe(name)}")
        if not isinstance(one, Pipeline | Graph):
            raise ConfigurationError(f"{name} must be a Pipeline or a Graph, got {describe(one)}")
    return dict(cast("Mapping[str, Served]", found))


def memory_named(memory: object) -> ReflexionMemory:
    """Return the memory of a server: one in this process for None. Raises `ConfigurationError` if it is none."""
    if isinstance(memory, ReflexionMemory):
        return memory
    if memory is not None and not isinstance(memory, str | Path):
        raise ConfigurationError(f"memory must be None, a path or a ReflexionMemory, got {describe(memory)}")
    return ReflexionMemory(None if memory is None else str(memory), similarity="auto")


@asynccontextmanager
async def keep_running(
    served: Mapping[str, Served],
    memory: ReflexionMemory,
    *,
    monthly_usd: float | None,
    others: Mapping[str, tuple[object, ...]] | None = None,
    sink: Sink | None = None,
) -> AsyncGenerator[CostLedger]:
    """Keep a memory, pipelines and graphs running inside of the `async with` block.

    One that runs already is used as it is and stays open. One without a memory gets this one. Costs are kept in the
    memory until all are left. Yields the ledger.

    Args:
        monthly_usd: limit for the calls of any 30 days; None is no limit.
        others: parts that also call models, by name.
    """
    async with AsyncExitStack() as stack:
        if not memory.is_open:
            await stack.enter_async_context(memory)
        costs = await stack.enter_async_context(AsyncExitStack())
        for one in served.values():
            if one.running_in is None:
                if one.memory is None:
                    one.use_memory(memory)
                await stack.enter_async_context(one)
        parts = {name: one.uses() for name, one in served.items()} | dict(others or {})
        yield await costs.enter_async_context(persistent_ledger(parts, memory, monthly_usd=monthly_usd, sink=sink))
