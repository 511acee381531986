"""Graphs in TOML files. A file is a stranger's text: it is data, and chooses neither a host nor a path nor code.

`read_graph` turns a file into nodes; `Graph` checks them. What a file may name is next to it or registered: models by
provider, tools, rule files, scripted answers, other graphs, and steps of other packages (entry points in the group
`jido_ai.steps`). Python code needs `trust`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from jido_ai.argument_hints import nearest
from jido_ai.errors import ConfigurationError, describe
from jido_ai.files.bounded_read import read_text
from jido_ai.files.relative_path import relative_path
from jido_ai.graph.file_keys import BUDGET_KEYS, CASE_KEYS, GRAPH_KEYS, KINDS, LOOP_CONFIG, node_keys
from jido_ai.graph.file_parts import FileParts
from jido_ai.graph.nodes import (
    ApprovalNode,
    Case,
    CheckNode,
    ChoiceNode,
    GraphConfig,
    GraphNode,
    LoopNode,
    MapNode,
    Node,
    StepNode,
)
from jido_ai.loop.trusted import is_trusted
from jido_ai.values import Budget, LoopConfig

_MOST_BYTES: Final = 1 << 20
_MOST_GRAPHS: Final = 8
"""How deep graph files may name each other."""
_MOST_FILES: Final = 100
"""How many graph files one graph may consist of."""
_MOST_NODES: Final = 2_000
"""How many nodes a graph may have, those of inner graphs counted as often as they are named."""
_STEP_KEYS: Final = ("step", "uses", "prompt")


@dataclass(frozen=True, slots=True)
class FileGraph:
    """The contents of a file.

    Attributes:
        name: of the graph.
        models: the models that its nodes name, in order, each once.
        trusted: the inputs that stand in prompts as they are.
        tables: of the nodes, as they are in the file.
    """

    path: Path
    name: str
    inputs: tuple[str, ...]
    output: str
    config: GraphConfig
    nodes: Mapping[str, Node]
    models: tuple[str, ...]
    trusted: tuple[str, ...] = ()
    tables: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def told(self, fault: str) -> str:
        """Return a fault of the graph with the file's name, and with the file's own words for tables and keys."""
        place, colon, what = fault.partition(": ")
        return f"{self.path}: {self._in_the_file(place)}{colon}{what}"

    def _in_the_file(self, place: str) -> str:
        if place in ("inputs", "trusted", "output"):
            return f"graph.{place}"
        for name, table in self.tables.items():
            if place.startswith(f"nodes.{name}."):
                return f"nodes.{name}.{_key_of(place.removeprefix(f'nodes.{name}.'), table)}"
        return place


def _key_of(setting: str, table: Mapping[str, Any]) -> str:
    """Return the key of a node's table for a setting of the node, as in "prompt" or "cases[0]"."""
    name = setting[: len(setting) - len(setting.lstrip(_LETTERS))]
    rest = setting.removeprefix(name)
    if name == "node" and rest.startswith(".") and isinstance(table.get("each"), Mapping):
        return f"each.{_key_of(rest[1:], table['each'])}"
    key = next((one for one in _KEYS_OF.get(name, ()) if one in table), name)
    return f"{key}{rest}"


_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz_"
_KEYS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "prompt": ("loop", "prompt", "step"),
    "what": ("uses", "model", "step"),
    "critiquer": ("critics",),
    "generator": ("generator", "model"),
    "reviser": ("reviser", "model"),
    "text": ("check",),
    "over": ("map",),
    "node": ("each",),
    "cases": ("choice",),
    "show": ("approval",),
}
"""The settings of nodes that have other names in a file; the first that a table has."""


@dataclass(frozen=True, slots=True)
class _Made:
    """An inner graph, the number of its nodes with those of its own inner graphs, and how deep these go."""

    graph: Any
    nodes: int
    depth: int


@dataclass(slots=True)
class _FileSettings:
    """Settings shared by the files of one graph.

    Attributes:
        folder: of the first file; nothing outside of it is read.
        make: builds an inner graph.
        kind: of the first file, in errors.
        keys: see `FileParts`.
        learning: of the loops that do not say otherwise.
        above: the files that are being read.
        made: the inner graphs by their resolved path, so that each file is read once.
    """

    folder: Path
    trust: bool
    model: object
    make: Callable[[FileGraph], Any]
    kind: str = "graph"
    keys: bool | None = None
    learning: Mapping[str, Any] = field(default_factory=dict[str, Any])
    above: list[Path] = field(default_factory=list[Path])
    made: dict[Path, _Made] = field(default_factory=dict[Path, "_Made"])
    models: dict[str, None] = field(default_factory=dict[str, None])


