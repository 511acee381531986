"""Formats of texts in a JSON Schema: which are checked, and how. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, datetime, time
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final
from urllib.parse import urlsplit

_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_TIME: Final = re.compile(r"\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)")
_DURATION: Final = re.compile(
    r"P(?=.)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?)", re.ASCII
)
_EMAIL: Final = re.compile(r"""[^\s@"(),:;<>\[\]\\]+@[^\s@"(),:;<>\\]+""")
_LABEL: Final = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_HOST: Final = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def _is_date(text: str) -> bool:
    return _DATE.fullmatch(text) is not None and _reads(date.fromisoformat, text)


def _is_time(text: str) -> bool:
    return _TIME.fullmatch(text) is not None and _reads(time.fromisoformat, _without_leap(text))


def _is_date_time(text: str) -> bool:
    day, _, rest = text[:10], text[10:11], text[11:]
    is_form = _is_date(day) and text[10:11] in ("T", "t", " ") and _TIME.fullmatch(rest) is not None
    return is_form and _reads(datetime.fromisoformat, f"{day}T{_without_leap(rest)}")


def _without_leap(text: str) -> str:
    """Return a time with a leap second as the one before it."""
    return text.upper().replace(":60", ":59", 1) if text[6:8] == "60" else text.upper()


def _is_uri(text: str) -> bool:
    with suppress(ValueError):
        return bool(urlsplit(text).scheme) and not re.search(r"\s", text)
    return False


def _reads(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except (ValueError, AddressValueError, re.error):
        return False
    return True


FORMATS: Final[Mapping[str, Callable[[str], bool]]] = {
    "date": _is_date,
    "time": _is_time,
    "date-time": _is_date_time,
    "duration": lambda text: _DURATION.fullmatch(text) is not None,
    "email": lambda text: _EMAIL.fullmatch(text) is not None,
    "hostname": lambda text: _HOST.fullmatch(text) is not None,
    "ipv4": lambda text: _reads(IPv4Address, text),
    "ipv6": lambda text: _reads(IPv6Address, text),
    "uri": _is_uri,
    "uuid": lambda text: _UUID.fullmatch(text) is not None,
}
"""By name; all other formats are not checked."""


def has_format(text: str, name: str) -> bool:
    """Tell whether a text has a format; True for a format that is not known."""
    check = FORMATS.get(name)
    return check is None or check(text)
