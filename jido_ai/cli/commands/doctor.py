"""`jido doctor`: its options."""

from __future__ import annotations

import sys

import typer

from jido_ai.cli.commands.options import MemoryOption, new_app

app = new_app()


@app.command("doctor")
def doctor_command(memory: MemoryOption = None) -> None:
    """Check the installation: tools, sandbox, models, settings, and where data is kept.

    Exit status: 0 everything that `jido improve` needs is there, 1 something is missing.
    """
    from jido_ai.cli.doctor import doctor  # noqa: PLC0415 - each command loads what it needs

    raise typer.Exit(doctor(memory, sys.stdout))
