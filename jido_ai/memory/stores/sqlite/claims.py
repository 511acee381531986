"""Claims in the SQLite file. The functions run in the connection's thread, inside a transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from jido_ai.memory.stores.rows import decode_claim, microseconds
from jido_ai.memory.stores.sqlite.sql import Where, text, untext
from jido_ai.protocols import Claim

__all__ = ["keep_claim", "remove_claim"]

_INSERT: Final = "INSERT INTO claim (tenant, project, run, token, owner, expires) VALUES (?, ?, ?, ?, ?, ?)"


def keep_claim(db: sqlite3.Connection, *, claim: Claim, is_void: Callable[[Claim], bool]) -> Claim:
    """See `ClaimStore.claim`."""
    of_run = _of_run(claim)
    found = db.execute(f"SELECT number, token, owner, expires FROM claim{of_run}", of_run.values).fetchone()
    if found is not None:
        number, token, owner, expires = found
        holder = decode_claim(claim, number=number, token=untext(token), owner=untext(owner), expires_us=expires)
        if holder.token != claim.token and not is_void(holder):
            return holder
        db.execute(f"DELETE FROM claim{of_run}", of_run.values)
    scope = claim.scope
    names = map(text, (scope.tenant, scope.project, claim.run_id, claim.token, claim.owner))
    number = db.execute(_INSERT, (*names, microseconds(claim.expires_at))).lastrowid
    assert number is not None
    return replace(claim, number=number)


def remove_claim(db: sqlite3.Connection, *, claim: Claim) -> None:
    """See `ClaimStore.release`."""
    where = _of_run(claim).equals("token", claim.token)
    db.execute(f"DELETE FROM claim{where}", where.values)


def _of_run(claim: Claim) -> Where:
    where = Where().equals("run", claim.run_id)
    return where.equals("tenant", claim.scope.tenant).equals("project", claim.scope.project)
