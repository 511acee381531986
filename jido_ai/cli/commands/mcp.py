"""`jido mcp`: its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from jido_ai.cli.commands.options import MemoryOption, new_app

_HELP: Final = """Serve MCP clients over standard input and output.

The client starts this command itself: name it in the client's settings. It offers the pipelines and graphs that the
nearest jido.toml names in [pipelines.NAME] and [graphs.NAME], the lessons of the memory, and check_patch, which
checks a patch of the project in its directory without changing a file.
"""
app = new_app()
ModelOption = Annotated[
    str | None, typer.Option("--model", metavar="NAME", help="Model for pipelines and graphs that name none.")
]
DirectoryOption = Annotated[
    Path | None,
    typer.Option(
        metavar="PATH",
        exists=True,
        file_okay=False,
        help="Directory to work in, whose settings apply. Default: where the client starts the command.",
    ),
]
TestsOption = Annotated[
    Path | None, typer.Option("--tests", metavar="PATH", help="Tests that check_patch runs, in the sandbox.")
]


@app.command("mcp", help=_HELP)
def mcp_command(
    memory: MemoryOption = None, model: ModelOption = None, directory: DirectoryOption = None, tests: TestsOption = None
) -> None:
    """Serve MCP clients over standard input and output."""
    from jido_ai.cli.mcp import serve  # noqa: PLC0415 - each command loads what it needs

    serve(memory, model, directory, tests)
