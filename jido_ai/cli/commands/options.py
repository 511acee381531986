"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, Any

import typer

__all__ = ["JsonLinesOption", "JsonOption", "MemoryOption", "OwnScopeOption", "ScopeOption", "new_app"]

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
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
JsonLinesOption = Annotated[bool, typer.Option("--json", help="Print JSON lines.")]


def new_app(help: str | None = None, **options: Any) -> typer.Typer:
    """Return the Typer of one command, or of a group of them; with plain text for help, as `jido` itself."""
    return typer.Typer(
        help=help, rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False, **options
    )
