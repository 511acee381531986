"""The command `jido`. Results go to standard output, progress and complaints to standard error.

Exit status: 0 nothing wrong is left; 1 issues are left; 2 wrong usage, bad input or configuration; 130 interrupted.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Generator
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from jido_ai.cli.cost import Grouping, cost_report, show_costs
from jido_ai.cli.improve.command import ImproveOptions, improve
from jido_ai.cli.improve.rules import print_rules
from jido_ai.cli.interrupts import tell_interrupted
from jido_ai.cli.maintain import maintain_command
from jido_ai.cli.memory import MemoryOption, address_of, make_place, memory_app, open_memory, scope_of
from jido_ai.cli.output import OutputError
from jido_ai.cli.runs import runs_app
from jido_ai.cli.settings import load_settings
from jido_ai.config import Settings
from jido_ai.errors import ConfigurationError, JidoError

__all__ = ["app", "main"]


_UsageError: Any = typer.BadParameter.__base__
"""What typer raises for every wrong usage; it has no public name of its own."""


class _Commands(TyperGroup):
    """The commands; ^C is told, which typer turns into a silent exit, and wrong usage is one line, not a picture."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        with _usage_in_one_line():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        try:
            with _usage_in_one_line():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            tell_interrupted()
            raise typer.Exit(130) from None


@contextlib.contextmanager
def _usage_in_one_line() -> Generator[None]:
    """Raise wrong usage as a `ConfigurationError` that names the help; a command without arguments still shows it."""
    try:
        yield
    except _UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            raise
        said = " ".join(str(error.format_message()).replace(": Value error, ", ": ").split()).rstrip(".")
        command = "jido" if error.ctx is None else error.ctx.command_path
        raise ConfigurationError(f"{said}; see `{command} --help`") from None


app = typer.Typer(
    name="jido",
    cls=_Commands,
    help="Supervised reflection: criticise, revise, judge again, remember.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


def _memory_path(settings: Settings) -> str:
    """Return where lessons are kept; the directory of a file is made."""
    address = address_of(settings.memory)
    make_place(address)
    return address


@app.command("improve")
def improve_command(  # noqa: PLR0917 - typer reads options from parameters
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="Files (.py, .md, .json, .yaml, .toml, .txt), or directories: the Python files in them.",
            show_default=False,
        ),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="REF", help="The files changed in git since this commit; new ones too. FILE narrows it."),
    ] = None,
    tests: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Tests that must pass, for pytest; they see no .env.")
    ] = None,
    max_iterations: Annotated[
        int | None, typer.Option(min=1, max=100, help="How many versions are judged at most; 5 unless set.")
    ] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Show what would change (the default).")] = False,
    apply: Annotated[bool, typer.Option("--apply", help="Write the files.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only judge the files as they are.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    sarif: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what is left as SARIF 2.1.0, for review tools.")
    ] = None,
    layout: Annotated[
        bool, typer.Option("--format", help="Mend the layout too, as ruff format and mdformat do.")
    ] = False,
    root: Annotated[Path | None, typer.Option(metavar="DIR", help="The project the files belong to.")] = None,
    unsafe_local_tools: Annotated[
        bool, typer.Option("--unsafe-local-tools", help="Run --tests even where no sandbox holds.")
    ] = False,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who revises what the others cannot, as in openai:NAME.")
    ] = None,
    critic: Annotated[str | None, typer.Option(metavar="NAME", help="A model that judges beside the tools.")] = None,
    unsafe_fixes: Annotated[
        bool, typer.Option("--unsafe-fixes", help="Make edits, too, that may change what a program does.")
    ] = False,
    select: Annotated[
        str | None, typer.Option(metavar="RULES", help="Use these rules of ruff instead, as in E,F,B006.")
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="RULES", help="Leave these rules of ruff out; may be repeated.")
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(metavar="PATTERN", help="Leave files and folders alone; may be repeated.")
    ] = None,
    max_severity: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="Exit with 0 when nothing more severe than this is left."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the last line only.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print clean files and lessons, too.")] = False,
    rules: Annotated[
        bool, typer.Option("--rules", help="Print the rules that are on without a configuration, and end.")
    ] = False,
    memory: MemoryOption = None,
) -> None:
    """Fix files: run linters and tests, apply fixes, check again.

    What worked before works after: fixes that may change what a program does are held back unless --unsafe-fixes is
    given or --tests pass and run the lines, and whatever breaks an import or a test is taken back.
    """
    if rules:
        print_rules(sys.stdout)
        raise typer.Exit
    if diff + apply + check > 1:
        raise ConfigurationError("--diff, --apply and --check exclude each other; give one of them")
    if quiet and verbose:
        raise ConfigurationError("--quiet and --verbose exclude each other; give one of them")
    settings = load_settings(memory=memory, model=model, critic=critic)
    options = ImproveOptions(
        files=files or (),
        memory=_memory_path(settings),
        since=since,
        tests=tests,
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
        exclude=exclude or (),
        max_severity=max_severity,
        verbosity=verbose - quiet,
        model=settings.model,
        critic=settings.critic,
        settings=settings,
    )
    raise typer.Exit(improve(options, sys.stdout, sys.stderr))


