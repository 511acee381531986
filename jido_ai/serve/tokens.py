"""Tokens and their rights. A file has their SHA-256 digests, never the tokens.

A token is 256 random bits, so that a plain digest is enough.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from jido_ai.errors import ConfigurationError
from jido_ai.files.bounded_read import read_at_most
from jido_ai.files.private import make_private_file
from jido_ai.files.replacement import write_whole
from jido_ai.values import Scope, new_id

Right = Literal["run", "read", "memory", "admin"]
ALL_RIGHTS: Final[tuple[Right, ...]] = ("run", "read", "memory", "admin")
USUAL_RIGHTS: Final[tuple[Right, ...]] = ("run", "read", "memory")
_MOST_BYTES: Final = 16 << 20
_PREFIX: Final = "jido_"
Name = Annotated[str, Field(min_length=1, max_length=255)]
Limit = Annotated[int, Field(ge=1)]


class Quota(BaseModel):
    """Limits of a token; None is no limit.

    Attributes:
        runs_at_once: in flight or waiting.
        body_bytes: of one request.
        tokens_a_day, dollars_a_day: of model calls, by the UTC day; counted when a run ends.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    runs_at_once: Limit | None = None
    runs_a_minute: Limit | None = None
    body_bytes: Limit | None = None
    tokens_a_day: Limit | None = None
    dollars_a_day: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None


class Token(BaseModel):
    """A token as the file has it.

    Attributes:
        id: names it in logs; it is no secret.
        sha256: of the token, hexadecimal.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Name
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    tenant: Name
    project: Name
    rights: tuple[Right, ...] = USUAL_RIGHTS
    quota: Quota = Quota()

    @property
    def scope(self) -> Scope:
        """The scope of the runs and lessons that it sees."""
        return Scope(self.tenant, self.project)


class _TokenFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[1] = 1
    tokens: tuple[Token, ...] = ()


class TokenFile:
    """The tokens of a file; a change of the file is seen with the next request.

    Args:
        path: must exist.

    Raises:
        ConfigurationError: it cannot be read, or is not a file of tokens.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tokens: tuple[Token, ...] = ()
        self._seen: tuple[int, int] | None = None
        self._read()

    def token_of(self, text: str) -> Token | None:
        """Return the token with that text; None for no such token. Takes the same time for every text."""
        self._read()
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        found = None
        for token in self._tokens:
            if hmac.compare_digest(token.sha256, digest):
                found = token
        return found

    def all(self) -> tuple[Token, ...]:
        """Return all tokens."""
        self._read()
        return self._tokens

    def token_named(self, id_: str) -> Token | None:
        """Return the token of an id; None if it is not there (any more)."""
        self._read()
        return next((token for token in self._tokens if token.id == id_), None)

    def _read(self) -> None:
        try:
            status = self._path.stat()
            seen = (status.st_mtime_ns, status.st_size)
            if seen == self._seen:
                return
        except OSError as error:
            raise ConfigurationError(f"{self._path}: cannot be read: {error.strerror}; see `jido token new`") from error
        self._tokens = _tokens_in(self._path).tokens
        self._seen = seen


def _tokens_in(path: Path) -> _TokenFile:
    try:
        data = read_at_most(path, _MOST_BYTES)
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}; see `jido token new`") from error
    if data is None:
        raise ConfigurationError(f"{path}: larger than {_MOST_BYTES:,} bytes")
    try:
        return _TokenFile.model_validate(json.loads(data))
    except (ValidationError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path}: not a file of tokens; `jido token new --tokens FILE` makes one") from error


def add_token(
    path: Path, *, tenant: str, project: str, rights: tuple[Right, ...] = USUAL_RIGHTS, quota: Quota | None = None
) -> str:
    """Add a new token to a file, which is made if it is not there, and return the token.

    Raises:
        ConfigurationError: the file cannot be read or written, or a name is empty or longer than 255 characters.
    """
    text = _PREFIX + secrets.token_urlsafe(32)
    fields: dict[str, Any] = {"tenant": tenant, "project": project, "rights": rights, "quota": quota or Quota()}
    try:
        token = Token(id=new_id("token"), sha256=hashlib.sha256(text.encode()).hexdigest(), **fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ConfigurationError(f"{'.'.join(str(one) for one in first['loc'])}: {first['msg']}") from error
    file = _tokens_in(path) if path.exists() else _TokenFile()
    written = file.model_copy(update={"tokens": (*file.tokens, token)}).model_dump_json(indent=2, exclude_none=True)
    try:
        if not path.exists():
            make_private_file(path)
        write_whole(path, (written + os.linesep).encode())
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be written: {error.strerror}") from error
    return text
