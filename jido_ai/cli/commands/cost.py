"""`jido cost`: its options."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import typer

from jido_ai.cli.commands.options import JsonOption, MemoryOption, new_app

app = new_app()


@app.command("cost")
def cost_command(
    days: Annotated[int, typer.Option(metavar="N", min=1, max=36_500, help="Number of days, today included.")] = 30,
    by: Annotated[Literal["day", "label", "model"], typer.Option(help="What each row sums up.")] = "day",
    as_json: JsonOption = False,
    memory: MemoryOption = None,
) -> None:
    """Show what model calls cost, and how much of the monthly budget is spent."""
    from jido_ai.cli.cost import show_costs_of  # noqa: PLC0415 - each command loads what it needs

    show_costs_of(memory, sys.stdout, days=days, by=by, as_json=as_json)
