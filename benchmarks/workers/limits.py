"""What shared limits add to a model call, in PostgreSQL on this machine; no anchor.

    python benchmarks/workers/limits.py --calls 500 --rounds 5

"closed" is a provider without trouble, "rate" one with a limit per minute that is far away. Milliseconds of waiting and
of CPU a call, one call at a time; medians of the rounds, least and most.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from contextlib import nullcontext

from processes import cluster

from jido_ai.integrations.dbos_engine import migrated
from jido_ai.integrations.dbos_orders import place_of
from jido_ai.integrations.dbos_workers import TableLimits
from jido_ai.models.guard import Guard, GuardLimits
from jido_ai.models.wrappers.guarded import GuardedModel
from jido_ai.testing import ScriptedModel
from jido_ai.values import CompletionRequest, Message

REQUEST = CompletionRequest((Message("user", "hello"),))


async def cost(limits: TableLimits | None, rules: GuardLimits, calls: int) -> tuple[float, float]:
    """Return milliseconds of waiting and of CPU a call."""
    guard = Guard()
    model = GuardedModel(ScriptedModel(lambda _: "ok", provider="p", model="m"), guard, rules)
    async with nullcontext() if limits is None else guard.sharing(limits):
        began, spent = time.perf_counter(), time.process_time()
        for _ in range(calls):
            await model.complete(REQUEST)
    return (time.perf_counter() - began) / calls * 1e3, (time.process_time() - spent) / calls * 1e3


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    with cluster() as server:
        place = place_of(server.address("limits"))
        migrated(place)
        limits = TableLimits(place)
        limits.create()
        for name, rules in (("closed", GuardLimits()), ("rate", GuardLimits(requests_per_minute=10_000_000))):
            rounds = [
                [await cost(shared, rules, args.calls) for shared in (None, limits)] for _ in range(args.rounds)
            ]  # alternating
            for what, index in (("waiting", 0), ("CPU", 1)):
                added = [shared[index] - alone[index] for alone, shared in rounds]
                print(f"{name}: {what} {statistics.median(added):.2f} ms more ({min(added):.2f} to {max(added):.2f})")
        limits.close()


asyncio.run(main())
