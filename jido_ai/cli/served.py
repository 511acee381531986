"""Pipelines and graphs of the nearest settings file, for `jido serve`, `jido mcp` and `jido worker`."""

from __future__ import annotations

from pathlib import Path

from jido_ai.config import Settings
from jido_ai.errors import ConfigurationError
from jido_ai.graph.served import Served, read_served
from jido_ai.loop.settings import find_settings, learning_options


def load_served(settings: Settings | None = None, *, start: Path | None = None) -> dict[str, Served]:
    """Return the pipelines and graphs of the nearest `jido.toml` or `[tool.jido]`, by name; none is entered.

    Args:
        settings: the effective ones; their model is for those that name none.
        start: where the search for the file begins; None is the working directory.

    Raises:
        ConfigurationError: the file names something that can never work; it says where.
    """
    settings = settings or Settings()
    found = find_settings(Path.cwd() if start is None else start)
    if found is None:
        return {}
    path, layer = found
    try:
        return read_served(
            path,
            layer.pipelines,
            layer.graphs,
            model=settings.model,
            record_calls=settings.record_calls,
            learning=learning_options(settings),
        )
    except ConfigurationError as error:
        if path.name != "pyproject.toml":
            raise
        raise ConfigurationError(str(error).replace(f"{path}: ", f"{path}: tool.jido.", 1)) from error
