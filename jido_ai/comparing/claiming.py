"""Claims of cases, so that several processes can work on one comparison without asking anything twice."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Final, Self

from jido_ai.errors import RunClaimedError
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.runs.leases import Lease, Leases
from jido_ai.values import Scope

_LEASE_S: Final = 30.0


class CaseClaims:
    """The claims of this process. Use it in `async with`; leaving it releases them.

    Cases of this process share a claim, which is released with the last of them.

    Args:
        memory: keeps the claims; None if no other process can see them.
        scope: of the claims.
    """

    def __init__(self, memory: ReflexionMemory | None, scope: Scope) -> None:
        self._leases = None if memory is None else Leases(memory, _LEASE_S, lambda *_, **__: None)
        self._scope = scope
        self._held: dict[str, Lease] = {}
        self._users: dict[str, int] = {}
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._leases is not None:
            for lease in self._held.values():
                self._leases.release(lease)
            await self._leases.close()

    @property
    def are_seen(self) -> bool:
        """Whether other processes can see them."""
        return self._leases is not None

    async def take(self, *names: str) -> bool:
        """Claim these names. Returns False, and claims none, if another process has one of them."""
        async with self._turn:
            taken: list[str] = []
            for name in names:
                if not await self._take(name):
                    self.give(*taken)
                    return False
                taken.append(name)
        return True

    def give(self, *names: str) -> None:
        """Release names that were taken as often as they are given."""
        for name in names:
            self._users[name] -= 1
            if not self._users[name]:
                del self._users[name]
                lease = self._held.pop(name, None)
                if self._leases is not None and lease is not None:
                    self._leases.release(lease)

    async def _take(self, name: str) -> bool:
        if self._leases is not None and name not in self._held:
            lease = self._leases.new(name, self._scope)
            try:
                await lease.claim()
            except RunClaimedError:
                self._leases.drop(lease)
                return False
            except BaseException:
                if lease.is_stored:  # it may be
                    self._leases.release(lease)
                else:
                    self._leases.drop(lease)
                raise
            self._held[name] = lease
        self._users[name] = self._users.get(name, 0) + 1
        return True
