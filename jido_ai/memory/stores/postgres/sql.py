"""SQL of the PostgreSQL store: tables, WHERE clauses and text encoding."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from jido_ai.memory.stores.rows import microseconds
from jido_ai.values import Scope
from jido_ai.values.record import LogName

APPLICATION: Final = "jido_ai"
_REMEMBERED_REMOVALS: Final = 10_000
_MOST: Final = 2**63 - 1

MIGRATIONS: Final = (
    (
        "CREATE TABLE about (application text NOT NULL, version integer NOT NULL)",
        # Every writer updates this row first, so writers take turns and rows ascend in commit order.
        "CREATE TABLE clock (row bigint NOT NULL) WITH (fillfactor = 10)",
        "INSERT INTO clock VALUES (0)",
        # The newest batch of every writing store object: after a lost connection it tells whether a commit succeeded.
        "CREATE TABLE writer (id uuid PRIMARY KEY, batch bigint NOT NULL, seen timestamptz NOT NULL DEFAULT now())",
        # Names may be too long for an index, so `scope` and `id_key` are digests.
        """
        CREATE TABLE entry (
            row bigint PRIMARY KEY, scope bytea NOT NULL, tenant text NOT NULL, project text NOT NULL,
            id text NOT NULL, id_key bytea NOT NULL, kind text NOT NULL, lesson text,
            domain text, task_type text, agent_id text, session_id text,
            prompt text NOT NULL, body bytea NOT NULL
        )
        """,
        "CREATE UNIQUE INDEX entry_id ON entry (id_key, scope)",
        "CREATE UNIQUE INDEX entry_lesson ON entry (scope, kind, lesson) WHERE lesson IS NOT NULL",
        "CREATE INDEX entry_age ON entry (scope, kind, row)",
        "CREATE INDEX entry_row ON entry (scope, row)",
        "CREATE INDEX entry_domain ON entry (md5(domain), scope) WHERE domain IS NOT NULL",
        "CREATE INDEX entry_task_type ON entry (md5(task_type), scope) WHERE task_type IS NOT NULL",
        "CREATE INDEX entry_agent ON entry (md5(agent_id), scope) WHERE agent_id IS NOT NULL",
        "CREATE INDEX entry_session ON entry (md5(session_id), scope) WHERE session_id IS NOT NULL",
        """
        CREATE TABLE shelf (
            scope bytea NOT NULL, kind text NOT NULL, entries bigint NOT NULL, PRIMARY KEY (scope, kind)
        )
        """,
        """
        CREATE TABLE removal (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, scope bytea NOT NULL, row bigint NOT NULL
        )
        """,
        "CREATE INDEX removal_scope ON removal (scope, number)",
        """
        CREATE FUNCTION entry_came() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
        BEGIN
            INSERT INTO shelf AS kept SELECT scope, kind, count(*) FROM came GROUP BY scope, kind
                ON CONFLICT (scope, kind) DO UPDATE SET entries = kept.entries + excluded.entries;
            RETURN NULL;
        END $$
        """,
        f"""
        CREATE FUNCTION entry_went() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
        BEGIN
            IF EXISTS (SELECT FROM went) THEN
                UPDATE shelf SET entries = entries - gone.number
                    FROM (SELECT scope, kind, count(*) AS number FROM went GROUP BY scope, kind) AS gone
                    WHERE shelf.scope = gone.scope AND shelf.kind = gone.kind;
                INSERT INTO removal (scope, row) SELECT scope, row FROM went ORDER BY row;
                DELETE FROM removal WHERE number <= (SELECT max(number) FROM removal) - {_REMEMBERED_REMOVALS};
            END IF;
            RETURN NULL;
        END $$
        """,
        "CREATE TRIGGER entry_came AFTER INSERT ON entry REFERENCING NEW TABLE AS came "
        "FOR EACH STATEMENT EXECUTE FUNCTION entry_came()",
        "CREATE TRIGGER entry_went AFTER DELETE ON entry REFERENCING OLD TABLE AS went "
        "FOR EACH STATEMENT EXECUTE FUNCTION entry_went()",
        """
        CREATE TABLE record (
            row bigint PRIMARY KEY, log text NOT NULL,
            scope bytea NOT NULL, tenant text NOT NULL, project text NOT NULL,
            key text NOT NULL, key_hash bytea NOT NULL, kind text NOT NULL, time bigint NOT NULL, data bytea NOT NULL
        )
        """,
        "CREATE INDEX record_key ON record (log, scope, key_hash, row)",
        "CREATE INDEX record_scope ON record (log, scope, row)",
        "CREATE INDEX record_log ON record (log, row)",
        "CREATE INDEX record_time ON record (log, time)",
    ),
    (
        """
        CREATE TABLE claim (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, scope bytea NOT NULL, key_hash bytea NOT NULL,
            tenant text NOT NULL, project text NOT NULL, run text NOT NULL,
            token text NOT NULL, owner text NOT NULL, expires bigint NOT NULL, UNIQUE (scope, key_hash)
        )
        """,
    ),
    (),  # `_clean` in connection.py: prompts in the user's words, and task types in the key of lessons
    (),  # bodies may have an answer
)
"""Statements that migrate a schema from version i to i + 1. Forward only: released entries are never edited."""


class Where:
    """A WHERE clause and its values, built one condition at a time. Names come from our code, values from anywhere."""

    def __init__(self, scope: Scope | None = None) -> None:
        self._conditions: list[str] = []
        self.values: list[Any] = []
        if scope is not None:
            self.add("scope = {}", scope_key(scope))

    def __str__(self) -> str:
        return " WHERE " + " AND ".join(self._conditions) if self._conditions else ""

    def add(self, condition: str, *values: object) -> Where:
        """Add a condition, with a `{}` for each value."""
        return self.adding(condition, values)

    def adding(self, condition: str, values: Sequence[object]) -> Where:
        self._conditions.append(condition.format(*(f"${len(self.values) + n + 1}" for n in range(len(values)))))
        self.values.extend(map(_in_64_bits, values))
        return self

    def place(self, value: object) -> str:
        """Return the placeholder for one more value, used after the clause."""
        self.values.append(_in_64_bits(value))
        return f"${len(self.values)}"

    def id(self, id: str) -> Where:
        return self.add("id_key = {}", digest(id))

    def named(self, column: str, value: str) -> Where:
        """Add a condition on a text column that is indexed by its MD5."""
        return self.add(f"md5({column}) = md5({{0}}::text) AND {column} = {{0}}", text(value))


def _in_64_bits(value: object) -> object:
    """Return a number clamped to 64 bits, for comparison with rows. No row is as large as the largest one."""
    return max(-_MOST, min(value, _MOST)) if isinstance(value, int) and not isinstance(value, bool) else value


def of_log(
    log: LogName,
    *,
    scope: Scope | None = None,
    key: str | None = None,
    kind: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    before: datetime | None = None,
) -> Where:
    """Return the WHERE clause for the given filters."""
    where = Where(scope).add("log = {}", log)
    if key is not None:
        where.add("key_hash = {}", digest(key))
    if kind is not None:
        where.add("kind = {}", text(kind))
    for condition, time in (("time >= {}", since), ("time <= {}", until), ("time < {}", before)):
        if time is not None:
            where.add(condition, microseconds(time))
    return where


# -- texts -----------------------------------------------------------------------------------------

_MARK: Final = "\x1a"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_SURROGATES: Final = {code: f"{_MARK}{code:04x}" for code in range(0xD800, 0xE000)}
_MARKED: Final = re.compile(f"{_MARK}(d[0-9a-f]{{3}})")


def text(value: str | None) -> str | None:
    """Return a text that PostgreSQL can store: NUL and lone surrogates, which it rejects, are escaped with U+001A.

    A NUL becomes U+001A and 0, U+001A itself U+001A and 1, a lone surrogate U+001A and its four hex digits.
    """
    if value is None:
        return None
    if _MARK in value:
        value = value.replace(_MARK, _MARK + "1")
    if "\0" in value:
        value = value.replace("\0", _MARK + "0")
    return value.translate(_SURROGATES) if _SURROGATE.search(value) else value


def untext(value: str) -> str:
    """Reverse `text`."""
    if _MARK not in value:
        return value
    value = _MARKED.sub(lambda found: chr(int(found[1], 16)), value)
    return value.replace(_MARK + "0", "\0").replace(_MARK + "1", _MARK)


def digest(value: str) -> bytes:
    """Return a 16-byte digest of a text."""
    return hashlib.blake2b(value.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def scope_key(scope: Scope) -> bytes:
    """Return a 16-byte digest of a scope."""
    return digest(f"{len(scope.tenant)}:{scope.tenant}{scope.project}")
