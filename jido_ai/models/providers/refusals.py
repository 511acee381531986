"""The typed error for a provider's error response, by status, code and, as a last resort, its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, cast
from urllib.parse import urlsplit

from pydantic_core import from_json

from jido_ai.errors import (
    AuthenticationError,
    BadRequestError,
    ContextLengthError,
    ModelError,
    ModelNotFoundError,
    ModelUnavailableError,
    QuotaError,
    RateLimitError,
    RefusalError,
    ReplyError,
)
from jido_ai.models.providers.headers import read_duration, read_retry_after
from jido_ai.models.providers.secret import Secret
from jido_ai.text.redaction import redact

_SHOWN_CHARS: Final = 300
_CONTEXT_CODES: Final = frozenset(
    {"context_length_exceeded", "exceed_context_size_error", "request_too_large", "string_above_max_length"}
)
_CONTEXT_WORDS: Final = re.compile(
    r"context (?:length|size|window)|maximum context|ContextWindowExceeded|prompt (?:is )?too long|"
    r"too many (?:input )?tokens|"
    r"(?:exceeds?|larger than|longer than)[^.]{0,60}\bcontext\b|input is too long",
    re.IGNORECASE,
)
_QUOTA_CODES: Final = frozenset(
    {
        *("insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error"),
        *("insufficient_credits", "insufficient_balance", "insufficient_funds", "credit_balance_too_low"),
    }
)
_QUOTA_WORDS: Final = re.compile(
    r"credit balance|insufficient (?:balance|credits?|funds|quota)|out of credits|billing hard limit", re.IGNORECASE
)
_MODEL_CODES: Final = frozenset({"model_not_found", "model_not_found_error", "unknown_model"})
_MODEL_WORDS: Final = re.compile(
    r"model\b.{0,200}(?:not found|not exist|unknown)|(?:unknown|no such) model", re.IGNORECASE
)
_MODERATION_CODES: Final = frozenset(
    {
        *("moderation", "moderation_blocked", "moderation_error", "flagged", "content_filter", "content_policy"),
        *("content_policy_violation", "responsibleaipolicyviolation"),
    }
)
_MODERATION_WORDS: Final = re.compile(
    r"\bmoderat(?:ion|ed)\b(?!\s+(?:api|endpoint|model)|\.\w)|content[ _-](?:management[ _-])?polic|content[ _-]filter|"
    r"\bflagged\b",
    re.IGNORECASE,
)
_ACCOUNT_FLAGGED: Final = re.compile(
    r"\b(?:account|key|organi[sz]ation|project|user|ip)\b[^.]{0,40}\bflagged", re.IGNORECASE
)
_STATUS_OF: Final = {
    **{"invalid_request_error": 400, "authentication_error": 401, "invalid_api_key": 401, "billing_error": 402},
    **{"permission_error": 403, "not_found_error": 404, "model_not_found": 404, "request_too_large": 413},
    **{"invalid_argument": 400, "unauthenticated": 401, "permission_denied": 403, "not_found": 404},
    **{"resource_exhausted": 429, "internal": 500, "unavailable": 503, "deadline_exceeded": 504},
    **dict.fromkeys(_MODERATION_CODES, 400),
    **{"rate_limit_error": 429, "rate_limit_exceeded": 429, "insufficient_quota": 429, "tokens": 429, "requests": 429},
    **{"api_error": 500, "server_error": 500, "unavailable_error": 503, "timeout_error": 504, "overloaded_error": 529},
}
"""HTTP status by error code, for errors in responses with status 200."""


def host_of(base_url: str) -> str:
    """Return the host of a base address, with its port; "" if there is none."""
    try:
        return urlsplit(base_url).netloc.rpartition("@")[2]
    except ValueError:  # a model of another library may have any text there
        return ""


@dataclass(frozen=True, slots=True)
class Origin:
    """Provider, model and address of a request, for errors.

    Attributes:
        key_hint: the source of the key, as in "OPENAI_API_KEY or api_key=...".
        secret: the key, if any; providers quote it in errors.
        proxy: the host of the proxy on the way; "" is none.
    """

    provider: str
    model: str
    base_url: str
    key_hint: str
    secret: Secret | None = None
    proxy: str = ""

    @property
    def host(self) -> str:
        """The host of the base address, with its port."""
        return host_of(self.base_url)

    def masked(self, text: str) -> str:
        """Return `text` with our key, and everything else that looks like a key, masked."""
        return redact(text if self.secret is None else self.secret.mask(text))


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """A provider's description of an error.

    Attributes:
        codes: code, type and status in lower case.
        param: the setting of the request that it is about, or "".
        retry_after_s: seconds to wait, at least 0.0; None if it does not say.
    """

    codes: frozenset[str] = frozenset()
    message: str = ""
    param: str = ""
    retry_after_s: float | None = None


def read_error(body: bytes) -> ErrorBody:
    """Parse the body of an error response in any format; unreadable parts are omitted."""
    body = body.removeprefix(b"\xef\xbb\xbf")
    try:
        found: object = from_json(body)
    except ValueError:
        text = body[: _SHOWN_CHARS * 4].decode("utf-8", "replace").strip()
        return ErrorBody(message="a page of HTML" if text.startswith("<") else text)
    if isinstance(found, list) and found:
        found = cast("list[object]", found)[0]
    if isinstance(found, dict):
        fields = cast("dict[str, object]", found)
        return error_body(fields.get("error") or fields.get("detail") or fields)
    return error_body(cast("object", found))


def error_body(error: object) -> ErrorBody:
    """Parse a provider's `error`: a sentence; an object with message, code and type; or a list of faults."""
    if isinstance(error, dict):
        fields = cast("dict[str, Any]", error)
        codes = frozenset(str(fields[name]).lower() for name in ("code", "type", "status") if fields.get(name))
        message, param = fields.get("message"), fields.get("param")
        if not isinstance(message, str):
            said = _invalid(message)
            message, param = said.message, said.param
        waits = (_delay_s(detail) for detail in _objects(fields.get("details")))
        return ErrorBody(
            codes,
            message,
            param if isinstance(param, str) else "",
            next((seconds for seconds in waits if seconds is not None), None),
        )
    return ErrorBody(message=error) if isinstance(error, str) else _invalid(error)


