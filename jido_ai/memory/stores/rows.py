"""Rows: how entries and records are encoded in table rows, shared by the database stores."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from json.encoder import encode_basestring
from operator import itemgetter
from typing import Any, Final, TypeVar, cast, get_args

from pydantic_core import PydanticSerializationError

from jido_ai.errors import ConfigurationError, StoreDamagedError, describe
from jido_ai.memory.lessons import KEPT_SOURCES, found_by
from jido_ai.text.large_json import joined_bytes, json_pieces, read_json, size_of
from jido_ai.values import MOST_LEVELS, MemoryEntry, MemoryKind, Scope, is_too_deep
from jido_ai.values.record import Claim, LogName, LogSummary, Record, StoredEntry

T = TypeVar("T")

FEW_CHARS: Final = 20_000
_SHOWN_CHARS: Final = 200
_ELSEWHERE: Final = {"prompt", "scope", "metadata"}
_NO_EXAMPLE: Final = _ELSEWHERE | {"answer"}
_SERIALIZER: Final = MemoryEntry.__pydantic_serializer__  # as model_dump_json, without making text of the bytes
_LABELS: Final = ("domain", "task_type", "agent_id", "session_id")
_FIGURES: Final = (
    *("kind", "severity", "importance", "frequency", "impact"),
    *("use_count", "success_count", "confidence", "reward"),
)
_RARE: Final = frozenset((*_LABELS, *_FIGURES, "expires_at", "last_used", "evidence", "links", "answer"))
"""Fields that most entries leave at their defaults; metadata may be changed without being set."""
_COMMON_OF: Final = itemgetter("mistake", "correction", "id", "tags", "timestamp", "source", "metadata")
_quoted: Final = encode_basestring  # a text as JSON, as `json` writes it, without all around
RECORD_COLUMNS: Final = "row, log, tenant, project, key, kind, time, data"
"""The columns of a record, in the order that `decode_record` expects."""
_RECORD_WIDTH: Final = len(RECORD_COLUMNS.split(", "))
_LOGS: Final = frozenset(get_args(LogName))
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


# -- entries ---------------------------------------------------------------------------------------


def encode_entry(entry: MemoryEntry) -> bytes:
    """Return an entry as JSON, without prompt and scope, which have their own columns.

    Entries with the usual fields are written one by one, in half the time of pydantic's serialiser.

    Raises:
        ConfigurationError: the metadata cannot be written as JSON.
    """
    fields = entry.__dict__
    if _RARE.isdisjoint(entry.__pydantic_fields_set__):
        mistake, correction, id, tags, timestamp, source, metadata = _COMMON_OF(fields)
        if timestamp.tzinfo is UTC and len(tags) < 2:
            body = (
                f'{{"mistake":{_quoted(mistake)},"correction":{_quoted(correction)},"id":{_quoted(id)},'
                f'"tags":[{_quoted(tags[0]) if tags else ""}],"timestamp":"{_time(timestamp)}",'
                f'"evidence":[],"source":{_quoted(source)}{_USUAL_FIGURES}'
            )
            if not metadata:
                return (body + "}").encode("utf-8", "surrogatepass")
            return body.encode("utf-8", "surrogatepass") + _metadata(entry)
    return _encode_any(entry)


def _time(time: datetime) -> str:
    """Return a UTC time as `isoformat` does; the seconds are cached, because many entries share them."""
    since = time - _EPOCH
    second = _second(since.days, since.seconds)
    microseconds = since.microseconds
    return f"{second}.{str(1_000_000 + microseconds)[1:]}+00:00" if microseconds else f"{second}+00:00"


@lru_cache(64)
def _second(days: int, seconds: int) -> str:
    return (_EPOCH + timedelta(days, seconds)).replace(tzinfo=None).isoformat()


_USUAL_FIGURES: Final = (
    ","
    + json.dumps(
        MemoryEntry("usual").model_dump(mode="json", include=set(_FIGURES), exclude_none=True), separators=(",", ":")
    )[1:-1]
)


def _metadata(entry: MemoryEntry) -> bytes:
    """Return the last part of the JSON of an entry with metadata."""
    if is_too_deep(entry.metadata):
        raise ConfigurationError(f"MemoryEntry.metadata is nested deeper than {MOST_LEVELS} levels")
    return b',"metadata":' + _as_json(entry.metadata, "MemoryEntry.metadata") + b"}"


def _encode_any(entry: MemoryEntry) -> bytes:
    """Encode with pydantic's serialiser, and with `json` where needed.

    pydantic rejects lone surrogates, and replaces them in metadata keys; `json` keeps them.
    """
    elsewhere = _ELSEWHERE if entry.answer else _NO_EXAMPLE
    try:
        body = _SERIALIZER.to_json(entry, exclude=elsewhere, exclude_none=True)
    except PydanticSerializationError:
        body = _as_json(entry.model_dump(mode="json", exclude=elsewhere, exclude_none=True), "MemoryEntry")
    if not entry.metadata:
        return body
    return body[:-1] + _metadata(entry)


def decode_entry(row: int, tenant: str, project: str, prompt: str, body: bytes) -> StoredEntry:
    """Return the entry of a row. Raises `StoreDamagedError`."""
    try:
        read: object = _parsed(body)
        if not isinstance(read, dict):
            raise TypeError("the body is not a JSON object")
        fields = cast("dict[str, Any]", read)
        if is_too_deep(fields.get("metadata")):  # stored by an older version
            fields["metadata"] = _shallow(fields["metadata"], MOST_LEVELS)
        return StoredEntry(
            row, MemoryEntry.model_validate({**fields, "prompt": prompt, "scope": Scope(tenant, project)})
        )
    except (ValueError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise StoreDamagedError(f"row {row} of the memory cannot be read: {_why(error)}") from error


KEPT_MARKS: Final = tuple([f'],"source":"{source}"'.encode() for source in sorted(KEPT_SOURCES)])
"""One of these is in the body of an entry that stays (`is_kept`); within a text the quotation marks are escaped."""

BODY_OF_LESSONS: Final = "CASE WHEN kind <> 'episodic' THEN body END"
"""SQL: the body of an entry that may be found by more than its prompt."""


_TOLD_MARKS: Final = (b'"answer":', b'"prompts":', b'"kind":"semantic"', b'"kind":"meta"')
"""A body without any of these tells nothing, and need not be parsed."""


def told_by(lessons: Sequence[tuple[int, str, bytes]]) -> dict[str, Any]:
    """Return the fields `texts` and `examples` of `Changes` for rows with their prompts and bodies.

    A body that cannot be read is left out; whoever fetches the entry is told.
    """
    texts: dict[int, Sequence[str]] = {}
    examples: list[int] = []
    for row, prompt, body in lessons:
        if not any(mark in body for mark in _TOLD_MARKS):
            continue
        with suppress(ValueError, TypeError, AttributeError, RecursionError):
            fields = _parsed(body)
            if fields.get("answer"):
                examples.append(row)
            if told := found_by(fields.get("kind", MemoryKind.EPISODIC), prompt, fields):
                texts[row] = told
    return {"texts": texts, "examples": examples}


def _parsed(data: bytes) -> Any:
    """Return parsed JSON; values nested too deep for the parser are returned as their JSON text."""
    if not isinstance(data, bytes):
        raise TypeError("the data is not bytes")
    try:
        return read_json(data)
    except RecursionError:
        return json.loads(_cut(data.decode("utf-8", "surrogatepass"), 2 * MOST_LEVELS))


def _cut(text: str, most: int) -> str:
    """Return JSON in which values deeper than `most` levels are strings."""
    pieces: list[str] = []
    depth, done, start = 0, 0, 0
    for token in _BRACKETS.finditer(text):
        if token[0] in "{[":
            depth += 1
            if depth == most + 1:
                start = token.start()
        elif token[0] in "}]":
            if depth == most + 1:
                pieces += [text[done:start], json.dumps(text[start : token.end()])]
                done = token.end()
            depth -= 1
    return "".join((*pieces, text[done:]))


def _shallow(value: Any, levels: int) -> Any:
    """Return the value with at most `levels` levels; deeper values are replaced by their JSON text."""
    if not isinstance(value, dict | list):
        return value
    if levels == 0:
        try:
            return json.dumps(value, ensure_ascii=False)
        except RecursionError:
            return "[…]"
    if isinstance(value, dict):
        return {name: _shallow(one, levels - 1) for name, one in cast("dict[str, Any]", value).items()}
    return [_shallow(one, levels - 1) for one in cast("list[Any]", value)]


_BRACKETS: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)


def _why(error: Exception) -> str:
    """Return the error in one line, without the row's content."""
    return (
        f"{type(error).__name__}: {str(error).splitlines()[0][:_SHOWN_CHARS]}" if str(error) else type(error).__name__
    )


