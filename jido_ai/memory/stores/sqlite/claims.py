"""Claims in the SQLite file. The functions run in the connection's thread, inside a transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from jido_ai.errors import RunClaimedError
from jido_ai.memory.stores.rows import decode_claim, from_microseconds, microseconds
from jido_ai.memory.stores.sqlite.file import connect, translated
from jido_ai.memory.stores.sqlite.logs import append_records
from jido_ai.memory.stores.sqlite.sql import Where, text, untext
from jido_ai.values.record import Claim, Record

_INSERT: Final = "INSERT INTO claim (tenant, project, run, token, owner, expires) VALUES (?, ?, ?, ?, ?, ?)"


def keep_claim(db: sqlite3.Connection, *, claim: Claim, is_void: Callable[[Claim], bool]) -> Claim:
    """See `ClaimStore.claim`."""
    of_run = _of_run(claim)
    found = db.execute(f"SELECT number, token, owner, expires FROM claim{of_run}", of_run.values).fetchone()
    if found is not None:
        number, token, owner, expires = found
        holder = decode_claim(claim, number=number, token=untext(token), owner=untext(owner), expires_us=expires)
        if holder.token == claim.token:
            kept = replace(claim, number=number)
            _renew(db, [kept])
            return kept
        if not is_void(holder):
            return holder
        db.execute(f"DELETE FROM claim{of_run}", of_run.values)
    scope = claim.scope
    names = map(text, (scope.tenant, scope.project, claim.run_id, claim.token, claim.owner))
    number = db.execute(_INSERT, (*names, microseconds(claim.expires_at))).lastrowid
    assert number is not None
    return replace(claim, number=number)


def append_claimed(
    db: sqlite3.Connection, *, prepared: Sequence[tuple[Record, bytes]], claim: Claim, release: bool
) -> list[Record]:
    """See `ClaimStore.append_claimed`."""
    of_run = _of_run(claim)
    found = db.execute(f"SELECT token, owner, expires FROM claim{of_run}", of_run.values).fetchone()
    if found is None:
        raise RunClaimedError(claim.run_id, "", claim.expires_at)
    token, owner, expires = found
    if untext(token) != claim.token:
        raise RunClaimedError(claim.run_id, untext(owner), from_microseconds(expires))
    if release:
        db.execute(f"DELETE FROM claim{of_run}", of_run.values)
    return append_records(db, prepared=prepared)


def remove_claim(db: sqlite3.Connection, *, claim: Claim) -> None:
    """See `ClaimStore.release`."""
    where = _of_run(claim).equals("token", claim.token)
    db.execute(f"DELETE FROM claim{where}", where.values)


class SQLiteClaimKeeper:
    """Renews claims in the file at `path`; a `ClaimKeeper`."""

    def __init__(self, path: Path, busy_timeout_s: float) -> None:
        self._path = path
        self._busy_timeout_s = busy_timeout_s
        self._db: sqlite3.Connection | None = None

    def renew(self, claims: Sequence[Claim]) -> None:
        with translated(self._path):
            if self._db is None:
                self._db = connect(self._path, "rw", self._busy_timeout_s)
            try:
                self._db.execute("BEGIN IMMEDIATE")
                _renew(self._db, claims)
                self._db.execute("COMMIT")
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None


def _renew(db: sqlite3.Connection, claims: Sequence[Claim]) -> None:
    values = [(microseconds(claim.expires_at), claim.number, text(claim.token)) for claim in claims]
    db.executemany("UPDATE claim SET expires = ? WHERE number = ? AND token = ?", values)


def _of_run(claim: Claim) -> Where:
    where = Where().equals("run", claim.run_id)
    return where.equals("tenant", claim.scope.tenant).equals("project", claim.scope.project)
