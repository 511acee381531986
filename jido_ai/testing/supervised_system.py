"""supervised(): a system for one test, whose supervisor runs the given children."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.restart import Strategy
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.telemetry import Sink

__all__ = ["supervised"]


@asynccontextmanager
async def supervised(
    *children: ChildSpec,
    strategy: Strategy = "one_for_one",
    max_restarts: int = 3,
    max_seconds: float = 5.0,
    sink: Sink | None = None,
) -> AsyncGenerator[ActorSystem]:
    """Yield a system whose supervisor, registered as "supervisor", runs `children`; leaving it stops everything.

    A child without a name is registered under its id, so that `system.whereis(id)` finds it.

    Args:
        strategy, max_restarts, max_seconds: of the supervisor.
        sink: receives the events; for example `events.append` of a list.
    """
    named = [replace(child, name=child.name or child.id) for child in children]
    async with ActorSystem("test", sink=sink) as system:
        await system.spawn(
            Supervisor,
            named,
            name="supervisor",
            strategy=strategy,
            max_restarts=max_restarts,
            max_seconds=max_seconds,
        )
        yield system
