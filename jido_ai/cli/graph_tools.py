"""The work of `jido graph`: check and draw graph files, and print their schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TextIO

from jido_ai.cli.output import write_file
from jido_ai.errors import JidoError
from jido_ai.graph.file_keys import json_schema
from jido_ai.graph.graph import Graph
from jido_ai.graph.picture import draw
from jido_ai.graph.toml_file import FileGraph, read_graph
from jido_ai.loop.settings import load_settings
from jido_ai.models.names import bare_model_named
from jido_ai.text.printable import printable
from jido_ai.text.wording import counted


def check_graph(path: Path, out: TextIO, *, trust: bool) -> int:
    """Print what the graph consists of and which models can be asked; return 1 if one cannot.

    Raises:
        ConfigurationError: the graph is wrong; one line for each fault.
    """
    graph = _graph(path, trust=trust)
    models = _file(path, trust=trust).models
    kinds: dict[str, int] = {}
    for node in graph.nodes.values():
        kinds[node.kind] = kinds.get(node.kind, 0) + 1
    shown = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    out.write(f"ok       {counted(len(graph.nodes), 'node')} ({shown}); inputs: {', '.join(graph.inputs) or 'none'}\n")
    status = 0
    for name in models:
        if name.startswith("scripted:"):
            out.write(printable(f"model    {name}: answers from the file") + "\n")
            continue
        try:
            bare_model_named(name)
        except JidoError as error:
            status = 1
            out.write(printable(f"model    {name}: cannot be asked: {error}") + "\n")
        else:
            out.write(printable(f"model    {name}: can be asked") + "\n")
    return status


def draw_graph(path: Path, form: str, target: Path | None, out: TextIO, *, trust: bool) -> None:
    """Write the picture of a graph. Raises `ConfigurationError` for an unknown form or an unwritable file."""
    picture = draw(_graph(path, trust=trust).plan, form)
    if target is None:
        out.write(picture if picture.endswith("\n") else picture + "\n")
    else:
        write_file(target, picture)


def print_schema(out: TextIO) -> None:
    """Print the JSON Schema of graph files."""
    out.write(json.dumps(json_schema(), indent=2) + "\n")


def _graph(path: Path, *, trust: bool) -> Graph:
    return Graph.from_toml(path, trust=trust, model=load_settings().model or "openai:any")


def _file(path: Path, *, trust: bool) -> FileGraph:
    return read_graph(path, lambda file: file, trust=trust, model="openai:any")
