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
        "bandit": "jido_ai.components.tools:BANDIT",
        "compile": "jido_ai.components.tools:COMPILE",
        "doctest": "jido_ai.components.tools:DOCTEST",
        "mypy": "jido_ai.components.tools:MYPY",
        "pyright": "jido_ai.components.tools:PYRIGHT",
        "pytest": "jido_ai.components.tools:PYTEST",
        "ruff": "jido_ai.components.tools:RUFF",
        "ruff-format": "jido_ai.components.tools:RUFF_FORMAT",
        "unittest": "jido_ai.components.tools:UNITTEST",
    },
    "store": {
        "memory": "jido_ai.adapters.storage_memory:InProcessStore",
        "postgres": "jido_ai.adapters.storage_postgres:PostgresStore",
        "postgresql": "jido_ai.adapters.storage_postgres:PostgresStore",
        "sqlite": "jido_ai.adapters.storage_sqlite:SQLiteStore",
    },
    "executor": {
        "process": "jido_ai.adapters.sandbox:ProcessExecutor",
        "sandbox": "jido_ai.adapters.sandbox:SandboxExecutor",
    },
    "model": {
        "anthropic": "jido_ai.adapters.llm_anthropic:build_anthropic",
        "compatible": "jido_ai.adapters.llm_openai:build_compatible",
        "default wrappers": "jido_ai.adapters.llm_wrappers:wrapped",
        "ollama": "jido_ai.adapters.llm_ollama:build_ollama",
        "openai": "jido_ai.adapters.llm_openai:build_openai",
    },
    "counting": {
        "numpy": "jido_ai.adapters.index_numpy:NumpyCounting",
    },
    "embedder": {
        "sentence-transformers": "jido_ai.adapters.embedding_sentence:SentenceEmbedder",
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
