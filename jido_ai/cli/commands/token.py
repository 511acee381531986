"""`jido token`: make tokens for `jido serve`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TextIO, cast

import typer
from pydantic import ValidationError

from jido_ai.cli.commands.options import new_app
from jido_ai.errors import ConfigurationError, describe
from jido_ai.extras import needs_extra

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
    quota = {
        "runs_at_once": runs_at_once,
        "runs_a_minute": runs_a_minute,
        "body_bytes": body_bytes,
        "tokens_a_day": tokens_a_day,
        "dollars_a_day": dollars_a_day,
    }
    new_token(tokens, tenant=tenant, project=project, scope=scope, quota=quota, out=sys.stdout, err=sys.stderr)


def new_token(
    path: Path, *, tenant: str, project: str, scope: str, quota: Mapping[str, object], out: TextIO, err: TextIO
) -> None:
    """Add a token to a file and print it last.

    Raises:
        ConfigurationError: an option can never work, or the file cannot be read or written.
    """
    with needs_extra("serve"):
        from jido_ai.serve.tokens import ALL_RIGHTS, Quota, Right, add_token  # noqa: PLC0415 - an extra

    rights = tuple(part.strip() for part in scope.split(","))
    unknown = [part for part in rights if part not in ALL_RIGHTS]
    if unknown:
        raise ConfigurationError(f"--scope takes some of {', '.join(ALL_RIGHTS)}, got {describe(unknown[0])}")
    try:
        limits = Quota.model_validate(quota)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        option = "--" + str(first["loc"][0]).replace("_", "-")
        raise ConfigurationError(f"{option}: {first['msg']}, got {describe(first['input'])}") from error
    text = add_token(path, tenant=tenant, project=project, rights=cast("tuple[Right, ...]", rights), quota=limits)
    err.write(f"added to {path}, which keeps only its digest; it is not shown again:\n")
    err.flush()
    out.write(text + "\n")
