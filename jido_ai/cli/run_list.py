"""The work of `jido runs list`. Apart from `runs`, so that it starts at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Final, TextIO

import typer

from jido_ai.cli.again import command
from jido_ai.cli.memory_place import open_memory, open_store, scope_of
from jido_ai.runs.summary import LOG, RunSummary, summary_of
from jido_ai.text.printable import clip
from jido_ai.text.wording import columns, plain

_PROMPT_CHARS: Final = 60


def list_runs(scope: str | None, memory: str | None, out: TextIO, *, limit: int, as_json: bool) -> None:
    """Print runs, the most recently active first, and whether there are more."""

    whose = None if scope is None else scope_of(scope)

    async def read() -> list[RunSummary]:
        async with open_store(memory) as store:
            if store is not None:
                return [summary_of(log) for log in await store.summaries(LOG, scope=whose, limit=limit + 1)]
        from jido_ai.loop.journal import RunJournal  # noqa: PLC0415 - loads the loop, for audited memories only

        async with open_memory(memory) as known:
            return await RunJournal(known).list(whose, limit=limit + 1)

    runs = asyncio.run(read())
    _print_list(runs[:limit], out, as_json=as_json)
    if len(runs) > limit and not as_json:
        more = command("runs", "list", limit=10 * limit, scope=scope, memory=memory)
        typer.echo(f"the {limit} most recently active; more: {more}", out)


def _print_list(runs: Sequence[RunSummary], out: TextIO, *, as_json: bool) -> None:
    if as_json:
        for run in runs:
            out.write(json.dumps(_summary(run)) + "\n")
        return
    if not runs:
        out.write("no runs yet\n")
        return
    head = ("run", "scope", "status", "began", "steps", "prompt")
    rows = [
        (
            plain(run.run_id),
            plain(f"{run.scope.tenant}/{run.scope.project}"),
            run.status,
            f"{run.started_at:%Y-%m-%d %H:%M}",
            str(run.steps),
            plain(run.prompt),
        )
        for run in runs
    ]
    lines = columns([head, *((*cells, clip(prompt, _PROMPT_CHARS)) for *cells, prompt in rows)], right=(4,))
    typer.echo(typer.style(lines[0], bold=True), out)
    for line in lines[1:]:
        typer.echo(line, out)


def _summary(run: RunSummary) -> dict[str, object]:
    return {
        "run_id": run.run_id,
        "scope": run.scope.model_dump(),
        "status": run.status,
        "started_at": run.started_at.isoformat(),
        "last_at": run.last_at.isoformat(),
        "steps": run.steps,
        "prompt": run.prompt,
    }
