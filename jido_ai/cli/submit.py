"""The work of `jido submit`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from jido_ai.cli.again import command
from jido_ai.cli.decisions import decision_by_path
from jido_ai.cli.graph_run import NOT_GOOD, left_of, loop_in_short, read_input
from jido_ai.cli.memory_place import scope_of
from jido_ai.errors import ConfigurationError, describe
from jido_ai.extras import needs_extra
from jido_ai.graph.results import GraphResult
from jido_ai.text.printable import printable
from jido_ai.text.redaction import redact
from jido_ai.values import ReflectionResult


@dataclass(frozen=True, slots=True)
class SubmitOptions:
    """The arguments of the command."""

    store: str
    queue: str
    name: str | None
    prompt: str | None
    inputs: Sequence[str]
    run_id: str | None
    wait_s: float | None
    tenant: str
    priority: int | None
    decide: Sequence[str]


def submit(options: SubmitOptions, out: TextIO, err: TextIO) -> int:
    """Submit a run or a decision, and wait for the result if asked to; return the exit status.

    Raises:
        ConfigurationError: an option can never work, or no worker knows the name.
        StoreError: the store cannot be opened.
    """
    for option, value in (("--store", options.store), ("--queue", options.queue)):
        if not value:
            raise ConfigurationError(f"jido submit needs {option}, with the value given to `jido worker`")
    inputs, decision = _inputs(options.inputs), decision_by_path(options.decide)
    if decision is not None:
        if options.run_id is None or options.name is not None or inputs or options.priority is not None:
            raise ConfigurationError("--decide needs --run-id of the run that waits, and nothing else to submit")
    elif options.name is None:
        raise ConfigurationError("give the NAME of a pipeline or graph, or --run-id and --decide")
    elif (options.prompt is None) == (not inputs):
        raise ConfigurationError("give a PROMPT or --input NAME=TEXT, one of the two")
    with needs_extra("dbos"):
        from jido_ai.integrations.dbos import client  # noqa: PLC0415 - an extra

    async def submitted() -> int:
        async with client(store=options.store, queue=options.queue) as queue:
            run_id = options.run_id
            if decision is not None and run_id is not None:
                await queue.resume(run_id, decision)
            elif options.name is not None:
                run_id = await queue.submit(
                    options.name,
                    options.prompt,
                    run_id,
                    inputs=inputs or None,
                    scope=scope_of(options.tenant),
                    priority=options.priority,
                )
            assert run_id is not None
            if options.wait_s is None:
                out.write(f"{run_id}\n")
                return 0
            try:
                result = await queue.result(run_id, timeout_s=options.wait_s)
            except TimeoutError:
                state = await queue.status(run_id)
                err.write(
                    f"jido submit: run {run_id} is still {state} after {options.wait_s:g} s, and was not cancelled\n"
                )
                return 1
            status = _shown(result, out, err)
            if await queue.status(run_id) == "suspended":
                shown = command("runs", "show", run_id, memory=options.store)
                err.write(f"waiting  for a decision; its text: {shown}\n")
                place = f"--store {redact(options.store)} --queue {options.queue} --run-id {run_id}"
                err.write(f"decide   jido submit {place} --decide yes|no|@FILE\n")
            return status

    return asyncio.run(submitted())


def _inputs(given: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise ConfigurationError(f"--input must be NAME=TEXT or NAME=@FILE, got {describe(text)}")
        if name in found:
            raise ConfigurationError(f"--input {name} is given twice")
        found[name] = read_input(Path(value[1:])) if value.startswith("@") else value
    return found


def _shown(result: ReflectionResult | GraphResult, out: TextIO, err: TextIO) -> int:
    """Print the output of a run, how it ended and what is left of it; return 0 if it is what was asked for."""
    error = "" if result.error is None else f": {result.error.kind}: {result.error.message}"
    if isinstance(result, GraphResult):
        output, reason, is_good = result.output, result.status, result.status == "completed"
        left = list(left_of(result.nodes, {}))
        if is_good and left:
            reason, is_good = f"{reason}: {NOT_GOOD}", False
    else:
        output = None if result.answer is None else result.answer.content
        reason, is_good = result.stop_reason.value, result.accepted
        if result.unjudged is not None:
            reason = f"{reason}, not judged"
        left = [] if is_good or result.best_candidate is None else [loop_in_short(result)]
    if output is not None:
        out.write(f"{output}\n")
    err.write(f"run {result.run_id}: {reason}{error}\n")
    err.writelines(f"{printable(f'left     {told}')}\n" for told in left)
    return 0 if is_good else 1