@app.command("ask")
def ask_command(  # noqa: PLR0917 - typer reads options from parameters
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to answer.")],
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Who writes: openai:NAME, anthropic:NAME, ollama:NAME or compatible:NAME@URL; by default as set.",
        ),
    ] = None,
    critic: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who judges; by default the one who writes.")
    ] = None,
    max_iterations: Annotated[
        int | None, typer.Option(min=1, max=100, help="How many answers are judged at most; 3 unless set.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    memory: MemoryOption = None,
) -> None:
    """Answer a question: a model writes, a model judges, the first one revises.

    Keys come from OPENAI_API_KEY, ANTHROPIC_API_KEY or COMPATIBLE_API_KEY; Ollama needs none.

    Only the answer goes to standard output. Status 0: it is good enough; 1: issues are left; 2: there is none.
    """
    from jido_ai.cli.ask import AskOptions, ask  # noqa: PLC0415 - each command loads what it needs

    settings = load_settings(memory=memory, model=model, critic=critic)
    if settings.model is None:
        raise ConfigurationError(
            "which model is to answer? give --model NAME, as in openai:gpt-4o-mini, or set JIDO_MODEL, or model in "
            "jido.toml"
        )
    options = AskOptions(
        text=text,
        model=settings.model,
        critic=settings.critic,
        memory=_memory_path(settings),
        max_iterations=max_iterations,
        as_json=as_json,
        settings=settings,
    )
    raise typer.Exit(ask(options, sys.stdout, sys.stderr))


memory_app.command("maintain")(maintain_command)
app.add_typer(memory_app, name="memory")
app.add_typer(runs_app, name="runs")


@app.command("progress")
def progress_command(
    task_type: Annotated[
        str | None, typer.Option(metavar="NAME", help='Only of this one; "" are those without a name.')
    ] = None,
    scope: Annotated[str, typer.Option(metavar="TENANT/PROJECT", help="Whose attempts.")] = "default/default",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the same picture as SVG, too.")] = None,
    memory: MemoryOption = None,
) -> None:
    """Draw how attempts develop by task type, and say whether what was learnt helps."""

    from jido_ai.cli.pictures import write_svg  # noqa: PLC0415 - each command loads what it needs
    from jido_ai.cli.progress import (  # noqa: PLC0415
        ProgressReport,
        draw_progress,
        progress_report,
        show_progress,
    )

    async def read() -> ProgressReport:
        async with open_memory(memory) as known:
            return await progress_report(known, scope_of(scope), task_type)

    report = asyncio.run(read())
    show_progress(report, sys.stdout, as_json=as_json)
    if svg is not None:
        write_svg(draw_progress(report), "progress", svg)


@app.command("cost")
def cost_command(
    days: Annotated[int, typer.Option(min=1, max=36_500, help="Of how many days, today included.")] = 30,
    by: Annotated[Grouping, typer.Option(help="day, label or model.")] = "day",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    memory: MemoryOption = None,
) -> None:
    """Show what calls of models cost, and how much of the month's budget is spent."""
    budget_usd = load_settings().monthly_budget_usd

    async def read() -> dict[str, Any]:
        async with open_memory(memory) as known:
            return await cost_report(known, days=days, by=by, budget_usd=budget_usd)

    show_costs(asyncio.run(read()), sys.stdout, as_json=as_json)


@app.command("doctor")
def doctor_command(memory: MemoryOption = None) -> None:
    """Show what is installed, which tools are found, which settings hold, and where data lives."""
    from jido_ai.cli.doctor import doctor  # noqa: PLC0415 - each command loads what it needs

    raise typer.Exit(doctor(memory, sys.stdout))


@app.command("tree")
def tree_command() -> None:
    """Draw the supervision tree of an example while it runs."""
    from jido_ai.cli.tree import show_example  # noqa: PLC0415 - each command loads what it needs

    show_example(sys.stdout)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(version_of("jido-ai"))
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Take what goes before the command."""


def main() -> None:
    """Run the command line; every error this package raises on purpose is one line and exit status 2."""
    try:
        app(prog_name="jido")
    except OutputError:
        raise
    except JidoError as error:
        print(f"jido: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        tell_interrupted()
        sys.exit(130)