def _invalid(error: object) -> ErrorBody:
    """Parse the first of a list of invalid settings, as FastAPI sends it, perhaps as the `detail` of an object."""
    if isinstance(error, dict):
        error = cast("dict[str, object]", error).get("detail")
    for fault in _objects(error):
        where, message = fault.get("loc"), fault.get("msg")
        names = (
            [name for name in cast("list[object]", where) if isinstance(name, str)] if isinstance(where, list) else []
        )
        param = ".".join(name for name in names if name != "body")
        return ErrorBody(message=f"{param}: {message}" if isinstance(message, str) else param, param=param)
    return ErrorBody()


def _objects(things: object) -> Iterator[dict[str, object]]:
    """Yield the objects of a list."""
    for thing in cast("list[object]", things) if isinstance(things, list) else ():
        if isinstance(thing, dict):
            yield cast("dict[str, object]", thing)


def _delay_s(detail: Mapping[str, object]) -> float | None:
    """Return the wait of a detail of Google's, such as "2s"; None if it has none."""
    delay = detail.get("retryDelay")
    return None if delay is None or isinstance(delay, bool) else read_duration(str(delay))


def status_of(error: ErrorBody) -> int:
    """Return the HTTP status for an error inside a response; 500 if unknown."""
    return known_status(error) or 500


def is_out_of_money(error: ErrorBody) -> bool:
    """True if the account has no money, so that waiting does not help."""
    return bool(error.codes & _QUOTA_CODES or _QUOTA_WORDS.search(error.message))


def known_status(error: ErrorBody) -> int | None:
    """Return the HTTP status for the codes of an error; None if none of them is known."""
    for code in sorted(error.codes):
        if code in _STATUS_OF:
            return _STATUS_OF[code]
        if code.isascii() and code.isdigit() and 400 <= int(code[:4]) <= 599:
            return int(code)
    return None


def refusal(origin: Origin, status: int, error: ErrorBody, headers: Mapping[str, str] | None = None) -> ModelError:
    """Return the typed error for an error response, with a hint for the user.

    Args:
        status: of the response, or the `status_of` an error inside a response.
        headers: of the response, by name in lower case.
    """
    said = _said(origin, error)
    who: dict[str, Any] = {"provider": origin.provider, "model": origin.model, "host": origin.host, "status": status}
    retry_after_s = read_retry_after(headers or {}, datetime.now(UTC))
    if retry_after_s is None:
        retry_after_s = error.retry_after_s
    if status in (400, 403, 422, 451) and _is_moderation(error):
        return RefusalError(f"the provider's moderation refused the request{said}", **who)
    if status in (401, 403):
        what = "refused the key" if status == 401 else "does not allow this for the key"
        return AuthenticationError(f"the provider {what}{said}; check {origin.key_hint}", **who)
    if status == 402 or is_out_of_money(error):
        return QuotaError(f"the account is out of money or quota{said}; top it up, waiting does not help", **who)
    if status == 429:
        wait = "" if retry_after_s is None else f"; it asks to wait {retry_after_s:g} s"
        return RateLimitError(f"too many requests (429){said}{wait}", **who, retry_after_s=retry_after_s)
    if (
        status == 413
        or error.codes & _CONTEXT_CODES
        or (status in (400, 422, 500) and _CONTEXT_WORDS.search(error.message))
    ):
        return ContextLengthError(f"the request is longer than the model takes{said}; shorten the prompt", **who)
    if status == 404 or (status == 400 and (error.codes & _MODEL_CODES or _MODEL_WORDS.search(error.message))):
        hint = f"check the model's name and the base address {origin.base_url}"
        return ModelNotFoundError(f"no such model{said}; {hint}", **who)
    if status in (408, 409, 425) or status >= 500:
        return ModelUnavailableError(
            f"the provider answered with status {status}{said}", **who, retry_after_s=retry_after_s
        )
    if 300 <= status < 400:
        hint = "redirects are never followed; give the address it leads to as the base address"
        return BadRequestError(f"{origin.base_url} answered with a redirect (status {status}); {hint}", **who)
    if status >= 400:
        return BadRequestError(f"the provider refuses the request (status {status}){said}", **who)
    return ReplyError(f"the answer has status {status} and no completion{said}", **who)


def _is_moderation(error: ErrorBody) -> bool:
    """True if a filter of the provider refused the text of the request, and not its key."""
    if error.codes & _MODERATION_CODES:
        return True
    return bool(_MODERATION_WORDS.search(error.message)) and not _ACCOUNT_FLAGGED.search(error.message)


def _said(origin: Origin, error: ErrorBody) -> str:
    """Return the provider's message in one bounded line, without anything that looks like a key."""
    words = " ".join(origin.masked(error.message[: _SHOWN_CHARS * 4]).split())
    if not words:
        words = origin.masked(", ".join(sorted(error.codes)))
    if len(words) > _SHOWN_CHARS:
        words = words[: _SHOWN_CHARS - 1] + "…"
    return f": {words!r}" if words else ""
