"""Names a user may write, and where the object behind each is; loaded when asked for, never imported.

Other packages add theirs by entry points in the groups `jido_ai.tools`, `jido_ai.stores`, `jido_ai.executors`,
`jido_ai.models`, `jido_ai.countings` and `jido_ai.embedders`, under the name a user will write. A name of ours cannot
be taken over.
"""

from __future__ import annotations

import importlib
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final, Literal

from jido_ai.errors import ConfigurationError, message_of

__all__ = ["Kind", "names", "resolve"]

Kind = Literal["tool", "store", "executor", "model", "counting", "embedder"]

_OURS: Final[dict[Kind, dict[str, str]]] = {
    "tool": {
        "bandit": "jido_ai.tools.ready:BANDIT",
        "compile": "jido_ai.tools.ready:COMPILE",
        "doctest": "jido_ai.tools.ready:DOCTEST",
        "mypy": "jido_ai.tools.ready:MYPY",
        "pyright": "jido_ai.tools.ready:PYRIGHT",
        "pytest": "jido_ai.tools.ready:PYTEST",
        "ruff": "jido_ai.tools.ready:RUFF",
        "ruff-format": "jido_ai.tools.ready:RUFF_FORMAT",
        "unittest": "jido_ai.tools.ready:UNITTEST",
    },
    "store": {
        "memory": "jido_ai.memory.stores.in_process:InProcessStore",
        "postgres": "jido_ai.memory.stores.postgres.store:PostgresStore",
        "postgresql": "jido_ai.memory.stores.postgres.store:PostgresStore",
        "sqlite": "jido_ai.memory.stores.sqlite.store:SQLiteStore",
    },
    "executor": {
        "process": "jido_ai.tools.sandbox.executor:ProcessExecutor",
        "sandbox": "jido_ai.tools.sandbox.executor:SandboxExecutor",
    },
    "model": {
        "anthropic": "jido_ai.models.providers.anthropic:build_anthropic",
        "compatible": "jido_ai.models.providers.openai:build_compatible",
        "default wrappers": "jido_ai.models.wrappers.wrapped:wrapped",
        "ollama": "jido_ai.models.providers.ollama:build_ollama",
        "openai": "jido_ai.models.providers.openai:build_openai",
    },
    "counting": {
        "numpy": "jido_ai.memory.index.numpy_counting:NumpyCounting",
    },
    "embedder": {
        "sentence-transformers": "jido_ai.memory.index.sentence_embedder:SentenceEmbedder",
    },
}


def names(kind: Kind) -> tuple[str, ...]:
    """Return every name of that kind that can be resolved, sorted."""
    return tuple(sorted({*_OURS[kind], *_theirs(kind)}))


def resolve(kind: Kind, name: str) -> object:
    """Import and return what `name` stands for.

    Raises:
        ConfigurationError: nobody registered the name, or what is registered cannot be imported.
    """
    address = _OURS[kind].get(name)
    try:
        if address is not None:
            module, _, attribute = address.partition(":")
            return getattr(importlib.import_module(module), attribute)
        if name in _theirs(kind):
            return _theirs(kind)[name].load()
    except (ImportError, AttributeError) as error:
        raise ConfigurationError(
            f"the {kind} {name!r} is registered but cannot be loaded: {message_of(error)}"
        ) from error
    raise ConfigurationError(f"unknown {kind} {name!r}; known are: {', '.join(names(kind)) or 'none'}")


@cache
def _theirs(kind: Kind) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=f"jido_ai.{kind}s")}
