"""`jido prompts`: its options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jido_ai.cli.commands.options import new_app

app = new_app("Show the prompts sent to models, and export them for editing.")


@app.command("show")
def show_command(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Name of a prompt. Default: list all.")] = None,
) -> None:
    """Show a prompt as it is sent: the system message, a line ---, and the request with its fields.

    The prompt is the one in use: from the directory in the settings ([prompts] dir = "..."), or the built-in one.
    """
    from jido_ai.cli.prompts import show_prompts  # noqa: PLC0415 - each command loads what it needs

    show_prompts(name, sys.stdout)


@app.command("export")
def export_command(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Directory to write the prompts to.")],
) -> None:
    """Write the built-in prompts to DIR, a file each, to be changed. Files that are there are left as they are."""
    from jido_ai.cli.prompts import export_prompts  # noqa: PLC0415 - each command loads what it needs

    export_prompts(directory, sys.stdout)
