"""`jido worker`."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from typing import Annotated

import typer

from jido_ai.cli.commands.options import new_app
from jido_ai.errors import ConfigurationError
from jido_ai.extras import needs_extra
from jido_ai.telemetry import TelemetryEvent
from jido_ai.text.redaction import redact
from jido_ai.text.wording import counted

app = new_app()
_TOLD = {
    "worker.handed_over": "took over {runs} of worker {worker}, which is gone",
    "worker.gave_up": "gave up run {run_id} of {name}: {attempts} workers ended while carrying it out",
    "worker.store_failed": "the store is unavailable ({error}); run {run_id} continues when it is back",
    "worker.watchdog_failed": "the store is unavailable ({error})",
}


@app.command("worker")
def worker_command(  # noqa: PLR0917 - typer calls it by keyword
    store: Annotated[str, typer.Option(metavar="S", help="postgresql://..., or a file for workers of one machine.")],
    queue: Annotated[str, typer.Option(metavar="Q", help="Queue to take runs from.")],
    concurrency: Annotated[
        int, typer.Option(metavar="N", min=1, help="Maximum runs at the same time on each worker.")
    ] = 4,
    per_tenant: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Maximum runs of one tenant at the same time, on all workers together."),
    ] = None,
    drain: Annotated[
        float,
        typer.Option(
            metavar="S", min=0.0, max=86_400.0, help="Seconds to let runs in flight finish when the worker stops."
        ),
    ] = 30.0,
    dead_after: Annotated[
        float,
        typer.Option(
            metavar="S", min=0.5, max=3_600.0, help="Seconds of silence after which others take over its runs."
        ),
    ] = 10.0,
    share_limits: Annotated[
        bool, typer.Option("--share-limits", help="Share circuit breakers and per-minute limits with all workers.")
    ] = False,
) -> None:
    """Carry out runs that `jido submit` puts into a queue.

    It runs the pipelines and graphs that the nearest jido.toml names in [pipelines.NAME] and [graphs.NAME]. SIGTERM and
    ^C drain the worker: it takes no more runs, and those that do not end in time continue on another worker.
    """
    from jido_ai.cli.served import load_served  # noqa: PLC0415 - each command loads what it needs
    from jido_ai.loop.settings import load_settings  # noqa: PLC0415

    settings = load_settings()
    served = load_served(settings)
    if not served:
        raise ConfigurationError("nothing to carry out: add [pipelines.NAME] or [graphs.NAME] to a jido.toml")
    with needs_extra("dbos"):
        from jido_ai.integrations.dbos import worker  # noqa: PLC0415 - an extra

    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="jido worker: %(message)s")

    def say(line: str) -> None:
        sys.stderr.write(f"jido worker: {line}\n")
        sys.stderr.flush()

    def tell(event: TelemetryEvent) -> None:
        words = _TOLD.get(event.name)
        if words is not None:
            say(words.format_map(event.data))

    async def until_signal() -> None:
        loop = asyncio.get_running_loop()
        async with worker(
            served,
            store=store,
            queue=queue,
            concurrency=concurrency,
            per_tenant=per_tenant,
            drain_s=drain,
            dead_after_s=dead_after,
            share_limits=share_limits,
            monthly_usd=settings.monthly_budget_usd,
            sink=tell,
        ) as taking:

            def end() -> None:
                for number in (signal.SIGTERM, signal.SIGINT):
                    loop.add_signal_handler(number, os._exit, 130)  # the journal has the rest
                flights = counted(len(taking.in_flight), "run")
                say(f"draining: {flights} in flight, {drain:g} s; interrupt again to end at once")
                taking.stop()

            for number in (signal.SIGTERM, signal.SIGINT):
                loop.add_signal_handler(number, end)
            say(f"{taking.id} takes runs of queue {queue} ({', '.join(served)}) in {redact(store)}")
            await taking.wait()
        say("ended")

    asyncio.run(until_signal())
