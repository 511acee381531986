"""Lookup: tools and executors by name, and the checked path of a file in a project."""

from __future__ import annotations

from pathlib import Path

from jido_ai.errors import ConfigurationError, describe
from jido_ai.files.relative_path import relative_path
from jido_ai.protocols import ToolExecutor
from jido_ai.registry import resolve
from jido_ai.tools.tool import Tool


def tool_named(name: str) -> Tool:
    """Return the tool registered under `name`. Raises `ConfigurationError` if there is none."""
    tool = resolve("tool", name)
    if not isinstance(tool, Tool):
        raise ConfigurationError(f"the object registered as tool {name!r} is not a Tool: {describe(tool)}")
    return tool


def default_executor() -> ToolExecutor:
    """Return a new executor of the kind registered as "sandbox"."""
    executor = resolve("executor", "sandbox")
    made = executor() if callable(executor) else executor
    if not isinstance(made, ToolExecutor):
        raise ConfigurationError(f'the object registered as executor "sandbox" is not a ToolExecutor: {describe(made)}')
    return made


def project_path(root: Path | str | None, replaces: str | None) -> tuple[Path | None, str | None]:
    """Return both, checked: `root` is a directory; `replaces` is below it and does not go through a link.

    Raises:
        ConfigurationError: one of these conditions does not hold.
    """
    directory = None if root is None else Path(root)
    if directory is not None and not directory.is_dir():
        raise ConfigurationError(f"root must be a directory, got {str(root)!r}")
    if replaces is not None:
        relative_path(replaces)
        steps = replaces.split("/")
        places = [directory.joinpath(*steps[: depth + 1]) for depth in range(len(steps))] if directory else []
        if any(place.is_symlink() for place in places):
            raise ConfigurationError(f"replaces must not go through a link, got {replaces!r} in {str(root)!r}")
    return directory, replaces
