"""`jido graph`: its commands and options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jido_ai.cli.commands.options import new_app

app = new_app("Check and draw graphs in TOML files.", no_args_is_help=True)
GraphArgument = Annotated[Path, typer.Argument(metavar="GRAPH.toml", help="The graph.")]
TrustOption = Annotated[bool, typer.Option("--trust", help="Let the file name Python functions, which are imported.")]


@app.command("check")
def check_command(graph: GraphArgument, trust: TrustOption = False) -> None:
    """Find every mistake without calling a model, and list the models that are available."""
    from jido_ai.cli.graph_tools import check_graph  # noqa: PLC0415 - each command loads what it needs

    raise typer.Exit(check_graph(graph, sys.stdout, trust=trust))


@app.command("draw")
def draw_command(
    graph: GraphArgument,
    form: Annotated[str, typer.Option("--as", metavar="text|mermaid|svg", help="Format of the picture.")] = "text",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the picture to a file.")] = None,
    trust: TrustOption = False,
) -> None:
    """Draw a graph."""
    from jido_ai.cli.graph_tools import draw_graph  # noqa: PLC0415 - each command loads what it needs

    draw_graph(graph, form, out, sys.stdout, trust=trust)


@app.command("schema")
def schema_command() -> None:
    """Print the JSON Schema of graph files, for editors."""
    from jido_ai.cli.graph_tools import print_schema  # noqa: PLC0415 - each command loads what it needs

    print_schema(sys.stdout)