def read_graph(
    path: str | Path,
    make: Callable[[FileGraph], Any],
    *,
    trust: bool = False,
    model: object = None,
    learning: Mapping[str, Any] | None = None,
) -> FileGraph:
    """Read a graph file.

    Args:
        make: builds the graph of an inner file.
        trust: steps may be Python functions: "python:MODULE.FUNCTION".
        model: for nodes that name none: a model or its name; None: each node must name its own.
        learning: settings of `LearningOptions` for the loops whose tables do not give them.

    Raises:
        ConfigurationError: one line for what is wrong: the file, the table and the key, and the nearest word.
    """
    path = Path(path)
    folder = path.absolute().parent.resolve()
    return _read(path, _FileSettings(folder, trust, model, make, learning=learning or {}))[0]


def read_loop(path: Path, place: str, table: Mapping[str, Any], *, model: object = None) -> LoopNode:
    """Read the table of a loop that stands in another file, with its key "loop"; see `read_graph`."""

    def no_graph(file: FileGraph) -> Any:
        raise ConfigurationError(f"{file.path}: a loop has no graph inside")

    folder = path.absolute().parent.resolve()
    reading = _FileSettings(folder, False, model, no_graph, kind="settings", keys=is_trusted(folder))
    return cast("LoopNode", _GraphFile(path, {}, reading).loop(place, dict(table)))


def _inner(path: Path, reading: _FileSettings) -> _Made:
    """Return the graph of an inner file, which is read at most once."""
    real = path.resolve()
    made = reading.made.get(real)
    if made is None:
        file, nodes, depth = _read(path, reading)
        made = reading.made[real] = _Made(reading.make(file), nodes, depth)
    elif len(reading.above) + made.depth > _MOST_GRAPHS:
        raise _too_deep(path, reading)
    return made


def _read(path: Path, reading: _FileSettings) -> tuple[FileGraph, int, int]:
    """Return the contents of a file, the number of its nodes in all, and the depth of its graphs."""
    real = path.resolve()
    if real in reading.above:
        raise ConfigurationError(f"{path}: graphs name each other: {_chain(path, reading)}")
    if len(reading.above) == _MOST_GRAPHS:
        raise _too_deep(path, reading)
    if len(reading.above) + len(reading.made) == _MOST_FILES:
        raise ConfigurationError(f"{path}: a graph consists of at most {_MOST_FILES} files; put several into one")
    reading.above.append(real)
    try:
        file = _GraphFile(path, _tables(path), reading)
        return file.graph(), file.nodes, file.depth
    finally:
        reading.above.pop()


def _too_deep(path: Path, reading: _FileSettings) -> ConfigurationError:
    return ConfigurationError(f"{path}: graphs are nested deeper than {_MOST_GRAPHS}: {_chain(path, reading)}")


def _chain(path: Path, reading: _FileSettings) -> str:
    return " -> ".join(one.name for one in (*reading.above, path))


def _tables(path: Path) -> dict[str, Any]:
    text = read_text(path, _MOST_BYTES)
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigurationError(f"{path}: not TOML: {error}") from error


