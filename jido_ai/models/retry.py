"""Retry rules: which failed calls of a model are retried, and after how long. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

from jido_ai.errors import (
    CircuitOpenError,
    ConfigurationError,
    JidoError,
    ModelError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitError,
    RefusalError,
    describe,
    message_of,
)
from jido_ai.models.providers.headers import read_retry_after
from jido_ai.models.providers.refusals import ErrorBody, error_body, is_out_of_money, known_status
from jido_ai.text.numbers import is_number
from jido_ai.text.redaction import redact

_SHOWN_CHARS = 300
_ALIVE: frozenset[int] = frozenset({408, 409, 425})


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """The number of retries and the waits between them.

    Attributes:
        retries: after the first try; at least 0.
        first_wait_s: before the first retry; doubled for each further one.
        jitter: share of a wait by which it is made shorter or longer at random, in [0, 1).
        longest_wait_s: a provider that asks for more is not waited for.
        timeout_s: from the call to its end, all tries and waits included, for a request without a `timeout_s`.

    Raises:
        ConfigurationError: a figure is out of range.

    Source: 4 retries after 1, 2, 4 and 8 s, each up to 20 % off (SPEC C30, C31).
    """

    retries: int = 4
    first_wait_s: float = 1.0
    jitter: float = 0.2
    longest_wait_s: float = 60.0
    timeout_s: float = 900.0

    def __post_init__(self) -> None:
        if isinstance(self.retries, bool) or not isinstance(self.retries, int) or self.retries < 0:
            raise ConfigurationError(f"retries must be a whole number of at least 0, got {describe(self.retries)}")
        if not is_number(self.jitter) or not 0.0 <= self.jitter < 1.0:
            raise ConfigurationError(f"jitter must be in [0, 1), got {describe(self.jitter)}")
        for name in ("first_wait_s", "longest_wait_s", "timeout_s"):
            seconds = getattr(self, name)
            if not is_number(seconds) or seconds <= 0.0:
                raise ConfigurationError(f"{name} must be above 0 s and finite, got {describe(seconds)}")


@dataclass(frozen=True, slots=True)
class GiveUp:
    """No further try, and why, as a part of a sentence; "" for an error that is never tried again."""

    why: str = ""


def passing_failure(error: BaseException, *, provider: str, model: str | None, now: datetime) -> ModelError | None:
    """Return the `ModelError` for another client's error if the failure may be temporary; else None.

    Looks at the error and at its causes: libraries wrap the errors of the clients that they use. By its status, in
    `status_code`, `status` or `code` (google.genai), or those of its `response`: 408, 409, 425, 429 and 5xx (SPEC C32);
    an account without money is none of them. Without one, as inside a stream, by the words of its `body`, `details`,
    `type` and `code`, as our own providers read them. Else by its type: a `TimeoutError`, a `ConnectionError`, or a
    class with the name of a timeout or broken connection in httpx, aiohttp, requests, openai or anthropic. The packages
    are not imported. Never by its message. Errors of ours are returned to the caller as they are: None.

    Args:
        now: the aware time of the response.
    """
    for seen in causes(error):
        if isinstance(seen, JidoError):
            return None
        words = _words_of(seen)
        status = _status_of(seen, words)
        said = redact(f"{type(seen).__name__}: {_said_by(seen)}"[: 10 * _SHOWN_CHARS])[:_SHOWN_CHARS]
        who: dict[str, Any] = {"provider": provider, "model": model}
        if status is not None and status >= 400:
            wait_s = _retry_after_s(seen, now)
            waits: dict[str, Any] = {"retry_after_s": words.retry_after_s if wait_s is None else wait_s}
            if status == 429 and not is_out_of_money(words):
                return RateLimitError(said, **who, **waits, status=status)
            if status in _ALIVE or 500 <= status < 600:
                return ModelUnavailableError(said, **who, **waits, status=status)
            return None  # refused for good, whatever its type
        if isinstance(seen, TimeoutError) or _is_named(seen, _TIMEOUTS):
            return ModelTimeoutError(said, **who)
        if isinstance(seen, ConnectionError) or _is_named(seen, _BROKEN):
            return ModelUnavailableError(said, **who)
    return None


def causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, and the errors that it was raised for, at most eight."""
    seen: BaseException | None = error
    for _ in range(8):
        if seen is None:
            return
        yield seen
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)


# Names of classes, by the package that defines them.
_TIMEOUTS: Final[Mapping[str, frozenset[str]]] = {
    "httpx": frozenset({"TimeoutException"}),
    "httpx2": frozenset({"TimeoutException"}),
    "httpcore": frozenset({"TimeoutException"}),
    "openai": frozenset({"APITimeoutError"}),
    "anthropic": frozenset({"APITimeoutError"}),
    "requests": frozenset({"Timeout"}),
}
_BROKEN: Final[Mapping[str, frozenset[str]]] = {
    "httpx": frozenset({"NetworkError", "RemoteProtocolError", "ProxyError"}),
    "httpx2": frozenset({"NetworkError", "RemoteProtocolError", "ProxyError"}),
    "httpcore": frozenset({"NetworkError", "RemoteProtocolError", "ProxyError"}),
    "openai": frozenset({"APIConnectionError"}),
    "anthropic": frozenset({"APIConnectionError"}),
    "requests": frozenset({"ConnectionError", "ChunkedEncodingError"}),
    "aiohttp": frozenset({"ClientConnectionError", "ClientPayloadError"}),
}


