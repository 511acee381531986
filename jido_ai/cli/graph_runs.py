"""Recorded runs of graphs, for `jido runs`: shown node by node, and resumed with the file they came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

from jido_ai.cli.again import DECISION, command
from jido_ai.errors import ConfigurationError
from jido_ai.graph.record import NodeLine, RecordedGraph, read_graph, spent_in
from jido_ai.text.printable import clip, printable
from jido_ai.text.wording import counted, money
from jido_ai.values.record import Record

_SHOWN_CHARS = 200


def is_graph_run(records: Sequence[Record]) -> bool:
    """Tell whether the lines are those of a graph's run."""
    return bool(records) and records[0].kind == "graph"


def file_of(records: Sequence[Record]) -> Path:
    """Return the file of a run that `jido run` started. Raises `ConfigurationError` for any other."""
    recorded = _read(records)
    file = recorded.metadata.get("file")
    if recorded.metadata.get("command") != "run" or not isinstance(file, str):
        raise ConfigurationError(f"`jido run` did not start run {recorded.run_id!r}; {_elsewhere(recorded)}")
    return Path(file)


def model_of(records: Sequence[Record]) -> str | None:
    """Return the model that `jido run --model` named; None without one."""
    model = _read(records).metadata.get("model")
    return model if isinstance(model, str) else None


def show_graph_run(
    records: Sequence[Record], memory: str | None, out: TextIO, answers: Mapping[str, str] | None = None
) -> None:
    """Print a run: its inputs, what became of each node, and how it ended.

    Args:
        memory: as the command line said it.
        answers: of its loops, by path.
    """
    recorded = _read(records)
    lines = [f"graph {recorded.graph}, run {recorded.run_id}"]
    lines += [f"input  {name}: {_in_short(value)}" for name, value in recorded.inputs.items()]
    width = max(map(len, recorded.nodes), default=0)
    asked = {str(one.data["path"]): one.data["out"] for one in records if one.kind == "waiting"}
    for path, line in recorded.nodes.items():
        lines.append(f"{path:<{width}}  {_outcome(line)}")
        output = asked.get(path) if line.is_waiting else (answers or {}).get(path, line.out)
        if output is not None:
            lines.append(f"{'':<{width}}  {_in_short(output)}")
        lines += [f"{'':<{width}}  ({warning})" for warning in line.warnings if line.is_waiting]
    spent = spent_in(records)
    used = f"  {counted(spent.calls, 'call')}, {spent.input_tokens + spent.output_tokens} tokens, {money(spent)}"
    lines.append(f"stopped: {recorded.status}{used if spent.calls else ''}  {recorded.duration_s:.1f} s")
    if recorded.end is not None:
        lines.append(f"{recorded.end.component or 'graph'}: {recorded.end.kind}: {recorded.end.message}")
    if spent.calls:
        lines.append(f"prompts and replies: {command('runs', 'show', recorded.run_id, memory=memory)} --calls")
    if any(line.kind == "loop" for line in recorded.nodes.values()):
        lines.append(f"of one loop: {command('runs', 'show', f'{recorded.run_id}/NODE', memory=memory)} --transcript")
    if not recorded.is_over:
        unless = ", unless it is running," if recorded.status == "interrupted" else ""
        lines.append(f"resume it{unless} {_how_to_resume(recorded, memory)}")
    out.writelines(f"{printable(line)}\n" for line in lines)


def _how_to_resume(recorded: RecordedGraph, memory: str | None) -> str:
    if recorded.metadata.get("command") != "run":
        return _elsewhere(recorded)
    trust = recorded.metadata.get("trust") is True
    again = command("runs", "resume", recorded.run_id, memory=memory, trust=trust)
    return f"with: {again}{f' --decide {DECISION}' if recorded.waiting else ''}"


def _elsewhere(recorded: RecordedGraph) -> str:
    decision = ", decision=True" if recorded.waiting else ""
    return f"on the page of its server, or in Python: await graph.resume({recorded.run_id!r}{decision})"


def _in_short(value: object) -> str:
    return clip(" ".join(str(value).split()), _SHOWN_CHARS)


def _outcome(line: NodeLine) -> str:
    parts = [f"{line.kind:<8} {_status(line):<9}"]
    if line.critique is not None:
        parts.append(f"severity {line.critique.severity:.2f} ")
    if line.usage.calls:
        parts.append(f"{counted(line.usage.calls, 'call')} ")
    parts.append(f"{line.duration_s:.1f} s")
    if line.error is not None:
        parts.append(f" {line.error.kind}: {' '.join(line.error.message.split())}")
    return " ".join(parts)


def _status(line: NodeLine) -> str:
    if line.error is None:
        return "waiting" if line.is_waiting else "done"
    return "cancelled" if line.error.kind == "cancelled" else "failed"


def _read(records: Sequence[Record]) -> RecordedGraph:
    return read_graph(records[0].key, records[0].scope, [(one.kind, one.data) for one in records])
