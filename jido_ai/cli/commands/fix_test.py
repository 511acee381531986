"""`jido fix-test`: its options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jido_ai.cli.commands.options import JsonOption, MemoryOption, PythonOption, new_app

app = new_app()


@app.command("fix-test")
def fix_test_command(  # noqa: PLR0917 - typer reads options from parameters
    tests: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NODEID",
            help="Tests, as pytest names them: a directory, a file or FILE::TEST. Default: all that pytest finds.",
            show_default=False,
        ),
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Write the edits that need no decision of yours.")] = False,
    root: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The project. Default: found from the tests.")
    ] = None,
    time_limit: Annotated[
        float, typer.Option(metavar="SECONDS", min=1.0, help="Time limit for the whole search.")
    ] = 120.0,
    test_timeout: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", min=1.0, max=86_400.0, help="Time limit for one run of the tests. Default: none."
        ),
    ] = None,
    python: PythonOption = None,
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Model for tests that no small edit repairs, e.g. openai:NAME."),
    ] = None,
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
    unsafe_local_tools: Annotated[
        bool, typer.Option("--unsafe-local-tools", help="Run the tests even if there is no sandbox.")
    ] = False,
    memory: MemoryOption = None,
) -> None:
    """Repair failing tests with small edits of the code that they run.

    An edit is kept if failing tests pass with it and no passing test fails. It is written, with --apply, only if all
    edits that pass do the same on everything that was tried; otherwise you are asked which one is meant.

    Exit status: 0 all tests pass (without --apply: with the edits shown), 1 some fail or you are asked, 2 wrong usage,
    130 interrupted.
    """
    from jido_ai.cli.fix_test import FixTestOptions, fix_test  # noqa: PLC0415 - each command loads what it needs

    options = FixTestOptions(
        tests=tests or (),
        apply=apply,
        root=root,
        time_limit_s=time_limit,
        test_timeout_s=test_timeout,
        python=python,
        model=model,
        memory=memory,
        as_json=as_json,
        is_quiet=quiet,
        unsafe=unsafe_local_tools,
    )
    raise typer.Exit(fix_test(options, sys.stdout, sys.stderr))
