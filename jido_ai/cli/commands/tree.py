"""`jido tree`."""

from __future__ import annotations

import sys

from jido_ai.cli.commands.options import new_app

__all__ = ["app"]

app = new_app()


@app.command("tree")
def tree_command() -> None:
    """Draw the supervision tree of an example while it runs."""
    from jido_ai.cli.tree import show_example  # noqa: PLC0415 - each command loads what it needs

    show_example(sys.stdout)
