"""What `jido serve` and `jido mcp` serve: the pipelines and graphs of the nearest settings file."""

from __future__ import annotations

from pathlib import Path

from jido_ai.errors import ConfigurationError
from jido_ai.graph.graph import Graph
from jido_ai.graph.things_file import read_things
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.settings import find_settings

__all__ = ["load_things"]


def load_things(*, model: str | None = None, start: Path | None = None) -> dict[str, Pipeline | Graph]:
    """Return the pipelines and graphs of the nearest `jido.toml` or `[tool.jido]`, by name; none is entered.

    Args:
        model: for what names none.
        start: where the search for the file begins; None is the working directory.

    Raises:
        ConfigurationError: the file names something that can never work; it says where.
    """
    found = find_settings(Path.cwd() if start is None else start)
    if found is None:
        return {}
    path, layer = found
    if path.name == "pyproject.toml":
        try:
            return read_things(path, layer.pipelines, layer.graphs, model=model)
        except ConfigurationError as error:
            raise ConfigurationError(str(error).replace(f"{path}: ", f"{path}: tool.jido.", 1)) from error
    return read_things(path, layer.pipelines, layer.graphs, model=model)
