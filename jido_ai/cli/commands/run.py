"""`jido run`: its options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jido_ai.cli.commands.options import JsonOption, MemoryOption, new_app

app = new_app()


@app.command("run")
def run_command(  # noqa: PLR0917 - typer reads options from parameters
    graph: Annotated[Path, typer.Argument(metavar="GRAPH.toml", help="The graph to run.")],
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", "-i", metavar="NAME=TEXT|NAME=@FILE", help="Input of the graph.", show_default=False),
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="Model for nodes that name none, e.g. openai:NAME.")
    ] = None,
    memory: MemoryOption = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the output to a file.")] = None,
    as_json: JsonOption = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="Let the file name Python functions. They run with your rights.")
    ] = False,
    resume: Annotated[str | None, typer.Option(metavar="RUN", help="Continue an interrupted or waiting run.")] = None,
    decide: Annotated[
        list[str] | None,
        typer.Option(
            metavar="yes|no|@FILE",
            help="Decision for the waiting node; NODE=... for several.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Run a graph of critique-revise loops and steps.

    Only the output goes to standard output. Exit status: 0 completed and judged good enough, 1 something is left, 2
    wrong usage, 130 interrupted.
    """
    from jido_ai.cli.graph_run import RunOptions, run_graph  # noqa: PLC0415 - each command loads what it needs

    options = RunOptions(
        path=graph,
        inputs=inputs or (),
        model=model,
        memory=memory,
        out=out,
        as_json=as_json,
        trust=trust,
        resume=resume,
        decide=decide or (),
    )
    raise typer.Exit(run_graph(options, sys.stdout, sys.stderr))
