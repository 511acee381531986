"""The work of `jido token`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TextIO, cast

from pydantic import ValidationError

from jido_ai.errors import ConfigurationError, describe
from jido_ai.extras import needs_extra


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