def _as_json(value: object, name: str) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{name} cannot be written as JSON: {error}") from error


# -- records ---------------------------------------------------------------------------------------


async def prepared_records(records: Sequence[Record]) -> list[tuple[Record, bytes]]:
    """Apply `prepared_record` to each, in a thread if they are large. Raises `ConfigurationError`."""
    size = 0
    for record in records:
        size += 0 if record.__class__ is Record and record.json else size_of(getattr(record, "data", None), FEW_CHARS)
    if size <= FEW_CHARS:
        return [prepared_record(record) for record in records]
    return await asyncio.to_thread(lambda: [prepared_record(record) for record in records])


def prepared_record(record: Record) -> tuple[Record, bytes]:
    """Return the record as it will be read back, and its data as JSON.

    The data is a copy, converted by JSON, unless the record has its JSON already; the time is in UTC.

    Raises:
        ConfigurationError: unknown log, a time without a time zone, or data that cannot be written as JSON.
    """
    time = record.timestamp
    if time.tzinfo is not UTC:
        time = from_microseconds(microseconds(time))
        record = replace(record, timestamp=time)
    if record.json:
        return record, record.json
    if record.log not in _LOGS:
        raise ConfigurationError(f"log must be one of {', '.join(sorted(_LOGS))}, got {describe(record.log)}")
    if not isinstance(record.data, Mapping):
        raise ConfigurationError(f"Record.data must be a mapping, got {describe(record.data)}")
    try:
        pieces, data = json_pieces(dict(record.data))
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"Record.data cannot be written as JSON: {error}") from error
    return replace(record, data=cast("dict[str, Any]", data)), joined_bytes(pieces)


