"""The work of `jido run`: run or resume the graph of a file, with progress on standard error."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shlex
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from jido_ai.argument_hints import nearest
from jido_ai.cli.again import DECISION, command
from jido_ai.cli.decisions import decision_by_path
from jido_ai.cli.graph_view import GraphView, outcome_of
from jido_ai.cli.ids import run_id as full_run_id
from jido_ai.cli.live import interruptible
from jido_ai.cli.memory_place import memory_address
from jido_ai.cli.output import check_place, write_file
from jido_ai.cli.trust import trusted_settings
from jido_ai.errors import ConfigurationError, describe
from jido_ai.files.bounded_read import read_text
from jido_ai.graph.events import GraphEvent, GraphStopped
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import CheckNode, Node
from jido_ai.graph.orders import questions_of
from jido_ai.graph.results import GraphResult, NodeResult
from jido_ai.loop.books import ignore
from jido_ai.loop.settings import learning_options, memory_options
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.wrappers.ledger import persistent_ledger
from jido_ai.runs.questions import Question
from jido_ai.text.printable import clip, printable
from jido_ai.text.wording import taken
from jido_ai.values import CritiqueResult, Issue, ReflectionResult, StopReason, new_id

_MOST_BYTES: Final = 10 << 20
_SHOWN_CHARS: Final = 200
_SHOWN_LINES: Final = 40
_MEANT: Final = {
    "completed": "all nodes are done",
    "partial": "the output is there, but a node failed or was refused",
    "failed": "there is no output",
    "suspended": "a node waits for a decision",
    "cancelled": "interrupted",
}
NOT_GOOD: Final = "all nodes have ended, but not all are good enough"


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The arguments of the command."""

    path: Path
    inputs: Sequence[str] = ()
    model: str | None = None
    memory: str | None = None
    out: Path | None = None
    as_json: bool = False
    trust: bool = False
    resume: str | None = None
    decide: Sequence[str] = ()


def run_graph(options: RunOptions, out: TextIO, err: TextIO) -> int:
    """Run the graph; return the exit status: 0 completed and good enough, 1 something is left, 130 interrupted.

    Raises:
        ConfigurationError: the file, an input or an option is wrong. Nothing has started.
    """
    if options.resume is not None and options.inputs:
        raise ConfigurationError("--resume continues a run with its own inputs; omit --input")
    if options.decide and options.resume is None:
        raise ConfigurationError("--decide needs --resume RUN, the run that waits")
    check_place(options.out)
    settings = trusted_settings(memory=options.memory, model=options.model)
    memory = ReflexionMemory(memory_address(settings.memory), **memory_options(settings))
    graph = Graph.from_toml(
        options.path,
        trust=options.trust,
        model=settings.model,
        learning=learning_options(settings),
        memory=memory,
        record_calls=settings.record_calls,
    )
    inputs = _inputs(graph, options.inputs) if options.resume is None else {}
    decision = decision_by_path(options.decide)

    def begin(run_id: str) -> AsyncGenerator[GraphEvent]:
        if options.resume is not None:
            return graph.stream_resumed(run_id, decision=decision)
        return graph.stream(inputs, run_id=run_id, metadata=_metadata(options))

    return asyncio.run(_run(graph, begin, options, out, err, monthly_usd=settings.monthly_budget_usd))


def _metadata(options: RunOptions) -> dict[str, object]:
    """Return the facts with which `jido runs` continues the run from any directory."""
    told: dict[str, object] = {"command": "run", "file": str(options.path.absolute())}
    if options.trust:
        told["trust"] = True
    if options.model is not None:
        told["model"] = options.model
    return told


def _again(options: RunOptions, run_id: str) -> str:
    """Return the command that continues the run."""
    return command(
        "run",
        options.path,
        resume=run_id,
        memory=options.memory,
        model=options.model,
        trust=options.trust,
        out=options.out,
        json=options.as_json,
    )


