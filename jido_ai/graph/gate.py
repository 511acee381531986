"""Gate: limits how many jobs of a graph run at the same time; the others wait in order."""

from __future__ import annotations

from collections.abc import Callable

from jido_ai.graph.job import Job


class JobGate:
    """Lets jobs through, at most `limit` at a time; None is no limit."""

    __slots__ = ("_at_work", "_waiting", "limit")

    def __init__(self, limit: int | None) -> None:
        self.limit = limit
        self._at_work = 0
        self._waiting: dict[Job, Callable[[Job], None]] = {}

    def enter(self, job: Job, go: Callable[[Job], None]) -> None:
        """Call `go` with the job as soon as there is room for it."""
        if self.limit is not None:
            if self._at_work >= self.limit:
                self._waiting[job] = go
                return
            self._at_work += 1
            job.holds_slot = True
        go(job)

    def leave(self, job: Job) -> bool:
        """End the job's stay, or its wait. Returns True if it was still waiting."""
        if self.limit is None:
            return False
        if not job.holds_slot:
            return self._waiting.pop(job, None) is not None
        job.holds_slot = False
        self._at_work -= 1
        while self._waiting and self._at_work < self.limit:
            following = next(iter(self._waiting))
            go = self._waiting.pop(following)
            self._at_work += 1
            following.holds_slot = True
            go(following)
        return False
