"""One component as an actor: it serves many runs at once, and a crash in one call never disturbs another.

A call runs as a task of the `ComponentHost`, which outlives the incarnations of the actor. If a call fails, the actor
ends with that error and is restarted clean, while the calls of other runs continue. Only the failures of a model leave
it alive: they say nothing about the component. If the actor is killed or stopped, all its calls end with it.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, cast

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import Backoff, ChildSpec
from jido_ai.actors.exit_reason import Crashed, ExitReason
from jido_ai.actors.ref import Ask, current_cell
from jido_ai.components.call_context import current_meter
from jido_ai.components.time_limit import SilenceLimit, current_step
from jido_ai.errors import (
    ActorDeadError,
    BudgetExceededError,
    ComponentError,
    ConfigurationError,
    Declined,
    ModelError,
    ParseError,
    describe,
    message_of,
)
from jido_ai.protocols import RunContext
from jido_ai.text.redaction import redact
from jido_ai.values import Candidate, CritiqueResult, Reflection

T = TypeVar("T")
_MESSAGE_CHARS: Final = 2_000
_MOST_TOLD: Final = 3
_OF_THE_MODEL: Final = (ModelError, ParseError, BudgetExceededError)
_BACKOFF: Final = Backoff(base_s=0.001, factor=2.0, cap_s=0.05)


# -- any object with the method, or a plain function -----------------------------------------------


def method_of(component: object, name: str, role: str = "a component") -> Callable[..., Awaitable[object]]:
    """Return the component's method of that name, or the component itself if it is a function, as an async callable.

    A plain function runs in a thread, so it may block. A component may take fewer arguments than the protocol has: the
    last ones are then left out.

    Raises:
        ConfigurationError: the component, named by its `role`, has no such method, is a class instead of an object, or
            takes other arguments.
    """
    if isinstance(component, type) and inspect.isfunction(inspect.getattr_static(component, name, None)):
        raise ConfigurationError(
            f"{role}: got the class {component.__name__}, need an object: use {component.__name__}(...)"
        )
    call: object = getattr(component, name, None)
    if call is None and callable(component) and not isinstance(component, type):
        call = component
    if not callable(call):
        raise ConfigurationError(f"{role} needs a method {name!r} or must be a function, got {describe(component)}")
    whole, arguments = as_async(call), _ARGUMENTS.get(name, ())
    try:
        signature = inspect.signature(call)
    except (TypeError, ValueError):  # no signature available
        return whole
    taken = next((number for number in range(len(arguments), 0, -1) if _takes(signature, number)), None)
    if taken is None and arguments:
        raise ConfigurationError(
            f"{role}: {describe(call)} must take ({', '.join(arguments)}), or the first of them; it takes {signature}"
        )
    return whole if taken in (None, len(arguments)) else lambda *given: whole(*given[:taken])


_ARGUMENTS: Final = {
    "generate": ("prompt", "context"),
    "critique": ("candidate", "context"),
    "revise": ("candidate", "critique", "context"),
    "reflect": ("episode", "priors", "context"),
}


def _takes(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return False
    return True


def as_async(call: Callable[..., object]) -> Callable[..., Awaitable[object]]:
    """Return a function as an async callable; a plain one runs in a thread, in the context of its caller."""
    inner = call
    while isinstance(inner, functools.partial):
        inner = inner.func
    if inspect.iscoroutinefunction(inner) or inspect.iscoroutinefunction(getattr(inner, "__call__", None)):  # noqa: B004 - an object whose __call__ is async
        return cast("Callable[..., Awaitable[object]]", call)

    async def in_a_thread(*args: object, **keywords: object) -> object:
        work = functools.partial(copy_context().run, call, *args, **keywords)
        answer = await asyncio.get_running_loop().run_in_executor(_OWN_THREADS, work)
        return await answer if inspect.isawaitable(answer) else answer

    return in_a_thread


async def in_own_context(call: Callable[..., Awaitable[T]], *args: object) -> T:
    """Await the call in a copy of the current context, so that its context variables stay inside."""

    async def awaited() -> T:
        return await call(*args)

    return await asyncio.get_running_loop().create_task(awaited())


class _OwnThreads(Executor):
    """Runs each call on its own thread, so that a hanging call blocks no other call and no interpreter exit."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()
        threading.Thread(target=self._work, args=(future, fn), name="jido-component", daemon=True).start()
        return future

    @staticmethod
    def _work(future: Future[T], call: Callable[[], T]) -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(call())
        except StopIteration as error:  # asyncio futures do not accept it
            future.set_exception(RuntimeError(f"raised {describe(error)}"))
        except BaseException as error:  # noqa: BLE001 - it is raised where the call is awaited
            future.set_exception(error)


