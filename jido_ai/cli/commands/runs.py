"""`jido runs`: its commands and options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from jido_ai.cli.commands.options import JsonLinesOption, JsonOption, MemoryOption, ScopeOption, new_app
from jido_ai.errors import ConfigurationError

_HELP: Final = """List, draw, replay and resume recorded runs.

A RUN may be shortened to any prefix that only one run has.
"""
app = new_app(_HELP, no_args_is_help=True)
RunArgument = Annotated[
    str, typer.Argument(metavar="RUN", help="A run's ID that `jido runs list` shows, or its beginning.")
]


@app.command("list")
def list_command(
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="Maximum runs to show.")] = 20,
    scope: ScopeOption = None,
    as_json: JsonLinesOption = False,
    memory: MemoryOption = None,
) -> None:
    """List runs, the most recently active first."""
    from jido_ai.cli.run_list import list_runs  # noqa: PLC0415 - each command loads what it needs

    list_runs(scope, memory, sys.stdout, limit=limit, as_json=as_json)


@app.command("show")
def show_command(  # noqa: PLR0917 - typer reads options from parameters
    run: RunArgument,
    call: Annotated[
        int | None, typer.Argument(metavar="[N]", min=1, help="With --calls: print all of call N.", show_default=False)
    ] = None,
    scope: ScopeOption = None,
    calls: Annotated[
        bool,
        typer.Option("--calls", help="Print its model calls, one line each; with a number, all of that call."),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the journal as JSON lines, enough to replay the run; or the calls.")
    ] = False,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the picture as SVG.")] = None,
    transcript: Annotated[
        bool, typer.Option("--transcript", help="Print each candidate, its critique, and what changed.")
    ] = False,
    replay: Annotated[
        bool, typer.Option("--replay", help="Repeat the decisions without a model; status 1 if they differ.")
    ] = False,
    memory: MemoryOption = None,
) -> None:
    """Draw a run: scores, severities, findings, cost."""
    if as_json and transcript:
        raise ConfigurationError("--json and --transcript cannot be combined; give one of them")
    if call is not None and not calls:
        raise ConfigurationError(f"{call} is the number of a call; write `jido runs show {run} --calls {call}`")
    if calls and (transcript or replay or svg is not None):
        raise ConfigurationError("--calls prints calls alone; omit --transcript, --replay and --svg")
    from jido_ai.cli.runs import show_run  # noqa: PLC0415 - each command loads what it needs

    status = show_run(
        run,
        scope,
        memory,
        sys.stdout,
        as_json=as_json,
        svg=svg,
        with_transcript=transcript,
        decide_again=replay,
        with_calls=calls,
        call=call,
    )
    raise typer.Exit(status)


@app.command("resume")
def resume_command(  # noqa: PLR0917 - typer reads options from parameters
    run: RunArgument,
    scope: ScopeOption = None,
    apply: Annotated[bool, typer.Option("--apply", help="Write the file, if the run improved one.")] = False,
    decide: Annotated[
        str | None,
        typer.Option(
            metavar="yes|no|@FILE", help="Your decision on the waiting revision; @FILE replaces it with a text."
        ),
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Let the file of a graph name Python functions. They run with your rights.")
    ] = False,
    as_json: JsonOption = False,
    memory: MemoryOption = None,
) -> None:
    """Resume a run of `jido improve`, `jido ask` or `jido run`.

    It continues after the last finished step.
    """
    from jido_ai.cli.runs import resume_run  # noqa: PLC0415 - each command loads what it needs

    status = resume_run(
        run, scope, memory, sys.stdout, sys.stderr, apply=apply, decide=decide, as_json=as_json, trust=trust
    )
    raise typer.Exit(status)
