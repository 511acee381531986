"""The hosts of nodes: an actor for a step, a check, a choice or an approval; a pipeline for a loop.

A host outlives the incarnations of its actor. It keeps the jobs that it was given until they have ended, so that an
actor that is killed leaves them to its successor, which tries them again. Every host serves many runs at once.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import Backoff, ChildSpec
from jido_ai.actors.exit_reason import ExitReason
from jido_ai.actors.mailbox import Bounded
from jido_ai.actors.ref import ActorRef
from jido_ai.components.call_context import current_meter
from jido_ai.components.component import close_all, ends_the_process
from jido_ai.errors import ActorDeadError, ComponentError, MailboxFullError
from jido_ai.graph.job import Job

Call = Callable[[Job], Awaitable[Any]]
"""Does the work of one job and returns its output."""
_BACKOFF: Final = Backoff(base_s=0.001, factor=2.0, cap_s=0.05)
_MAILBOX: Final = 10_000


class StepHost:
    """Lets an actor do the work of one node.

    Args:
        name: of the actor.
        call: does the work.
        components: closed with the graph if they can reopen.
        is_restarted: a killed actor is restarted and its jobs are tried again; otherwise they fail.

    Attributes:
        components: that the work uses.
        pending: jobs that have not ended, in order of arrival.
        tasks: of those that are at work.
    """

    def __init__(self, name: str, call: Call, *, components: Iterable[object] = (), is_restarted: bool = True) -> None:
        self.name = name
        self.call = call
        self.pending: dict[Job, None] = {}
        self.tasks: dict[Job, asyncio.Task[None]] = {}
        self.ref: ActorRef | None = None
        self.components = tuple(components)
        self._is_restarted = is_restarted
        self._parked: deque[Job] = deque()
        self._ended: ExitReason | None = None

    def reset(self) -> None:
        """Prepare for a start of the graph."""
        self.pending.clear()
        self.tasks.clear()
        self._parked.clear()
        self._ended = None

    def submit(self, job: Job) -> None:
        """Take a job; its run is told when it has ended."""
        assert self.ref is not None
        self.pending[job] = None
        if self._ended is not None:
            self._give_up(job, self._ended)
            return
        try:
            self.ref.tell(job)  # lost if the actor has just been killed; its successor finds the job here
        except MailboxFullError:
            self._parked.append(job)

    def withdraw(self, job: Job) -> bool:
        """End a job early, at once."""
        self.pending.pop(job, None)
        task = self.tasks.pop(job, None)
        if task is not None:
            task.cancel()
        return True

    def take(self, job: Job) -> None:
        """Start a job, unless it was withdrawn or is at work."""
        if job in self.pending and job not in self.tasks:
            self.tasks[job] = asyncio.Task(self._serve(job), context=job.run.context.copy())
        while self._parked:
            parked = self._parked.popleft()
            if parked in self.pending and parked not in self.tasks:
                self.tasks[parked] = asyncio.Task(self._serve(parked), context=parked.run.context.copy())

    def take_over(self) -> None:
        """Start all jobs that a predecessor has left."""
        for job in list(self.pending):
            self.take(job)

    def drop(self, reason: ExitReason) -> None:
        """End what is at work; a successor of the actor tries it again, if there will be one."""
        tasks = list(self.tasks.values())
        self.tasks.clear()
        for task in tasks:
            task.cancel()
        if not self._is_restarted:
            self._ended = reason
            for job in list(self.pending):
                self._give_up(job, reason)

    async def close(self, timeout_s: float = 5.0) -> None:
        """End all calls and close the components; calls that swallow the cancellation are abandoned."""
        tasks = list(self.tasks.values())
        self.pending.clear()
        self.tasks.clear()
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=timeout_s)
        if self.components:
            async with asyncio.timeout(timeout_s):
                await close_all(self.components)

    def _give_up(self, job: Job, reason: ExitReason) -> None:
        self.pending.pop(job, None)
        job.fail(ActorDeadError(reason, self.name), may_retry=False)
        job.run.told(job)

    async def _serve(self, job: Job) -> None:
        current_meter.set(job)
        out, failure = None, None
        try:
            out = await self.call(job)
        except asyncio.CancelledError:
            if not self._is_at_work_on(job):
                raise  # withdrawn, or the actor was killed
            failure = ComponentError(f"{job.path} was cancelled from inside", component=job.path)
        except Exception as error:  # noqa: BLE001 - whatever a step raises is the result of its node
            failure = error
        except BaseException as error:
            if self._is_at_work_on(job):
                self._end(job, None, ComponentError(f"{job.path} raised {type(error).__name__}", component=job.path))
            if ends_the_process(error):
                raise
            return
        if self._is_at_work_on(job):  # otherwise it swallowed its cancellation
            self._end(job, out, failure)

    def _is_at_work_on(self, job: Job) -> bool:
        task = self.tasks.get(job)
        return task is not None and task is asyncio.current_task()

    def _end(self, job: Job, out: Any, failure: Exception | None) -> None:
        del self.tasks[job]
        del self.pending[job]
        if failure is None:
            job.out = out
        else:
            job.fail(failure)
        job.run.told(job)


class NodeActor(Actor[Job]):
    """Starts the calls of one node; see the module."""

    def __init__(self, host: StepHost) -> None:
        self._host = host

    async def on_start(self) -> None:
        self._host.take_over()

    async def on_receive(self, message: Job) -> None:
        self._host.take(message)

    def after_death(self, reason: ExitReason) -> None:
        """End the calls; they are tried again by the next incarnation."""
        self._host.drop(reason)


def node_spec(host: StepHost, id: str) -> ChildSpec:
    """Return the child spec of a node's actor."""
    return ChildSpec(
        id=id,
        start=(NodeActor, (host,), {}),
        restart="permanent",
        backoff=_BACKOFF,
        name=host.name,
        mailbox=Bounded(_MAILBOX),
    )