_OWN_THREADS: Final = _OwnThreads()


# -- what may come back ----------------------------------------------------------------------------


def as_candidates(answer: object) -> tuple[Candidate, ...]:
    """Check the result of a generator: a text, a candidate, or several. Raises `ComponentError`."""
    if isinstance(answer, str | Candidate):
        return (_as_candidate(answer),)
    if isinstance(answer, Sequence):
        several = cast("Sequence[object]", answer)
        if several and all(isinstance(one, str | Candidate) for one in several):
            return tuple(_as_candidate(cast("str | Candidate", one)) for one in several)
    raise ComponentError(
        f"a generator must return a str, a Candidate or a sequence of them, got {describe(cast('object', answer))}"
    )


def as_critique(answer: object) -> CritiqueResult:
    """Check the result of a critiquer. Raises `ComponentError`."""
    if not isinstance(answer, CritiqueResult):
        raise ComponentError(f"a critiquer must return a CritiqueResult, got {describe(answer)}")
    return answer


def as_revision(answer: object) -> Candidate:
    """Check the result of a reviser: a text or a candidate, and not blank. Raises `ComponentError`."""
    if not isinstance(answer, str | Candidate):
        raise ComponentError(f"a reviser must return a str or a Candidate, got {describe(answer)}")
    candidate = _as_candidate(answer)
    if not candidate.content.strip():
        raise ComponentError("a reviser returned a blank text")
    return candidate


def as_reflection(answer: object) -> Reflection:
    """Check the result of a reflector. Raises `ComponentError`."""
    if not isinstance(answer, Reflection):
        raise ComponentError(f"a reflector must return a Reflection, got {describe(answer)}")
    return answer


def _as_candidate(answer: str | Candidate) -> Candidate:
    return Candidate(content=answer) if isinstance(answer, str) else answer


# -- the actor -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ComponentCall(Ask[Any]):
    """Call the component with these arguments; the reply is its checked result.

    Attributes:
        context: the component runs in a copy of it; by default the current one.
        step: the time limit of the loop's step that this is; None is no limit.
    """

    args: tuple[object, ...]
    context: Context = field(default_factory=copy_context)
    step: SilenceLimit | None = None


class Composed:
    """Something that calls other components and models."""

    def uses(self) -> tuple[object, ...]:
        """Return the components and models that it calls."""
        return ()


class Reopening(Composed, ABC):
    """A component that each pipeline closes when it stops, and that reopens its resources when it is used again."""

    @abstractmethod
    async def aclose(self) -> None:
        """Close the parts that it opened itself, unless they are in use elsewhere. Closing twice is allowed."""


def used_by(components: Iterable[object]) -> Iterator[object]:
    """Yield the components and all that they use, each once."""
    left, seen = list(components), set[int]()
    while left:
        one = left.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            if isinstance(one, Composed):
                left += one.uses()


async def close_all(components: Iterable[object]) -> None:
    """Close the components that can reopen; resources that a caller opened stay open."""
    for component in components:
        if isinstance(component, Reopening):
            await component.aclose()


