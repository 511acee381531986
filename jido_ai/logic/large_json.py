"""JSON of what may be large, piece by piece: a thread that writes it lets others have the interpreter in between.

`json` writes and reads a value in one call, through which nobody else has his turn.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, TypeVar, cast

from jido_ai.values import Value

__all__ = ["json_pieces", "size_of"]

T = TypeVar("T")

_PLAIN: Final = (int, float, type(None))
_PIECE: Final = 20_000
"""Characters that are written, or read, in about a tenth of a millisecond."""


def json_pieces(value: object) -> tuple[list[str], object]:
    """Return what `json` writes for a value, cut in pieces, and the value as it will be read back.

    Characters stay as they are, and what is read back shares nothing that could be changed with `value`.

    Raises:
        TypeError, ValueError, RecursionError: as `json.dumps`, which also refuses what is no finite number here.
    """
    pieces: list[str] = []
    return pieces, _write(value, pieces, set())


def size_of(value: object, enough: int) -> int:
    """Return about how many characters and values there are in a value, or what is more than `enough`."""
    size, unread = 0, [value]
    while unread and size <= enough:
        one = unread.pop()
        if isinstance(one, str):
            size += len(one)
            continue
        size += 1
        if isinstance(one, _PLAIN):
            continue
        if isinstance(one, Value):
            one = one.__dict__
        if isinstance(one, dict | Mapping):
            fields = cast("Mapping[object, object]", one)
            unread.extend(islice(fields, enough))
            unread.extend(islice(fields.values(), enough))
        elif isinstance(one, list | tuple):
            unread.extend(islice(cast("Sequence[object]", one), enough))
    return size


def _write(value: object, pieces: list[str], above: set[int]) -> object:
    """Add a value to the pieces; `above` are those it stands in."""
    is_large = size_of(value, _PIECE) > _PIECE
    if not is_large or not isinstance(value, str | dict | list | tuple):
        text = _dumps(value)
        pieces.append(text)
        return json.loads(text)
    if isinstance(value, str):
        return _write_text(str.__str__(value), pieces)
    if id(cast("object", value)) in above:
        raise ValueError("Circular reference detected")
    above.add(id(cast("object", value)))
    if isinstance(value, dict):
        read: object = _write_fields(cast("dict[object, object]", value), pieces, above)
    else:
        read = _write_items(cast("Sequence[object]", value), pieces, above)
    above.remove(id(cast("object", value)))
    return read


def _write_text(text: str, pieces: list[str]) -> str:
    pieces.append('"')
    pieces.extend(_dumps(text[start : start + _PIECE])[1:-1] for start in range(0, len(text), _PIECE))
    pieces.append('"')
    return text


def _write_fields(fields: Mapping[object, object], pieces: list[str], above: set[int]) -> dict[str, object]:
    read: dict[str, object] = {}
    opening = "{"
    for some, is_large in _together(fields.items()):
        text = _dumps({some[0][0]: None} if is_large else dict(some))
        if is_large:
            pieces.append(opening + text[1 : -len("null}")])
            (name,) = json.loads(text)
            read[name] = _write(some[0][1], pieces, above)
        else:
            pieces.append(opening + text[1:-1])
            read.update(json.loads(text))
        opening = ", "
    pieces.append("}")
    return read


def _write_items(items: Sequence[object], pieces: list[str], above: set[int]) -> list[object]:
    read: list[object] = []
    opening = "["
    for some, is_large in _together(items):
        if is_large:
            pieces.append(opening)
            read.append(_write(some[0], pieces, above))
        else:
            text = _dumps(some)
            pieces.append(opening + text[1:-1])
            read.extend(json.loads(text))
        opening = ", "
    pieces.append("]")
    return read


def _together(items: Iterable[T]) -> Iterator[tuple[list[T], bool]]:
    """Yield items in their order: as many as are a piece together, or one that is larger alone (True)."""
    some, size = list[T](), 0
    for item in items:
        more = size_of(item, _PIECE)
        if some and size + more > _PIECE:
            yield some, False
            some, size = [], 0
        if more > _PIECE:
            yield [item], True
        else:
            some.append(item)
            size += more
    if some:
        yield some, False


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
