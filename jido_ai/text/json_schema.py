"""JSON checked against a schema: faults, their places in the text, and certain repairs. Pure."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Protocol, cast

from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.validators import validator_for
from jsonschema_specifications import REGISTRY as SPECIFICATIONS  # pyright: ignore[reportMissingTypeStubs]
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012, specification_with

from jido_ai.errors import ConfigurationError, describe
from jido_ai.text.json_spans import Path, value_spans
from jido_ai.values import Issue, Location

_MOST: Final = 1_000
_REFERENCES: Final = ("$ref", "$dynamicRef")
_MESSAGE_CHARS: Final = 500
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_ROW_END: Final = re.compile(r"\r\n|\r|\n")


class _Validator(Protocol):
    def iter_errors(self, instance: object) -> Iterator[ValidationError]: ...


@dataclass(frozen=True, slots=True)
class _Fault:
    """A value that does not fit the schema, and its issue."""

    error: ValidationError
    path: Path
    issue: Issue


def check_schema(schema: Mapping[str, Any]) -> None:
    """Raise `ConfigurationError` unless this is a JSON Schema."""
    dialect = schema.get("$schema", "")
    if not isinstance(dialect, str):
        raise ConfigurationError(f"this is not a JSON Schema: $schema must be a string, got {describe(dialect)}")
    try:
        validator_for(schema).check_schema(dict(schema))
    except SchemaError as error:
        raise ConfigurationError(f"this is not a JSON Schema: {error.message[:_MESSAGE_CHARS]}") from error
    except ValueError as error:
        raise ConfigurationError(
            f"this is not a JSON Schema: $schema is not an address: {describe(dialect)}"
        ) from error


def check_references(schema: Mapping[str, Any]) -> None:
    """Raise `ConfigurationError` if a reference of a JSON Schema does not lead to a schema in it."""
    reference: object = None
    try:
        kind = cast("Any", validator_for(schema))
        of_kind = specification_with(kind.ID_OF(kind.META_SCHEMA), default=DRAFT202012)
        root = of_kind.create_resource(schema)
        address = root.id() or ""
        resolver = SPECIFICATIONS.with_resource(address, root).crawl().resolver(address)
        unread: list[tuple[Any, Any, object]] = [(schema, resolver, None)]
        read: set[int] = set()
        while unread:
            part, resolver, reference = unread.pop()
            if id(part) in read:
                continue
            read.add(id(part))
            if isinstance(part, bool):
                continue
            if not isinstance(part, Mapping):
                raise TypeError("it is not a schema")
            fields = cast("Mapping[str, object]", part)
            for inside in of_kind.subresources_of(fields):
                unread.append((inside, resolver.in_subresource(of_kind.create_resource(inside)), reference))
            for reference in (fields[name] for name in _REFERENCES if isinstance(fields.get(name), str)):
                found = resolver.lookup(cast("str", reference))
                unread.append((found.contents, found.resolver, reference))
    except (Unresolvable, LookupError, AttributeError, TypeError, ValueError) as error:
        check_schema(schema)  # the better reason, if it raises
        raise ConfigurationError(
            f"the schema has a reference that does not lead to a schema in it: {describe(reference)}"
        ) from error


def schema_issues(text: str, schema: Mapping[str, Any]) -> Iterator[Issue]:
    """Yield an issue for each value of a valid text that does not fit: kind "error", rule "schema-" and the keyword.

    The message begins with the JSON pointer of the value. References are resolved inside the schema only: what it
    refers to elsewhere is a finding of kind "cannot-run".
    """
    try:
        for fault in _faults(text, schema):
            yield fault.issue
    except (Unresolvable, RecursionError) as error:
        said = f"the schema refers to something that is not in it: {error}"[:_MESSAGE_CHARS]
        yield Issue(said, kind="cannot-run", rule="cannot-run")


def repair_by_schema(text: str, schema: Mapping[str, Any], issue: Issue) -> str | None:
    """Return the text with one value fixed if the schema and the value leave no choice; None otherwise.

    That is: a number, boolean or null that stands in quotes, or a number that does not; a required property that has a
    default, or a constant; a text that is in the enumeration once its case and the blanks around it are not looked at.
    The rest of the text stays, and so does everything else that the schema has to say.
    """
    try:
        before = list(_faults(text, schema))
        named = (issue.rule, issue.message)
        fault = next((one for one in before if (one.issue.rule, one.issue.message) == named), None)
        repair = _REPAIRS.get(str(fault.error.validator)) if fault is not None else None
        if fault is None or repair is None:
            return None
        span = value_spans(text)[fault.path]
        made = repair(fault.error, text[span[0] : span[1]])
        if made is None:
            return None
        repaired = text[: span[0]] + made + text[span[1] :]
        after = {_key(one) for one in _faults(repaired, schema)}
    except (ValueError, KeyError, Unresolvable, RecursionError):
        return None
    return repaired if after < {_key(one) for one in before} else None


def _key(fault: _Fault) -> tuple[Path, str]:
    return fault.path, str(fault.error.message)


def _faults(text: str, schema: Mapping[str, Any]) -> Iterator[_Fault]:
    validator = cast("_Validator", validator_for(schema)(schema, registry=Registry()))
    spans, starts = value_spans(text), [0, *(end.end() for end in _ROW_END.finditer(text))]
    for error in islice(validator.iter_errors(json.loads(text)), _MOST):
        path: Path = tuple(error.absolute_path)
        start = spans[path][0]
        row = bisect_right(starts, start)
        pointer = "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path) or "/"
        issue = Issue(
            f"{pointer}: {error.message[:_MESSAGE_CHARS]}",
            kind="error",
            rule=f"schema-{error.validator}",
            location=Location(None, row, start - starts[row - 1] + 1),
        )
        yield _Fault(error, path, issue)


# -- repairs: from the error and the source of the value ---------------------------------------------


def _retyped(error: ValidationError, source: str) -> str | None:
    named: object = error.validator_value
    wanted = [named] if isinstance(named, str) else cast("list[str]", named)
    value: object = error.instance
    if isinstance(value, str):
        is_number = _NUMBER.fullmatch(value) is not None
        fits = {
            "integer": is_number and value.lstrip("-").isdigit(),
            "number": is_number,
            "boolean": value in ("true", "false"),
            "null": value == "null",
        }
        return value if any(fits.get(one, False) for one in wanted) else None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f'"{source}"' if is_number and "string" in wanted else None


def _completed(error: ValidationError, source: str) -> str | None:
    instance, schema = cast("dict[str, object]", error.instance), cast("dict[str, Any]", error.schema)
    names = [name for name in cast("list[str]", error.validator_value) if name not in instance]
    name = next((one for one in names if error.message.startswith(repr(one))), None)
    rule = schema.get("properties", {}).get(name) if name is not None else None
    if not isinstance(rule, dict) or not {"default", "const"} & rule.keys():
        return None
    rule = cast("dict[str, object]", rule)
    value = json.dumps(rule["const"] if "const" in rule else rule["default"], ensure_ascii=False)
    member = f"{json.dumps(name)}: {value}"
    if not instance:
        return f"{{{member}}}"
    body = source[:-1].rstrip()
    rest = source[len(body) :]
    rows = re.findall(r"(?:\r\n|\r|\n)[ \t]*(?=\")", body)
    gap = rows[-1] if rest != "}" and rows else " "
    return f"{body},{gap}{member}{rest}"


def _listed(error: ValidationError, _source: str) -> str | None:
    value: object = error.instance
    if not isinstance(value, str):
        return None
    alike = [
        one
        for one in cast("list[object]", error.validator_value)
        if isinstance(one, str) and one.strip().casefold() == value.strip().casefold()
    ]
    return json.dumps(alike[0], ensure_ascii=False) if len(alike) == 1 else None


_REPAIRS: Final[dict[str, Callable[[ValidationError, str], str | None]]] = {
    "enum": _listed,
    "required": _completed,
    "type": _retyped,
}
