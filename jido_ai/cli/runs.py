"""`jido runs`: the runs of a journal, listed, drawn, exported, decided once more, gone on with."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, TextIO

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jido_ai.cli.ask import resume_ask
from jido_ai.cli.improve.command import resume_improve
from jido_ai.cli.improve.report import Output
from jido_ai.cli.live import counted, money
from jido_ai.cli.memory import JsonOption, MemoryOption, address_of, open_memory, scope_of
from jido_ai.cli.pictures import WIDTH, console_for, write_svg
from jido_ai.critics.findings import gone_issues, new_issues
from jido_ai.errors import ConfigurationError
from jido_ai.loop.journal import RunJournal, RunSummary
from jido_ai.loop.record import RecordedRun
from jido_ai.loop.replay import replay
from jido_ai.protocols import Record
from jido_ai.text.printable import printable
from jido_ai.values import Finding, Scope, Usage

__all__ = ["draw_run", "runs_app"]

_BAR: Final = 8
_PROMPT_CHARS: Final = 60
_MOST_FINDINGS: Final = 20
_STATUS_COLOURS: Final = {"accepted": "green", "error": "red", "interrupted": "yellow"}
_FINDING_COLOURS: Final = {"open": "yellow", "fixed": "green", "regressed": "red", "disputed": "magenta"}

runs_app = typer.Typer(help="What runs wrote down.", no_args_is_help=True)
ScopeOption = Annotated[
    str | None, typer.Option(metavar="TENANT/PROJECT", help="Only of this scope; all of them by default.")
]
RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="As `jido runs list` shows it.")]


# -- commands --------------------------------------------------------------------------------------


@runs_app.command("list")
def list_command(
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 20,
    scope: ScopeOption = None,
    as_json: JsonOption = False,
    memory: MemoryOption = None,
) -> None:
    """List runs, the one that wrote last first."""

    async def read() -> list[RunSummary]:
        async with open_memory(memory) as known:
            return await RunJournal(known).list(_scope(scope), limit=limit)

    _print_list(asyncio.run(read()), sys.stdout, as_json=as_json)


@runs_app.command("show")
def show_command(  # noqa: PLR0917 - typer reads options from parameters
    run: RunArgument,
    scope: ScopeOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the journal instead: JSON lines, enough to replay the run.")
    ] = False,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the same picture as SVG, too.")] = None,
    replay: Annotated[
        bool, typer.Option("--replay", help="Decide once more, without a model; status 1 if it comes out otherwise.")
    ] = False,
    memory: MemoryOption = None,
) -> None:
    """Draw a run: how severity and score went, what was found, what it cost."""

    async def read() -> tuple[RecordedRun, Sequence[Record]]:
        async with open_memory(memory) as known:
            journal = RunJournal(known)
            return await journal.load(run, _scope(scope)), await journal.records(run, _scope(scope))

    recorded, records = asyncio.run(read())
    if as_json:
        for record in records:
            sys.stdout.write(json.dumps(_line(record)) + "\n")
        return
    chart = draw_run(recorded)
    console_for(sys.stdout).print(chart)
    if svg is not None:
        write_svg(chart, recorded.run_id, svg)
    if replay:
        raise typer.Exit(_decide_again(recorded, sys.stdout))


@runs_app.command("resume")
def resume_command(
    run: RunArgument,
    scope: ScopeOption = None,
    apply: Annotated[bool, typer.Option("--apply", help="Write the file, when the run was about one.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    memory: MemoryOption = None,
) -> None:
    """Go on with a run of `jido improve` or `jido ask` after its last finished step."""

    async def read() -> RecordedRun:
        async with open_memory(memory) as known:
            return await RunJournal(known).load(run, _scope(scope))

    recorded = asyncio.run(read())
    address = address_of(memory)
    match recorded.metadata.get("command"):
        case "improve":
            output: Output = "apply" if apply else "diff"
            status = resume_improve(recorded, address, sys.stdout, sys.stderr, output=output, as_json=as_json)
        case "ask":
            status = resume_ask(recorded, address, sys.stdout, sys.stderr, as_json=as_json)
        case _:
            raise ConfigurationError(
                f"run {run!r} was not begun by `jido improve` or `jido ask`; in Python: await pipeline.resume({run!r})"
            )
    raise typer.Exit(status)


def _scope(text: str | None) -> Scope | None:
    return None if text is None else scope_of(text)


# -- what they print -------------------------------------------------------------------------------


def _print_list(runs: Sequence[RunSummary], out: TextIO, *, as_json: bool) -> None:
    if as_json:
        for run in runs:
            out.write(json.dumps(_summary(run)) + "\n")
        return
    console = console_for(out)
    if not runs:
        console.print("no runs yet")
        return
    table = _table("run", "status", "began", "steps", "prompt")
    for run in runs:
        status = Text(run.status, _STATUS_COLOURS.get(run.status, ""))
        prompt = Text(" ".join(printable(run.prompt).split())[:_PROMPT_CHARS])
        table.add_row(Text(printable(run.run_id)), status, f"{run.started_at:%Y-%m-%d %H:%M}", str(run.steps), prompt)
    console.print(table)


def _decide_again(recorded: RecordedRun, out: TextIO) -> int:
    again = asyncio.run(replay(recorded))
    if not again.differences:
        out.write("replayed without a model: the same decisions\n")
        return 0
    for difference in again.differences:
        out.write(f"replayed: {difference}\n")
    return 1


# -- the picture -----------------------------------------------------------------------------------


def draw_run(recorded: RecordedRun) -> RenderableType:
    """Return a picture of a run: one row per iteration, then its findings, then what it came to."""
    parts: list[RenderableType] = [_head(recorded), _rows(recorded)]
    result = recorded.result()
    if result is not None and result.findings:
        parts.append(_findings(result.findings))
    parts.append(_foot(recorded))
    return Group(*parts)


def _head(recorded: RecordedRun) -> Text:
    prompt = " ".join(printable(recorded.prompt).split())
    cut = prompt if len(prompt) <= WIDTH else prompt[: WIDTH - 1] + "…"
    when = f"  {recorded.started_at:%Y-%m-%d %H:%M:%S}\n"
    return Text.assemble((printable(recorded.run_id), "bold"), when, (cut, "dim"))


def _rows(recorded: RecordedRun) -> Table:
    best = None if recorded.stopped is None else recorded.stopped.best
    has_calls = recorded.spent.calls > 0
    columns = [*_COLUMNS, *(("calls", "cost") if has_calls else ())]
    table = _table(*columns, right=[column for column in columns if column not in ("score", "severity")])
    by_id = {iteration.candidate.id: iteration for iteration in recorded.iterations}
    for iteration in recorded.iterations:
        before = by_id.get(iteration.candidate.parent_id or "")
        score = iteration.candidate.score if iteration.candidate.score is not None else iteration.critique.score
        cells: list[str | Text] = [
            f"{'*' if iteration.index == best else ''}{iteration.index}",
            _bar(score, "green"),
            _bar(iteration.critique.severity, "red"),
            str(len(iteration.critique.issues)),
            "" if before is None else str(len(new_issues(before.critique, iteration.critique))),
            "" if before is None else str(len(gone_issues(before.critique, iteration.critique))),
            "" if iteration.change is None else f"{iteration.change:.0%}",
            "" if iteration.gain is None else f"{iteration.gain:+.2f}",
            f"{iteration.duration_s:.1f} s",
        ]
        table.add_row(*cells, *((str(iteration.usage.calls), _cost(iteration.usage)) if has_calls else ()))
    for _ in recorded.pending:
        table.add_row("?", Text("made, not judged", "yellow"))
    return table


_LEAST: Final = {"run": 20, "status": 14, "began": 16, "steps": 5}
_COLUMNS: Final = ("", "score", "severity", "open", "new", "gone", "change", "gain", "time")


def _table(*columns: str, right: Sequence[str] = ()) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        justify = "right" if column in right else "left"
        table.add_column(column, no_wrap=True, justify=justify, min_width=_LEAST.get(column))
    return table


def _bar(share: float, colour: str) -> Text:
    full = round(share * _BAR)
    return Text.assemble(("█" * full, colour), ("░" * (_BAR - full), "dim"), f" {share:.2f}")


def _cost(usage: Usage) -> str:
    if usage.unpriced_calls and not usage.cost_usd:
        return "unknown" if usage.calls else ""
    more = "+" if usage.unpriced_calls else ""
    return f"${usage.cost_usd:.4f}{more}" if usage.cost_usd else ""


def _findings(findings: Sequence[Finding]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in findings[:_MOST_FINDINGS]:
        seen = f"{finding.first_iteration}-{finding.last_iteration}"
        rule = finding.issue.rule or finding.issue.kind
        text = " ".join(printable(finding.issue.message).split())
        status = Text(finding.status, _FINDING_COLOURS[finding.status])
        table.add_row(status, seen, Text(f"{rule}: {text}" if rule else text))
    if len(findings) > _MOST_FINDINGS:
        table.add_row("", "", f"… {len(findings) - _MOST_FINDINGS} more")
    return table


def _foot(recorded: RecordedRun) -> Text:
    spent, stopped = recorded.spent, recorded.stopped
    status = Text(recorded.status, f"bold {_STATUS_COLOURS.get(recorded.status, '')}".strip())
    tokens = spent.input_tokens + spent.output_tokens
    used = f"  {counted(spent.calls, 'call')}, {tokens} tokens, {money(spent)}"
    text = Text.assemble("stopped: ", status, used if spent.calls else "")
    if stopped is not None:
        text.append(f"  {stopped.duration_s:.1f} s")
        if stopped.evidence:
            evidence = json.dumps(dict(stopped.evidence), ensure_ascii=False)
            text.append(printable(f"\nevidence: {evidence}"), "dim")
        if stopped.error is not None:
            error = stopped.error
            text.append(printable(f"\n{error.component}: {error.kind}: {error.message}"), "red")
    if not recorded.is_over:
        text.append(f"\ngo on with it: jido runs resume {printable(recorded.run_id)}", "dim")
    return text


# -- as JSON ---------------------------------------------------------------------------------------


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


def _line(record: Record) -> dict[str, object]:
    return {"kind": record.kind, "timestamp": record.timestamp.isoformat(), "data": dict(record.data)}
