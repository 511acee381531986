"""`jido improve`: its options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jido_ai.cli.commands.options import JsonOption, MemoryOption, PythonOption, TestTimeoutOption, new_app
from jido_ai.errors import ConfigurationError

app = new_app()


@app.command("improve")
def improve_command(  # noqa: PLR0917 - typer reads options from parameters
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="Files (.py, .md, .json, .yaml, .toml, .txt), or directories, for the Python files in them.",
            show_default=False,
        ),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="REF", help="Only files changed in git since this commit, new ones included."),
    ] = None,
    lines: Annotated[
        str | None,
        typer.Option(
            metavar="changed|all",
            help="Judge the lines that changed since REF (default with --since and --hook), or all lines.",
        ),
    ] = None,
    hook: Annotated[
        bool,
        typer.Option("--hook", help="For git hooks: --check --since HEAD, and no output if nothing is left."),
    ] = False,
    baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File of known findings, which are not reported.")
    ] = None,
    write_baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the remaining findings to a file for --baseline.")
    ] = None,
    tests: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Tests that must keep passing, run by pytest in the sandbox, without .env."),
    ] = None,
    test_timeout: TestTimeoutOption = None,
    python: PythonOption = None,
    with_: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="COMMAND",
            help="Run this command on a copy of the project instead, and keep what breaks nothing. May be repeated.",
        ),
    ] = None,
    kept: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --with: write the kept hunks as a patch.")
    ] = None,
    rejected: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --with: write the rejected hunks as a patch.")
    ] = None,
    max_iterations: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=100, help="Maximum number of versions of a file to judge. Default: 5."),
    ] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Show the changes as a diff (the default).")] = False,
    apply: Annotated[bool, typer.Option("--apply", help="Write the files.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Report issues and change nothing.")] = False,
    as_json: JsonOption = False,
    sarif: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the remaining issues as SARIF 2.1.0.")
    ] = None,
    layout: Annotated[
        bool, typer.Option("--format", help="Format the files too, as ruff format and mdformat do.")
    ] = False,
    root: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Project that the files belong to. Default: found from the files."),
    ] = None,
    unsafe_local_tools: Annotated[
        bool, typer.Option("--unsafe-local-tools", help="Run --tests even if there is no sandbox.")
    ] = False,
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Model for issues that the built-in fixers cannot handle, e.g. openai:NAME."),
    ] = None,
    critic: Annotated[
        str | None, typer.Option(metavar="NAME", help="Model that judges the files in addition to the tools.")
    ] = None,
    unsafe_fixes: Annotated[
        bool, typer.Option("--unsafe-fixes", help="Apply fixes that may change what a program does.")
    ] = False,
    select: Annotated[
        str | None, typer.Option(metavar="RULES", help="Check these ruff rules instead, e.g. E,F,B006.")
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="RULES", help="Do not check these ruff rules. May be repeated.")
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(metavar="PATTERN", help="Skip these files and folders. May be repeated.")
    ] = None,
    max_severity: Annotated[
        float | None,
        typer.Option(
            metavar="N", min=0.0, max=1.0, help="Exit with status 0 if no remaining issue is more severe than this."
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only the last line.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print clean files and lessons too.")] = False,
    rules: Annotated[
        bool, typer.Option("--rules", help="Print the rules and fixes that are on by default, and exit.")
    ] = False,
    trust: Annotated[
        bool,
        typer.Option(
            "--trust",
            help="Accept the model, the memory and the Python that this project's settings name, now and later.",
        ),
    ] = False,
    memory: MemoryOption = None,
    scope: Annotated[
        str | None,
        typer.Option(
            metavar="TENANT/PROJECT",
            help="Scope of lessons, to share them between projects. Default: one for each project directory.",
        ),
    ] = None,
) -> None:
    """Fix files: run linters and tests, apply fixes, check again.

    Programs keep working: fixes that may change what a program does are held back unless --unsafe-fixes is given, or
    --tests pass and run the changed lines. A fix that breaks an import or a test is reverted.

    Exit status: 0 no issues are left, 1 issues are left, 2 bad input or a file that cannot be written, 130 interrupted.
    """
    if rules:
        from jido_ai.cli.improve_rules import print_rules  # noqa: PLC0415 - each command loads what it needs

        print_rules(sys.stdout)
        raise typer.Exit
    if diff + apply + check > 1:
        raise ConfigurationError("--diff, --apply and --check cannot be combined; give one of them")
    if quiet and verbose:
        raise ConfigurationError("--quiet and --verbose cannot be combined; give one of them")
    if lines not in (None, "changed", "all"):
        raise ConfigurationError(f"--lines must be changed or all, got {lines!r}")
    if baseline is not None and write_baseline is not None:
        raise ConfigurationError("--baseline and --write-baseline cannot be combined; give one of them")
    if hook:
        since = since or "@"
        check = not (apply or diff)
    elif lines == "changed":
        since = since or "HEAD"
    from jido_ai.cli.improve import improve  # noqa: PLC0415
    from jido_ai.cli.memory_place import scope_of, usable_memory  # noqa: PLC0415
    from jido_ai.cli.trust import check_trust  # noqa: PLC0415
    from jido_ai.improve.outcome import ImproveOptions  # noqa: PLC0415
    from jido_ai.loop.settings import load_settings  # noqa: PLC0415

    settings = load_settings(memory=memory, model=model, critic=critic, trust=trust)
    check_trust(settings, asked=trust)
    address, doubt = usable_memory(settings.memory)
    if doubt is not None and not hook:
        sys.stderr.write(f"jido: continuing without a memory: {doubt}\n")
    if with_ or kept or rejected:
        if not with_:
            raise ConfigurationError('--kept and --rejected need --with "COMMAND"')
        if since or critic or layout or unsafe_fixes or select or ignore:
            raise ConfigurationError(
                "--with goes only with files, --tests and its options, --root, --model and the output options"
            )
        from jido_ai.cli.gate import gate  # noqa: PLC0415
        from jido_ai.improve.patch_run import GateOptions  # noqa: PLC0415

        gated = GateOptions(
            commands=with_,
            files=files or (),
            root=root,
            tests=tests,
            python=python,
            test_timeout_s=test_timeout,
            output="apply" if apply else "report" if check else "diff",
            as_json=as_json,
            sarif=sarif,
            kept=kept,
            rejected=rejected,
            unsafe=unsafe_local_tools,
            verbosity=verbose - quiet,
            model=model,
            memory=address if model is not None else None,
            settings=settings,
        )
        raise typer.Exit(gate(gated, sys.stdout, sys.stderr))
    options = ImproveOptions(
        files=files or (),
        memory=address,
        scope=None if scope is None else scope_of(scope),
        since=since,
        lines="all" if lines == "all" else "changed" if since is not None else None,
        baseline=baseline,
        write_baseline=write_baseline,
        is_hook=hook,
        tests=tests,
        test_timeout_s=test_timeout,
        python=python,
        root=root,
        max_iterations=max_iterations,
        output="apply" if apply else "check" if check else "diff",
        format=layout,
        as_json=as_json,
        sarif=sarif,
        unsafe=unsafe_local_tools,
        unsafe_fixes=unsafe_fixes,
        select=select,
        ignore=[rule.strip() for rules_ in ignore or () for rule in rules_.split(",") if rule.strip()],
        exclude=(*(exclude or ()), *settings.exclude),
        max_severity=max_severity,
        verbosity=verbose - quiet,
        model=settings.model,
        critic=settings.critic,
        settings=settings,
    )
    raise typer.Exit(improve(options, sys.stdout, sys.stderr))
