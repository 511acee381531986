"""Cell: one incarnation of an actor, with its task, its mailbox and its end.

The hot path is `Cell.run`: it takes an envelope, awaits the handler and sets the reply. Rare events (a stop, an exit,
an idle timeout, a finished wait) set `attention`, so a plain message costs only one extra test.

Who ends it, and how; every way goes through `die`, which is one step without an await:

| way | called by | running handler | on_stop | limit |
|---|---|---|---|---|
| `end_after_message` | the actor: `exit` | ends first | runs | that of its hook |
| `_crash` | the receive loop: an error escaped | has ended | runs | that of its hook |
| `request_stop` | `stop`, `shut_down`, an actor that stops itself | cancelled | runs | `limit_s`, then `abandon` |
| `stop` | `ActorRef.stop`, `leave` | as `request_stop`; an idle actor without a hook dies at once | | |
| `shut_down` | an exit signal; `fail` | as `request_stop` | | `shutdown_s`, or 5 s |
| `fail` | an owned task that crashed | as `shut_down` | | |
| `leave` | its supervisor | as `stop`; as `kill` if `shutdown_s` is 0 | | `shutdown_s` |
| `kill` | `ActorRef.kill`, `leave` | cancelled, not awaited | no | none |
| `abandon` | a limit that is over | cancelled, not awaited | no | none |
| `_finish` | its own task, where there is a hook or an owned task | has ended | runs | `shutdown_s`, or 5 s |

What its flags say:

| flag | set by | means |
|---|---|---|
| `state` | its task, and `die` | how far its life is: it only grows |
| `ending` | the first of the ways above, at last `die` | why it ends; None while it is to go on |
| `attention` | whoever has more than a message for it | the receive loop calls `_attend` before the next message |
| `_is_asked` | `request_stop` | a limit runs already; later requests only shorten it |
"""

from __future__ import annotations

import asyncio
import math
from asyncio import InvalidStateError
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator
from time import monotonic
from typing import Any, Final, Protocol, TypeGuard

from jido_ai.actors.actor import Actor, Continue
from jido_ai.actors.deadlines import Deadlines
from jido_ai.actors.dying import OwnedTasks, fail_waiting
from jido_ai.actors.exit_reason import Crashed, ExitReason, IdleTimeout, Killed, NoProc, Normal, Shutdown
from jido_ai.actors.idle import IdleTimer
from jido_ai.actors.mailbox import BoundedQueue, DeadLetters, Envelope, Mailbox
from jido_ai.actors.ref import ActorRef, CreateFuture, Ignored, Incarnation, Stopped, current_cell
from jido_ai.actors.relations import Relations, cut, skip_unwanted
from jido_ai.errors import CallError, Ignore, StartError

NEW, STARTING, RUNNING, STOPPING, DEAD = range(5)
STATUS_NAMES: Final = ("starting", "starting", "running", "stopping", "stopped")

DEFAULT_SHUTDOWN_S: Final = 5.0
_PRUNE_ABOVE: Final = 16
_BATCH: Final = 32  # messages between two looks at the clock
_TURN_S: Final = 0.004  # after this long in one turn the actor lets others run
_NOBODY: Final = Actor[Any]()


class Parent(Protocol):
    """The supervisor of a cell, notified at once when it ends."""

    def child_ended(self, cell: Cell) -> None: ...
    def take_orphans(self, cells: Iterable[Cell]) -> None: ...
    def restarts_of(self, cell: Cell) -> int: ...


class Runtime(Protocol):
    """The services that a cell needs from its system."""

    loop: asyncio.AbstractEventLoop
    create_future: CreateFuture
    asks: Deadlines[Envelope]
    stops: Deadlines[Cell]
    is_observed: bool
    dead_box: DeadLetters
    tombstone: Cell
    stopped: Stopped

    def emit(self, name: str, **data: object) -> None: ...
    def report_crash(self, cell: Cell, error: BaseException, message: object) -> None: ...
    def forget(self, cell: Cell) -> None: ...


