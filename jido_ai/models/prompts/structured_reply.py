"""Structured replies: the JSON object in a model's text. Pure.

The object is checked by a pydantic model. Small slips are repaired (fences, prose around it, commas, quotes), but
nothing is invented: if a required value is missing, is no number, is cut off, or is given twice with different values,
the reply is unreadable and the caller may ask again. Every step is bounded, so that no text takes longer than some
100 ms.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, Any, Final, Generic, SupportsIndex, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, Field, ValidationError, ValidationInfo

from jido_ai.errors import ParseError, describe
from jido_ai.text.printable import clip, printable

LONGEST_REPLY: Final = 1_000_000
"""Characters of a reply that is read at all."""
DEEPEST: Final = 32
_MOST_TOKENS: Final = 100_000
"""Strings and brackets that are looked at, over all tries to find the object."""
_MOST_OBJECTS: Final = 32
_LONGEST_REPAIR: Final = 12_000
_MOST_REPAIRS: Final = 2
_MOST_LOOKS: Final = 30_000
"""How often mending may look at a character, over all tries; a sound text of 8,000 characters needs 25,000."""
_LONGEST_PROSE: Final = 4_000
_MOST_ITEMS: Final = 100
_LONGEST_FAULT: Final = 600
_ROUNDING: Final = 1e-6
SEVERITIES: Final = "0 (flawless) to 1 (unusable)"
_SLIP: Final = re.compile(r'("(?:[^"\\]|\\.)*+")|\b(True|False|None)\b|,(?=\s*[}\]])', re.DOTALL)
_WORDS: Final = {"True": "true", "False": "false", "None": "null"}
_LISTED: Final = re.compile(r"\s*(?:```\w*\s*)?(\[.*\]|\{\s*\"\w*\"\s*:\s*\[.*\]\s*\})\s*(?:```)?\s*", re.DOTALL)
_GOES_ON: Final = ("", ",", ":")
_TOKEN: Final = re.compile(r'("(?:[^"\\]|\\.)*+)("?)(\s*:)?|[\[\]{}]', re.DOTALL)

R = TypeVar("R", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class ReplyReading(Generic[R]):
    """The result of reading; `warnings` names every value that was dropped or repaired."""

    value: R
    warnings: tuple[str, ...] = ()


def read_reply(
    text: str,
    kind: type[R],
    *,
    may_be_unclosed: bool = False,
    verbatim: Collection[str] = (),
    judged: str | None = None,
) -> ReplyReading[R]:
    """Return the one object in `text` that `kind` accepts.

    Tried in this order: objects that are JSON as they stand, wherever they are in the text; then up to two of the
    others, repaired by json-repair. An object whose only value is another object is that one.

    Args:
        may_be_unclosed: the last bracket may be missing, as long as nothing is cut off in the middle.
        verbatim: fields, at any depth, whose text must be in the reply as a string of its own: a repair that guesses
            where a text ends may lose a part of it.
        judged: the text that the reply is a verdict on. Among other words, an object that is in this text is a
            quotation, and does not count; of several that differ, the last one is the verdict, the others are drafts or
            examples. None: several that differ are refused.

    Raises:
        ParseError: there is none; or there are several that differ; or a key is said twice in different ways. Its
            message says what is wrong in words that a model can act on, `raw` has the reply.
    """
    if len(text) > LONGEST_REPLY:
        raise ParseError(f"the reply has {len(text)} characters, more than {LONGEST_REPLY}", raw=text)
    fits: list[ReplyReading[R]] = []
    faults: list[str] = []
    broken: list[_Span] = []
    _accept_whole(text, kind, judged, fits)
    if fits:
        return fits[0]
    quoted = "" if judged is None else _without_blanks(judged)
    for span in _objects(text, faults):
        if quoted and _without_blanks(text[span.start : span.end]) in quoted:
            faults.insert(0, "the only JSON object of the reply is a quotation of the candidate")
            continue
        try:
            value = _strict(text[span.start : span.end]) if not span.depth else None
        except _DoubledKeyError as error:
            faults.append(str(error))
            if judged is not None:
                fits.clear()
            continue
        except ValueError as error:
            broken.append(span)
            faults.append(f"not JSON: {clip(str(error), 200)}")
            continue
        if value is None:
            broken.append(span)
        else:
            before = len(fits)
            _accept(value, kind, fits, faults)
            if judged is None:
                continue
            if len(fits) > before:
                broken.clear()  # only what comes after it may be the verdict
            elif _is_meant_as(kind, value):
                fits.clear()
    if not fits or judged is not None:
        effort = _Effort()
        largest = sorted(broken, key=lambda span: span.start - span.end)[:_MOST_REPAIRS]
        for span in sorted(largest, key=lambda span: span.start) if judged is not None else largest:
            value = _repaired(text, span, may_be_unclosed, effort, faults)
            if value is None:
                continue
            if not _is_verbatim(value, verbatim, text[span.start : span.end]):
                faults.append("not JSON: quotes and backslashes in texts must be escaped")
            else:
                _accept(value, kind, fits, faults, "the JSON of the reply was repaired")
    if not fits:
        raise ParseError(
            clip(faults[-1] if faults else "there is no JSON object in the reply", _LONGEST_FAULT), raw=text
        )
    if judged is not None:
        return fits[-1]
    if any(fit.value != fits[0].value for fit in fits):
        raise ParseError("the reply has several JSON objects that differ; give exactly one", raw=text)
    return fits[0]


def _worst_of_list(text: str, kind: type[R], judged: str) -> list[ReplyReading[R]]:
    """Return the worst of several verdicts, if the reply is an array of them, and no quotation.

    It may be fenced, and the only value of an object.
    """
    found = _LISTED.fullmatch(text)
    if found is None or _without_blanks(found[1]) in _without_blanks(judged):
        return []
    values: object = None
    if text.count("{") + text.count("[") <= 4 * _MOST_ITEMS:
        with suppress(ValueError):
            values = _strict(found[1])
    if isinstance(values, dict) and len(cast("dict[str, object]", values)) == 1:
        ((name, inner),) = cast("dict[str, object]", values).items()
        values = None if name in kind.model_fields else inner
    several = cast("list[object]", values) if isinstance(values, list) else []
    fits: list[ReplyReading[R]] = []
    for value in several:
        _accept(value, kind, fits, [])
    if len(several) < 2 or len(fits) < len(several):
        return []
    worst = max(fits, key=lambda fit: getattr(fit.value, "severity", None) or 0.0)
    return [ReplyReading(worst.value, (*worst.warnings, f"of {len(fits)} verdicts the worst one counts"))]


def _is_meant_as(kind: type[BaseModel], value: object) -> bool:
    """Tell by its names whether an unreadable object is meant as one of that kind."""
    names = set(cast("dict[str, object]", value)) if isinstance(value, dict) else set[str]()
    known = names & set(kind.model_fields)
    return len(known) > 1 or (bool(known) and known == names)


def _without_blanks(text: str) -> str:
    return "".join(text.split())


# -- where the objects are -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Span:
    """An object of the text, from its bracket to the one that closes it, or to the end of the text.

    Attributes:
        depth: how many brackets are open at its end.
        is_cut: a string is open at its end.
        doubled: a key that one object has twice.
    """

    start: int
    end: int
    depth: int
    is_cut: bool
    doubled: str | None


def _objects(text: str, faults: list[str]) -> Iterator[_Span]:
    """Yield the outermost objects; where one is never closed, look inside of it as well."""
    tokens = found = 0
    start = text.find("{")
    while start >= 0 and found < _MOST_OBJECTS:
        keys: list[set[str] | None] = []
        doubled: str | None = None
        end, is_cut = len(text), False
        for token in _TOKEN.finditer(text, start):
            tokens += 1
            if tokens > _MOST_TOKENS:
                faults.append("the reply has too many brackets and strings to be read")
                return
            mark = token[0]
            if mark[0] == '"':
                is_cut = not token[2]
                if token[3] and keys and (known := keys[-1]) is not None:
                    doubled = doubled or (token[1][1:] if token[1] in known else None)
                    known.add(token[1])
                continue
            if mark in "{[":
                keys.append(set() if mark == "{" else None)
                if len(keys) > DEEPEST:
                    faults.append(f"the JSON is nested deeper than {DEEPEST} levels")
                    return
            else:
                keys.pop()
                if not keys:
                    end = token.end()
                    break
        found += 1
        yield _Span(start, end, len(keys), is_cut, doubled)
        start = text.find("{", end if not keys else start + 1)


# -- reading one -----------------------------------------------------------------------------------


class _DoubledKeyError(ValueError):
    """A key occurs twice in one object, with different values."""


def _strict(text: str) -> object:
    try:
        return cast("object", _DECODER.decode(text))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _accept_whole(text: str, kind: type[R], judged: str | None, fits: list[ReplyReading[R]]) -> None:
    """Add the value when the text is one object, or one list of verdicts: it need not be looked for."""
    text = text.strip()
    if text[:1] == "{" and text[-1:] == "}" and text.count("{") + text.count("[") <= DEEPEST:
        with suppress(ValueError):
            _accept(_strict(text), kind, fits, [])
    if not fits and judged is not None:
        fits += _worst_of_list(text, kind, judged)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for key, value in pairs:
        if key in read and read[key] != value:
            raise _DoubledKeyError(f"the key {clip(key, 40)!r} occurs twice, with different values")
        read[key] = value
    return read


_DECODER: Final = json.JSONDecoder(
    strict=False,  # line ends in strings are told plainly enough
    object_pairs_hook=_pairs,
    parse_int=lambda digits: int(digits) if len(digits) < 19 else float(digits),
)


def _repaired(text: str, span: _Span, may_be_unclosed: bool, effort: _Effort, faults: list[str]) -> object:
    if span.doubled is not None:
        faults.append(f"the key {clip(span.doubled, 40)!r} occurs twice")
        return None
    lacks_one_bracket = span.depth == 1 and not span.is_cut and text.rstrip()[-1:] not in _GOES_ON
    if span.depth and not (may_be_unclosed and lacks_one_bracket):
        faults.append("the JSON is cut off before its end")
        return None
    if span.end - span.start > _LONGEST_REPAIR:
        return None
    try:
        return _strict(_SLIP.sub(_without_slip, text[span.start : span.end]))
    except ValueError:
        pass
    import json_repair  # noqa: PLC0415 - slow to load, and seldom needed

    try:
        return json_repair.loads(_MeteredText(text[span.start : span.end], effort), skip_json_loads=True)
    except (ValueError, RecursionError, _TooMuchWorkError):
        return None


def _without_slip(found: re.Match[str]) -> str:
    """Keep strings, drop a comma before a bracket, and write Python's words as JSON's."""
    return found[1] or (_WORDS[found[2]] if found[2] else "")


@dataclass(slots=True)
class _Effort:
    """The remaining effort for repairs."""

    left: int = _MOST_LOOKS


class _TooMuchWorkError(Exception):
    """Mending a text takes more than it may."""


class _MeteredText(str):
    """A text with a limited number of reads: json-repair reads some hopeless texts endlessly."""

    __slots__ = ("_effort",)

    def __new__(cls, text: str, effort: _Effort) -> _MeteredText:
        made = super().__new__(cls, text)
        made._effort = effort
        return made

    def __getitem__(self, index: SupportsIndex | slice) -> str:
        self._effort.left -= 1
        if self._effort.left < 0:
            raise _TooMuchWorkError
        return super().__getitem__(index)


def _is_verbatim(value: object, names: Collection[str], text: str) -> bool:
    if not names:
        return True
    values: set[object] = set()
    for token in _TOKEN.finditer(text):
        if token[2]:
            with suppress(ValueError):
                values.add(json.loads(token[1] + token[2], strict=False))
    return all(one in values for one in _texts_named(value, names))


def _texts_named(value: object, names: Collection[str]) -> Iterator[str]:
    """Yield the texts of fields with these names, wherever they are in the value."""
    if isinstance(value, dict):
        for name, inner in cast("dict[str, object]", value).items():
            if isinstance(inner, str):
                if name in names:
                    yield inner
            else:
                yield from _texts_named(inner, names)
    elif isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from _texts_named(inner, names)


def _accept(value: object, kind: type[R], fits: list[ReplyReading[R]], faults: list[str], *notes: str) -> None:
    """Add the value if it fits, else add its faults."""
    warnings = list(notes)
    try:
        fits.append(ReplyReading(kind.model_validate(_unwrapped(value, kind), context=warnings), tuple(warnings)))
    except ValidationError as error:
        faults.append(_in_words(error))


def _unwrapped(value: object, kind: type[BaseModel]) -> object:
    """Return the object that is meant: alone in another one, or beside reasoning; keys as the kind writes them."""
    if not isinstance(value, dict):
        return value
    fields = cast("dict[str, object]", value)
    if not fields.keys() & kind.model_fields.keys():
        inner = [cast("dict[str, object]", one) for one in fields.values() if isinstance(one, dict)]
        meant = inner if len(fields) == 1 else [one for one in inner if _is_meant_as(kind, _with_known_keys(one, kind))]
        if len(meant) == 1:
            fields = meant[0]
    return _with_known_keys(fields, kind)


def _with_known_keys(fields: dict[str, object], kind: type[BaseModel]) -> dict[str, object]:
    """Return an object with keys such as "Severity" in lower case, if they are known so and stand there once."""
    lower = {key: key.strip().lower() for key in fields if key not in kind.model_fields}
    names = {key: low for key, low in lower.items() if low in kind.model_fields and low not in fields}
    if not names or len(set(names.values())) < len(names):
        return fields
    return {names.get(key, key): one for key, one in fields.items()}


def _in_words(error: ValidationError) -> str:
    faults: list[str] = []
    for fault in error.errors(include_url=False)[:5]:
        where = ".".join(str(part) for part in fault["loc"])
        what = fault["msg"].removeprefix("Value error, ")
        came = "" if fault["type"] in ("missing", "value_error") else f", got {clip(describe(fault['input']), 80)}"
        faults.append(f"{where}: {what}{came}" if where else f"{what}{came}")
    return "; ".join(faults)


# -- fields of replies -----------------------------------------------------------------------------


def warn(info: ValidationInfo, message: str) -> None:
    """Record the repair that a value needed."""
    if isinstance(info.context, list):
        cast("list[str]", info.context).append(f"{info.field_name}: {message}" if info.field_name else message)


CLAMPED: Final[ContextVar[list[str] | None]] = ContextVar("clamped", default=None)
"""Set while the second reply of a model is read: numbers out of range are then clamped, words read, and told here."""
_LEVELS: Final = {"low": 0.15, "medium": 0.5, "moderate": 0.5, "high": 0.85}
"""The middles of the levels of a severity."""
_SHARE: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(?:%|(?:/|\s(?:out )?of\s)\s*(\d+(?:\.\d+)?))", re.IGNORECASE)


def number_on(value: object, least: float, most: float, scale: str) -> float:
    """Return the number that `value` is, or is the text of; rounding errors beyond a limit (up to 1e-6) are cut off.

    Args:
        scale: the range in words, for the error: "0 (flawless) to 1 (unusable)".

    Raises:
        ValueError: it is no number, or is on another scale and `CLAMPED` is not set. If it is set, a share ("3/10",
            "30%") and a level ("high") are read, too, where the range begins at 0.
    """
    number: object = value
    if isinstance(value, str):
        with suppress(ValueError):
            number = float(value.strip()[:40])
    if isinstance(number, bool) or not isinstance(number, int | float) or not isfinite(number):
        number = None
    is_told = number is not None
    if number is None and least == 0.0 and isinstance(value, str) and CLAMPED.get() is not None:
        number = _in_other_words(value.strip())
    if not is_told or number is None or not least - _ROUNDING <= number <= most + _ROUNDING:
        clamped = CLAMPED.get()
        if number is None or clamped is None:
            raise ValueError(f"must be a number from {scale}, got {clip(describe(value), 80)}")
        counts = "the nearest one" if is_told else f"{number:g}"
        clamped.append(f"{clip(describe(value), 80)} is no number from {scale}; {counts} counts")
    return min(most, max(least, float(number)))


def _in_other_words(text: str) -> float | None:
    """Return the number in [0, 1] that a share or a level stands for; None for any other text."""
    share = _SHARE.fullmatch(text)
    if share is None:
        return _LEVELS.get(text.lower())
    of = float(share[2] or 100.0)
    return float(share[1]) / of if of else None


def _severity(value: object) -> float:
    return number_on(value, 0.0, 1.0, SEVERITIES)


def _line(value: object, info: ValidationInfo) -> int | None:
    if value is None:
        return None
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 19:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        warn(info, "is not a line number and was left out")
        return None
    return value


def _prose(value: object) -> object:
    return clip(printable(value.strip()), _LONGEST_PROSE) if isinstance(value, str) else value


def _items(value: object, info: ValidationInfo) -> object:
    if value is None:
        return ()
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        return value
    items = cast("list[object]", value)
    if len(items) > _MOST_ITEMS:
        warn(info, f"{len(items) - _MOST_ITEMS} of {len(items)} were left out")
    return tuple(item for item in items[:_MOST_ITEMS] if not (isinstance(item, str) and not item.strip()))


Severity = Annotated[float, BeforeValidator(_severity)]
"""A number in [0, 1], or the text of one; anything else is on another scale, and refused with the range in words."""
LineNumber = Annotated[int | None, BeforeValidator(_line)]
"""A line counted from 1, or None; what is none is left out, with a warning."""
Prose = Annotated[str, BeforeValidator(_prose)]
"""A text, trimmed, at most 4,000 characters, the cut visible."""
Items = Annotated[tuple[Annotated[Prose, Field(min_length=1)], ...], BeforeValidator(_items)]
"""Texts, at most 100; one text alone is a list of one, blank ones go, null is none."""
