"""`jido worker`: its options."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from jido_ai.cli.commands.options import new_app

app = new_app()


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
    from jido_ai.cli.worker import WorkerOptions, work  # noqa: PLC0415 - each command loads what it needs

    work(WorkerOptions(store, queue, concurrency, per_tenant, drain, dead_after, share_limits), sys.stderr)
