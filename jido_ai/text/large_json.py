"""Large JSON, written in pieces, so that other threads get the interpreter in between. Pure.

`json` writes and reads a value in one call, during which no other thread runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar, cast

from pydantic_core import from_json

from jido_ai.text.pieces import no_turn
from jido_ai.values import Value

T = TypeVar("T")

_PLAIN: Final = frozenset({int, float, bool, type(None), datetime})
_CONTAINERS: Final = frozenset({dict, list, tuple})
"""Kinds that are known without `isinstance`, which is slow for values and mappings."""
_PIECE: Final = 20_000
"""Characters that are written, or read, in about a tenth of a millisecond."""
_LEVELS: Final = 250
_NAMES: Final = 150
"""Characters of the names of a value's fields."""
_written: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def json_pieces(
    value: object, others_turn: Callable[[], None] = no_turn, *, is_small: bool = False
) -> tuple[list[str], object]:
    """Return the JSON of a value in pieces, and the value as it will be read back.

    Characters stay as they are, and what is read back shares nothing that could be changed with `value`. `others_turn`
    is called before each piece.

    Args:
        is_small: the caller knows that the value is one piece.

    Raises:
        TypeError, ValueError, RecursionError: as `json.dumps`, which also refuses what is no finite number here.
    """
    if is_small or size_of(value, _PIECE) <= _PIECE:
        others_turn()
        text = _written(value)
        return [text], read_json(text)
    pieces: list[str] = []
    return pieces, _Writer(pieces, others_turn).write(value)


def joined_bytes(pieces: Sequence[str]) -> bytes:
    """Return the bytes of JSON in pieces, which may have lone surrogates."""
    return "".join(pieces).encode("utf-8", "surrogatepass")


def read_json(text: str | bytes) -> Any:
    """Return parsed JSON, as `json.loads` does, three times as fast. Raises `ValueError`, `RecursionError`."""
    try:
        return from_json(text)
    except (ValueError, TypeError):  # lone surrogates, which `json` reads, are a TypeError in a str
        return json.loads(text if isinstance(text, str) else text.decode("utf-8", "surrogatepass"))


def size_of(value: object, enough: int) -> int:
    """Return about how many characters and values a value has, or any number above `enough`.

    What is nested deeper than 250 levels is large, too: to write it takes long.
    """
    size = 0
    level: list[Any] = [value]
    for _ in range(_LEVELS):
        inside: list[Any] = []
        for whole in level:
            if size > enough:
                return size
            parts: Any = whole
            kind = whole.__class__
            if Value in kind.__mro__:
                parts = whole.__dict__.values()
                size += _NAMES
            else:
                if kind not in _CONTAINERS:
                    if isinstance(whole, str):
                        size += len(whole)
                        continue
                    if not isinstance(whole, Mapping | list | tuple):
                        size += 1
                        continue
                size += 1
                if len(parts) > enough:
                    return len(parts)
                if kind is dict or (kind not in _CONTAINERS and isinstance(whole, Mapping)):
                    try:
                        size += len("".join(parts))
                    except TypeError:  # some names are no texts
                        size += len(parts)
                    parts = parts.values()
            for part in parts:
                kind = part.__class__
                if kind is str:
                    size += len(part)
                elif kind in _PLAIN or (kind in _CONTAINERS and not part):
                    size += 1
                else:
                    inside.append(part)
        if not inside:
            return size
        level = inside
    return enough + 1


class _Writer:
    """Writes a value, piece after piece, and returns it as it will be read back."""

    def __init__(self, pieces: list[str], others_turn: Callable[[], None]) -> None:
        self._pieces = pieces
        self._others_turn = others_turn
        self._above: set[int] = set()  # what the value stands in that is being written

    def write(self, value: object) -> object:
        if not value or not isinstance(value, str | dict | list | tuple):
            text = self._dumps(value)
            self._pieces.append(text)
            return read_json(text)
        if isinstance(value, str):
            return self._text(str.__str__(value))
        place = id(cast("object", value))
        if place in self._above:
            raise ValueError("Circular reference detected")
        self._above.add(place)
        if isinstance(value, dict):
            read: object = self._fields(cast("dict[object, object]", value))
        else:
            read = self._items(cast("Sequence[object]", value))
        self._above.remove(place)
        return read

    def _text(self, text: str) -> str:
        self._pieces.append('"')
        self._pieces.extend(self._dumps(text[start : start + _PIECE])[1:-1] for start in range(0, len(text), _PIECE))
        self._pieces.append('"')
        return text

    def _fields(self, fields: Mapping[object, object]) -> dict[str, object]:
        read: dict[str, object] = {}
        opening = "{"
        for some, is_large in _together(fields.items()):
            text = self._dumps({some[0][0]: None} if is_large else dict(some))
            if is_large:
                self._pieces.append(opening + text[1 : -len("null}")])
                (name,) = read_json(text)
                read[name] = self.write(some[0][1])
            else:
                self._pieces.append(opening + text[1:-1])
                read.update(read_json(text))
            opening = ", "
        self._pieces.append("}")
        return read

    def _items(self, items: Sequence[object]) -> list[object]:
        read: list[object] = []
        opening = "["
        for some, is_large in _together(items):
            if is_large:
                self._pieces.append(opening)
                read.append(self.write(some[0]))
            else:
                text = self._dumps(some)
                self._pieces.append(opening + text[1:-1])
                read.extend(read_json(text))
            opening = ", "
        self._pieces.append("]")
        return read

    def _dumps(self, value: object) -> str:
        self._others_turn()
        return _written(value)


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
