"""`jido demo`: its options."""

from __future__ import annotations

import typer

from jido_ai.cli.commands.options import new_app

app = new_app()


@app.command("demo")
def demo_command() -> None:
    """Show the gate, a repair and a lesson on a small project; needs neither a key nor a network.

    Nothing is written outside of a temporary directory. Exit status: 0, although one failing test is left to you,
    or 130 interrupted.
    """
    from jido_ai.cli.demo import run_demo  # noqa: PLC0415 - each command loads what it needs

    raise typer.Exit(run_demo())
