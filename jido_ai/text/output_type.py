"""The type of an answer: what is asked for, and how a reply is read, without a model. Pure.

A reply is read in a row of steps: the JSON texts in it (`json_texts`), each of them checked once (`OutputType.check`),
and slips of its structure fixed, such as an array that comes as a text.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Final, Generic, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError
from pydantic_core import from_json

from jido_ai.errors import ConfigurationError, describe
from jido_ai.text.json_branches import path_of
from jido_ai.text.json_reply import json_texts, parsed, whole_characters
from jido_ai.text.json_spans import Path, value_spans
from jido_ai.text.output_faults import MESSAGE_CHARS, Fault, no_json, schema_faults, type_faults, validator_of
from jido_ai.text.printable import clip
from jido_ai.text.sent_schema import WRAPPED, in_words, property_names, root_of, sent_schema, tags_of
from jido_ai.values import Issue

T = TypeVar("T")

_MOST: Final = 100
_MOST_SLIPS: Final = 20
_LIGHT_CHARS: Final = 10_000
_OPENS: Final = ("{", "[")
_WRAPPERS: Final = frozenset(
    {"answer", "result", "output", "value", "data", "response", "object", "json", "parameters", "arguments", "input"}
    | {"$parameter_name"}
)
"""Names that models put around an answer."""


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """A text as the type sees it.

    Attributes:
        text: JSON, unless the first issue says that it is none.
        value: the object that the text stands for; None if it does not validate.
        issues: a finding for each part that does not fit; none for a text that validates.
    """

    text: str
    value: T | None
    issues: tuple[Issue, ...]

    @property
    def fits(self) -> bool:
        """True if the text validates."""
        return not self.issues


Readings = MutableMapping[tuple[object, str], Reading[Any]]
"""Texts that have been checked, by type and text: each is validated once."""


class OutputType(Generic[T]):
    """A type that answers have; make one with `output_type`.

    Attributes:
        given: a type that `pydantic.TypeAdapter` takes, or a JSON Schema.
        plain: its JSON Schema.
        light_chars: of a text that is validated in a few milliseconds; 0 for a schema, which may take long for any.
        schema: that for models; see `sent_schema`.
        in_words: the same for a prompt.
        tags: names of properties that say what kind of object it is.
    """

    def __init__(self, given: object) -> None:
        self.given = given
        self._validator: Any = None
        self.light_chars = 0 if isinstance(given, Mapping) else _LIGHT_CHARS
        self._adapter: TypeAdapter[Any] | None = None
        if isinstance(given, Mapping):
            plain = dict(cast("Mapping[str, Any]", given))
            self._validator = validator_of(plain)
        else:
            try:
                self._adapter = TypeAdapter(cast("type[Any]", given))
                plain = self._adapter.json_schema()
            except PydanticUserError as error:
                why = clip(str(error).partition("\n")[0], MESSAGE_CHARS)
                raise ConfigurationError(
                    f"output must be a type that pydantic knows or a JSON Schema, got {describe(given)}: {why}"
                ) from error
        self.plain = plain
        branches = list(_branches(plain, root_of(plain)))
        self._holds_text = any(_is_of_text(branch) for branch in branches)
        self._names = property_names(plain)
        self._wrappers = _WRAPPERS | {str(branch.get("title", "")).lower() for branch in branches}
        objects = [branch for branch in branches if branch.get("type") == "object"]
        self._is_closed = bool(objects) and not any(one.get("additionalProperties") for one in objects)
        self.tags = tags_of(plain)
        self.schema, self._is_wrapped = sent_schema(plain)
        self.in_words = (
            f"JSON that conforms to this JSON Schema: {json.dumps(in_words(self.schema), ensure_ascii=False)}"
        )

    def __repr__(self) -> str:
        return f"OutputType({describe(self.given)})"

    def check(self, text: str, known: Readings | None = None) -> Reading[T]:
        """Return the reading of a text as it stands: its object, or at most 100 findings.

        A text that is not JSON is one finding of kind "json" and severity 1.0. Any other is of kind "schema", with the
        type of pydantic's error, or the keyword of the schema, as its rule and a JSON path as `location.path`:
        `items[2].price`, `$` for the whole, `["a b"]` for a key that is no name. What is missing or has a wrong type
        has severity 0.8, any other fault 0.6. An error in a validator is a finding with the rule "validator".

        Args:
            known: texts that have been checked before; this one is added.

        Raises:
            ConfigurationError: the schema refers to another one that it does not contain.
        """
        key = (self, text)
        if known is not None and key in known:
            return known[key]
        value, issues = self._validated(text)
        made = Reading(text, cast("T | None", value), issues)
        if known is not None:
            known[key] = made
        return made

    def read(self, text: str, known: Readings | None = None, *, is_reply: bool = False) -> Reading[T]:
        """Return the reading of the JSON in a text that has a fence or words around it, or small slips.

        Without JSON that can be told, it is that of the text as it is. Where the type holds texts, a text without an
        object of the type counts as a JSON string.

        Args:
            is_reply: the text is a reply to `schema`, so the value may be wrapped.
        """
        whole = self.check(text, known)
        if whole.fits and not (is_reply and self._is_wrapped) and self._inner(text, is_reply=False) is None:
            return whole
        text = whole_characters(text)
        found = [
            (self._without_slips(one, known, is_reply=is_reply), one, alone)
            for one, alone in dict.fromkeys(json_texts(text))
        ]
        fitting = [reading for reading, one, alone in found if reading.fits and self._counts(reading, one, alone)]
        if fitting:
            first = parsed(fitting[0].text)
            return fitting[0] if all(parsed(one.text) == first for one in fitting[1:]) else whole
        if self._holds_text and not any(alone and self._is_meant(one) for _, one, alone in found):
            for bare in dict.fromkeys((text, text.strip())):
                quoted = self.check(json.dumps(bare, ensure_ascii=False), known)
                if quoted.fits:
                    return quoted
        best = max(found, key=lambda one: len(one[1]), default=None)
        return whole if best is None else best[0]

    def value(self, text: str) -> T | None:
        """Return a new object that the text stands for; None if it does not validate."""
        return self.check(text).value

    def issues(self, text: str) -> tuple[Issue, ...]:
        """Return the findings of `check`."""
        return self.check(text).issues

    def partial(self, reply: str) -> object:
        """Return the plain JSON values in the beginning of a reply to `schema`; None if there are none yet.

        A reply that begins with words is not shown: they may be thoughts.
        """
        text = reply.lstrip()
        if text.startswith("```"):
            text = text.partition("\n")[2].lstrip()
        if not text.startswith(_OPENS):
            return None
        try:
            value: object = from_json(text, allow_partial="trailing-strings")
        except (ValueError, TypeError):  # `TypeError`: half of a character that UTF-16 writes as two
            return None
        if self._is_wrapped and isinstance(value, dict):
            return cast("dict[str, object]", value).get(WRAPPED)
        return value

    # -- checking ----------------------------------------------------------------------------------

    def _validated(self, text: str) -> tuple[object, tuple[Issue, ...]]:
        try:
            data = parsed(text)
        except (ValueError, RecursionError) as error:
            return None, (no_json(error),)
        faults: list[Fault] = []
        value: object = None
        try:
            if self._adapter is None:
                value = data
                for fault in islice(schema_faults(self._validator, data), _MOST):
                    faults.append(fault)
            else:
                value = self._adapter.validate_json(text)
                if (name := self._around(data)) is not None and self._is_as_of_nothing(value):
                    message = (
                        f"the type has no {clip(name, MESSAGE_CHARS)!r}; its fields belong to the outermost object"
                    )
                    faults.append(Fault("extra_forbidden", (name,), message))
        except ValidationError as error:
            faults += islice(type_faults(error, data), _MOST)
        except RecursionError as error:
            return None, (no_json(error),)
        except ConfigurationError:
            raise
        except Exception as error:  # noqa: BLE001 - of a validator of the caller's, which may raise anything
            name = getattr(self.given, "__name__", "the type")
            message = f"the validator of {name} failed: {type(error).__name__}: {error}"
            faults.append(Fault("validator", (), clip(message, MESSAGE_CHARS)))
        return (None if faults else value), tuple(fault.issue for fault in dict.fromkeys(faults))

    # -- reading -----------------------------------------------------------------------------------

    def _counts(self, reading: Reading[T], text: str, alone: bool) -> bool:
        """Tell whether a text that fits is the answer: beside texts, an array or {} in a sentence is none."""
        return alone or not self._holds_text or (text[:1] == "{" and text.strip("{} \t\r\n") != "")

    def _is_meant(self, text: str) -> bool:
        """Tell whether a text is meant as an object of the type."""
        data = parsed(text)
        return isinstance(data, dict) and not self._names.isdisjoint(cast("dict[str, object]", data))

    def _inner(self, text: str, *, is_reply: bool) -> str | None:
        """Return the text of the only value in an object around one of the type."""
        if (name := self._around(parsed(text) if text.lstrip()[:1] == "{" else None)) is None:
            return None
        is_ours = is_reply and self._is_wrapped and name == WRAPPED
        is_known = self._is_closed and name not in self._names and name.lower() in self._wrappers
        if not is_ours and not is_known:
            return None
        start, end = value_spans(text)[name,]
        return text[start:end]

    def _around(self, data: object) -> str | None:
        """Return the only name in an object if it is no name of the type, but one with such names is its value."""
        if not isinstance(data, dict) or len(cast("dict[str, object]", data)) != 1:
            return None
        ((name, inner),) = cast("dict[str, object]", data).items()
        if self._is_wrapped and name == WRAPPED:
            return name
        has_names = isinstance(inner, dict) and not self._names.isdisjoint(cast("dict[str, object]", inner))
        return name if name not in self._names and has_names else None

    def _is_as_of_nothing(self, value: object) -> bool:
        """Tell whether an object of the type has nothing but defaults."""
        assert self._adapter is not None
        try:
            return value == self._adapter.validate_json("{}")
        except Exception:  # noqa: BLE001 - of a validator of the caller's, which may raise anything
            return False

    def _without_slips(self, text: str, known: Readings | None, *, is_reply: bool) -> Reading[T]:
        """Return the reading of a JSON text, or of the value in it, with slips of its structure fixed."""
        try:
            inner = self._inner(text, is_reply=is_reply)
        except RecursionError:
            inner = None
        readings = [self._restructured(one, known) for one in (inner, text) if one is not None]
        return next((reading for reading in readings if reading.fits), readings[0])

    def _restructured(self, text: str, known: Readings | None) -> Reading[T]:
        """Read arrays and objects that come as texts, and leave out an optional property that is null."""
        reading = self.check(text, known)
        for _ in range(_MOST_SLIPS):
            if reading.fits:
                break
            better = next(self._one_slip_less(reading, known), None)
            if better is None:
                break
            reading = better
        return reading

    def _one_slip_less(self, reading: Reading[T], known: Readings | None) -> Iterator[Reading[T]]:
        if reading.issues[0].kind == "json":
            return
        data = parsed(reading.text)
        wrong = {(issue.location and issue.location.path): path_of(issue) for issue in reading.issues}
        for where, path in wrong.items():
            made = _without_slip_at(reading.text, data, path, may_go=path[-1:] != () and path[-1] in self._names)
            if made is None:
                continue
            better = self.check(made, known)
            if not any(issue.location and issue.location.path == where for issue in better.issues):
                yield better


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
            raise ConfigurationError(f"output is not a JSON Schema: {clip(str(error), MESSAGE_CHARS)}") from error
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


def _branches(schema: Mapping[str, Any], root: Mapping[str, Any], levels: int = 16) -> Iterator[Mapping[str, Any]]:
    """Yield the root of a schema, and the branches of its unions, with their references followed."""
    yield root
    for one in (*root.get("anyOf", ()), *root.get("oneOf", ())) if levels else ():
        if isinstance(one, Mapping):
            yield from _branches(schema, root_of(schema, cast("Mapping[str, Any]", one)), levels - 1)


def _is_of_text(branch: Mapping[str, Any]) -> bool:
    kind = branch.get("type")
    listed = [*branch.get("enum", ()), *([branch["const"]] if "const" in branch else ())]
    return kind == "string" or (isinstance(kind, list) and "string" in kind) or any(isinstance(i, str) for i in listed)


def _structure_in(text: str) -> str | None:
    """Return the array or object that a text stands for, perhaps in a fence, or written as a text once more."""
    for _ in range(3):
        inner = next((one for one, alone in json_texts(text) if alone), None)
        if inner is None or inner.startswith(_OPENS):
            return inner
        data = parsed(inner)
        if not isinstance(data, str):
            break
        text = data
    return None


def _without_slip_at(text: str, data: object, path: Path, *, may_go: bool) -> str | None:
    """Return the text with one value read from its text, or left out if it is null; None if it is neither."""
    outer: object = None
    value: object = data
    for part in path:
        outer = value
        if isinstance(value, dict) and part in value:
            value = cast("dict[str | int, object]", value)[part]
        elif isinstance(value, list) and isinstance(part, int) and part < len(cast("list[object]", value)):
            value = cast("list[object]", value)[part]
        else:
            return None
    start, end = value_spans(text)[path]
    if isinstance(value, str):
        inner = _structure_in(value)
        return None if inner is None else text[:start] + inner + text[end:]
    if value is None and may_go and isinstance(outer, dict):
        rest = {name: one for name, one in cast("dict[str, object]", outer).items() if name != path[-1]}
        start, end = value_spans(text)[path[:-1]]
        return text[:start] + json.dumps(rest, ensure_ascii=False) + text[end:]
    return None
