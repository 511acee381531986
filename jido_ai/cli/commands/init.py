"""`jido init`: its options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jido_ai.cli.commands.options import new_app

app = new_app()


@app.command("init")
def init_command(
    directory: Annotated[
        Path, typer.Argument(metavar="DIRECTORY", help="Directory of the project.", show_default=False)
    ] = Path(),
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Model that the commands use, e.g. openai:NAME. Default: none is asked."),
    ] = None,
) -> None:
    """Write a commented jido.toml, and name the next command.

    The file offers every setting with its default, commented out. An existing file is never overwritten.
    """
    from jido_ai.cli.init import init  # noqa: PLC0415 - each command loads what it needs

    init(directory, sys.stdout, model=model)
