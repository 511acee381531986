"""The faults of a value: by a type of pydantic, or by a JSON Schema. Pure."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time
from fractions import Fraction
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from math import isfinite
from typing import Any, Final, NamedTuple, cast
from urllib.parse import urlsplit

from pydantic import ValidationError

from jido_ai.errors import ConfigurationError
from jido_ai.text.foreign_schema import linear_pattern
from jido_ai.text.json_branches import json_path
from jido_ai.text.json_spans import Path
from jido_ai.text.printable import clip
from jido_ai.values import Issue, Location

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


MESSAGE_CHARS: Final = 500
_NO_JSON: Final = 1.0
_WRONG_TYPE: Final = 0.8
WRONG_VALUE: Final = 0.6
_INPUT_CHARS: Final = 80
_TYPE_RULES: Final = re.compile(r"_type$|_parsing$|^(?:missing|type|required|int_from_float|none_required)$")
_LIMITS: Final = {
    "minItems": "at least {} items, not {}",
    "maxItems": "at most {} items, not {}",
    "minLength": "at least {} characters, not {}",
    "maxLength": "at most {} characters, not {}",
    "minProperties": "at least {} properties, not {}",
    "maxProperties": "at most {} properties, not {}",
}


class Fault(NamedTuple):
    """A part of a value that does not fit."""

    rule: str
    path: Path
    message: str
    severity: float = WRONG_VALUE

    @property
    def issue(self) -> Issue:
        """The finding."""
        where = json_path(self.path)
        is_json = self.rule != "json_invalid"
        return Issue(
            self.message if where == "$" else f"{where}: {self.message}",
            severity=self.severity if is_json else _NO_JSON,
            kind="schema" if is_json else "json",
            location=Location(where),
            source="output",
            rule=self.rule,
        )


def no_json(error: Exception) -> Issue:
    """Return the finding in a text that is not JSON."""
    if isinstance(error, RecursionError):
        return Issue("not JSON: it is nested too deeply", severity=_NO_JSON, kind="json", source="output", rule="json")
    line = column = None
    said = str(error)
    if isinstance(error, json.JSONDecodeError):
        line, column, said = error.lineno, error.colno, f"{error.msg} (line {error.lineno}, column {error.colno})"
    return Issue(
        f"not JSON: {clip(said, MESSAGE_CHARS)}",
        severity=_NO_JSON,
        kind="json",
        location=Location(None, line, column),
        source="output",
        rule="json",
    )


# -- types -----------------------------------------------------------------------------------------


def type_faults(error: ValidationError, data: object) -> Iterator[Fault]:
    """Yield pydantic's errors; those of a union's branches say which branch they are of."""
    placed = [(one, *_placed(one["loc"], one["type"], data)) for one in error.errors(include_url=False)]
    branches: defaultdict[Path, set[str]] = defaultdict(set)
    for _, _, tags in placed:
        for at, tag in tags:
            branches[at].add(tag)
    for one, path, tags in placed:
        of_union = [tag for at, tag in tags if len(branches[at]) > 1]
        said = one["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
        came: object = one.get("input")
        if one["type"] != "missing" and (came is None or isinstance(came, str | int | float)):
            said = f"{said}, got {clip(json.dumps(came, ensure_ascii=False), _INPUT_CHARS)}"
        if of_union:
            said = f"as {of_union[0]}: {said}"
        severity = WRONG_VALUE if of_union else _severity(one["type"])
        yield Fault(one["type"], path, clip(said, MESSAGE_CHARS), severity)


def _placed(loc: Sequence[str | int], rule: str, data: object) -> tuple[Path, list[tuple[Path, str]]]:
    """Return the path of an error in the data, and the parts of its location that name branches of a union."""
    path: list[str | int] = []
    tags: list[tuple[Path, str]] = []
    here = data
    for index, part in enumerate(loc):
        if isinstance(here, dict) and part in here:
            here = cast("dict[str | int, object]", here)[part]
        elif isinstance(here, list) and isinstance(part, int) and part < len(cast("list[object]", here)):
            here = cast("list[object]", here)[part]
        elif not (index == len(loc) - 1 and rule == "missing" and isinstance(here, dict | list)):
            tags.append((tuple(path), str(part)))
            continue
        path.append(part)
    return tuple(path), tags


def _severity(rule: str) -> float:
    return _WRONG_TYPE if _TYPE_RULES.search(rule) else WRONG_VALUE


# -- schemas ---------------------------------------------------------------------------------------


def validator_of(schema: dict[str, Any]) -> Any:
    """Return a validator that also checks formats, takes multiples as decimal numbers, and is quick.

    Raises:
        ConfigurationError: this is not a JSON Schema.
    """
    import referencing  # noqa: PLC0415 - slow to load, and only schemas need it
    from jsonschema import validators  # noqa: PLC0415
    from jsonschema.exceptions import ValidationError as SchemaFault  # noqa: PLC0415

    from jido_ai.text.json_schema import check_schema  # noqa: PLC0415

    check_schema(schema)

    def keyword(fault: Callable[[Any, object], str | None]) -> Callable[..., Iterator[Any]]:
        def check(_: object, wanted: object, instance: object, __: object) -> Iterator[Any]:
            said = fault(wanted, instance)
            if said is not None:
                yield SchemaFault(said)

        return check

    untyped: tuple[Any, Any] = validators, referencing
    makers, references = untyped
    kind = makers.extend(makers.validator_for(schema), {name: keyword(fault) for name, fault in _KEYWORDS.items()})
    return kind(schema, registry=references.Registry())


def schema_faults(validator: Any, data: object) -> Iterator[Fault]:
    """Yield the errors of a validator.

    Raises:
        ConfigurationError: the schema refers to another one that it does not contain.
    """
    from referencing.exceptions import Unresolvable  # noqa: PLC0415

    missing: defaultdict[Path, int] = defaultdict(int)
    try:
        for error in validator.iter_errors(data):
            path: Path = tuple(error.absolute_path)
            rule, said = str(error.validator), str(error.message)
            if rule == "required":  # one error for each name, in order
                names = [name for name in error.validator_value if name not in error.instance]
                missing[path] += 1
                path = (*path, names[min(missing[path], len(names)) - 1])
            elif rule in _LIMITS:
                said = f"must have {_LIMITS[rule].format(error.validator_value, len(error.instance))}"
            yield Fault(rule, path, clip(said, MESSAGE_CHARS), _severity(rule))
    except Unresolvable as error:
        raise ConfigurationError(
            f"the schema refers to something that is not in it: {clip(str(error), MESSAGE_CHARS)}"
        ) from error


def _pattern_fault(pattern: str, instance: object) -> str | None:
    """Search for a pattern; most are searched in linear time."""
    if not isinstance(instance, str):
        return None
    linear = linear_pattern(pattern)
    occurs = re.search(pattern, instance) is not None if linear is None else linear.occurs_in(instance)
    return None if occurs else f"{instance!r} does not match {pattern!r}"


def _format_fault(name: object, instance: object) -> str | None:
    if not isinstance(instance, str) or not isinstance(name, str) or has_format(instance, name):
        return None
    return f"{instance!r} is not a {name!r}"


def _unique_fault(is_wanted: object, instance: object) -> str | None:
    """Look for equal items, in linear time."""
    if not is_wanted or not isinstance(instance, list):
        return None
    items = cast("list[object]", instance)
    is_unique = len({json.dumps(_canonical(item), sort_keys=True) for item in items}) == len(items)
    return None if is_unique else f"{items!r} has non-unique elements"


def _multiple_fault(step: float, instance: object) -> str | None:
    """Divide as decimal numbers do: 19.99 is a multiple of 0.01."""
    if isinstance(instance, bool) or not isinstance(instance, int | float):
        return None
    is_multiple = (isinstance(instance, int) or isfinite(instance)) and (
        Fraction(str(instance)) / Fraction(str(step))
    ).denominator == 1
    return None if is_multiple else f"{instance!r} is not a multiple of {step!r}"


def _canonical(value: object) -> object:
    """Return a value with its whole numbers as `int`: equal values, and no others, have the same JSON."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [_canonical(one) for one in cast("list[object]", value)]
    if isinstance(value, dict):
        return {name: _canonical(one) for name, one in cast("dict[str, object]", value).items()}
    return value


_KEYWORDS: Final[dict[str, Callable[[Any, object], str | None]]] = {
    "format": _format_fault,
    "multipleOf": _multiple_fault,
    "pattern": _pattern_fault,
    "uniqueItems": _unique_fault,
}
