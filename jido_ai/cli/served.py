"""Pipelines and graphs of the nearest settings file, for `jido serve`, `jido mcp` and `jido worker`."""

from __future__ import annotations

from pathlib import Path

from jido_ai.errors import ConfigurationError
from jido_ai.graph.served import Served
from jido_ai.graph.served_file import read_served
from jido_ai.loop.settings import find_settings
from jido_ai.runs.call_log import RecordCalls


def load_served(
    *, model: str | None = None, start: Path | None = None, record_calls: RecordCalls = "redacted"
) -> dict[str, Served]:
    """Return the pipelines and graphs of the nearest `jido.toml` or `[tool.jido]`, by name; none is entered.

    Args:
        model: for those that name none.
        record_calls: see `Pipeline`.
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
            return read_served(path, layer.pipelines, layer.graphs, model=model, record_calls=record_calls)
        except ConfigurationError as error:
            raise ConfigurationError(str(error).replace(f"{path}: ", f"{path}: tool.jido.", 1)) from error
    return read_served(path, layer.pipelines, layer.graphs, model=model, record_calls=record_calls)
