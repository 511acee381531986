"""`jido progress`: its options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jido_ai.cli.commands.options import JsonOption, MemoryOption, OwnScopeOption, new_app

app = new_app()


@app.command("progress")
def progress_command(
    task_type: Annotated[
        str | None, typer.Option(metavar="NAME", help='Only this task type; "" for attempts without one.')
    ] = None,
    scope: OwnScopeOption = None,
    as_json: JsonOption = False,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the picture as SVG.")] = None,
    memory: MemoryOption = None,
) -> None:
    """Plot how attempts develop by task type, and whether lessons help."""
    from jido_ai.cli.progress import show_progress_of  # noqa: PLC0415 - each command loads what it needs

    show_progress_of(memory, scope, task_type, sys.stdout, as_json=as_json, svg=svg)
