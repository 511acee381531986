"""Errors of clients that are not ours are recognized by the names of their classes, statuses and headers."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from jido_ai.errors import ModelError, ModelTimeoutError, ModelUnavailableError, RateLimitError
from jido_ai.models.retry import passing_failure
from jido_ai.models.wrappers.with_limits import ForeignModel
from jido_ai.testing import ScriptedModel
from jido_ai.values import CompletionRequest, Message

NOW = datetime(2026, 1, 1, tzinfo=UTC)
REQUEST = CompletionRequest([Message("user", "hello")])


def known(error: Exception) -> ModelError | None:
    return passing_failure(error, provider="openai", model="m", now=NOW)


def made(path: str, *bases: str, **attributes: Any) -> Exception:
    """Return an error of a class with that package and name, below classes of the same package with the other names."""
    package, _, name = path.rpartition(".")
    kind: type[Exception] = Exception
    for one in (*reversed(bases), name):
        kind = type(one, (kind,), {"__module__": package})
    error = kind("what it says")
    for attribute, value in attributes.items():
        setattr(error, attribute, value)
    return error


def answered(status: int, **headers: str) -> SimpleNamespace:
    return SimpleNamespace(status_code=status, headers={name.replace("_", "-"): text for name, text in headers.items()})


@pytest.mark.parametrize(
    "error",
    [
        made("httpx.ConnectTimeout", "TimeoutException", "TransportError"),
        made("httpx.ReadTimeout", "TimeoutException", "TransportError"),
        made("openai.APITimeoutError", "APIConnectionError", "APIError"),
        made("anthropic.APITimeoutError", "APIConnectionError", "APIError"),
        made("requests.exceptions.ReadTimeout", "Timeout", "RequestException"),
    ],
)
def test_a_timeout_of_a_client_is_recognised_by_its_class(error: Exception) -> None:
    assert type(known(error)) is ModelTimeoutError


@pytest.mark.parametrize(
    "error",
    [
        made("httpx.ConnectError", "NetworkError", "TransportError"),
        made("httpx.RemoteProtocolError", "ProtocolError", "TransportError"),
        made("openai.APIConnectionError", "APIError"),
        made("anthropic.APIConnectionError", "APIError"),
        made("aiohttp.client_exceptions.ServerDisconnectedError", "ClientConnectionError", "ClientError"),
    ],
)
def test_a_broken_connection_of_a_client_is_recognised_by_its_class(error: Exception) -> None:
    assert type(known(error)) is ModelUnavailableError


@pytest.mark.parametrize(
    "error",
    [
        made("mine.APITimeoutError"),
        made("mine.ConnectError", "NetworkError"),
        made("httpx.UnsupportedProtocol", "TransportError"),
        made("httpx.LocalProtocolError", "ProtocolError", "TransportError"),
        made("google.genai.errors.ClientError", code=400, status="INVALID_ARGUMENT"),
        made("openai.BadRequestError", "APIStatusError", status_code=400, response=answered(400)),
        made("openai.RateLimitError", status_code=429, code="insufficient_quota", response=answered(429)),
        made("websockets.ConnectionClosed", code=1006),
        made("mine.Odd", code=True),
        made("mine.Odd", code="503"),
    ],
)
def test_a_lasting_or_unknown_error_stays_unchanged(error: Exception) -> None:
    assert known(error) is None


@pytest.mark.parametrize(
    ("code", "status", "kind"),
    [
        (429, "RESOURCE_EXHAUSTED", RateLimitError),
        (503, "UNAVAILABLE", ModelUnavailableError),
        (504, None, ModelUnavailableError),
    ],
)
def test_the_code_of_google_genai_is_a_status(code: int, status: str | None, kind: type[ModelError]) -> None:
    error = known(made("google.genai.errors.APIError", code=code, status=status))
    assert type(error) is kind
    assert error.status == code


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry_After": "7"}, 7.0),
        ({"retry_after_ms": "1500", "retry_after": "2"}, 1.5),
        ({"retry_after": "Thu, 01 Jan 2026 00:00:09 GMT"}, 9.0),
        ({"retry_after": "soon"}, None),
        ({}, None),
    ],
)
@pytest.mark.parametrize("status", [429, 529])
def test_retry_after_is_read_from_the_headers_of_the_response(
    status: int, headers: dict[str, str], seconds: float | None
) -> None:
    error = known(made("anthropic.APIStatusError", status_code=status, response=answered(status, **headers)))
    assert error is not None
    assert (error.status, error.retry_after_s) == (status, seconds)


def test_unreadable_headers_do_no_harm() -> None:
    class Broken:
        @property
        def headers(self) -> object:
            raise RuntimeError("no response was read")

    for response in (Broken(), SimpleNamespace(headers=5), SimpleNamespace(headers={1: 2}), SimpleNamespace()):
        error = known(made("httpx.HTTPStatusError", status_code=429, response=response))
        assert error is not None
        assert error.retry_after_s is None


async def test_a_model_given_by_the_caller_raises_them_as_errors_of_the_package() -> None:
    late = made("openai.APITimeoutError", "APIConnectionError")
    with pytest.raises(ModelTimeoutError) as failed:
        await ForeignModel(ScriptedModel([late])).complete(REQUEST)
    assert failed.value.__cause__ is late


# -- inside streams, and wrapped -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "kind", "status"),
    [
        (made("openai.APIError", body={"type": "server_error"}), ModelUnavailableError, 500),
        (made("openai.APIError", body={"message": "no"}, code="rate_limit_exceeded"), ModelUnavailableError, 500),
        (made("openai.APIError", body={"code": "rate_limit_exceeded"}), RateLimitError, 429),
        (made("openai.APIError", body={"code": "503"}), ModelUnavailableError, 503),
        (made("anthropic.APIStatusError", "APIError", status_code=200,
              body={"type": "error", "error": {"type": "overloaded_error"}}), ModelUnavailableError, 529),
        (made("anthropic.APIStatusError", "APIError", status_code=200,
              body={"type": "error", "error": {"type": "rate_limit_error"}}), RateLimitError, 429),
        (made("anthropic.APIStatusError", "APIError", status_code=200,
              body={"type": "error", "error": {"type": "timeout_error"}}), ModelUnavailableError, 504),
        (made("ollama._types.ResponseError", status_code=-1, error="no memory"), ModelUnavailableError, 500),
    ],
)  # fmt: skip
def test_a_failure_inside_a_stream_of_a_client_is_recognised_by_its_words(
    error: Exception, kind: type[ModelError], status: int
) -> None:
    found = known(error)
    assert found is not None
    assert (type(found), found.status) == (kind, status)


@pytest.mark.parametrize(
    "error",
    [
        made("openai.APIError", body={"code": "insufficient_quota"}),
        made(
            "anthropic.APIStatusError", "APIError", status_code=200, body={"error": {"type": "invalid_request_error"}}
        ),
        made("mine.Error", body={"error": {"type": "nobody knows"}}),
        made("mine.Error", body="server_error"),
    ],
)
def test_a_refusal_inside_a_stream_is_no_passing_failure(error: Exception) -> None:
    assert known(error) is None


def test_the_wait_that_google_asks_for_in_its_details_is_read() -> None:
    details = {"error": {"code": 429, "details": [{"@type": "RetryInfo", "retryDelay": "7s"}]}}
    found = known(made("google.genai.errors.ClientError", code=429, details=details))
    assert isinstance(found, RateLimitError)
    assert found.retry_after_s == 7.0


async def test_the_error_that_a_library_wrapped_decides() -> None:
    wrapped = made("instructor.exceptions.InstructorRetryException")
    wrapped.__cause__ = made("tenacity.RetryError")
    wrapped.__cause__.__context__ = made("openai.InternalServerError", status_code=503)
    found = known(wrapped)
    assert isinstance(found, ModelUnavailableError)
    wrapped.__cause__.__context__ = made("openai.BadRequestError", status_code=400)
    wrapped.__cause__.__context__.__context__ = ConnectionError("before")
    assert known(wrapped) is None
    with pytest.raises(ModelUnavailableError):
        error = ValueError("no answer")
        error.__cause__ = ConnectionResetError("reset")
        await ForeignModel(ScriptedModel([error])).complete(REQUEST)
