"""Leases: the claims of the runs in flight of one pipeline, renewed in a thread until each run ends.

The thread renews them even while the event loop is blocked. A process that is stopped or asleep renews nothing: when a
claim has expired, another process may take over the run, and the store refuses what the former owner writes.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Final

from jido_ai.errors import ActorError, ConfigurationError, StoreError
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.store import ClaimKeeper
from jido_ai.runs.claims import claimed, is_void, let_go, new_claim
from jido_ai.values import Scope, utc_now
from jido_ai.values.record import Claim

_RENEWALS_PER_LEASE: Final = 3
_RELEASING_S: Final = 5.0


class Lease:
    """The claim of one run in flight.

    Attributes:
        is_stored: the store has the claim. It may not have been reachable when the run began.
        is_released: the claim was removed with the last line of the run.
    """

    __slots__ = ("_claim", "_leases", "is_released", "is_stored", "over")

    def __init__(self, claim: Claim, leases: Leases) -> None:
        self._claim = claim
        self._leases = leases
        self.is_stored = self.is_released = False
        self.over = asyncio.get_running_loop().create_future()  # done when the claim is removed

    async def claim(self) -> Claim:
        """Return the claim as stored; store it first if it is not.

        Raises:
            RunClaimedError: another owner holds the run.
            StoreError, ActorError: the store cannot be reached.
        """
        if not self.is_stored:
            try:
                self._claim = await self._leases.store(self._claim)
            except asyncio.CancelledError:
                self.is_stored = True  # it may be, and is then released
                raise
            self.is_stored = True
        return self._claim

    @property
    def unstored(self) -> Claim:
        """The claim, stored or not."""
        return self._claim


@dataclass(slots=True)
class Leases:
    """Takes, renews and releases the claims of a pipeline's runs. `close` it before its memory.

    Args:
        lease_s: seconds after the last renewal for which other processes respect a claim.
        emit: receives the runtime's events, in the event loop.
    """

    memory: ReflexionMemory
    lease_s: float
    emit: Callable[..., Any]
    _held: set[Lease] = field(default_factory=set[Lease])
    _releases: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    _renewals: _Renewals | None = None

    def new(self, run_id: str, scope: Scope) -> Lease:
        """Return a lease that is not stored yet."""
        lease = Lease(new_claim(run_id, scope, self.lease_s), self)
        self._held.add(lease)
        return lease

    async def store(self, claim: Claim) -> Claim:
        """Store a claim, have it renewed, and return it as stored. Raises `RunClaimedError`."""
        holder = await self.memory.claim(replace(claim, expires_at=self._expiry()), is_void)
        if holder.token != claim.token:
            raise claimed(holder)
        if self._renewals is None:
            keeper = self.memory.claim_keeper()
            self._renewals = _Renewals(keeper, self.lease_s, self._tell_failure) if keeper is not None else None
        if self._renewals is not None:
            self._renewals.claims[holder.token] = holder
        return holder

    def drop(self, lease: Lease) -> None:
        """Forget a lease that the store does not have."""
        let_go(lease.unstored)
        self._forget(lease)

    def release(self, lease: Lease) -> asyncio.Future[None]:
        """Let others have the run. It continues if its awaiter is cancelled; `close` awaits it."""
        let_go(lease.unstored)
        if self._renewals is not None:
            self._renewals.claims.pop(lease.unstored.token, None)
        if lease.is_released:
            self._forget(lease)
            return lease.over
        task = asyncio.create_task(self._release(lease), name=f"release of {lease.unstored.run_id}")
        self._releases.add(task)
        task.add_done_callback(self._releases.discard)
        return task

    async def _release(self, lease: Lease) -> None:
        """Remove a claim. If the store cannot be reached, the claim is void when it expires or this process ends."""
        try:
            await self.memory.release(lease.unstored)
        except (StoreError, ActorError, ConfigurationError) as error:  # closed or unreachable, but the run is over
            self.emit("run.claim_left", run_id=lease.unstored.run_id, error=type(error).__name__)
        finally:
            self._forget(lease)

    def _forget(self, lease: Lease) -> None:
        self._held.discard(lease)
        if not lease.over.done():
            lease.over.set_result(None)

    async def close(self) -> None:
        """Wait, for a limited time, until the claims of the ended runs are removed, and end the thread."""
        if self._held:
            await asyncio.wait({lease.over for lease in self._held}, timeout=_RELEASING_S)
        renewals, self._renewals = self._renewals, None
        if renewals is not None:
            await asyncio.to_thread(renewals.close)

    def _expiry(self) -> Any:
        return utc_now() + timedelta(seconds=self.lease_s)

    def _tell_failure(self, error: StoreError) -> None:
        self.emit("run.claims_not_renewed", error=type(error).__name__)


class _Renewals:
    """A thread that renews claims three times per lease.

    Attributes:
        claims: those to renew, by token. Single operations on a dict are atomic, so the thread needs no lock.
    """

    def __init__(self, keeper: ClaimKeeper, lease_s: float, on_error: Callable[[StoreError], None]) -> None:
        self.claims: dict[str, Claim] = {}
        self._keeper = keeper
        self._lease_s = lease_s
        self._on_error = on_error
        self._loop = asyncio.get_running_loop()
        self._is_ending = threading.Event()
        self._thread = threading.Thread(target=self._renew_all, name="lease renewals", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread and wait for it."""
        self._is_ending.set()
        self._thread.join(timeout=_RELEASING_S)

    def _renew_all(self) -> None:
        while not self._is_ending.wait(self._lease_s / _RENEWALS_PER_LEASE):
            expires_at = utc_now() + timedelta(seconds=self._lease_s)
            claims = [replace(claim, expires_at=expires_at) for claim in tuple(self.claims.values())]
            try:
                if claims:
                    self._keeper.renew(claims)
            except StoreError as error:  # it is tried again; what is written without the claim is refused
                self._loop.call_soon_threadsafe(self._on_error, error)
        self._keeper.close()
