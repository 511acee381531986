"""Claims in PostgreSQL.

Writers take turns, so between the statements of one transaction nobody else changes a claim that is stored. Times are
those of the server's clock: the clocks of the machines may differ.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from jido_ai.errors import RunClaimedError
from jido_ai.memory.stores.postgres.connection import Address, Database, connect, translated
from jido_ai.memory.stores.postgres.sql import Where, digest, scope_key, text, untext
from jido_ai.memory.stores.postgres.writes import RECORD_PLACES, Rows, Work, columns_of_records, delete
from jido_ai.memory.stores.rows import decode_claim, microseconds
from jido_ai.values import utc_now
from jido_ai.values.record import Claim, Record

_NOW: Final = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
_FOUND: Final = f"SELECT number, token, owner, expires - {_NOW} FROM claim"
_CLOSING_S: Final = 2.0


def take_claim(claim: Claim) -> Work:
    """Store a claim of a run that has none, or renew it, in one statement; None if another claim is stored."""

    async def work(db: Database, rows: Rows) -> Claim | None:
        scope = claim.scope
        number = await db.fetchval(
            "INSERT INTO claim (scope, key_hash, tenant, project, run, token, owner, expires) "
            f"VALUES ($1, $2, $3, $4, $5, $6, $7, {_NOW} + $8) "
            "ON CONFLICT (scope, key_hash) DO UPDATE SET expires = excluded.expires "
            "WHERE claim.token = excluded.token RETURNING number",
            *(scope_key(scope), digest(claim.run_id)),
            *map(text, (scope.tenant, scope.project, claim.run_id, claim.token, claim.owner)),
            _lease(claim),
        )
        return None if number is None else replace(claim, number=number)

    return work


def keep_claim(claim: Claim, is_void: Callable[[Claim], bool]) -> Work:
    """See `ClaimStore.claim`."""

    async def work(db: Database, rows: Rows) -> Claim:
        of_run = _of_run(claim)
        while True:
            found = await db.fetchrow(f"{_FOUND}{of_run}", *of_run.values)
            if found is not None:
                holder = _holder(claim, found)
                if holder.token != claim.token:
                    if not is_void(holder):
                        return holder
                    await delete(db, of_run, "claim")
            kept = await take_claim(claim)(db, rows)
            if kept is not None:
                return kept  # else another process has just taken it, in its one statement

    return work


def append_claimed(prepared: Sequence[tuple[Record, bytes]], claim: Claim, *, release: bool) -> Work:
    """See `ClaimStore.append_claimed`. The claim is checked, and released, by the statement that inserts."""

    async def work(db: Database, rows: Rows) -> list[Record]:
        kept, columns = columns_of_records(prepared, rows)
        width = len(columns)
        ours = f"FROM claim WHERE scope = ${width + 1} AND key_hash = ${width + 2} AND token = ${width + 3}"
        status = await db.execute(
            f"WITH ours AS ({f'DELETE {ours} RETURNING 1' if release else f'SELECT 1 {ours}'}) "
            "INSERT INTO record (row, log, scope, tenant, project, key, key_hash, kind, time, data) "
            f"SELECT * FROM unnest({RECORD_PLACES}) WHERE EXISTS (SELECT 1 FROM ours)",
            *(*columns, scope_key(claim.scope), digest(claim.run_id), text(claim.token)),
        )
        if status.split()[-1] == "0":
            of_run = _of_run(claim)
            found = await db.fetchrow(f"{_FOUND}{of_run}", *of_run.values)
            holder = replace(claim, owner="") if found is None else _holder(claim, found)
            raise RunClaimedError(claim.run_id, holder.owner, holder.expires_at)
        return kept

    return work


def remove_claim(claim: Claim) -> Work:
    """See `ClaimStore.release`."""

    async def work(db: Database, rows: Rows) -> int:
        return await delete(db, _of_run(claim).add("token = {}", claim.token), "claim")

    return work


class PostgresClaimKeeper:
    """Renews claims through a connection of its own, on an event loop of its own; a `ClaimKeeper`."""

    def __init__(self, address: Address, timeout_s: float) -> None:
        self._address = address
        self._timeout_s = timeout_s
        self._runner: asyncio.Runner | None = None
        self._db: Database | None = None

    def renew(self, claims: Sequence[Claim]) -> None:
        if self._runner is None:
            self._runner = asyncio.Runner()
        try:
            self._runner.run(self._renewed(claims))
        except BaseException:
            self.close()
            raise

    async def _renewed(self, claims: Sequence[Claim]) -> None:
        if self._db is None:
            self._db = await connect(self._address, self._timeout_s)
        with translated(self._address.name):
            async with asyncio.timeout(self._timeout_s):
                await _renew(self._db, claims)

    def close(self) -> None:
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.run(self._closed())
            runner.close()

    async def _closed(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            try:
                await db.close(timeout=_CLOSING_S)
            except (OSError, TimeoutError):
                db.terminate()


async def _renew(db: Database, claims: Sequence[Claim]) -> None:
    await db.execute(
        f"UPDATE claim SET expires = {_NOW} + new.lease "
        "FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS new (number, token, lease) "
        "WHERE claim.number = new.number AND claim.token = new.token",
        [claim.number for claim in claims],
        [text(claim.token) for claim in claims],
        [_lease(claim) for claim in claims],
    )


def _lease(claim: Claim) -> int:
    """Return the rest of the lease in microseconds."""
    return round((claim.expires_at - utc_now()) / timedelta(microseconds=1))


def _holder(asked: Claim, found: Sequence[Any]) -> Claim:
    number, token, owner, left_us = found
    expires_us = microseconds(utc_now()) + left_us
    return decode_claim(asked, number=number, token=untext(token), owner=untext(owner), expires_us=expires_us)


def _of_run(claim: Claim) -> Where:
    return Where(claim.scope).add("key_hash = {}", digest(claim.run_id))
