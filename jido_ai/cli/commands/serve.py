"""`jido serve`: its options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jido_ai.cli.commands.options import new_app

app = new_app()


@app.command("serve")
def serve_command(  # noqa: PLR0917 - typer calls it by keyword
    host: Annotated[
        str, typer.Option(metavar="H", help="Address to listen on; --tokens is needed if other machines can reach it.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="P", min=0, max=65535, help="Port; 0 picks a free one.")] = 8765,
    memory: Annotated[
        str | None, typer.Option(metavar="M", help="File or address that keeps runs and lessons.")
    ] = None,
    tokens: Annotated[Path | None, typer.Option(metavar="FILE", help="Tokens of `jido token new`.")] = None,
    drain: Annotated[
        float,
        typer.Option(
            metavar="S", min=0.0, max=86_400.0, help="Seconds to let runs in flight finish when the server stops."
        ),
    ] = 30.0,
    max_runs: Annotated[int, typer.Option(metavar="N", min=1, help="Maximum runs in flight.")] = 64,
    max_queue: Annotated[
        int, typer.Option(metavar="N", min=0, help="Maximum accepted runs that wait for their turn.")
    ] = 1_000,
) -> None:
    """Serve pipelines and graphs over HTTP, with a page that shows the runs.

    It serves those that the nearest jido.toml names in [pipelines.NAME] and [graphs.NAME].
    """
    from jido_ai.cli.serve import ServeOptions, serve_nearest  # noqa: PLC0415 - each command loads what it needs

    serve_nearest(ServeOptions(host, port, memory, tokens, drain, max_runs, max_queue), sys.stdout)
