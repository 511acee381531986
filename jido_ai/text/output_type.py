"""The type of an answer: its JSON Schema, the findings in a text, and repairs without a model. Pure."""

from __future__ import annotations

import inspect
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError
from pydantic_core import from_json

from jido_ai.errors import ConfigurationError, describe
from jido_ai.text.foreign_schema import linear_pattern
from jido_ai.text.json_branches import json_path
from jido_ai.text.json_slips import repair_json
from jido_ai.text.json_spans import Path, value_spans
from jido_ai.text.printable import clip
from jido_ai.values import Issue, Location

__all__ = ["OutputType", "output_type"]

T = TypeVar("T")

_NO_JSON: Final = 1.0
_WRONG_TYPE: Final = 0.8
_WRONG_VALUE: Final = 0.6
_MOST: Final = 100
_MOST_TRIES: Final = 32
_MESSAGE_CHARS: Final = 500
_INPUT_CHARS: Final = 80
_LIGHT_CHARS: Final = 10_000
_FENCED: Final = re.compile(r"^```[^\n`]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
_TYPE_RULES: Final = re.compile(r"_type$|_parsing$|^(?:missing|type|required|int_from_float|none_required)$")
_OPENS: Final = re.compile(r"[\[{]")
_WRAPPED: Final = "value"


class _Fault(NamedTuple):
    """A part of a value that does not fit."""

    rule: str
    path: Path
    message: str
    severity: float


class OutputType(Generic[T]):
    """A type that answers have; make one with `output_type`.

    Attributes:
        given: a type that `pydantic.TypeAdapter` takes, or a JSON Schema.
        plain: its JSON Schema.
        light_chars: of a text that is validated in a few milliseconds; 0 for a schema, which may take long for any.
        schema: that for models, always of an object, since some providers enforce no other: any other value is in the
            property "value" of that object (`unwrapped` takes it out).
    """

    def __init__(self, given: object) -> None:
        self.given = given
        self._validator: Any = None
        self.light_chars = 0 if isinstance(given, Mapping) else _LIGHT_CHARS
        self._adapter: TypeAdapter[Any] | None = None
        if isinstance(given, Mapping):
            plain = dict(cast("Mapping[str, Any]", given))
            self._validator = _validator_of(plain)
        else:
            try:
                self._adapter = TypeAdapter(cast("type[Any]", given))
                plain = self._adapter.json_schema()
            except PydanticUserError as error:
                why = clip(str(error).partition("\n")[0], _MESSAGE_CHARS)
                raise ConfigurationError(
                    f"output must be a type that pydantic knows or a JSON Schema, got {describe(given)}: {why}"
                ) from error
        root = _resolved(plain)
        self.plain = plain
        self._holds_text = _holds_text(plain, root)
        self._is_wrapped = root.get("type") != "object"
        self.schema = _wrapped(plain) if self._is_wrapped else plain
        self.in_words = f"JSON that conforms to this JSON Schema: {json.dumps(self.schema, ensure_ascii=False)}"

    def __repr__(self) -> str:
        return f"OutputType({describe(self.given)})"

    def value(self, text: str) -> T | None:
        """Return a new object that the text stands for; None if it does not validate."""
        try:
            return cast("T", self._read(text))
        except Exception:  # noqa: BLE001 - whatever a validator raises, `issues` tells it
            return None

    def issues(self, text: str) -> tuple[Issue, ...]:
        """Return a finding for each part of the text that does not fit, at most 100; none for one that validates.

        A text that is not JSON is one finding of kind "json" and severity 1.0. Any other is of kind "schema", with the
        type of pydantic's error, or the keyword of the schema, as its rule and a JSON path as `location.path`:
        `items[2].price`, `$` for the whole, `["a b"]` for a key that is no name. What is missing or has a wrong type
        has severity 0.8, any other fault 0.6. An error in a validator is a finding with the rule "validator".

        Raises:
            ConfigurationError: the schema refers to another one that it does not contain.
        """
        try:
            data = _parsed(text)
        except (ValueError, RecursionError) as error:
            return (_no_json(error),)
        faults: list[_Fault] = []
        try:
            for fault in islice(self._faults(text, data), _MOST):
                faults.append(fault)
        except RecursionError as error:
            return (_no_json(error),)
        except ConfigurationError:
            raise
        except Exception as error:  # noqa: BLE001 - of a validator of the caller's, which may raise anything
            name = getattr(self.given, "__name__", "the type")
            said = f"the validator of {name} failed: {type(error).__name__}: {error}"
            faults.append(_Fault("validator", (), clip(said, _MESSAGE_CHARS), _WRONG_VALUE))
        return tuple(_issue(fault) for fault in dict.fromkeys(faults))

    def repaired(self, text: str) -> str:
        """Return the JSON in a text that has a fence or words around it, or small slips; else the text as it is.

        Where the type holds texts, a text that is no JSON of the type counts as a JSON string.
        """
        if self.value(text) is not None:
            return text
        if self._holds_text:
            for bare in dict.fromkeys((text, text.strip())):
                quoted = json.dumps(bare, ensure_ascii=False)
                if self.value(quoted) is not None:
                    return quoted
        if _is_json(text):
            return text
        found = list(dict.fromkeys(_json_in(text)))
        if not found:
            return text
        fitting = [one for one in found if self.value(one) is not None]
        if fitting:
            same = all(_parsed(one) == _parsed(fitting[0]) for one in fitting)
            return fitting[0] if same else text
        return max(found, key=len)

    def unwrapped(self, reply: str) -> str:
        """Return the JSON text of the value in a model's reply to `schema`, repaired if need be."""
        if self._is_wrapped:
            plain = next(iter(_json_in(reply)), reply)
            with suppress(ValueError, RecursionError):
                data = _parsed(plain)
                if isinstance(data, dict) and list(cast("dict[str, object]", data)) == [_WRAPPED]:
                    start, end = value_spans(plain)[_WRAPPED,]
                    return self.repaired(plain[start:end])
        return self.repaired(reply)

    def partial(self, reply: str) -> object:
        """Return the plain JSON values in the beginning of a reply to `schema`; None if there are none yet."""
        opened = _OPENS.search(reply)
        if opened is None:
            return None
        try:
            value: object = from_json(reply[opened.start() :], allow_partial="trailing-strings")
        except (ValueError, TypeError):  # `TypeError`: half of a character that UTF-16 writes as two
            return None
        if self._is_wrapped and isinstance(value, dict):
            return cast("dict[str, object]", value).get(_WRAPPED)
        return value

    # -- inside ------------------------------------------------------------------------------------

    def _read(self, text: str) -> object:
        data = _parsed(text)
        if self._adapter is not None:
            return self._adapter.validate_json(text)
        if next(self._faults(text, data), None) is not None:
            raise ValueError("it does not conform to the schema")
        return data

    def _faults(self, text: str, data: object) -> Iterator[_Fault]:
        if self._adapter is None:
            yield from _schema_faults(self._validator, data)
            return
        try:
            self._adapter.validate_json(text)
        except ValidationError as error:
            yield from _type_faults(error, data)


def output_type(output: object) -> OutputType[Any]:
    """Return the `OutputType` of a type or a JSON Schema; the same one for equal arguments.

    Raises:
        ConfigurationError: it is neither.
    """
    if isinstance(output, OutputType):
        return cast("OutputType[Any]", output)
    if isinstance(output, Mapping):
        try:
            return _of_schema(json.dumps(output, ensure_ascii=False))
        except (TypeError, ValueError, RecursionError) as error:
            if isinstance(error, ConfigurationError):
                raise
            raise ConfigurationError(f"output is not a JSON Schema: {clip(str(error), _MESSAGE_CHARS)}") from error
    if output is None or isinstance(output, str | bytes | int | float) or inspect.isroutine(output):
        raise ConfigurationError(f"output must be a type or a JSON Schema, got {describe(output)}")
    try:
        hash(output)
    except TypeError:
        return OutputType(output)
    return _of_type(output)


@lru_cache(maxsize=128)
def _of_type(output: object) -> OutputType[Any]:
    return OutputType(output)


@lru_cache(maxsize=128)
def _of_schema(schema: str) -> OutputType[Any]:
    return OutputType(json.loads(schema))


def _validator_of(schema: dict[str, Any]) -> Any:
    import referencing  # noqa: PLC0415 - slow to load, and only schemas need it
    from jsonschema import validators  # noqa: PLC0415

    from jido_ai.text.json_schema import check_schema  # noqa: PLC0415

    check_schema(schema)
    untyped: tuple[Any, Any] = validators, referencing
    makers, references = untyped
    kind = makers.extend(makers.validator_for(schema), {"pattern": _pattern_faults, "uniqueItems": _unique_faults})
    return kind(schema, registry=references.Registry())


def _pattern_faults(_: object, pattern: str, instance: object, __: object) -> Iterator[Any]:
    """Yield an error for a text in which a pattern does not occur; most patterns are searched in linear time."""
    from jsonschema.exceptions import ValidationError as SchemaFault  # noqa: PLC0415

    if not isinstance(instance, str):
        return
    linear = linear_pattern(pattern)
    occurs = re.search(pattern, instance) is not None if linear is None else linear.occurs_in(instance)
    if not occurs:
        yield SchemaFault(f"{instance!r} does not match {pattern!r}")


def _unique_faults(_: object, is_wanted: object, instance: object, __: object) -> Iterator[Any]:
    """Yield an error for an array with equal items, found in linear time."""
    from jsonschema.exceptions import ValidationError as SchemaFault  # noqa: PLC0415

    if not is_wanted or not isinstance(instance, list):
        return
    items = cast("list[object]", instance)
    if len({json.dumps(_canonical(one), sort_keys=True) for one in items}) < len(items):
        yield SchemaFault(f"{items!r} has non-unique elements")


def _canonical(value: object) -> object:
    """Return a value with its whole numbers as `int`: equal values, and no others, have the same JSON."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [_canonical(one) for one in cast("list[object]", value)]
    if isinstance(value, dict):
        return {name: _canonical(one) for name, one in cast("dict[str, object]", value).items()}
    return value


# -- schemas ---------------------------------------------------------------------------------------


def _resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the root of a schema, which may refer to a definition in it."""
    named = schema.get("$ref")
    if isinstance(named, str) and named.startswith("#/$defs/"):
        inner = schema.get("$defs", {}).get(named.removeprefix("#/$defs/"))
        return cast("Mapping[str, Any]", inner) if isinstance(inner, Mapping) else schema
    return schema


def _holds_text(schema: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    if root.get("type") == "string":
        return True
    listed = [*root.get("enum", ()), *([root["const"]] if "const" in root else ())]
    if any(isinstance(one, str) for one in listed):
        return True
    branches = [*root.get("anyOf", ()), *root.get("oneOf", ())]
    defs = {"$defs": schema.get("$defs", {})}
    return any(_holds_text(schema, _resolved({**defs, **one})) for one in branches if isinstance(one, Mapping))


def _wrapped(schema: Mapping[str, Any]) -> dict[str, Any]:
    inner = {name: value for name, value in schema.items() if name not in ("$defs", "$schema")}
    whole = {
        "type": "object",
        "properties": {_WRAPPED: inner},
        "required": [_WRAPPED],
        "additionalProperties": False,
    }
    return {**whole, "$defs": schema["$defs"]} if "$defs" in schema else whole


# -- faults ----------------------------------------------------------------------------------------


def _parsed(text: str) -> object:
    """Parse JSON. Raises `ValueError`, or `RecursionError` for one that is nested too deeply."""
    return cast("object", json.loads(text, parse_constant=_refuse))


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")


def _is_json(text: str) -> bool:
    try:
        _parsed(text)
    except (ValueError, RecursionError):
        return False
    return True


def _no_json(error: Exception) -> Issue:
    if isinstance(error, RecursionError):
        return Issue("not JSON: it is nested too deeply", severity=_NO_JSON, kind="json", source="output", rule="json")
    line = column = None
    said = str(error)
    if isinstance(error, json.JSONDecodeError):
        line, column, said = error.lineno, error.colno, f"{error.msg} (line {error.lineno}, column {error.colno})"
    return Issue(
        f"not JSON: {clip(said, _MESSAGE_CHARS)}",
        severity=_NO_JSON,
        kind="json",
        location=Location(None, line, column),
        source="output",
        rule="json",
    )


def _issue(fault: _Fault) -> Issue:
    where = json_path(fault.path)
    is_json = fault.rule != "json_invalid"
    return Issue(
        fault.message if where == "$" else f"{where}: {fault.message}",
        severity=fault.severity if is_json else _NO_JSON,
        kind="schema" if is_json else "json",
        location=Location(where),
        source="output",
        rule=fault.rule,
    )


def _severity(rule: str) -> float:
    return _WRONG_TYPE if _TYPE_RULES.search(rule) else _WRONG_VALUE


def _type_faults(error: ValidationError, data: object) -> Iterator[_Fault]:
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
        severity = _WRONG_VALUE if of_union else _severity(one["type"])
        yield _Fault(one["type"], path, clip(said, _MESSAGE_CHARS), severity)


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


def _schema_faults(validator: Any, data: object) -> Iterator[_Fault]:
    from referencing.exceptions import Unresolvable  # noqa: PLC0415

    missing: defaultdict[Path, int] = defaultdict(int)
    try:
        for error in validator.iter_errors(data):
            path: Path = tuple(error.absolute_path)
            rule = str(error.validator)
            if rule == "required":  # one error for each name, in order
                names = [name for name in error.validator_value if name not in error.instance]
                missing[path] += 1
                path = (*path, names[min(missing[path], len(names)) - 1])
            yield _Fault(rule, path, clip(str(error.message), _MESSAGE_CHARS), _severity(rule))
    except Unresolvable as error:
        raise ConfigurationError(
            f"the schema refers to something that is not in it: {clip(str(error), _MESSAGE_CHARS)}"
        ) from error


# -- repairs ---------------------------------------------------------------------------------------


def _json_in(text: str) -> Iterator[str]:
    """Yield the JSON texts in a text: whole, fenced, or between other words; as they are, or with slips mended."""
    fenced = [found.strip() for found in _FENCED.findall(text)]
    for part in (*fenced, text.strip()):
        if _is_json(part):
            yield part
        elif (mended := _mended(part)) is not None:
            yield mended
    yield from _objects_in(text)
    opened = _OPENS.search(text)
    last = max(text.rfind("}"), text.rfind("]"))
    if (
        opened is not None
        and last > opened.start()
        and (mended := _mended(text[opened.start() : last + 1])) is not None
    ):
        yield mended


def _objects_in(text: str) -> Iterator[str]:
    decoder = json.JSONDecoder(parse_constant=_refuse)
    at = 0
    for _ in range(_MOST_TRIES):
        opened = _OPENS.search(text, at)
        if opened is None:
            return
        at = opened.start() + 1
        with suppress(ValueError, RecursionError):
            end = decoder.raw_decode(text, opened.start())[1]
            yield text[opened.start() : end]
            at = end


def _mended(text: str) -> str | None:
    if text[:1] not in ("{", "["):
        return None
    try:
        mended = repair_json(text)
    except RecursionError:
        return None
    is_whole = mended is not None and all(mended.count(one) == text.count(one) for one in "]}")
    return mended if is_whole else None  # a text that was cut off may lack more than its brackets
