"""Limits of a request's size, and of its caller's permissions. Pure."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS
from pydantic import AfterValidator, Field

from jido_ai.components.component import showable
from jido_ai.errors import ConfigurationError, JidoError, NotFoundError, StoreError, message_of
from jido_ai.graph.orders import fault_of_run_id
from jido_ai.text.large_json import size_of
from jido_ai.values import MOST_LEVELS, Scope, is_too_deep

Permission = Literal["run", "read", "memory"]
_ALL: Final[frozenset[Permission]] = frozenset({"run", "read", "memory"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The caller of a request.

    Attributes:
        scope: owner of the runs and lessons that the request may see.
        may: "run": start runs and critiques; "read": read runs; "memory": search and add lessons.
        id: of the token, for quotas; "" without one.
    """

    scope: Scope = field(default_factory=Scope)
    may: frozenset[Permission] = _ALL
    id: str = ""


CallerOf = Callable[[Any], Caller]
"""Returns the caller of a request, given `mcp`'s `ServerRequestContext`. Over HTTP its `request` is the HTTP request.
"""


def anybody(context: object) -> Caller:
    """Return the caller of a server without tokens: the default scope, and everything is allowed."""
    return Caller()


LARGEST: Final = 8 * 1024 * 1024
"""Characters of one argument; with its escapes it fits in a body."""
LARGEST_BODY: Final = 10 * 1024 * 1024
"""Bytes of one HTTP request."""
LARGEST_LESSON: Final = 100_000
"""Characters of one text that goes to memory."""
LONGEST_ADDRESS: Final = 65_536
"""Characters of the address of a resource."""
_LONGEST_NAME: Final = 255


def _not_blank(text: str) -> str:
    if text and not text.strip():
        raise ValueError("must not be blank")
    return text


NOT_BLANK: Final = AfterValidator(_not_blank)
"""An argument may be "", if it may be left out; blanks alone are an error."""
NEEDED: Final = Field(min_length=1, json_schema_extra={"pattern": r"\S"})


def fault_in(params: Mapping[str, Any] | None) -> str | None:
    """Return the fault of a name or address in a request, which errors would repeat whole; None without one."""
    params = params or {}
    arguments: object = params.get("arguments")
    if isinstance(arguments, Mapping):
        longest = max((len(str(name)) for name in cast("Mapping[object, object]", arguments)), default=0)
        if longest > _LONGEST_NAME:
            return f"the name of an argument has {longest} characters; the maximum is {_LONGEST_NAME}"
    for name, most in (("name", _LONGEST_NAME), ("uri", LONGEST_ADDRESS)):
        value = params.get(name)
        if isinstance(value, str) and len(value) > most:
            called = "address" if name == "uri" else name
            return f"the {called} has {len(value)} characters; the maximum is {most}"
    return None


def permitted(caller_of: CallerOf, context: Context[Any, Any], permission: Permission) -> Caller:
    """Return the caller of a request. Raises `ToolError` if it may not do this."""
    caller = caller_of(context.request_context)
    if permission not in caller.may:
        raise ToolError(f"the token lacks the scope {permission!r}")
    return caller


def check_size(name: str, value: object) -> None:
    """Raise `ConfigurationError` if a JSON value is too large or too deep."""
    if size_of(value, enough=LARGEST) > LARGEST:
        raise ConfigurationError(f"{name} is too large; the maximum is {LARGEST} characters")
    if value is not None and is_too_deep(value):
        raise ConfigurationError(f"{name} is nested deeper than {MOST_LEVELS} levels")


def check_run_id(run_id: str) -> None:
    """Raise `ConfigurationError` unless this is an id as callers may choose."""
    fault = fault_of_run_id(run_id)
    if fault is not None:
        raise ConfigurationError(fault)


def text_of(error: JidoError) -> str:
    """Return the message for a client: at most 2,000 characters, no secrets, no path of the memory."""
    if isinstance(error, StoreError):
        return f"the memory cannot be used now ({type(error).__name__}); try again later"
    return showable(message_of(error))


@contextmanager
def as_tool_error() -> Generator[None]:
    """Raise `ToolError` for a `JidoError`."""
    try:
        yield
    except JidoError as error:
        raise ToolError(text_of(error)) from error


@contextmanager
def as_resource_error() -> Generator[None]:
    """Raise `ResourceError` for a `JidoError`, and "invalid params" for an address that cannot be right."""
    try:
        yield
    except NotFoundError as error:
        raise ResourceNotFoundError(text_of(error)) from error
    except ConfigurationError as error:
        raise MCPError(code=INVALID_PARAMS, message=text_of(error)) from error
    except JidoError as error:
        raise ResourceError(text_of(error)) from error
