"""Registry: names that users write, and the address of the object behind each; loaded on first use.

Other packages register names with entry points in the groups `jido_ai.tools`, `jido_ai.stores`, `jido_ai.executors`,
`jido_ai.models`, `jido_ai.countings`, `jido_ai.embedders`, `jido_ai.steps` and `jido_ai.observers`. A built-in name
cannot be replaced.
"""

from __future__ import annotations

import importlib
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final, Literal

from jido_ai.errors import ConfigurationError, message_of

Kind = Literal["tool", "store", "executor", "model", "counting", "embedder", "step", "observer"]

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
        "default wrappers": "jido_ai.models.wrappers.with_limits:with_limits",
        "ollama": "jido_ai.models.providers.ollama:build_ollama",
        "openai": "jido_ai.models.providers.openai:build_openai",
    },
    "counting": {
        "numpy": "jido_ai.memory.index.numpy_counting:NumpyCounting",
    },
    "embedder": {
        "minilm": "jido_ai.memory.index.minilm_embedder:MiniLMEmbedder",
        "static": "jido_ai.memory.index.static_embedder:StaticEmbedder",
        "sentence-transformers": "jido_ai.memory.index.sentence_embedder:SentenceEmbedder",
    },
    "step": {},
    "observer": {"otel": "jido_ai.integrations.otel:instrument"},
}


def names(kind: Kind) -> tuple[str, ...]:
    """Return all names of that kind, sorted."""
    return tuple(sorted({*_OURS[kind], *_theirs(kind)}))


def resolve(kind: Kind, name: str) -> object:
    """Import and return the object registered as `name`.

    Raises:
        ConfigurationError: the name is not registered, or its object cannot be imported.
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
    raise ConfigurationError(f"unknown {kind} {name!r}; known: {', '.join(names(kind)) or 'none'}")


@cache
def _theirs(kind: Kind) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=f"jido_ai.{kind}s")}
