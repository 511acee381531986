"""TaskSupervisor: functions that run as supervised actors, one by one or over a stream of items."""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from jido_ai.actors.children import StartChild
from jido_ai.actors.plain_supervisor import PlainSupervisor
from jido_ai.actors.ref import ActorRef
from jido_ai.actors.restart import Restart
from jido_ai.actors.task import Task, WorkShutdown, spec_of
from jido_ai.actors.task_stream import OnTimeout, TaskFeed, TaskStream

I = TypeVar("I")  # noqa: E741 - an item
T = TypeVar("T")


class TaskSupervisorRef(ActorRef[object]):
    """The ref of a `TaskSupervisor`, with its methods. `fn` is a coroutine function, or a plain one that is brief."""

    __slots__ = ()

    async def start_child(
        self, fn: Callable[..., object], *args: object, restart: Restart = "temporary", shutdown: WorkShutdown = 5.0
    ) -> ActorRef:
        """Start `fn(*args)` for its effect, linked to nobody.

        Args:
            fn, args: the work, which begins anew with each restart.
            restart, shutdown: as of a `ChildSpec`.

        Raises:
            MaxChildrenError: there are `max_children` tasks.
            ConfigurationError: an argument is of the wrong type.
        """
        return await self.ask(StartChild(spec_of(fn, args, shutdown, restart)))

    def async_(self, fn: Callable[..., Awaitable[T] | T], *args: object, shutdown: WorkShutdown = 5.0) -> Task[T]:
        """Start `fn(*args)` as a task that is linked to the calling actor: if one crashes, both end.

        Raises:
            MaxChildrenError: there are `max_children` tasks.
            ActorDeadError: the supervisor is not alive.
        """
        return Task(self, fn, args, shutdown, is_linked=True)

    def async_nolink(self, fn: Callable[..., Awaitable[T] | T], *args: object, shutdown: WorkShutdown = 5.0) -> Task[T]:
        """Start `fn(*args)` as a task that is not linked; see `async_`.

        The calling actor gets its `Down`, unless it has already taken the result with `await`, `yield_` or `shutdown`.
        """
        return Task(self, fn, args, shutdown, is_linked=False)

    def async_stream(
        self,
        items: Iterable[I] | AsyncIterable[I],
        fn: Callable[[I], Awaitable[T] | T],
        *,
        max_concurrency: int,
        ordered: bool = True,
        timeout_s: float | None = 5.0,
        on_timeout: OnTimeout = "exit",
    ) -> TaskStream[T]:
        """Run `fn(item)` for each item as a task, and iterate over the results: `Ok(value)` or `Exited(reason)`.

        Items are taken while the results are iterated over, at most 2 x `max_concurrency` beyond the results given out.
        Leaving the iteration stops the tasks. An error of `items` is raised after the results of the items before it.

        A task that crashes takes the actor that iterates along, unless that traps exits: then it gets `Exited`. Outside
        of actors, the iteration raises the error.

        Args:
            items: an iterable, also an endless one, or an async iterable.
            max_concurrency: number of tasks at the same time, at least 1.
            ordered: give results in the order of the items; else as they arrive.
            timeout_s: seconds for each task; None is no limit.
            on_timeout: at the limit, "exit" raises `AskTimeoutError`; "kill_task" kills the task and goes on with
                `Exited(Killed("timeout"))`.

        Raises:
            ConfigurationError: an argument is out of range.
            CallError, ActorDeadError: while iterating: a task crashed or was stopped; the supervisor is not alive.
            AskTimeoutError: while iterating: a task took too long.
            MaxChildrenError: while iterating: `max_children` is less than `max_concurrency`.
        """
        feed = TaskFeed(
            self,
            items,
            fn,
            max_concurrency=max_concurrency,
            ordered=ordered,
            timeout_s=timeout_s,
            on_timeout=on_timeout,
            is_linked=True,
        )
        return TaskStream(feed)

    def async_stream_nolink(
        self,
        items: Iterable[I] | AsyncIterable[I],
        fn: Callable[[I], Awaitable[T] | T],
        *,
        max_concurrency: int,
        ordered: bool = True,
        timeout_s: float | None = 5.0,
        on_timeout: OnTimeout = "exit",
    ) -> TaskStream[T]:
        """Do as `async_stream` does, but a task that crashes is an `Exited(reason)` and nothing else."""
        feed = TaskFeed(
            self,
            items,
            fn,
            max_concurrency=max_concurrency,
            ordered=ordered,
            timeout_s=timeout_s,
            on_timeout=on_timeout,
            is_linked=False,
        )
        return TaskStream(feed)


class TaskSupervisor(PlainSupervisor):
    """Runs functions as tasks: actors that end with their function, temporary by default. Its ref has the methods.

    Stopping it stops its tasks, each within its shutdown time.

    Args:
        max_children: maximum number of tasks at the same time; None is no limit.
        max_restarts, max_seconds: restart intensity over all tasks that are restarted.
    """

    ref_class = TaskSupervisorRef

    if TYPE_CHECKING:

        @property
        def ref(self) -> TaskSupervisorRef: ...  # pyright: ignore[reportIncompatibleMethodOverride]

    def __init__(self, max_children: int | None = None, *, max_restarts: int = 3, max_seconds: float = 5.0) -> None:
        super().__init__(max_children=max_children, max_restarts=max_restarts, max_seconds=max_seconds)
