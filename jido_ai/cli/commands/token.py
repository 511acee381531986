"""`jido token`: its commands and options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jido_ai.cli.commands.options import new_app

app = new_app("Make tokens for `jido serve`.", no_args_is_help=True)


@app.callback()
def tokens() -> None:
    """Make tokens for `jido serve`."""


@app.command("new")
def new_command(  # noqa: PLR0917 - typer calls it by keyword
    tokens: Annotated[Path, typer.Option(metavar="FILE", help="File of tokens; created if it does not exist.")],
    tenant: Annotated[str, typer.Option(metavar="T", help="Tenant whose runs and lessons the token sees.")],
    project: Annotated[str, typer.Option(metavar="P", help="Project of the tenant.")],
    scope: Annotated[
        str, typer.Option(metavar="LIST", help="What the token may do: any of run, read, memory, admin.")
    ] = "run,read,memory",
    runs_at_once: Annotated[int | None, typer.Option(metavar="N", min=1, help="Maximum runs in flight.")] = None,
    runs_a_minute: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Maximum runs started per minute.")
    ] = None,
    body_bytes: Annotated[int | None, typer.Option(metavar="N", min=1, help="Maximum bytes of one request.")] = None,
    tokens_a_day: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Maximum model tokens per UTC day.")
    ] = None,
    dollars_a_day: Annotated[float | None, typer.Option(metavar="X", help="Maximum dollars per UTC day.")] = None,
) -> None:
    """Add a token to a file and print it, this once: the file keeps only its digest."""
    from jido_ai.cli.tokens import new_token  # noqa: PLC0415 - each command loads what it needs

    quota = {
        "runs_at_once": runs_at_once,
        "runs_a_minute": runs_a_minute,
        "body_bytes": body_bytes,
        "tokens_a_day": tokens_a_day,
        "dollars_a_day": dollars_a_day,
    }
    new_token(tokens, tenant=tenant, project=project, scope=scope, quota=quota, out=sys.stdout, err=sys.stderr)
