"""The work of `jido runs`: list, draw, print, replay and resume recorded runs."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from jido_ai.cli.calls import show_calls
from jido_ai.cli.decisions import decision_of
from jido_ai.cli.graph_runs import file_of, is_graph_run, model_of, show_graph_run
from jido_ai.cli.ids import run_id
from jido_ai.cli.memory_place import address_of, open_memory, scope_of
from jido_ai.cli.pictures import console_for, write_svg
from jido_ai.cli.run_picture import draw_run, transcript
from jido_ai.errors import ConfigurationError, NotFoundError
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.record import RecordedRun, read_run
from jido_ai.values import ModelCall, Scope
from jido_ai.values.record import Record

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
            for one in records:
                if one.kind == "node" and one.data.get("kind") == "loop":
                    path = str(one.data["path"])
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
    return read_run(first.key, first.scope, first.timestamp, [(one.kind, one.data) for one in records])


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
