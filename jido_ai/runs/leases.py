"""Leases: the claims of the runs in flight of one pipeline, renewed in a thread until each run ends.

The thread renews them even while the event loop is blocked. A process that is stopped or asleep renews nothing: when a
claim has expired, another process may take over the run, and the store refuses what the former owner writes.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final, cast
from uuid import uuid4

from jido_ai.errors import ActorError, ConfigurationError, RunClaimedError, StoreError
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.store import ClaimKeeper
from jido_ai.values import Scope, utc_now
from jido_ai.values.record import Claim

_PROC: Final = Path("/proc")
_SHOWN_CHARS: Final = 100
_live: Final[set[str]] = set()
"""Tokens of the claims whose runs are in flight in this process."""


def new_claim(run_id: str, scope: Scope, lasts_s: float) -> Claim:
    """Return a claim of this process, in flight until `let_go`.

    Args:
        lasts_s: seconds for which other processes respect it unless it is renewed.
    """
    token = uuid4().hex
    _live.add(token)
    return Claim(
        run_id=run_id,
        scope=scope,
        token=token,
        owner=this_process(),
        expires_at=utc_now() + timedelta(seconds=lasts_s),
    )


def let_go(claim: Claim) -> None:
    """Mark the run as no longer in flight: in this process the claim is void, whatever the store says."""
    _live.discard(claim.token)


def claimed(holder: Claim) -> RunClaimedError:
    """Return the error for a caller that wants the run of `holder`."""
    return RunClaimedError(holder.run_id, owner_named(holder.owner), holder.expires_at)


def is_void(claim: Claim, now: datetime | None = None) -> bool:
    """Tell whether a claim no longer holds: it has expired, or its owner was on this machine and is gone.

    A claim of this process holds until `let_go`.

    Args:
        now: defaults to the current time.
    """
    owner = _read(claim.owner)
    is_here = owner is not None and _is_here(owner)
    if owner is not None and is_here and owner["pid"] == os.getpid() and owner["start"] == _start_of(os.getpid()):
        return claim.token not in _live
    if claim.expires_at <= (now or utc_now()):
        return True
    return owner is not None and is_here and not _lives(owner)


def is_gone(owner: str) -> bool:
    """Tell whether the owner of a claim was a process of this machine that has ended."""
    read = _read(owner)
    return read is not None and _is_here(read) and not _lives(read)


def owner_named(owner: str) -> str:
    """Return the owner for messages: host and pid, or that its process has finished it."""
    read = _read(owner)
    if not owner:
        return "a process that has finished it"
    return owner[:_SHOWN_CHARS] if read is None else f"{read['host']} (pid {read['pid']})"[:_SHOWN_CHARS]


def this_process() -> str:
    """Return this process as the owner of a claim."""
    return _described(os.getpid())  # which a fork changes


@cache
def _described(pid: int) -> str:
    about = {"host": platform.node(), "boot": _boot(), "namespace": _namespace(), "pid": pid, "start": _start_of(pid)}
    return json.dumps(about)


def _read(owner: str) -> dict[str, Any] | None:
    """Return the owner that `this_process` wrote; None for anything else."""
    try:
        read: object = json.loads(owner)
    except (ValueError, RecursionError):
        return None
    if not isinstance(read, dict):
        return None
    about = cast("dict[str, Any]", read)
    texts = all(isinstance(about.get(name), str) for name in ("host", "boot", "namespace", "start"))
    return about if texts and type(about.get("pid")) is int and about["pid"] > 0 else None


def _is_here(owner: dict[str, Any]) -> bool:
    """Tell whether this process can see the owner's process by its pid."""
    if os.name != "posix" or owner["namespace"] != _namespace() or owner["boot"] != _boot():
        return False
    return bool(owner["boot"]) or owner["host"] == platform.node()


def _lives(owner: dict[str, Any]) -> bool:
    if (_PROC / "self" / "stat").exists():
        return _start_of(owner["pid"]) == owner["start"]
    try:
        os.kill(owner["pid"], 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _start_of(pid: int) -> str:
    """Return the start time of a process in kernel ticks; "" if it has ended or is unknown."""
    try:
        fields = (_PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return ""
    state, start = fields[0], fields[19]
    return "" if state in (b"Z", b"X") else start.decode()


@cache
def _boot() -> str:
    try:
        return (_PROC / "sys/kernel/random/boot_id").read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def _namespace() -> str:
    try:
        return str((_PROC / "self/ns/pid").readlink())
    except OSError:
        return ""


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
        holder = await self.memory.claim(
            replace(claim, expires_at=utc_now() + timedelta(seconds=self.lease_s)), is_void
        )
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
