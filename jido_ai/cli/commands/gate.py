"""`jido gate`: its options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jido_ai.cli.commands.options import JsonOption, MemoryOption, PythonOption, TestTimeoutOption, new_app
from jido_ai.errors import ConfigurationError

app = new_app()


@app.command("gate")
def gate_command(  # noqa: PLR0917 - typer reads options from parameters
    patch: Annotated[
        str | None, typer.Option(metavar="FILE", help="Unified diff of the project here; - is standard input.")
    ] = None,
    branch: Annotated[
        str | None,
        typer.Option(
            metavar="REF",
            help="Changes on a branch since it diverged from HEAD. If HEAD contains REF: changes here since REF.",
        ),
    ] = None,
    tests: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Tests that must keep passing, run by pytest in the sandbox.")
    ] = None,
    test_timeout: TestTimeoutOption = None,
    python: PythonOption = None,
    kept: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the kept hunks as a patch.")] = None,
    rejected: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the rejected hunks as a patch.")] = None,
    as_json: JsonOption = False,
    sarif: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the rejected hunks as SARIF 2.1.0.")] = None,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="Model that rewrites rejected hunks, e.g. openai:NAME.")
    ] = None,
    root: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Project that the patch is for. Default: found from here, by its files."),
    ] = None,
    unsafe_local_tools: Annotated[
        bool, typer.Option("--unsafe-local-tools", help="Run the project's code even if there is no sandbox.")
    ] = False,
    allow_api: Annotated[
        bool, typer.Option("--allow-api", help="Let hunks change public names, signatures, fields and entry points.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 3 if a hunk could be judged by reading alone.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only the last line.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print kept hunks too.")] = False,
    memory: MemoryOption = None,
) -> None:
    """Check a patch hunk by hunk: keep what breaks nothing, and say why the rest is rejected.

    Modules must import, public names stay, files compile on the oldest Python declared, and with --tests, tests that
    passed must pass. No hunk may add a suppression or a placeholder, or empty a body. No file is changed.

    The public surface is read from the code: names, members, parameters, defaults, fields, exceptions, entry points.
    Hunks of one function that return, raise or bind together are kept or rejected together. A module that cannot be
    imported here is judged by reading alone, and its hunks are called unchecked.

    Exit status: 0 every hunk is kept, 1 a hunk is rejected, 2 bad input or no patch, 3 with --strict a hunk is
    unchecked, 130 interrupted.
    """
    if (patch is None) == (branch is None):
        raise ConfigurationError("give one of --patch FILE and --branch REF")
    if quiet and verbose:
        raise ConfigurationError("--quiet and --verbose cannot be combined; give one of them")
    from jido_ai.cli.gate import gate  # noqa: PLC0415 - each command loads what it needs
    from jido_ai.cli.memory_place import memory_address  # noqa: PLC0415
    from jido_ai.cli.trust import trusted_settings  # noqa: PLC0415
    from jido_ai.improve.patch_run import GateOptions, patch_text, read_patch  # noqa: PLC0415

    settings = trusted_settings("python", memory=memory, model=model)
    text = None
    if patch is not None:
        text = patch_text(sys.stdin.buffer.read()) if patch == "-" else read_patch(Path(patch))
    options = GateOptions(
        patch=text,
        branch=branch,
        root=root,
        tests=tests,
        python=python,
        test_timeout_s=test_timeout,
        as_json=as_json,
        sarif=sarif,
        kept=kept,
        rejected=rejected,
        unsafe=unsafe_local_tools,
        allows_api=allow_api,
        strict=strict,
        verbosity=verbose - quiet,
        model=model,
        memory=memory_address(settings.memory) if model is not None else None,
        settings=settings,
    )
    raise typer.Exit(gate(options, sys.stdout, sys.stderr))