class _GraphFile:
    """One file, read into nodes.

    Attributes:
        nodes: their number, with those of inner graphs.
        depth: of the graphs in it, itself included.
    """

    def __init__(self, path: Path, tables: dict[str, Any], reading: _FileSettings) -> None:
        self._path = path
        self._tables = tables
        self._reading = reading
        self.nodes = 0
        self.depth = 1
        self._parts = FileParts(
            reading.folder, path.resolve().parent, trust=reading.trust, keys=reading.keys, kind=reading.kind
        )

    def _fault(self, place: str, what: str) -> ConfigurationError:
        return ConfigurationError(f"{self._path}: {place}: {what}")

    def graph(self) -> FileGraph:
        for name in self._tables:
            if name not in ("graph", "nodes"):
                raise self._fault(name, f"unknown table; {nearest(name, ('graph', 'nodes'))}")
        about = self._table("graph", self._tables.get("graph"), tuple(GRAPH_KEYS))
        nodes = self._mapping("nodes", self._tables.get("nodes"))
        self._count("nodes", len(nodes))
        output = about.pop("output", None)
        if not isinstance(output, str):
            raise self._fault("graph.output", f"must name a node, got {describe(output)}; {nearest('', tuple(nodes))}")
        inputs = self._names("graph.inputs", about.pop("inputs", []))
        trusted = self._names("graph.trusted", about.pop("trusted", []))
        name = about.pop("name", self._path.stem)
        if not isinstance(name, str) or not name.strip():
            raise self._fault("graph.name", f"must be a string, got {describe(name)}")
        if "budget" in about:
            budget = self._table("graph.budget", about["budget"], tuple(BUDGET_KEYS))
            about["budget"] = self._made("graph.budget", Budget, budget)
        config = self._made("graph", GraphConfig, about)
        read = {node: self._node(f"nodes.{node}", table) for node, table in nodes.items()}
        models = tuple(self._reading.models)
        return FileGraph(self._path, name, inputs, output, config, read, models, trusted, nodes)

    # -- nodes -------------------------------------------------------------------------------------

    def _node(self, place: str, value: object) -> Node:
        table = dict(self._mapping(place, value))
        kind = self._kind(place, table)
        known = tuple(node_keys(kind))
        for key in table:
            if key not in known:
                raise self._fault(f"{place}.{key}", f"a {kind} has no such key; {nearest(key, known)}")
        if "after" in table:
            table["after"] = self._names(f"{place}.after", table["after"])
        return cast("Node", getattr(self, f"_{kind}")(place, table))

    def loop(self, place: str, table: dict[str, Any]) -> Node:
        """Read the table of a loop whose keys are known."""
        return self._loop(place, table)

    def _kind(self, place: str, table: Mapping[str, Any]) -> str:
        found = [kind for kind in KINDS if kind in table]
        if not found and any(key in table for key in _STEP_KEYS):
            return "step"
        if len(found) != 1:
            near = next((one for one in (nearest(key, KINDS) for key in table) if one.startswith("did")), None)
            said = f"it has {' and '.join(found)}" if found else (near or f"it has {', '.join(table) or 'nothing'}")
            raise self._fault(place, f"needs exactly one of {', '.join(KINDS)}: {said}")
        return found[0]

    def _loop(self, place: str, table: dict[str, Any]) -> Node:
        table = {**self._reading.learning, **table}
        config = {key: table.pop(key) for key in LOOP_CONFIG if key in table}
        if "timeout_s" in table:
            config["timeout_s"] = table["timeout_s"]
        project = self._project(place, table)
        keys = {part: part if part in table else "model" for part in ("generator", "reviser")}
        model = table.pop("model", None)
        generator = table.pop("generator", model)
        reviser = table.pop("reviser", model)
        output = table.pop("output", None)
        critics = table.pop("critics", None)
        if output is not None:
            with self._placed(f"{place}.output"):
                output = self._parts.output(output)
        writes = not ("initial" in table and generator is None)
        return self._made(
            place,
            LoopNode,
            {
                "prompt": table.pop("loop"),
                "critiquer": None if critics is None and output is not None else self._critics(place, critics, project),
                "output": output,
                "generator": self._model(f"{place}.{keys['generator']}", generator) if writes else None,
                "reviser": self._reviser(f"{place}.{keys['reviser']}", reviser, project),
                "config": self._made(place, LoopConfig, config) if config else None,
                **table,
            },
        )

    def _step(self, place: str, table: dict[str, Any]) -> Node:
        given = {key: table.pop(key) for key in _STEP_KEYS if key in table}
        if "model" not in table and "prompt" not in given:
            uses = given.get("uses", given.get("step"))
            if len(given) != 1:
                raise self._fault(place, "needs exactly one of the keys step and uses")
            if isinstance(uses, str) and " " in uses.strip():
                message = (
                    "names a function; a text for the default model is prompt = ..., for another one give model, too"
                )
                raise self._fault(f"{place}.{next(iter(given))}", message)
            with self._placed(f"{place}.{next(iter(given))}"):
                return self._made(place, StepNode, {"what": self._parts.step(uses), **table})
        if "uses" in given or len(given) != 1:
            raise self._fault(place, "a step with a model needs a prompt, and cannot have uses or another step")
        model = self._model(f"{place}.model", table.pop("model", None))
        return self._made(place, StepNode, {"what": model, "prompt": next(iter(given.values())), **table})

    def _check(self, place: str, table: dict[str, Any]) -> Node:
        project = self._project(place, table)
        critics = self._critics(place, table.pop("critics", None), project)
        return self._made(place, CheckNode, {"text": table.pop("check"), "critiquer": critics, **table})

    def _map(self, place: str, table: dict[str, Any]) -> Node:
        each = self._node(f"{place}.each", table.pop("each", None))
        node = each.graph if isinstance(each, GraphNode) else each
        return self._made(place, MapNode, {"over": table.pop("map"), "node": node, **table})

    def _choice(self, place: str, table: dict[str, Any]) -> Node:
        several: object = table.pop("choice")
        if not isinstance(several, list) or not several:
            raise self._fault(f"{place}.choice", f"must be a list of cases, got {describe(cast('object', several))}")
        cases = [self._case(f"{place}.choice[{n}]", one) for n, one in enumerate(cast("list[object]", several))]
        return self._made(place, ChoiceNode, {"cases": cases, **table})

    def _case(self, place: str, value: object) -> tuple[Case | None, str]:
        case = self._table(place, value, tuple(CASE_KEYS))
        if "else" in case:
            if len(case) > 1:
                raise self._fault(place, "a case with else has no other key")
            return None, self._text(f"{place}.else", case["else"])
        missing = [key for key in ("if", "is", "than", "then") if key not in case]
        if missing:
            raise self._fault(place, f"needs the keys if, is, than and then; {missing[0]} is missing")
        return Case(case["if"], case["is"], case["than"]), self._text(f"{place}.then", case["then"])

    def _approval(self, place: str, table: dict[str, Any]) -> Node:
        return self._made(place, ApprovalNode, {"show": table.pop("approval"), **table})

    def _graph(self, place: str, table: dict[str, Any]) -> Node:
        with self._placed(f"{place}.graph"):
            path = self._parts.path(table.pop("graph"))
        inner = _inner(path, self._reading)
        self._count(place, inner.nodes)
        self.depth = max(self.depth, inner.depth + 1)
        return self._made(place, GraphNode, {"graph": inner.graph, **table})

    def _count(self, place: str, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > _MOST_NODES:
            what = f"a graph has at most {_MOST_NODES:,} nodes, those of inner graphs counted each time they are named"
            raise self._fault(place, f"{what}; use map for many of one kind")

    # -- parts -------------------------------------------------------------------------------------

    def _model(self, place: str, name: object) -> object:
        if name is None:
            if self._reading.model is None:
                raise self._fault(place, 'names no model: set it, as "openai:gpt-4o-mini", or give --model')
            return self._reading.model
        with self._placed(place):
            model = self._parts.model(name)
        self._reading.models[str(name)] = None
        return model

    def _reviser(self, place: str, name: object, project: Mapping[str, Any]) -> object:
        if name == "targeted":
            with self._placed(place):
                return self._parts.targeted(project)
        if name is None and self._reading.model is None:
            return None
        return self._model(place, name)

    def _critics(self, place: str, named: object, project: Mapping[str, Any]) -> object:
        if not isinstance(named, list) or not named:
            example = '["model:openai:gpt-4o-mini"] or ["rules:rules.toml"]'
            got = "it is missing" if named is None else f"got {describe(cast('object', named))}"
            raise self._fault(f"{place}.critics", f"must be a list of what judges, such as {example}; {got}")
        critics: list[object] = []
        for n, name in enumerate(cast("list[object]", named)):
            with self._placed(f"{place}.critics[{n}]"):
                critics.append(self._parts.critic(name, project))
            if isinstance(name, str) and name.startswith("model:"):
                self._reading.models[name.removeprefix("model:")] = None
        return critics[0] if len(critics) == 1 else critics

    def _project(self, place: str, table: dict[str, Any]) -> Mapping[str, Any]:
        """Return where the tools of a node run."""
        found = {key: table.pop(key) for key in ("root", "replaces") if key in table}
        if len(found) == 1:
            (alone,) = found
            raise self._fault(
                f"{place}.{alone}", "root and replaces belong together: a directory, and a file in it; give both"
            )
        if found:
            with self._placed(f"{place}.root"):
                found["root"] = self._parts.path(found["root"])
            with self._placed(f"{place}.replaces"):
                relative_path(found["replaces"])
        return found

    # -- checks ------------------------------------------------------------------------------------

    def _placed(self, place: str) -> _Placed:
        return _Placed(f"{self._path}: {place}")

    def _made(self, place: str, kind: Any, fields: Mapping[str, Any]) -> Any:
        try:
            return kind(**fields)
        except ConfigurationError as error:
            _, colon, keys = str(error).partition(f"{kind.__name__}: ")  # of a `Value`: it names the keys
            said = " ".join((f".{keys}" if colon else f": {error}").split())
            raise ConfigurationError(f"{self._path}: {place}{said}") from error

    def _mapping(self, place: str, value: object) -> Mapping[str, Any]:
        if not isinstance(value, Mapping) or not value:
            raise self._fault(place, f"must be a table, got {describe(cast('object', value))}")
        return cast("Mapping[str, Any]", value)

    def _table(self, place: str, value: object, known: tuple[str, ...]) -> dict[str, Any]:
        table = dict(self._mapping(place, value))
        for key in table:
            if key not in known:
                raise self._fault(f"{place}.{key}", f"unknown key; {nearest(key, known)}")
        return table

    def _names(self, place: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(name, str) for name in cast("list[object]", value)):
            raise self._fault(place, f"must be a list of names, got {describe(cast('object', value))}")
        return tuple(cast("list[str]", value))

    def _text(self, place: str, value: object) -> str:
        if not isinstance(value, str):
            raise self._fault(place, f"must be a string, got {describe(value)}")
        return value


class _Placed:
    """Adds its place to a `ConfigurationError` of the block, and keeps it in one line."""

    def __init__(self, place: str) -> None:
        self._place = place

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ConfigurationError):
            raise ConfigurationError(f"{self._place}: {' '.join(str(error).split())}") from error