_IN_STREAMS: Final[Mapping[str, frozenset[str]]] = {
    "openai": frozenset({"APIError"}),
    "anthropic": frozenset({"APIError"}),
    "ollama": frozenset({"ResponseError"}),
}
"""What these raise for an error inside a stream: of a status that says nothing."""


def _is_named(error: BaseException, names: Mapping[str, frozenset[str]]) -> bool:
    return any(
        kind.__name__ in names.get(kind.__module__.partition(".")[0], frozenset()) for kind in type(error).__mro__
    )


def _said_by(error: BaseException) -> str:
    return message_of(error)


def _attribute_of(thing: object, name: str) -> object:
    """Return an attribute of a foreign object; None if there is none, or if reading it fails."""
    try:
        return getattr(thing, name, None)
    except Exception:  # noqa: BLE001 - a property of foreign code; what it would tell is optional
        return None


def _words_of(error: BaseException) -> ErrorBody:
    """Return the words in the body of a foreign error; in `code` and `type` of a client's if it has none."""
    for name in ("body", "details"):
        body = _attribute_of(error, name)
        if isinstance(body, dict):
            fields = cast("dict[str, object]", body)
            inner: object = fields.get("error")
            return error_body(cast("object", inner) if isinstance(inner, dict) else fields)
    codes = {name: text for name in ("code", "type") if isinstance(text := _attribute_of(error, name), str)}
    is_a_clients = type(error).__module__.partition(".")[0] in _IN_STREAMS
    return error_body(codes) if codes and is_a_clients else ErrorBody()


def _status_of(error: BaseException, words: ErrorBody) -> int | None:
    """Return the first status of HTTP; `status` and `code` may be texts, or codes of something else."""
    for source in (error, _attribute_of(error, "response")):
        for name in ("status_code", "status", "code"):
            status = _attribute_of(source, name)
            if isinstance(status, int) and not isinstance(status, bool) and 400 <= status <= 599:
                return int(status)
    return known_status(words) or (500 if _is_named(error, _IN_STREAMS) and not _is_named(error, _BROKEN) else None)


def _retry_after_s(error: BaseException, now: datetime) -> float | None:
    """Return the seconds that the headers of the error's response, or its own, ask to wait; None if unreadable."""
    for source in (_attribute_of(error, "response"), error):
        items = _attribute_of(_attribute_of(source, "headers"), "items")
        if not callable(items):
            continue
        try:
            pairs = dict(cast("Iterable[tuple[object, object]]", items()))
        except Exception:  # noqa: BLE001 - see _attribute_of
            continue
        texts = {str(name).lower(): value for name, value in pairs.items() if isinstance(value, str)}
        seconds = read_retry_after(texts, now)
        if seconds is not None:
            return seconds
    return None


def is_retried(error: BaseException) -> bool:
    """True if the same request may succeed next time.

    A provider that is busy, down or was not reached, a broken connection, a time limit: the errors for 408, 409, 425,
    429, 5xx and 529. Never a refused key, a wrong model, a bad request, an account without money (400, 401, 402, 403,
    404), an error that was given up already, or a reply that is no completion.
    """
    return (
        isinstance(error, RateLimitError | ModelUnavailableError | ModelTimeoutError)
        and not isinstance(error, CircuitOpenError)
        and error.retryable
    )


def is_outage(error: BaseException) -> bool:
    """True if an error means that the provider is down: unreachable, no answer in time, or status 5xx."""
    return (
        isinstance(error, ModelUnavailableError | ModelTimeoutError) and error.retryable and error.status not in _ALIVE
    )


def may_be_billed(error: BaseException) -> bool:
    """True if a failed call may have been billed: unless the provider refused it or never received it.

    A refusal, and a connection that could not be made or broke, is taken as free; a reply that came and is no
    completion, a time limit and a cancellation are not.
    """
    if isinstance(error, ModelTimeoutError | RefusalError):
        return True
    if isinstance(error, JidoError) and not error.retryable:
        return False
    return not isinstance(error, RateLimitError | ModelUnavailableError | CircuitOpenError)


def waits(policy: RetryPolicy) -> list[float]:
    """Return the seconds before each retry, without jitter: 1, 2, 4, 8."""
    return [policy.first_wait_s * 2.0**retry for retry in range(policy.retries)]


def next_wait(
    policy: RetryPolicy, error: BaseException, *, tries: int, time_left_s: float, chance: float
) -> float | GiveUp:
    """Return how many seconds to wait before the next try, or why there is none.

    The wait is the longer one of the provider's and the policy's.

    Args:
        tries: made so far, at least 1.
        time_left_s: until the deadline; a wait that would reach it is not begun.
        chance: a random number in [0, 1), which places the wait within its jitter.
    """
    if not is_retried(error):
        return GiveUp()
    if tries > policy.retries:
        return GiveUp(f"gave up after {tries} tries")
    wait_s = policy.first_wait_s * 2.0 ** (tries - 1) * (1.0 + policy.jitter * (2.0 * chance - 1.0))
    asked_s: float | None = getattr(error, "retry_after_s", None)
    if asked_s is not None:
        if asked_s > policy.longest_wait_s:
            return GiveUp(
                f"asked to wait {asked_s:g} s, which is more than the longest wait of {policy.longest_wait_s:g} s"
            )
        wait_s = max(wait_s, asked_s)
    if wait_s >= time_left_s:
        asked = "" if asked_s is None else f" (asked to wait {asked_s:g} s)"
        return GiveUp(f"gave up after {tries} tries: {max(0.0, time_left_s):.1f} s are left{asked}")
    return wait_s
