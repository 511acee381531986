"""The work of `jido runs`: list, draw, print, replay and resume recorded runs."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from jido_ai.cli.again import DECISION, command
from jido_ai.cli.calls import show_calls
from jido_ai.cli.decisions import decision_of
from jido_ai.cli.ids import run_id
from jido_ai.cli.memory_place import address_of, open_memory, scope_of
from jido_ai.cli.pictures import console_for, write_svg
from jido_ai.cli.run_picture import draw_run, transcript
from jido_ai.errors import ConfigurationError, NotFoundError
from jido_ai.graph.record import NodeLine, RecordedGraph, read_graph, spent_in
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.record import RecordedRun, read_run
from jido_ai.text.printable import clip, printable
from jido_ai.text.wording import counted, money
from jido_ai.values import ModelCall, Scope
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
    asked = {str(record.data["path"]): record.data["out"] for record in records if record.kind == "waiting"}
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
    return read_graph(records[0].key, records[0].scope, [(record.kind, record.data) for record in records])


if TYPE_CHECKING:
    from jido_ai.improve.outcome import Output


def show_run(
    run: str,
    scope: str | None,
    memory: str | None,
    out: TextIO,
    *,
    as_json: bool = False,
    svg: Path | None = None,
    with_transcript: bool = False,
    decide_again: bool = False,
    with_calls: bool = False,
    call: int | None = None,
) -> int:
    """Print one run; return the exit status: 1 if it was decided again and the decisions differ.

    Args:
        with_calls: print its calls of models instead.
        call: the number of the only call to print, with all its texts.
    """
    if with_calls:
        show_calls(_calls(run, scope, memory), call, out, as_json=as_json)
        return 0
    records = _records(run, scope, memory)
    if as_json:
        for record in records:
            out.write(json.dumps(_line(record)) + "\n")
        return 0
    if is_graph_run(records):
        if svg is not None or with_transcript or decide_again:
            raise ConfigurationError("--svg, --transcript and --replay are for runs of loops; name the loop's run")
        show_graph_run(records, memory, out, _answers(records, memory))
        return 0
    recorded = _recorded(records)
    chart = draw_run(recorded, memory, _calls(recorded.run_id, scope, memory))
    console_for(out).print(chart)
    if with_transcript:
        out.writelines(f"{line}\n" for line in transcript(recorded))
    if svg is not None:
        write_svg(chart, recorded.run_id, svg)
    return _decide_again(recorded, out) if decide_again else 0


def resume_run(
    run: str,
    scope: str | None,
    memory: str | None,
    out: TextIO,
    err: TextIO,
    *,
    apply: bool,
    as_json: bool,
    decide: str | None = None,
    trust: bool = False,
) -> int:
    """Resume a run of `jido improve` or `jido ask`; return its exit status.

    Args:
        decide: the decision on the revision that waits: "yes", "no" or "@FILE"; None: no decision.
        trust: the file of a graph may name Python functions.
    """
    decision = None if decide is None else decision_of(decide)

    records = _records(run, scope, memory)
    if is_graph_run(records):
        from jido_ai.cli.graph_run import RunOptions, run_graph  # noqa: PLC0415 - for graphs only

        decisions = () if decide is None else (decide,)
        path, model, id = file_of(records), model_of(records), records[0].key
        options = RunOptions(
            path, model=model, memory=memory, as_json=as_json, trust=trust, resume=id, decide=decisions
        )
        return run_graph(options, out, err)
    recorded = _recorded(records)
    address = address_of(memory)
    match recorded.metadata.get("command"):
        case "improve":
            from jido_ai.cli.improve import resume_improve  # noqa: PLC0415 - half a second, for resuming only

            if decision is not None:
                raise ConfigurationError(
                    f"run {recorded.run_id!r} waits for no decision: only `jido ask --approve` does"
                )
            output: Output = "apply" if apply else "diff"
            return resume_improve(recorded, address, out, err, output=output, as_json=as_json)
        case "ask":
            from jido_ai.cli.ask import resume_ask  # noqa: PLC0415 - as above

            return resume_ask(recorded, address, out, err, decision=decision, as_json=as_json, given=memory)
        case _:
            id, decision = recorded.run_id, "" if recorded.waiting is None else ", decision=True"
            raise ConfigurationError(
                f"`jido improve` and `jido ask` did not start run {id!r}; on the page of its server, or in Python: "
                f"await pipeline.resume({id!r}{decision})"
            )


def _records(run: str, scope: str | None, memory: str | None) -> Sequence[Record]:
    """Return the lines of a run."""

    async def read() -> Sequence[Record]:
        async with open_memory(memory) as known:
            journal = RunJournal(known)
            return await journal.records(await run_id(journal, run, _scope(scope)), _scope(scope))

    return asyncio.run(read())


def _answers(records: Sequence[Record], memory: str | None) -> dict[str, str]:
    """Return the answers of the loops of a graph's run, by path."""
    run_id, scope = records[0].key, records[0].scope
    found: dict[str, str] = {}

    async def read() -> None:
        async with open_memory(memory) as known:
            journal = RunJournal(known)
            for record in records:
                if record.kind == "node" and record.data.get("kind") == "loop":
                    path = str(record.data["path"])
                    with contextlib.suppress(NotFoundError):  # it was forgotten
                        result = (await journal.load(f"{run_id}/{path}", scope)).result()
                        if result is not None and result.answer is not None:
                            found[path] = result.answer.content

    asyncio.run(read())
    return found


def _calls(run: str, scope: str | None, memory: str | None) -> Sequence[ModelCall]:
    """Return the calls of models of a run."""

    async def read() -> Sequence[ModelCall]:
        async with open_memory(memory) as known:
            journal = RunJournal(known)
            return await journal.calls(await run_id(journal, run, _scope(scope)), _scope(scope))

    return asyncio.run(read())


def _recorded(records: Sequence[Record]) -> RecordedRun:
    first = records[0]
    return read_run(first.key, first.scope, first.timestamp, [(record.kind, record.data) for record in records])


def _scope(text: str | None) -> Scope | None:
    return None if text is None else scope_of(text)


# -- what they print -------------------------------------------------------------------------------


def _decide_again(recorded: RecordedRun, out: TextIO) -> int:
    from jido_ai.loop.replayed_run import replay  # noqa: PLC0415 - loads the loop

    again = asyncio.run(replay(recorded))
    if not again.differences:
        out.write("replayed without a model: the same decisions\n")
        return 0
    for difference in again.differences:
        out.write(f"replayed: {difference}\n")
    return 1


# -- as JSON ---------------------------------------------------------------------------------------


def _line(record: Record) -> dict[str, object]:
    return {"kind": record.kind, "timestamp": record.timestamp.isoformat(), "data": dict(record.data)}
