"""Owned tasks and waiting asks, which end with their actor."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from contextvars import copy_context
from typing import Any

from jido_ai.actors.exit_reason import ExitReason
from jido_ai.actors.mailbox import BoundedQueue, Mailbox
from jido_ai.actors.ref import current_cell
from jido_ai.errors import ActorDeadError


class OwnedTasks:
    """Tasks that are cancelled when their actor ends; `on_error` gets an error that escapes from one."""

    __slots__ = ("_on_error", "tasks")

    def __init__(self, on_error: Callable[[BaseException], None]) -> None:
        self.tasks: set[asyncio.Task[Any]] = set()
        self._on_error = on_error

    def start(
        self, loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], name: str | None
    ) -> asyncio.Task[Any]:
        """Start a task."""
        context = copy_context()
        context.run(current_cell.set, None)  # it does not block the mailbox, so it may ask its actor too
        task = loop.create_task(work, context=context, name=name)
        self.tasks.add(task)
        task.add_done_callback(self._done, context=context)
        return task

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in self.tasks:
            task.cancel()

    async def end(self) -> None:
        """Cancel all tasks and wait until they have ended."""
        self.cancel()
        left = [task for task in self.tasks if not task.done()]
        if left:
            await asyncio.wait(left)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._on_error(error)


def fail_waiting(
    queue: Mailbox, replies: Iterable[asyncio.Future[Any] | None], reason: ExitReason, target: str
) -> None:
    """Fail the given replies and the replies of all queued asks, and empty the mailbox."""

    def fail(reply: asyncio.Future[Any]) -> None:
        reply.set_exception(ActorDeadError(reason, target))

    waiting = list(replies)
    if isinstance(queue, deque):
        waiting.extend(reply for _, reply, _ in queue)
        if isinstance(queue, BoundedQueue):
            queue.drain(fail)
        queue.clear()
    for reply in waiting:
        if reply is not None and not reply.done():
            fail(reply)
