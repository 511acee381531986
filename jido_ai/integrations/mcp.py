"""MCP (the extra `mcp`): a tool of an MCP server as a critiquer. For pipelines as a server see `jido_ai.mcp`."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final, cast

from jido_ai.critics.scoring import with_verdict
from jido_ai.errors import (
    BadRequestError,
    ComponentError,
    ConfigurationError,
    JidoError,
    ModelTimeoutError,
    ModelUnavailableError,
    describe,
    message_of,
)
from jido_ai.extras import check_versions, missing
from jido_ai.integrations.common import translated
from jido_ai.protocols import RunContext
from jido_ai.text.redaction import redact
from jido_ai.values import Candidate, CritiqueResult

check_versions("mcp")
try:
    from mcp.shared.exceptions import MCPError
    from mcp_types import CONNECTION_CLOSED, INVALID_PARAMS, METHOD_NOT_FOUND, REQUEST_TIMEOUT
except ImportError as error:
    raise missing("mcp", "mcp", error) from error

__all__ = ["MCPCritiquer"]

_SHOWN_CHARS: Final = 300
_BY_CODE: Final = {
    CONNECTION_CLOSED: ModelUnavailableError,
    REQUEST_TIMEOUT: ModelTimeoutError,
    INVALID_PARAMS: BadRequestError,
    METHOD_NOT_FOUND: BadRequestError,
}
_STATUSES: Final = ("status", "status_code", "http_status")
_JUDGEMENT: Final = ("severity", "score", "feedback")


class MCPCritiquer:
    """A tool of an MCP server as a critiquer.

    The tool gets the prompt of the run and the text of the candidate, and returns "severity" or "score", and "issues":
    texts, or objects with a "message". It returns them as structured content, else as JSON in its first text.
    The tool `critique` of `jido_ai.mcp` is one: `MCPCritiquer(client, "critique", prompt="task")`.

    Args:
        client: an open `mcp.Client`, or an open `ClientSession`; it stays open.
        tool: name of the tool.
        prompt, text: names of the tool's arguments.

    Raises:
        ConfigurationError: the client has no `call_tool`, or a name is blank.
    """

    def __init__(self, client: Any, tool: str, *, prompt: str = "prompt", text: str = "text") -> None:
        if not callable(getattr(client, "call_tool", None)):
            raise ConfigurationError(f"need an mcp.Client, got {describe(client)}")
        for name in (tool, prompt, text):
            if not isinstance(name, str) or not name.strip():
                raise ConfigurationError(f"a tool and its arguments need a name, got {describe(name)}")
        self._client = client
        self._tool = tool
        self._names = prompt, text

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Call the tool. See `Critiquer`.

        Raises:
            ModelError: the server refused the call, or could not be reached.
            ComponentError: the tool failed, or its answer is no judgement.
        """
        prompt, text = self._names
        with _typed_errors(self._tool):
            result = await self._client.call_tool(self._tool, {prompt: context.prompt, text: candidate.content})
        told = _text_of(result)
        if getattr(result, "is_error", False):
            raise ComponentError(f"the tool {self._tool} failed: {_shown(told)}", component="mcp")
        answer = getattr(result, "structured_content", None)
        try:
            return self._judgement(json.loads(told) if answer is None else answer)
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
            raise ComponentError(
                f"the tool {self._tool} must return severity or score, and issues: {_shown(message_of(error))}",
                component="mcp",
            ) from error

    def _judgement(self, answer: Mapping[str, Any]) -> CritiqueResult:
        given = {name: answer[name] for name in _JUDGEMENT if answer.get(name) is not None}
        issues = [_issue(one) for one in answer.get("issues") or ()]
        suggestions = tuple(answer.get("suggestions") or ())
        return with_verdict(CritiqueResult(issues=issues, suggestions=suggestions, source=f"mcp:{self._tool}", **given))


def _issue(told: Any) -> Any:
    """Return an issue: a text, or the known fields of an object."""
    if isinstance(told, str):
        return told
    line: object = told.get("line")
    issue = {name: told[name] for name in ("message", "severity", "kind", "rule") if told.get(name) is not None}
    return {**issue, **({} if line is None else {"location": {"line": line}})}


def _text_of(result: Any) -> str:
    texts = (getattr(part, "text", None) for part in getattr(result, "content", ()))
    return next((text for text in texts if isinstance(text, str)), "")


def _shown(text: str) -> str:
    return redact(text[: 10 * _SHOWN_CHARS])[:_SHOWN_CHARS]


class _StatusError(Exception):
    """An error that came over MCP with a status of HTTP."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@contextmanager
def _typed_errors(tool: str) -> Generator[None]:
    """Translate the client's errors: by an HTTP status in code or data, else by the JSON-RPC code."""
    with translated("mcp", tool, is_model=False):
        try:
            yield
        except MCPError as error:
            data: object = error.error.data
            told = cast("Mapping[str, object]", data) if isinstance(data, Mapping) else dict[str, object]()
            for status in [*(told.get(name) for name in _STATUSES), error.error.code]:
                if isinstance(status, int) and 400 <= status < 600:
                    raise _StatusError(status, message_of(error)) from error
            raise _of_code(error, tool) from error
        except RuntimeError as error:
            if not any(word in message_of(error) for word in ("structured content", "schema")):
                raise
            # The client has no type of its own for an answer that breaks the schema of its tool.
            raise ComponentError(f"the tool {tool} failed: {_shown(message_of(error))}", component="mcp") from error


def _of_code(error: MCPError, tool: str) -> JidoError:
    said = _shown(message_of(error))
    kind = _BY_CODE.get(error.error.code)
    if kind is None:
        return ComponentError(f"the tool {tool} failed: {said}", component="mcp")
    return kind(said, provider="mcp", model=tool)