class _ColdState:
    """Fields that most actors never use. Created on first use, which keeps idle actors small.

    Attributes:
        started: set when on_start is over.
        waits: the replies that the running handler waits for; some may have arrived.
        prune_waits_at: the number of waits at which finished ones are removed.
        owned: tasks that are cancelled when the actor ends.
        deferred: replies that the handler has deferred.
        relations: links and monitors.
        at_end: called in the step in which this actor ends.
        fatal: the message on which it has crashed.
        idle: the idle timer, running or to be started when the mailbox is empty.
    """

    __slots__ = (
        "at_end",
        "deferred",
        "fatal",
        "idle",
        "owned",
        "prune_waits_at",
        "relations",
        "started",
        "waits",
    )

    def __init__(self) -> None:
        self.started: asyncio.Future[bool] | None = None
        self.waits: list[tuple[asyncio.Future[Any], ActorRef]] | None = None
        self.prune_waits_at = _PRUNE_ABOVE
        self.owned: OwnedTasks | None = None
        self.deferred: set[asyncio.Future[Any]] | None = None
        self.relations: Relations | None = None
        self.at_end: dict[Callable[[Cell], None], None] | None = None
        self.fatal: object = None
        self.idle: IdleTimer | None = None


class Cell:
    """One incarnation of an actor."""

    __slots__ = (
        "_cold",
        "_is_asked",
        "actor",
        "asks",
        "attention",
        "create_future",
        "ending",
        "handled",
        "parent",
        "queue",
        "ref",
        "reply",
        "shutdown_s",
        "state",
        "system",
        "task",
        "waiter",
        "watchers",
    )

    def __init__(  # noqa: PLR0917 - it has one caller
        self, system: Runtime, ref: ActorRef, actor: Actor[Any], queue: Mailbox, parent: Parent, shutdown_s: float
    ) -> None:
        self.system = system
        self.asks = system.asks
        self.create_future = system.create_future  # bound once: a bound method for each actor would weigh 64 bytes
        self.ref = ref
        self.actor = actor
        self.queue = queue
        self.parent = parent
        self.shutdown_s = shutdown_s
        self.waiter: asyncio.Future[None] | None = None
        self.watchers: dict[asyncio.Future[ExitReason], None] | None = None  # set when this actor ends
        self.reply: asyncio.Future[Any] | None = None
        self.attention = False
        self.ending: ExitReason | None = None
        self.state = NEW
        self.handled = 0  # messages, counted when it falls idle and once per batch
        self.task: asyncio.Task[None]
        self._is_asked = False  # request_stop was called
        self._cold: _ColdState | None = None

    @classmethod
    def tombstone(cls, system: Runtime, parent: Parent) -> Cell:
        """Return the cell behind the refs of dead actors: it has ended for good and has no parent."""
        cell = cls(system, ActorRef(0, None, "tombstone"), _NOBODY, deque(), parent, 0.0)
        cell.queue = system.dead_box
        cell.state = DEAD
        cell.ending = NoProc()
        return cell

    def __repr__(self) -> str:
        return f"<Cell of {self.ref} {STATUS_NAMES[self.state]}>"

    # -- state -------------------------------------------------------------------------------------

    @property
    def is_alive(self) -> bool:
        """True until it has ended."""
        return self.state != DEAD

    @property
    def reason(self) -> ExitReason | None:
        """The exit reason; None while the actor is alive."""
        return self.ending if self.state == DEAD else None

    @property
    def is_ready(self) -> bool:
        """True when on_start is over (or there is none) and it has not ended."""
        return self.state in (RUNNING, STOPPING) or (self.state == NEW and not self.actor.has_on_start)

    @property
    def status(self) -> str:
        """Return starting, running, stopping or stopped."""
        return "running" if self.state == NEW and self.is_ready else STATUS_NAMES[self.state]

    @property
    def traps_exits(self) -> bool:
        """True if exit signals of linked actors become messages."""
        return self.actor.trap_exit

    @property
    def ignores_strangers(self) -> bool:
        """True if only the actor that spawned this one can end it by a link."""
        return self.actor.ignores_strangers

    @property
    def cold(self) -> _ColdState:
        """The fields that most actors never use."""
        if self._cold is None:
            self._cold = _ColdState()
        return self._cold

    @property
    def relations(self) -> Relations:
        """The links and monitors."""
        cold = self.cold
        if cold.relations is None:
            cold.relations = Relations()
        return cold.relations

    @property
    def _owns_tasks(self) -> bool:
        return self._cold is not None and self._cold.owned is not None and bool(self._cold.owned.tasks)

    # -- start -------------------------------------------------------------------------------------

    def launch(self) -> None:
        """Create the task. An actor without on_start counts as started at once."""
        self.task = asyncio.Task(self.run(), loop=self.system.loop, name=self.ref.label)
        if self.system.is_observed:
            self.system.emit("actor.started", actor=str(self.ref), id=self.ref.id)

    async def started(self) -> bool:
        """Wait for on_start. Returns False when it raised `Ignore`. Raises `StartError`."""
        if self.is_ready:
            return True
        if self.state == DEAD:
            raise StartError(self.ref.label, self.reason)
        cold = self.cold
        if cold.started is None:
            cold.started = self.create_future()
        waiting = current_cell.get()
        if waiting is not None:  # an ask from on_start to this waiting actor is then refused as a cycle
            waiting.note_wait(cold.started, self.ref)
        return await cold.started

    # -- the receive loop --------------------------------------------------------------------------

    async def run(self) -> None:  # noqa: PLR0915 - the hot path: a call per part would cost more than the part
        """Start, handle one message at a time, end. The actor's task."""
        if self.state == DEAD:
            return
        actor = self.actor
        has_hooks = actor.has_on_start or actor.has_on_stop
        if has_hooks:
            current_cell.set(self)
        begin: object = None
        if actor.has_on_start:
            begin = await self._start()
            if begin is False:
                return
        self.state = RUNNING
        receive, queue, create_future = actor.on_receive, self.queue, self.create_future
        assert isinstance(queue, deque)
        reason: ExitReason
        message: Any = None
        reply: asyncio.Future[Any] | None = None
        left, turn_ends = _BATCH, 0.0
        try:
            if not has_hooks:
                if not (queue or self.attention):
                    self.waiter = create_future()
                    await self.waiter
                current_cell.set(self)  # now: a crowd that waits for its first messages has no contexts of its own
            elif begin.__class__ is Continue:
                await self._continue(begin)
            while not (self.attention and (self.state == DEAD or self._attend())):
                if not queue:
                    message = reply = None  # an idle actor holds on to nothing
                    self.handled += _BATCH - left
                    self.waiter = create_future()
                    await self.waiter
                    left, turn_ends = _BATCH, 0.0
                    continue
                message, reply, _ = queue.popleft()
                if reply is None:
                    try:
                        answer = await receive(message)
                    except actor.expected_errors as error:
                        self._answer_expected(error, message, reply)
                    else:
                        if answer is not None:
                            if answer.__class__ is Continue:
                                await self._continue(answer)
                            answer = None
                elif not reply.done():  # else its caller has gone
                    self.reply = reply
                    try:
                        answer = await receive(message)
                    except actor.expected_errors as error:
                        self._answer_expected(error, message, reply)
                    else:
                        reply = self.reply
                        goes_on = answer.__class__ is Continue
                        if reply is not None:  # pyright: ignore[reportUnnecessaryComparison] - the handler may defer it
                            try:
                                reply.set_result(answer.reply if goes_on else answer)
                            except InvalidStateError:  # its caller has gone
                                pass
                        if goes_on:
                            self.reply = None
                            await self._continue(answer)
                        answer = None
                    self.reply = None
                left -= 1
                if left == 0:
                    self.handled += _BATCH
                    left, turn_ends = _BATCH, await self._take_turns(turn_ends)
            if self.state == DEAD:
                return
            assert self.ending is not None
            reason = self.ending
        except asyncio.CancelledError as error:
            if self.state == DEAD:
                return  # killed
            if self.ending is None and self.task.cancelling():  # from outside, as asyncio.run does when it closes
                await self._finish(Killed())
                raise
            # Cancelled to stop; or the handler awaited something that was cancelled, which is a crash.
            reason = self.ending or self._crash(error, message, reply)
        except Exception as error:  # noqa: BLE001 - here, and only here, a crash becomes a value
            reason = self._crash(error, message, reply)
        except BaseException as error:
            reason = self._crash(error, message, reply)
            if not actor.is_on_thread:
                self.die(reason)  # the interpreter is going down: no on_stop
                raise
        if actor.has_on_stop or self._owns_tasks:
            await self._finish(reason)
        else:
            self.die(reason)

    async def _continue(self, answer: object) -> None:
        """Run on_continue, and again as long as it returns a `Continue`; not if the handler has called exit."""
        turn_ends = 0.0
        while isinstance(answer, Continue) and self.ending is None:
            what = answer.what
            try:
                answer = await self.actor.on_continue(what)
            except self.actor.expected_errors as error:
                self._answer_expected(error, what, None)
                return
            turn_ends = await self._take_turns(turn_ends)

    async def _start(self) -> object:
        """Run on_start, report it to the waiting starter, and return its result; False if the actor does not start."""
        if self.ending is not None:  # stopped before its first step
            self._start_failed(self.ending, StartError(self.ref.label, self.ending))
            return False
        self.state = STARTING
        try:
            begin = await self.actor.on_start()
        except Ignore:
            self.ref.__class__ = Ignored
            self._start_failed(Normal(), None)
        except asyncio.CancelledError as error:
            if self.state != DEAD:
                stopped = self.ending
                reason = stopped or (Killed() if self.task.cancelling() else Crashed(error))
                self._start_failed(reason, self._start_error(reason, error))
        except Exception as error:  # noqa: BLE001 - a failed start becomes a StartError of its caller
            self._start_failed(Crashed(error), self._start_error(Crashed(error), error))
        except BaseException as error:
            is_on_thread = self.actor.is_on_thread
            self._start_failed(Crashed(error), self._start_error(Crashed(error), error))
            if not is_on_thread:
                raise
        else:
            if self.state == DEAD:
                return False
            self.state = RUNNING
            started = self._take_started()
            if started is not None:
                started.set_result(True)
            return begin if begin.__class__ is Continue else None
        return False

    def _start_error(self, reason: ExitReason, error: BaseException) -> StartError:
        if isinstance(error, StartError):  # a supervisor passes on which of its children it was
            return error
        failure = StartError(self.ref.label, reason)
        failure.__cause__ = error
        return failure

    def _start_failed(self, reason: ExitReason, error: StartError | None) -> None:
        started = self._take_started()
        self.die(reason)
        if started is not None:
            if error is None:
                started.set_result(False)
            else:
                started.set_exception(error)

    def _take_started(self) -> asyncio.Future[bool] | None:
        """Return and clear the future that waits for on_start, or None. The caller must resolve it."""
        cold = self._cold
        if cold is None:
            return None
        started, cold.started = cold.started, None
        return None if started is None or started.done() else started

    def _answer_expected(self, error: BaseException, message: object, reply: asyncio.Future[Any] | None) -> None:
        if self._owes(reply):
            reply.set_exception(error)
        elif reply is None or not reply.done():  # a tell, or an ask whose reply was handed over
            self.system.emit(
                "actor.tell_failed", actor=str(self.ref), message=type(message).__name__, error=type(error).__name__
            )

    def _owes(self, reply: asyncio.Future[Any] | None) -> TypeGuard[asyncio.Future[Any]]:
        """Return True if this actor must answer `reply`. Deferred replies count until answered or outlived."""
        if reply is None or reply.done():
            return False
        return reply is self.reply or (self._cold is not None and reply in (self._cold.deferred or ()))

    def _attend(self) -> bool:
        """Handle the cold events behind `attention`. Returns True if the actor must end."""
        cold = self._cold
        if cold is None:
            self.attention = False
        else:
            cold.waits = None
            relations = cold.relations
            if relations is not None and (relations.downs or relations.exits):
                skip_unwanted(self)
            if cold.idle is not None and not cold.idle.tend(self.system.loop, has_messages=bool(self.queue)):
                cold.idle = None
            # The next message stops the timer, and may be a notice.
            self.attention = cold.idle is not None or (
                relations is not None and bool(relations.downs or relations.exits)
            )
        return self.ending is not None

    async def _take_turns(self, turn_ends: float) -> float:
        """Yield to other tasks if this turn is over. Returns when the current turn ends; 0 means a new turn."""
        now = monotonic()
        if turn_ends == 0.0:
            return now + _TURN_S
        if now < turn_ends:
            return turn_ends
        if self.system.is_observed:
            self.system.emit("mailbox.high_water", actor=str(self.ref), depth=len(self.queue))
        await asyncio.sleep(0)
        return monotonic() + _TURN_S

    # -- waking and stopping -----------------------------------------------------------------------

    def wake(self) -> None:
        """Wake an idle actor, so that it checks its mailbox and `ending`."""
        waiter = self.waiter
        if waiter is not None:
            self.waiter = None
            try:
                waiter.set_result(None)
            except InvalidStateError:  # its task is being cancelled from outside
                pass

    def stop(self, reason: ExitReason, limit_s: float | None) -> bool:
        """Request a stop. Returns True if the actor is dead now: it was idle and has nothing to run when it ends."""
        waiter = self.waiter
        has_work = waiter is None and (self.state != NEW or self.actor.has_on_start)
        if has_work or self.actor.has_on_stop or limit_s == 0.0 or self._owns_tasks:
            self.request_stop(reason, limit_s)
            return self.state == DEAD
        if waiter is not None:
            try:
                waiter.set_result(None)  # its task has one step left, in which it finds that it is dead
            except InvalidStateError:  # it is being cancelled from outside
                pass
        self.die(self.ending or reason)
        return True

    def request_stop(self, reason: ExitReason, limit_s: float | None) -> None:
        """Ask it to end: cancel a running handler, run on_stop, and kill it after `limit_s` seconds.

        The first reason wins; a later request can only shorten the limit.
        """
        if self.state == DEAD:
            return
        was_asked, self._is_asked = self._is_asked, True
        if limit_s is not None:
            self._limit(limit_s)
        if was_asked:
            return
        if self.ending is None:  # else a running handler has called exit
            self.ending = reason
        self.attention = True
        if self.waiter is not None:
            self.wake()
        elif self.state in (STARTING, RUNNING) and asyncio.current_task(self.system.loop) is not self.task:
            self.task.cancel()

    def end_after_message(self, reason: ExitReason) -> None:
        """End when the running handler has returned."""
        if self.ending is None:
            self.ending = reason
            self.attention = True
            self.wake()

    def kill(self, detail: object = None) -> None:
        """End it now, without on_stop; `detail` is that of its exit reason."""
        if self.state != DEAD:
            task = self.task
            self.die(Killed(detail))
            task.cancel()

    def leave(self) -> None:
        """Stop it with Shutdown, within its shutdown limit; without one, kill it."""
        if self.shutdown_s == 0.0:
            self.kill()
        else:
            self.stop(Shutdown(), self.shutdown_s)

    def fail(self, error: BaseException) -> None:
        """End it because of an error outside its handler: an owned task that crashed."""
        self.shut_down(Crashed(error))

    def shut_down(self, reason: ExitReason) -> None:
        """End it within its shutdown limit."""
        self.request_stop(reason, self.shutdown_s or DEFAULT_SHUTDOWN_S)

    def _limit(self, limit_s: float) -> None:
        """Abandon the actor if it is still running after `limit_s` seconds; infinity means no limit."""
        if limit_s == math.inf:
            return
        if limit_s <= 0:
            self.system.loop.call_soon(self.abandon, limit_s)
        else:
            self.system.stops.watch(self, limit_s)

    def abandon(self, limit_s: float) -> None:
        """Give up on an actor that did not stop in time: mark it killed and cancel its task without waiting."""
        if self.state == DEAD:
            return
        self.system.emit("actor.abandoned", actor=str(self.ref), limit_s=limit_s)
        task = self.task
        self.die(Killed())
        task.cancel()

    def _crash(self, error: BaseException, message: object, reply: asyncio.Future[Any] | None) -> ExitReason:
        reason = Crashed(error)
        self.cold.fatal = message
        if self._owes(reply):
            failure = CallError(reason, str(self.ref), message)
            failure.__cause__ = error
            reply.set_exception(failure)
        return reason

    async def _finish(self, reason: ExitReason) -> None:
        """Run on_stop and cancel owned tasks, within the time limit; then die."""
        if self.state == DEAD:
            return  # killed, or out of time, and its handler has swallowed the cancellation
        while self.task.cancelling():
            self.task.uncancel()
        self.state = STOPPING
        self.ending = reason
        actor = self.actor
        if actor.has_on_stop or self._owns_tasks:
            if not self._is_asked:
                self._limit(self.shutdown_s or DEFAULT_SHUTDOWN_S)
            try:
                if actor.has_on_stop:
                    await actor.on_stop(reason)
                if self._cold is not None and self._cold.owned is not None:
                    await self._cold.owned.end()
            except asyncio.CancelledError as error:
                if self.state == DEAD:
                    return  # killed, or out of time
                reason = Killed() if self.task.cancelling() else Crashed(error)
            except Exception as error:  # noqa: BLE001 - as in OTP, a failing terminate is the reason
                reason = Crashed(error)
            except BaseException as error:
                reason = Crashed(error)
                if not actor.is_on_thread:
                    self.die(reason)
                    raise
        self.die(reason)

    # -- death -------------------------------------------------------------------------------------

    def die(self, reason: ExitReason) -> None:
        """End in one step: free the name, fail queued and deferred asks, notify all watchers."""
        if self.state == DEAD:
            return
        was_started = self.state == RUNNING or self.is_ready
        system = self.system
        ref = self.ref
        actor = self.actor
        cold = self._cold
        queue = self.queue
        self.queue = system.dead_box
        self.state = DEAD
        self.ending = reason  # should its task go on, it finds that it has ended
        self.attention = True
        self.waiter = None
        if ref.name is not None:
            system.forget(self)
        deferred = None if cold is None else cold.deferred
        if queue or self.reply is not None or deferred or queue.__class__ is not deque:
            replies = (self.reply, *(deferred or ()))
            self.reply = None
            if cold is not None:
                cold.deferred = None
            fail_waiting(queue, replies, reason, str(ref))
        if system.is_observed or reason.is_crash:
            self._report_end(reason)
        watchers = self.watchers
        if watchers is not None:
            self.watchers = None
            for gone in watchers:
                if not gone.done():
                    gone.set_result(reason)
        if cold is not None:
            self._end_cold(cold, reason)
        is_attended = actor.has_after_death
        if is_attended:
            actor.after_death(reason)
        if was_started:
            self.parent.child_ended(self)
        # Break the circles with ref, task and actor: the dead are freed at once, not by the garbage collector.
        del self.task
        if ref.cell is self:
            ref.cell = system.tombstone
        if not (is_attended and actor.is_supervisor):  # whose parent still asks whom it has left behind
            self.actor = _NOBODY

    def _end_cold(self, cold: _ColdState, reason: ExitReason) -> None:
        """Cancel owned tasks and timers, and notify monitors and links."""
        if cold.owned is not None:
            cold.owned.cancel()
        if cold.idle is not None:
            cold.idle.stop()
        cold.owned = cold.idle = None  # both refer to this cell
        if cold.at_end is not None:
            at_end, cold.at_end = cold.at_end, None
            for call in at_end:
                call(self)
        if cold.relations is not None:
            cut(self, cold.relations, reason, self.actor.exit_signal(reason))
        started = self._take_started()
        if started is not None:
            started.set_exception(StartError(self.ref.label, reason))

    def _report_end(self, reason: ExitReason) -> None:
        if isinstance(reason, Crashed):
            self.system.report_crash(self, reason.error, None if self._cold is None else self._cold.fatal)
        else:
            self.system.emit("actor.stopped", actor=str(self.ref), id=self.ref.id, reason=reason)

    # -- messages of the runtime -------------------------------------------------------------------

    async def wait_end(self, waiting: Incarnation | None = None) -> ExitReason:
        """Wait for the end and return the exit reason; NoProc if the actor has already ended.

        The cost does not depend on the number of waits, and a cancelled wait leaves nothing behind. `waiting` is the
        actor whose handler waits here: an ask from on_stop to it is then refused as a cycle.
        """
        if self.state == DEAD:
            return NoProc()
        gone = self.watch_end(waiting)
        try:
            return await gone
        finally:
            self.unwatch_end(gone)

    def watch_end(self, waiting: Incarnation | None) -> asyncio.Future[ExitReason]:
        """Return a future of the exit reason of a living actor; `unwatch_end` must follow. See `wait_end`."""
        gone: asyncio.Future[ExitReason] = self.create_future()
        if self.watchers is None:
            self.watchers = {}
        self.watchers[gone] = None
        if waiting is not None:
            waiting.note_wait(gone, self.ref)
        return gone

    def unwatch_end(self, gone: asyncio.Future[ExitReason]) -> None:
        """Forget a future of `watch_end`."""
        if self.watchers is not None:
            self.watchers.pop(gone, None)

    def call_at_end(self, call: Callable[[Cell], None], *, wanted: bool = True) -> None:
        """Call `call(self)` in the step in which this actor ends; with `wanted=False`, not any more. Must not raise."""
        cold = self.cold
        if cold.at_end is None:
            cold.at_end = {}
        if wanted:
            cold.at_end[call] = None
        else:
            cold.at_end.pop(call, None)

    def deliver(self, message: object) -> None:
        """Append a runtime message to the mailbox, ignoring its bound."""
        queue = self.queue
        if isinstance(queue, deque):
            if isinstance(queue, BoundedQueue):
                queue.add_unbounded((message, None, self.ref))
            else:
                queue.append((message, None, None))
            self.wake()

    def deliver_first(self, message: object) -> None:
        """Put a runtime message at the front of the mailbox, ignoring its bound."""
        queue = self.queue
        if isinstance(queue, deque):
            if isinstance(queue, BoundedQueue):
                queue.add_first((message, None, self.ref))
            else:
                queue.appendleft((message, None, None))
            self.wake()

    # -- waits for others --------------------------------------------------------------------------

    def note_wait(self, reply: asyncio.Future[Any], target: ActorRef) -> None:
        """Remember that the running handler waits for `target`; forgotten when the handler returns."""
        self.attention = True
        cold = self._cold or self.cold
        waits = cold.waits
        if waits is None:
            waits = cold.waits = []
            cold.prune_waits_at = _PRUNE_ABOVE
        while waits and waits[-1][0].done():  # one ask after the other: no reply is kept longer than it is needed
            waits.pop()
        if len(waits) >= cold.prune_waits_at:  # many at once: a look at all of them whenever they have doubled
            waits[:] = [wait for wait in waits if not wait[0].done()]
            cold.prune_waits_at = max(_PRUNE_ABOVE, 2 * len(waits))
        waits.append((reply, target))

    @property
    def is_waiting(self) -> bool:
        """True if the running handler has asked other actors."""
        return self._cold is not None and bool(self._cold.waits)

    def waits_for(self) -> Iterator[Incarnation]:
        """Yield the actors whose replies the running handler waits for."""
        for reply, target in (self._cold and self._cold.waits) or ():
            if not reply.done():
                yield target.cell

    # -- owned tasks, deferred replies, idle timeout -----------------------------------------------

    def own(self, work: Coroutine[Any, Any, Any], name: str | None) -> asyncio.Task[Any]:
        """Start a task that dies with this actor; an error that escapes from it ends the actor."""
        cold = self.cold
        if cold.owned is None:
            cold.owned = OwnedTasks(self._owned_task_failed)
        task = cold.owned.start(self.system.loop, work, name)
        if self.state == DEAD:
            task.cancel()
        return task

    def _owned_task_failed(self, error: BaseException) -> None:
        if self.state in (STOPPING, DEAD):
            self.system.emit("actor.owned_task_failed", actor=str(self.ref), error=error)
        else:
            self.fail(error)

    def defer(self) -> asyncio.Future[Any] | None:
        """Take over the reply to the current message from the receive loop; None for a tell."""
        reply, self.reply = self.reply, None
        if reply is not None:
            cold = self.cold
            if cold.deferred is None:
                cold.deferred = set()
            cold.deferred.add(reply)
            reply.add_done_callback(self.release)
        return reply

    def release(self, reply: asyncio.Future[Any]) -> None:
        """Stop failing a deferred reply when this actor ends."""
        if self._cold is not None and self._cold.deferred is not None:
            self._cold.deferred.discard(reply)

    def let_outlive(self, reply: asyncio.Future[Any]) -> None:
        """Leave a deferred reply to its holder, even after this actor has ended."""
        reply.remove_done_callback(self.release)
        self.release(reply)

    def set_idle_timeout(self, seconds: float | None) -> None:
        """Deliver an IdleTimeout if no message arrives in that time; any message cancels it."""
        cold = self.cold
        if cold.idle is not None:
            cold.idle.stop()
        cold.idle = None if seconds is None else IdleTimer(seconds, self._idle_is_over)
        self.attention = True
        if self.waiter is not None and cold.idle is not None:  # an owned task asks for it while the actor is idle
            cold.idle.tend(self.system.loop, has_messages=bool(self.queue))

    def _idle_is_over(self) -> None:
        self.cold.idle = None
        if self.waiter is not None:
            self.deliver(IdleTimeout())
