"""The command `jido`. Results go to standard output, progress and complaints to standard error.

Exit status: 0 nothing is left to fix; 1 issues are left; 2 wrong usage, bad input or configuration; 130 interrupted.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from jido_ai.argument_hints import nearest_name
from jido_ai.cli.interrupts import tell_interrupted
from jido_ai.cli.output import OutputError
from jido_ai.errors import ConfigurationError, JidoError

_COMMANDS: Final = {
    "demo": "Show the gate, a repair and a lesson on a small project; needs neither a key nor a network.",
    "init": "Write a commented jido.toml, and name the next command.",
    "improve": "Fix files: run linters and tests, apply fixes, check again.",
    "gate": "Check a patch hunk by hunk: keep what breaks nothing, and say why the rest is rejected.",
    "fix-test": "Repair failing tests with small edits, or ask which edit is meant.",
    "ask": "Answer a question: a model writes and revises; it or another one judges.",
    "compare": "Compare strategies on your own tasks: does a loop pay off, or is one call enough?",
    "run": "Run a graph of loops and steps from a TOML file.",
    "graph": "Check and draw graphs in TOML files.",
    "serve": "Serve pipelines and graphs over HTTP, with a page that shows the runs.",
    "token": "Make tokens for `jido serve`.",
    "worker": "Carry out runs that `jido submit` puts into a queue.",
    "submit": "Queue a run for `jido worker`, and print its id or, with --wait, its result.",
    "mcp": "Serve MCP clients over standard input and output.",
    "memory": "Show, search, move and forget lessons.",
    "runs": "List, draw, replay and resume recorded runs.",
    "prompts": "Show the prompts sent to models, and export them for editing.",
    "progress": "Plot how attempts develop, and whether lessons help.",
    "cost": "Show what model calls cost, and how much of the budget is spent.",
    "doctor": "Check the installation: tools, sandbox, models, settings, memory.",
    "tree": "Draw the supervision tree of a running server, or of an example.",
}
"""Each is `app` in `cli/commands/NAME.py` (_ for -), which is imported when the command is called, and not before."""

_UsageError: Any = typer.BadParameter.__base__
"""What typer raises for every wrong usage; it has no public name of its own."""


class _Commands(TyperGroup):
    """Loads only the command that is called. Wrong usage and ^C, which typer makes a silent exit, are one line each."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command as the help and the shell's completion need it: its name and one line."""
        line = _COMMANDS.get(cmd_name)
        return None if line is None else TyperCommand(cmd_name, help=line, short_help=line)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, _, rest = super().resolve_command(ctx, args)
        return name, None if name is None else _loaded(name), rest

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


def _loaded(name: str) -> Any:
    command: Any = typer.main.get_command(import_module(f"jido_ai.cli.commands.{name.replace('-', '_')}").app)
    command.name = name
    return command


@contextlib.contextmanager
def _usage_in_one_line() -> Generator[None]:
    """Raise wrong usage as a `ConfigurationError` that names the help; a command without arguments still shows it."""
    try:
        yield
    except _UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            raise
        said = " ".join(str(error.format_message()).replace(": Value error, ", ": ").split()).rstrip(".")
        if said.startswith("No such") and "(Possible options" not in said:
            known = (
                list(_COMMANDS)
                if "command" in said
                else [name for one in error.ctx.command.params for name in one.opts]
            )
            near = nearest_name(said.split()[-1].strip("'"), known)
            said += f"; did you mean {near!r}?" if near else ""
        command = "jido" if error.ctx is None else error.ctx.command_path
        raise ConfigurationError(f"{said}; see `{command} --help`") from None


app = typer.Typer(
    name="jido",
    cls=_Commands,
    help="Supervised reflection: critique, revise, judge again, remember.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain text is four times as fast, and can be piped
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415 - takes 15 ms

        print(version("jido-ai"))
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Take the options that go before the command."""


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
