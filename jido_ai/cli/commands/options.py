"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

MemoryOption = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="PATH",
        help="Memory to use: a file, or postgresql://HOST/NAME. Default: the one in the settings, else your own.",
    ),
]
ScopeOption = Annotated[
    str | None, typer.Option(metavar="TENANT/PROJECT", help="Only this scope. Default: all scopes.")
]
OwnScopeOption = Annotated[
    str | None,
    typer.Option(metavar="TENANT/PROJECT", help="Only this scope. Default: all projects of the tenant default."),
]
PythonOption = Annotated[
    Path | None,
    typer.Option(
        metavar="PATH",
        help="Python, or its environment, for the tests. Default: VIRTUAL_ENV, the project's .venv, or jido's.",
    ),
]
TestTimeoutOption = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", min=1.0, max=86_400.0, help="Time limit for one run of --tests. Default: 30."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
JsonLinesOption = Annotated[bool, typer.Option("--json", help="Print JSON lines.")]


def new_app(help: str | None = None, **options: Any) -> typer.Typer:
    """Return the Typer of one command, or of a group of them; with plain text for help, as `jido` itself."""
    return typer.Typer(
        help=help, rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False, **options
    )