def _inputs(graph: Graph, given: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or name not in graph.inputs:
            raise ConfigurationError(
                f"--input must be NAME=TEXT or NAME=@FILE with an input of the graph, got {describe(text)}; "
                f"{nearest(name, graph.inputs)}"
            )
        if name in found:
            raise ConfigurationError(f"--input {name} is given twice")
        found[name] = read_input(Path(value[1:])) if value.startswith("@") else value
    missing = [name for name in graph.inputs if name not in found]
    if missing:
        raise ConfigurationError(f"the graph needs --input {' --input '.join(f'{name}=...' for name in missing)}")
    return found


def read_input(path: Path) -> str:
    """Return the text of an input's file. Raises `ConfigurationError`."""
    return read_text(path, _MOST_BYTES)


async def _run(
    graph: Graph,
    begin: Callable[[str], AsyncGenerator[GraphEvent]],
    options: RunOptions,
    out: TextIO,
    err: TextIO,
    *,
    monthly_usd: float | None,
) -> int:
    result: GraphResult | None = None
    view = GraphView(tuple(graph.nodes), err)
    assert graph.memory is not None
    async with graph, persistent_ledger({"run": graph.uses()}, graph.memory, monthly_usd=monthly_usd, sink=ignore):
        run_id = options.resume or new_id("graph")
        if options.resume is not None and graph.journal is not None:
            run_id = await full_run_id(graph.journal, options.resume, None)
        events = begin(run_id)
        with view.live(), interruptible(graph, [run_id]) as interrupted:
            async with contextlib.aclosing(events) as each:
                async for event in each:
                    view.show(event)
                    if isinstance(event, GraphStopped):
                        result = event.result
        assert result is not None
        asked = await questions_of(graph, result.run_id, None)
    _report(graph, result, asked, options, out=out, err=err)
    if interrupted.is_set():
        err.write(f"continue  {_again(options, result.run_id)}\n")
        return 130
    return 0 if result.status == "completed" and not any(left_of(result.nodes, graph.nodes)) else 1


def left_of(results: Mapping[str, NodeResult], nodes: Mapping[str, Node], above: str = "") -> Iterator[str]:
    """Yield, for every loop that ended without being accepted and every check at its threshold, its path and why."""
    for name, result in results.items():
        path, node = f"{above}{name}", nodes.get(name)
        match result.result:
            case ReflectionResult(accepted=False) as loop if loop.stop_reason is not StopReason.SUSPENDED:
                yield f"{path}: {loop_in_short(loop)}"
            case CritiqueResult(severity=severity, issues=issues):
                if severity >= (node.threshold if isinstance(node, CheckNode) else CheckNode.threshold):
                    yield f"{path}: severity {severity:.2f}{_worst_of(issues)}"
            case _:
                pass
        yield from left_of({item.name: item for item in result.items}, {}, above)
        yield from left_of(result.nodes, {}, f"{path}/")


def loop_in_short(loop: ReflectionResult) -> str:
    reason = loop.stop_reason.value
    if loop.unjudged is not None:
        return f"not judged, {reason}: {clip(' '.join(loop.unjudged.content.split()), _SHOWN_CHARS)}"
    best = next((iteration for iteration in loop.iterations if iteration.candidate == loop.best_candidate), None)
    return reason if best is None else f"severity {best.critique.severity:.2f}, {reason}{_worst_of(loop.open_issues)}"


def _worst_of(issues: Sequence[Issue]) -> str:
    if not issues:
        return ""
    worst = max(issues, key=lambda one: one.severity or 0.0)
    more = f" (and {len(issues) - 1} more)" if len(issues) > 1 else ""
    return f": {clip(' '.join(worst.message.split()), _SHOWN_CHARS)}{more}"


def _report(
    graph: Graph,
    result: GraphResult,
    questions: Sequence[Question],
    options: RunOptions,
    *,
    out: TextIO,
    err: TextIO,
) -> None:
    if options.as_json:
        out.write(json.dumps(result.to_map(), indent=2) + "\n")
    elif result.output is not None:
        text = result.output if isinstance(result.output, str) else json.dumps(result.output, indent=2)
        if options.out is not None:
            write_file(options.out, text)
        else:
            out.write(
                (printable(text) if out.isatty() else text.encode("utf-8", "replace").decode()).rstrip("\n") + "\n"
            )
    if err.isatty():
        for name, node in result.nodes.items():
            err.write(printable(f"{name}: {outcome_of(node)}") + "\n")
    left = list(left_of(result.nodes, graph.nodes))
    is_short = result.status == "completed" and left
    err.write(f"{result.status}: {NOT_GOOD if is_short else _MEANT[result.status]}\n")
    for told in left:
        err.write(printable(f"left     {told}") + "\n")
    if result.error is not None:
        err.write(printable(f"error    {result.error.component or 'graph'}: {result.error.message}") + "\n")
    for question in questions:
        err.write(printable(f"waiting  {question.path}{f' ({question.note})' if question.note else ''}") + "\n")
        lines = question.text.splitlines()
        if len(lines) > _SHOWN_LINES:
            lines[_SHOWN_LINES:] = [f"({len(lines) - _SHOWN_LINES} more lines)"]
        err.writelines(f"         {printable(line)}\n" for line in lines)
    if questions:
        which = [""] if len(questions) == 1 else [printable(f"{shlex.quote(one.path)}=") for one in questions]
        decisions = "".join(f" --decide {path}{DECISION}" for path in which)
        err.write(f"decide   {_again(options, result.run_id)}{decisions}\n")
    err.write(f"took     {taken(result.usage)}, {result.duration_s:.1f} s; run {result.run_id}\n")
