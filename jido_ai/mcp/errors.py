"""Errors for clients: those of jido_ai without secrets; of others, nothing."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from jido_ai.components.component import showable
from jido_ai.errors import ConfigurationError, JidoError, NotFoundError, StoreError, message_of


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
