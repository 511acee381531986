"""`jido tree`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from jido_ai.cli.commands.options import new_app

app = new_app()


@app.command("tree")
def tree_command(
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="A running `jido serve`, e.g. http://127.0.0.1:8765.")
    ] = None,
    token: Annotated[
        str | None, typer.Option(metavar="TOKEN", envvar="JIDO_TOKEN", help="Token for the server, if it needs one.")
    ] = None,
) -> None:
    """Draw the supervision tree of a running server or, without --url, of an example."""
    from jido_ai.cli.tree import show_example, show_server  # noqa: PLC0415 - each command loads what it needs

    if url is not None:
        show_server(url, token, sys.stdout)
    else:
        show_example(sys.stdout)