def record_columns(table: str) -> str:
    """Return `RECORD_COLUMNS` qualified with a table's name."""
    return ", ".join(f"{table}.{column}" for column in RECORD_COLUMNS.split(", "))


def decode_record(columns: Sequence[Any], untext: Callable[[Any], str]) -> Record:
    """Return the record of a row of `RECORD_COLUMNS`; `untext` decodes its texts. Raises `StoreDamagedError`."""
    row, log, tenant, project, key, kind, time_us, data = columns
    try:
        fields = _parsed(data)
        if not isinstance(fields, dict) or type(time_us) is not int:
            raise TypeError("the data is not a JSON object, or the time is not an integer")
        return Record(
            log=log,
            key=untext(key),
            kind=untext(kind),
            data=cast("dict[str, Any]", fields),
            scope=Scope(untext(tenant), untext(project)),
            timestamp=from_microseconds(time_us),
            row=row,
        )
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise StoreDamagedError(f"row {row} of the log {log} cannot be read: {_why(error)}") from error


def decode_summary(columns: Sequence[Any], untext: Callable[[Any], str]) -> LogSummary:
    """Return the summary of a row: the number of records, then `RECORD_COLUMNS` of the first and of the last.

    Raises:
        StoreDamagedError: one of the two records cannot be read.
    """
    records, *both = columns
    first, last = (decode_record(each, untext) for each in (both[:_RECORD_WIDTH], both[_RECORD_WIDTH:]))
    return LogSummary(scope=first.scope, key=first.key, records=records, first=first, last=last)


def decode_claim(asked: Claim, *, number: int, token: str, owner: str, expires_us: int) -> Claim:
    """Return the claim of a row, for the run of `asked`. Raises `StoreDamagedError`."""
    try:
        if type(expires_us) is not int:
            raise TypeError("the expiry time is not an integer")
        expires_at = from_microseconds(expires_us)
    except (OverflowError, TypeError) as error:
        raise StoreDamagedError(f"claim {number} cannot be read: {_why(error)}") from error
    return replace(asked, number=number, token=token, owner=owner, expires_at=expires_at)


def microseconds(time: datetime) -> int:
    """Return a time as whole microseconds since 1970 UTC, exactly.

    Raises:
        ConfigurationError: the time has no time zone.
    """
    if time.tzinfo is None:
        raise ConfigurationError(f"a time needs a time zone, got {describe(time)}")
    return (time - _EPOCH) // _MICROSECOND


def from_microseconds(time_us: int) -> datetime:
    """Return the time, in UTC."""
    return _EPOCH + time_us * _MICROSECOND
