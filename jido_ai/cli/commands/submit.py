"""`jido submit`: its options."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from jido_ai.cli.commands.options import new_app

app = new_app()


@app.command("submit")
def submit_command(  # noqa: PLR0917 - typer calls it by keyword
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Pipeline or graph of the workers.", show_default=False)
    ] = None,
    prompt: Annotated[str | None, typer.Argument(metavar="PROMPT", show_default=False)] = None,
    store: Annotated[str, typer.Option(metavar="S", help="The workers' store.")] = "",
    queue: Annotated[str, typer.Option(metavar="Q", help="The workers' queue.")] = "",
    run_id: Annotated[
        str | None, typer.Option(metavar="ID", help="Id of the run; submitted twice under the same id, it starts once.")
    ] = None,
    wait: Annotated[
        float | None, typer.Option(metavar="S", min=0.0, max=604_800.0, help="Seconds to wait for the result.")
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", "-i", metavar="NAME=TEXT|NAME=@FILE", help="Input of a graph.", show_default=False),
    ] = None,
    tenant: Annotated[
        str, typer.Option(metavar="TENANT/PROJECT", help="Scope that the run belongs to.")
    ] = "default/default",
    priority: Annotated[int | None, typer.Option(metavar="N", min=1, max=2**31 - 1, help="1 comes first.")] = None,
    decide: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NODE=]yes|no|@FILE",
            help="Your decision on the suspended run --run-id, which then continues.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Queue a run for `jido worker`, and print its id or, with --wait, its result.

    Exit status: 0 it was submitted, or accepted within --wait, 1 its result was not accepted, or it is still running, 2
    refused.
    """
    from jido_ai.cli.submit import SubmitOptions, submit  # noqa: PLC0415 - each command loads what it needs

    options = SubmitOptions(store, queue, name, prompt, inputs or (), run_id, wait, tenant, priority, decide or ())
    raise typer.Exit(submit(options, sys.stdout, sys.stderr))
