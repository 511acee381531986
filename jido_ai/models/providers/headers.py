"""Rate limit and retry headers of providers, as numbers. Pure.

Header names are in lower case. Unreadable values are None, never a guess.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_DURATION: Final = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?")
_UNITS_S: Final = (86_400.0, 3_600.0, 60.0, 1.0, 0.001)
_LONGEST_NUMBER: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimits:
    """A provider's rate limits for requests and tokens; None for missing headers.

    Attributes:
        requests_limit, tokens_limit: maximum per period, at least 0.
        requests_remaining, tokens_remaining: left in this period, at least 0.
        requests_reset_s, tokens_reset_s: seconds until the full limit is available again, at least 0.0.
    """

    requests_limit: int | None = None
    requests_remaining: int | None = None
    requests_reset_s: float | None = None
    tokens_limit: int | None = None
    tokens_remaining: int | None = None
    tokens_reset_s: float | None = None


def read_retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds that a provider asks to wait, at least 0.0; None if missing or unreadable.

    `retry-after-ms` takes precedence over `retry-after`, which is a number of seconds or a date. A date is relative to
    the response's own `date`, if any, so that wrong clocks do no harm, else to `now`; a date in the past gives 0.0. A
    negative number is unreadable.

    Args:
        now: the aware time of the response.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000.0
    text = headers.get("retry-after", "").strip()
    seconds = _number(text)
    if seconds is not None:
        return seconds
    until = _date(text)
    if until is None:
        return None
    return max(0.0, (until - (_date(headers.get("date", "")) or now)).total_seconds())


def read_rate_limits(headers: Mapping[str, str], now: datetime) -> RateLimits | None:
    """Return the rate limits in headers of OpenAI or Anthropic; None if there are none.

    Args:
        now: the aware time of the response.
    """
    if not any("-ratelimit-" in name for name in headers):
        return None
    found = RateLimits(
        requests_limit=_count(headers, "x-ratelimit-limit-requests", "anthropic-ratelimit-requests-limit"),
        requests_remaining=_count(headers, "x-ratelimit-remaining-requests", "anthropic-ratelimit-requests-remaining"),
        requests_reset_s=_reset(headers, now, "x-ratelimit-reset-requests", "anthropic-ratelimit-requests-reset"),
        tokens_limit=_count(headers, "x-ratelimit-limit-tokens", "anthropic-ratelimit-tokens-limit"),
        tokens_remaining=_count(headers, "x-ratelimit-remaining-tokens", "anthropic-ratelimit-tokens-remaining"),
        tokens_reset_s=_reset(headers, now, "x-ratelimit-reset-tokens", "anthropic-ratelimit-tokens-reset"),
    )
    return None if found == RateLimits() else found


def _count(headers: Mapping[str, str], *names: str) -> int | None:
    for name in names:
        number = _number(headers.get(name))
        if number is not None:
            return int(number)
    return None


def _reset(headers: Mapping[str, str], now: datetime, *names: str) -> float | None:
    for name in names:
        text = headers.get(name, "").strip()
        seconds = read_duration(text)
        if seconds is not None:
            return seconds
        try:
            until = datetime.fromisoformat(text)
        except ValueError:
            continue
        if until.tzinfo is not None:
            return max(0.0, (until - now).total_seconds())
    return None


def _number(text: str | None) -> float | None:
    """Read a finite number of at least 0 in plain decimal digits."""
    if text is None or len(text) > _LONGEST_NUMBER:
        return None
    text = text.strip()
    if not re.fullmatch(r"\d+(?:\.\d*)?", text, re.ASCII):
        return None
    number = float(text)
    return number if math.isfinite(number) else None


def read_duration(text: str) -> float | None:
    """Return the seconds of "6m0s", "120ms", "1.5s" or a plain number of seconds; None if unreadable."""
    plain = _number(text)
    if plain is not None:
        return plain
    found = _DURATION.fullmatch(text) if text and len(text) <= _LONGEST_NUMBER * 2 else None
    if found is None:
        return None
    return sum(float(value) * unit_s for value, unit_s in zip(found.groups(), _UNITS_S, strict=True) if value)


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return date if date.tzinfo is not None else date.replace(tzinfo=UTC)
