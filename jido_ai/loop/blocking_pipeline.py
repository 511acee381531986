"""BlockingPipeline: a pipeline for code without an event loop."""

from __future__ import annotations

import asyncio
import functools
import os
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar, cast

from jido_ai.errors import ConfigurationError, describe
from jido_ai.loop.events import RunEvent
from jido_ai.loop.pipeline import Pipeline
from jido_ai.runs.handle import RunHandle
from jido_ai.runs.runnable import Runnable
from jido_ai.values import ReflectionResult

P = ParamSpec("P")
T = TypeVar("T")
_END: Final = object()


def _waiting(
    method: Callable[Concatenate[Pipeline[Any], P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[BlockingPipeline, P], T]:
    """Return a method that waits for the result of the one of that name; its arguments are the same."""

    @functools.wraps(method)
    def waiting(self: BlockingPipeline, /, *args: P.args, **options: P.kwargs) -> T:
        return self.wait(getattr(self.pipeline, method.__name__)(*args, **options))

    return waiting


def _starting(
    method: Callable[Concatenate[Pipeline[Any], P], Coroutine[Any, Any, RunHandle[Any, Any]]],
) -> Callable[Concatenate[BlockingPipeline, P], BlockingRunHandle]:
    """Return a method that returns the handle of a run; it runs while the caller does something else."""

    @functools.wraps(method)
    def starting(self: BlockingPipeline, /, *args: P.args, **options: P.kwargs) -> BlockingRunHandle:
        return BlockingRunHandle(self.wait(getattr(self.pipeline, method.__name__)(*args, **options)), self)

    return starting


def _iterating(
    method: Callable[Concatenate[Pipeline[Any], P], AsyncGenerator[RunEvent]],
) -> Callable[Concatenate[BlockingPipeline, P], Iterator[RunEvent]]:
    """Return a method that iterates over the events of a run. Closing the iterator early cancels the run."""

    @functools.wraps(method)
    def iterating(self: BlockingPipeline, /, *args: P.args, **options: P.kwargs) -> Iterator[RunEvent]:
        return self.iterate(getattr(self.pipeline, method.__name__)(*args, **options))

    return iterating


class BlockingPipeline:
    """Runs a pipeline on an event loop in a thread of its own, and waits for its results.

        with BlockingPipeline(Pipeline(generator, critiquer, reviser)) as blocking:
            result = blocking.run("question")

    Works in any thread, in several at once, and beside a running event loop (which it blocks while it waits). Without
    `with`, it starts when it is first used and ends with `close()`; a process that forgets this still ends. The
    methods take the arguments of the same methods of `Pipeline`, and raise the same errors. Components see the context
    (`contextvars`) of the calling thread. ^C while waiting cancels the run.

    Args:
        pipeline: a `Pipeline`, or a `Graph`, whose methods have the same names; not entered yet. It is entered here,
            and left by `close`.

    Raises:
        ConfigurationError: it is not a `Pipeline`. By any method but `close`: this object is closed, was used before
            this process was forked, or is used by a component of its own pipeline, which would wait for itself.
    """

    def __init__(self, pipeline: Any) -> None:
        if not isinstance(pipeline, Runnable):
            raise ConfigurationError(f"BlockingPipeline needs a Pipeline or a Graph, got {describe(pipeline)}")
        self._pipeline = cast("Pipeline", pipeline)  # a graph has methods of the same names
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leave: asyncio.Event | None = None
        self._ended: Future[None] = Future()
        self._pid = os.getpid()
        self._is_closed = False

    @property
    def pipeline(self) -> Pipeline:
        """The pipeline or graph that runs here."""
        return self._pipeline

    def __enter__(self) -> Self:
        self._running()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    run = _waiting(Pipeline[Any].run)
    run_many = _waiting(Pipeline[Any].run_many)
    run_or_resume = _waiting(Pipeline[Any].run_or_resume)
    resume = _waiting(Pipeline[Any].resume)
    questions = _waiting(Pipeline[Any].questions)
    calls = _waiting(Pipeline[Any].calls)
    cancel = _waiting(Pipeline[Any].cancel)
    check_prices = _waiting(Pipeline[Any].check_prices)
    critique = _waiting(Pipeline[Any].critique)
    observe = _waiting(Pipeline[Any].observe)
    reflection_on = _waiting(Pipeline[Any].reflection_on)
    start = _starting(Pipeline[Any].start)
    stream = _iterating(Pipeline[Any].stream)
    stream_resumed = _iterating(Pipeline[Any].stream_resumed)

    def handle(self, run_id: str) -> BlockingRunHandle:
        """Return the handle of a run, as `Pipeline.handle`."""
        return BlockingRunHandle(self.wait(_later(self._pipeline.handle, run_id)), self)

    def runs_in_flight(self) -> tuple[BlockingRunHandle, ...]:
        """Return the handles of the runs in flight, as `Pipeline.runs_in_flight`."""
        handles = self.wait(_later(self._pipeline.runs_in_flight))
        return tuple(BlockingRunHandle(handle, self) for handle in handles)

    def close(self) -> None:
        """Leave the pipeline and end the thread. Does nothing if closed. Raises any error of leaving."""
        if self._is_forked():
            return  # the thread is the parent's, who closes it
        with self._starting:
            self._is_closed = True
            thread, loop, leave = self._thread, self._loop, self._leave
            self._thread = None
        if thread is None or loop is None or leave is None:
            return
        self._refuse_own_thread(thread)
        loop.call_soon_threadsafe(leave.set)
        thread.join()
        self._ended.result()

    # -- the thread --------------------------------------------------------------------------------

    def _running(self) -> asyncio.AbstractEventLoop:
        """Return the loop, started when there is none."""
        if self._is_forked():
            raise ConfigurationError(
                f"this BlockingPipeline was used in process {self._pid}, of which {os.getpid()} is a fork: its thread "
                "and connections stay there; make one in each worker (gunicorn: post_fork, Celery: worker_process_init)"
            )
        with self._starting:
            if self._is_closed:
                raise ConfigurationError("this BlockingPipeline is closed; make a new one, with a new Pipeline")
            if self._thread is None:
                entered: Future[None] = Future()
                thread = threading.Thread(
                    target=self._serve, args=(entered,), name=f"{self._pipeline.name}-blocking", daemon=True
                )
                self._pid = os.getpid()
                thread.start()
                entered.result()  # entering may fail: then the next call tries again
                self._thread = thread
            self._refuse_own_thread(self._thread)
            assert self._loop is not None
            return self._loop

    def _is_forked(self) -> bool:
        """Tell whether this is a fork of the process in which the thread runs; a fork has no threads of its parent."""
        return self._thread is not None and self._pid != os.getpid()

    def _serve(self, entered: Future[None]) -> None:
        try:
            asyncio.run(self._main(entered))
        except BaseException as error:  # noqa: BLE001 - it belongs to whoever waits, not to this thread
            (self._ended if entered.done() and entered.exception() is None else entered).set_exception(error)
        else:
            self._ended.set_result(None)

    async def _main(self, entered: Future[None]) -> None:
        self._loop, self._leave = asyncio.get_running_loop(), asyncio.Event()
        async with self._pipeline:
            entered.set_result(None)
            await self._leave.wait()

    @staticmethod
    def _refuse_own_thread(thread: threading.Thread) -> None:
        if thread is threading.current_thread():
            raise ConfigurationError(
                "a component cannot use the BlockingPipeline it works for: it would wait for itself"
            )

    # -- waiting -----------------------------------------------------------------------------------

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the pipeline's event loop and return its result. ^C cancels it."""
        try:
            loop = self._running()
        except BaseException:
            work.close()
            raise
        answer = asyncio.run_coroutine_threadsafe(work, loop)
        try:
            return answer.result()
        finally:
            answer.cancel()  # after ^C; otherwise it is done

    def iterate(self, events: AsyncGenerator[RunEvent]) -> Iterator[RunEvent]:
        """Iterate over events of the pipeline. Closing the iterator early closes them."""
        try:
            while (event := self.wait(_following(events))) is not _END:
                yield event
        finally:
            self.wait(events.aclose())


class BlockingRunHandle:
    """A run that was started, for code without an event loop; see `RunHandle`."""

    def __init__(self, handle: RunHandle, pipeline: BlockingPipeline) -> None:
        self._handle = handle
        self._pipeline = pipeline

    def __repr__(self) -> str:
        return repr(self._handle)

    @property
    def run_id(self) -> str:
        """The id of the run."""
        return self._handle.run_id

    @property
    def is_done(self) -> bool:
        """True when the run has ended and its result is there."""
        return self._handle.is_done

    def result(self) -> ReflectionResult:
        """Wait for the result, as `RunHandle.result`. ^C ends the wait and not the run."""
        return self._pipeline.wait(self._handle.result())

    def events(self, after: int = 0) -> Iterator[RunEvent]:
        """Iterate over the events, past and future, as `RunHandle.events`."""
        return self._pipeline.iterate(self._handle.events(after))

    def cancel(self) -> None:
        """End the run soon, as `RunHandle.cancel`."""
        self._pipeline.wait(self._handle.cancel())


async def _later(call: Callable[..., T], *args: Any) -> T:
    """Call a function in the event loop."""
    return call(*args)


async def _following(events: AsyncGenerator[RunEvent]) -> Any:
    return await anext(events, _END)