class ComponentHost:
    """State of a component that outlives its actor's incarnations: the object itself and the calls in flight.

    Attributes:
        name: as events and errors name it: "generator", "critiquer", "reviser".
        max_concurrency: most calls at once, from the component's attribute of that name; None is no limit.
    """

    def __init__(self, name: str, component: object, method: str, check: Callable[[object], object]) -> None:
        self.name = name
        self.component = component
        self.call = method_of(component, method, name)
        self.check = check
        limit: object = getattr(component, "max_concurrency", None)
        self.max_concurrency = check_max_concurrency(None if callable(limit) else limit)  # a method is no limit
        self.tasks: dict[asyncio.Future[Any], asyncio.Task[None]] = {}  # by reply
        self.slots: asyncio.Semaphore | None = None
        self.reset()

    def reset(self) -> None:
        """Prepare for the event loop that the pipeline starts in."""
        self.slots = asyncio.Semaphore(self.max_concurrency) if self.max_concurrency is not None else None

    def end_calls(self) -> None:
        """Cancel every call in flight."""
        for task in tuple(self.tasks.values()):
            task.cancel()

    async def close(self, timeout_s: float = 5.0) -> None:
        """Cancel every call in flight, wait for them, and close the component if it can reopen.

        Calls that swallow the cancellation are abandoned after `timeout_s`.
        """
        self.end_calls()
        if self.tasks:
            await asyncio.wait(self.tasks.values(), timeout=timeout_s)
        async with asyncio.timeout(timeout_s):
            await close_all((self.component,))


def check_max_concurrency(limit: object) -> int | None:
    """Return the limit. Raises `ConfigurationError` unless it is None or a whole number of at least 1."""
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise ConfigurationError(f"max_concurrency must be None or a whole number of at least 1, got {describe(limit)}")
    return limit


class ComponentActor(Actor[ComponentCall]):
    """Runs the calls of one component; see the module."""

    takes_asks = True  # each call is a task

    def __init__(self, host: ComponentHost) -> None:
        self._host = host

    async def on_receive(self, message: ComponentCall) -> None:
        reply, self.cell.reply = self.cell.reply, None
        if reply is not None:
            self.take(message, reply)

    def take(self, message: ComponentCall, reply: asyncio.Future[Any]) -> None:
        context = message.context.copy()  # of the run, not of the code that started this actor
        ended = functools.partial(self._ended, reply)
        task = asyncio.get_running_loop().create_task(self._serve(message, reply, ended), context=context)
        if not task.done():  # a loop with eager tasks has begun it already
            self._host.tasks[reply] = task
            task.add_done_callback(ended, context=context)

    def _ended(self, reply: asyncio.Future[Any], task: asyncio.Task[None]) -> None:
        """Answer a call that was cancelled before its task began."""
        self._host.tasks.pop(reply, None)
        if not reply.done():
            reply.set_exception(ActorDeadError(self.cell.reason, self._host.name))

    def after_death(self, reason: ExitReason) -> None:
        """End all calls, unless the actor ended because one of them crashed."""
        if not isinstance(reason, Crashed):
            self._host.end_calls()

    async def _serve(
        self, call: ComponentCall, reply: asyncio.Future[Any], ended: Callable[[asyncio.Task[None]], None]
    ) -> None:
        host = self._host
        task = host.tasks.get(reply) or asyncio.current_task()  # begun at once, it is not among them yet
        assert task is not None
        task.remove_done_callback(ended)  # a turn less: from here on it answers, whatever happens
        unwanted = functools.partial(_unwanted, task)  # its run was cancelled, or the step took too long
        reply.add_done_callback(unwanted)
        run = call.args[-1] if call.args else None
        run = run if isinstance(run, RunContext) else None
        # Nobody else sees these: the task has a context of its own.
        current_cell.set(None)  # the call does not block our mailbox, so it may ask any actor
        current_meter.set(None if run is None else run.meter)
        if call.step is not None:
            current_step.set(call.step)
        try:
            if host.slots is None:
                answer = host.check(await host.call(*call.args))
            else:
                async with host.slots:
                    answer = host.check(await host.call(*call.args))
        except (Declined, *_OF_THE_MODEL) as expected:
            _fail(reply, expected)
        except asyncio.CancelledError as error:
            if not _is_being_cancelled():  # the component awaited something that was cancelled
                _fail(reply, ComponentError(f"{host.name} was cancelled from inside", component=host.name))
                self.cell.fail(error)
                return
            _fail(reply, ActorDeadError(self.cell.reason, host.name))
            raise
        except BaseException as error:  # foreign code: the asker and the supervisor see its crash
            is_usual = isinstance(error, Exception)
            _fail(
                reply,
                error if is_usual else ComponentError(f"{host.name} raised {describe(error)}", component=host.name),
            )
            crash = ComponentError(f"{type(error).__name__}: {text_of(error)}", component=host.name)
            crash.__cause__ = error
            crash.run_id = None if run is None else run.run_id
            self.cell.fail(crash)  # not the error itself: events are logged
            if ends_the_process(error):
                raise
        else:
            if not reply.done():
                reply.remove_done_callback(unwanted)
                reply.set_result(answer)
        finally:
            if reply in host.tasks:
                del host.tasks[reply]


