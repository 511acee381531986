"""Served pipelines and graphs: those of a settings file or of a program, running while they are offered by name."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final, cast

from jido_ai.argument_hints import nearest
from jido_ai.errors import ConfigurationError, describe
from jido_ai.graph.file_keys import node_keys
from jido_ai.graph.file_parts import FileParts
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import LoopNode
from jido_ai.graph.step_calls import components_of
from jido_ai.graph.toml_file import read_loop
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.wrappers.ledger import CostLedger, persistent_ledger
from jido_ai.protocols import AnyModel
from jido_ai.runs.call_log import RecordCalls
from jido_ai.telemetry import Sink

Served = Pipeline | Graph


def checked_served(things: object) -> dict[str, Served]:
    """Return pipelines and graphs by name. Raises `ConfigurationError` if one is neither, or no name."""
    if not isinstance(things, Mapping):
        raise ConfigurationError(f"things must be a mapping of names to pipelines and graphs, got {describe(things)}")
    found = cast("Mapping[object, object]", things)
    for name, one in found.items():
        if not isinstance(name, str) or not 1 <= len(name) <= 255 or not name.isprintable():
            raise ConfigurationError(f"a name must be a printable text of 1 to 255 characters, got {describe(name)}")
        if not isinstance(one, Pipeline | Graph):
            raise ConfigurationError(f"{name} must be a Pipeline or a Graph, got {describe(one)}")
    return dict(cast("Mapping[str, Served]", found))


def memory_named(memory: object) -> ReflexionMemory:
    """Return the memory of a server: one in this process for None. Raises `ConfigurationError` if it is none."""
    if isinstance(memory, ReflexionMemory):
        return memory
    if memory is not None and not isinstance(memory, str | Path):
        raise ConfigurationError(f"memory must be None, a path or a ReflexionMemory, got {describe(memory)}")
    return ReflexionMemory(None if memory is None else str(memory), similarity="auto")


@asynccontextmanager
async def keep_running(
    served: Mapping[str, Served],
    memory: ReflexionMemory,
    *,
    monthly_usd: float | None,
    others: Mapping[str, tuple[object, ...]] | None = None,
    sink: Sink | None = None,
) -> AsyncGenerator[CostLedger]:
    """Keep a memory, pipelines and graphs running inside of the `async with` block.

    One that runs already is used as it is and stays open. One without a memory gets this one. Costs are kept in the
    memory until all are left. Yields the ledger.

    Args:
        monthly_usd: limit for the calls of any 30 days; None is no limit.
        others: parts that also call models, by name.
    """
    async with AsyncExitStack() as stack:
        if not memory.is_open:
            await stack.enter_async_context(memory)
        costs = await stack.enter_async_context(AsyncExitStack())
        for one in served.values():
            if one.running_in is None:
                if one.memory is None:
                    one.use_memory(memory)
                await stack.enter_async_context(one)
        parts = {name: one.uses() for name, one in served.items()} | dict(others or {})
        yield await costs.enter_async_context(persistent_ledger(parts, memory, monthly_usd=monthly_usd, sink=sink))


_OF_A_NODE: Final = frozenset(
    {"loop", "initial", "task_type", "after", "retries", "fallback", "max_field_chars", "restart", "max_restarts"}
    | {"max_seconds"}
)
_OF_A_GRAPH: Final = ("file",)


def read_served(
    path: Path,
    pipelines: object,
    graphs: object,
    *,
    model: object = None,
    record_calls: RecordCalls = "redacted",
    learning: Mapping[str, Any] | None = None,
) -> dict[str, Served]:
    """Return the pipelines and graphs of the tables `pipelines` and `graphs` of a settings file, by name.

    Args:
        path: of the file; the names of files begin in its folder.
        model: a model, or the name of one, for tables that name none.
        record_calls: see `Pipeline`.
        learning: `learn_from`, `holdout` and their like, for loops whose tables do not say.

    Raises:
        ConfigurationError: a table is wrong; one line names the file, the table, the key and the nearest word.
    """
    served: dict[str, Served] = {}
    for name, table in _tables(path, "pipelines", pipelines).items():
        served[name] = _pipeline(path, name, {**(learning or {}), **table}, model, record_calls)
    for name, table in _tables(path, "graphs", graphs).items():
        if name in served:
            raise ConfigurationError(f"{path}: graphs.{name}: a pipeline has this name, too; use another one")
        served[name] = _graph(path, name, table, model=model, record_calls=record_calls, learning=learning)
    return served


def _tables(path: Path, what: str, value: object) -> Mapping[str, Mapping[str, Any]]:
    tables = _table(path, what, {} if value is None else value)
    return {name: _table(path, f"{what}.{name}", one) for name, one in tables.items()}


def _table(path: Path, place: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ConfigurationError(f"{path}: {place}: must be a table, got {describe(value)}")
    return cast("Mapping[str, Any]", value)


def _check_keys(path: Path, place: str, table: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in table:
        if key not in known:
            raise ConfigurationError(f"{path}: {place}.{key}: unknown key; {nearest(key, known)}")


def _pipeline(path: Path, name: str, table: Mapping[str, Any], model: object, record_calls: RecordCalls) -> Pipeline:
    place = f"pipelines.{name}"
    _check_keys(path, place, table, tuple(key for key in node_keys("loop") if key not in _OF_A_NODE))
    node: LoopNode = read_loop(path, place, {**table, "loop": "{prompt}"}, model=model)
    options: dict[str, Any] = {} if node.config is None else {"config": node.config}
    return Pipeline(
        *components_of(node),
        name=name,
        record_calls=record_calls,
        output=node.output,
        **node.learning,
        **options,
    )


def _graph(
    path: Path,
    name: str,
    table: Mapping[str, Any],
    *,
    model: object,
    record_calls: RecordCalls,
    learning: Mapping[str, Any] | None,
) -> Graph:
    place = f"graphs.{name}"
    _check_keys(path, place, table, _OF_A_GRAPH)
    try:
        file = FileParts(path.parent.resolve(), path.parent.resolve(), trust=False).path(table.get("file"))
    except ConfigurationError as error:
        raise ConfigurationError(f"{path}: {place}.file: {' '.join(str(error).split())}") from error
    model = cast("AnyModel | None", model)
    return Graph.from_toml(file, model=model, learning=learning, name=name, record_calls=record_calls)
