"""Errors as RFC 9457 problem documents: which error is which answer, and its stable `type`. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jido_ai.errors import (
    BudgetExceededError,
    ComponentError,
    ConfigurationError,
    ModelError,
    NotFoundError,
    RunClaimedError,
    StoreError,
    StoreFullError,
    message_of,
)

TITLES: Final[Mapping[str, tuple[int, str]]] = {
    "malformed": (400, "The request cannot be read"),
    "unauthorized": (401, "A valid token is needed"),
    "forbidden": (403, "The token does not allow this"),
    "foreign-origin": (403, "The request comes from another site"),
    "not-found": (404, "Not found"),
    "method-not-allowed": (405, "The route has no such method"),
    "timeout": (408, "The request took too long to arrive"),
    "conflict": (409, "It conflicts with the current state"),
    "too-large": (413, "The body is too large"),
    "not-json": (415, "The body must be JSON"),
    "foreign-host": (421, "The request is for another host"),
    "impossible": (422, "The request can never work"),
    "quota": (429, "The quota is used up for now"),
    "failed": (500, "An error on our side"),
    "model-failed": (502, "A model or another component failed"),
    "busy": (503, "The server can take no more for now"),
    "store-failed": (503, "The store failed"),
    "model-unreachable": (503, "A model accepts no connections"),
}
"""Status and title by the last part of the `type`."""


class Problem(Exception):
    """An answer that is an error.

    Args:
        kind: a key of `TITLES`.
        detail: the value, the expected one, and how to fix the request.
        field: of the request, as in "metadata.team".
        retry_after_s: seconds after which to try again.
    """

    def __init__(self, kind: str, detail: str, *, field: str | None = None, retry_after_s: float | None = None) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.field = field
        self.retry_after_s = retry_after_s

    @property
    def status(self) -> int:
        """The HTTP status."""
        return TITLES[self.kind][0]

    def to_map(self) -> dict[str, Any]:
        """Return the problem document."""
        status, title = TITLES[self.kind]
        document: dict[str, Any] = {"type": f"urn:jido:{self.kind}", "title": title, "status": status}
        document["detail"] = self.detail
        if self.field is not None:
            document["field"] = self.field
        return document

    def headers(self) -> dict[str, str]:
        """Return the headers that belong to it."""
        headers = {"cache-control": "no-store"}
        if self.retry_after_s is not None:
            headers["retry-after"] = str(max(1, round(self.retry_after_s + 0.5)))
        if self.kind == "conflict":  # OpenAI's clients would repeat it, which starts another run
            headers["x-should-retry"] = "false"
        if self.kind == "unauthorized":
            headers["www-authenticate"] = 'Bearer realm="jido"'
        return headers


def problem_of(error: Exception) -> Problem:
    """Return the answer for an error of a route; unexpected errors hide internals."""
    match error:
        case Problem():
            return error
        case NotFoundError():
            return Problem("not-found", message_of(error))
        case RunClaimedError():
            return Problem("conflict", message_of(error))
        case StoreFullError():
            return Problem("store-failed", "the store has no space left; nothing was lost", retry_after_s=30)
        case StoreError():
            return Problem("store-failed", "the store cannot be used now; the log has the reason", retry_after_s=5)
        case ModelError():
            return Problem("model-failed", f"{type(error).__name__}: {message_of(error)}")
        case ComponentError(__cause__=(ComponentError() | BudgetExceededError()) as inner):
            return problem_of(inner)
        case ComponentError():  # it quotes what the component said
            return Problem("model-failed", f"{error.component} failed with {type(error.__cause__ or error).__name__}")
        case BudgetExceededError():
            return Problem("quota", message_of(error), retry_after_s=3600)
        case ConfigurationError():
            return Problem("impossible", message_of(error))
        case _:
            return Problem("failed", f"{type(error).__name__}; the log has more")


# -- OpenAI's form ---------------------------------------------------------------------------------

_OPENAI: Final = frozenset({"chat", "responses", "models"})
_CODES: Final = {"unauthorized": "invalid_api_key", "quota": "rate_limit_exceeded"}


def speaks_openai(path: str) -> bool:
    """Tell whether errors at a path have OpenAI's form: at the routes that OpenAI's clients use."""
    parts = path.split("/")
    return len(parts) > 2 and parts[1] == "v1" and parts[2] in _OPENAI


def status_at(path: str, problem: Problem) -> int:
    """Return the HTTP status of a problem at a path; OpenAI's clients expect 400 for all that is wrong in a body."""
    return 400 if problem.kind == "impossible" and speaks_openai(path) else problem.status


def openai_error(problem: Problem) -> dict[str, Any]:
    """Return a problem in OpenAI's form."""
    kind = "server_error" if problem.status >= 500 else "invalid_request_error"
    code = _CODES.get(problem.kind, problem.kind)
    if problem.kind == "quota":
        kind = "rate_limit_error"
    elif problem.kind == "not-found" and problem.field == "model":
        code = "model_not_found"
    return {"message": problem.detail, "type": kind, "param": problem.field, "code": code}