def _fail(reply: asyncio.Future[Any], error: BaseException) -> None:
    if not reply.done():
        reply.set_exception(error)


def _unwanted(task: asyncio.Task[None], _: object) -> None:
    task.cancel()


def ends_the_process(error: BaseException) -> bool:
    """Tell whether an error that foreign code raised is meant for the process: ^C, where nothing handles it.

    Where something does, as `asyncio.run`, `jido serve` and `jido worker` do, it is a crash like any other.
    """
    if isinstance(error, KeyboardInterrupt):
        is_main = threading.current_thread() is threading.main_thread()
        return is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    return isinstance(error, GeneratorExit)


def text_of(error: BaseException) -> str:
    """Return the message of an error, or its repr if it has none: without secrets, at most 2,000 characters.

    For an exception group, as raised by a `TaskGroup`, the first errors in it are added.
    """
    text = _said_by(error)
    if isinstance(error, BaseExceptionGroup):
        inside = cast("BaseExceptionGroup[BaseException]", error).exceptions[:_MOST_TOLD]
        text = f"{text}: {'; '.join(f'{type(one).__name__}: {_said_by(one)}' for one in inside)}"
    return showable(text)


def showable(text: str) -> str:
    """Return at most 2,000 characters of a text from foreign code, without secrets."""
    return redact(text[: 10 * _MESSAGE_CHARS])[:_MESSAGE_CHARS]


def _said_by(error: BaseException) -> str:
    return message_of(error) or describe(error)


def _is_being_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def component_spec(host: ComponentHost, name: str) -> ChildSpec:
    """Return the child spec of the component's actor."""
    return ChildSpec(id=host.name, start=(ComponentActor, (host,), {}), backoff=_BACKOFF, name=name)


def check_generate_call(prompt: object, context: object) -> None:
    """Check the arguments of `generate`. Raises `ConfigurationError`, which names the first wrong one."""
    _check("prompt", prompt, str)
    check_context(context)


def check_critique_call(candidate: object, context: object) -> None:
    """Check the arguments of `critique`. Raises `ConfigurationError`, which names the first wrong one."""
    _check("candidate", candidate, Candidate)
    check_context(context)


def check_revise_call(candidate: object, critique: object, context: object) -> None:
    """Check the arguments of `revise`. Raises `ConfigurationError`, which names the first wrong one."""
    _check("candidate", candidate, Candidate)
    _check("critique", critique, CritiqueResult)
    check_context(context)


def check_context(context: object) -> None:
    """Check a context. An object with the same fields, as in tests, is accepted. Raises `ConfigurationError`."""
    if not hasattr(context, "time_left_s"):
        _check("context", context, RunContext)


def _check(name: str, value: object, kind: type) -> None:
    if not isinstance(value, kind):
        raise ConfigurationError(f"{name} must be a {kind.__name__}, got {describe(value)}")
