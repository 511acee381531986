"""SQL helpers of the SQLite store: WHERE clauses and text encoding."""

from __future__ import annotations

import sqlite3
from typing import Any, Final

from jido_ai.errors import StoreDamagedError
from jido_ai.values import Scope

_MOST: Final = 2**63 - 1


class Where:
    """A WHERE clause and its values, built one condition at a time. Names come from our code, values from anywhere."""

    def __init__(self, scope: Scope | None = None) -> None:
        self._conditions: list[str] = []
        self.values: list[str | bytes | int | None] = []
        if scope is not None:
            self.of(scope)

    def __str__(self) -> str:
        return " WHERE " + " AND ".join(self._conditions) if self._conditions else ""

    def of(self, scope: Scope, *, by_index: bool = True) -> Where:
        """Add a condition on the scope, for tables with scope numbers.

        Args:
            by_index: True lets SQLite use an index; False makes it check each row that matches the other conditions.
        """
        return self.add(
            f"{'' if by_index else '+'}scope = (SELECT number FROM scope WHERE tenant = ? AND project = ?)",
            *(scope.tenant, scope.project),
        )

    def copy(self) -> Where:
        other = Where()
        other._conditions, other.values = list(self._conditions), list(self.values)
        return other

    def equals(self, column: str, value: str | int | None) -> Where:
        return self.add(f"{column} = ?", value)

    def add(self, condition: str, *values: str | int | None) -> Where:
        self._conditions.append(condition)
        for value in values:
            self.values.append(text(value) if isinstance(value, str) else in_64_bits(value))
        return self


def one(db: sqlite3.Connection, sql: str, where: Where | None = None) -> Any:
    """Return the first column of the first row."""
    return db.execute(sql, where.values if where else ()).fetchone()[0]


def in_64_bits(value: int | None) -> int | None:
    """Return a number clamped to 64 bits, for comparison with rows. No row is as large as the largest one."""
    return None if value is None else max(-_MOST, min(value, _MOST))


def text_or_none(value: str | None) -> str | bytes | None:
    """Return `text(value)`, or None."""
    return None if value is None else text(value)


def text(value: str) -> str | bytes:
    """Return a value that SQLite can store: the text, or bytes if it contains lone surrogates (invalid UTF-8)."""
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "surrogatepass")
    return value


def untext(value: object) -> str:
    """Reverse `text`. Raises `StoreDamagedError` for values that `text` never returns."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        try:
            text = value.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise StoreDamagedError("a text in the memory is not UTF-8") from None
        if any("\ud800" <= one <= "\udfff" for one in text):
            return text
    raise StoreDamagedError(f"a row of the memory has a {type(value).__name__} where text is expected")


def untext_or_none(value: object) -> str | None:
    """Reverse `text_or_none`."""
    return None if value is None else untext(value)
