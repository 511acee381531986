"""ActorSystem: the root of the tree, the names registered in it, and the one event hook. Nothing is global."""

from __future__ import annotations

import asyncio
import logging
import math
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape
from inspect import iscoroutine
from itertools import count
from types import TracebackType
from typing import Any, Literal, Self, TypeGuard, cast, get_args

from jido_ai.actors.actor import Actor, checked_arguments
from jido_ai.actors.cell import DEFAULT_SHUTDOWN_S, Cell, Parent
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.children import Child
from jido_ai.actors.deadlines import Deadlines
from jido_ai.actors.dynamic_supervisor import STOPS_A_TURN
from jido_ai.actors.exit_reason import Crashed, Shutdown
from jido_ai.actors.mailbox import Bounded, BoundedQueue, DeadLetters, Envelope
from jido_ai.actors.plain_supervisor import PlainSupervisor
from jido_ai.actors.ref import ActorRef, CreateFuture, Stopped, check_ref, runs
from jido_ai.actors.registry import RegistryRef, holder
from jido_ai.actors.relations import Down
from jido_ai.actors.restarting import BaseSupervisor, check_intensity
from jido_ai.actors.thread_actor import AdoptedActor, PykkaRef, ThreadBridge, built
from jido_ai.actors.to_its_end import to_its_end
from jido_ai.actors.via_name import Via
from jido_ai.actors.watchdog import Blocker, Watchdog
from jido_ai.errors import (
    ActorError,
    AskTimeoutError,
    ConfigurationError,
    NameTakenError,
    NotFoundError,
    StartError,
    describe,
)
from jido_ai.telemetry import OBSERVING, Sink, TelemetryEvent, safe_sink

CrashReports = Literal["short", "trace", "full"]


@dataclass(frozen=True, slots=True)
class TreeNode:
    """One actor in a picture of the tree.

    Attributes:
        kind: its class; a supervisor's also names the strategy.
        status: starting, running, restarting, stopping or stopped.
        restarts: number of restarts.
        mailbox: number of queued messages.
        reason: why it was restarted last, in words; "" if it never was.
        messages: number of messages that it has handled since it last started, up to 31 behind while it is busy.
    """

    name: str
    kind: str
    status: str
    restarts: int = 0
    mailbox: int = 0
    children: tuple[TreeNode, ...] = ()
    reason: str = ""
    messages: int = 0

    def walk(self) -> Iterator[TreeNode]:
        """Yield this node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def __str__(self) -> str:
        """Draw this node and all below it, a line for each."""
        lines = [self._line()]
        for child in self.children:
            is_last = child is self.children[-1]
            first, *others = str(child).splitlines()
            lines.append(("└─ " if is_last else "├─ ") + first)
            lines += [("   " if is_last else "│  ") + line for line in others]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def _line(self) -> str:
        facts = [self.kind, *([] if self.status == "running" else [self.status])]
        if self.restarts:
            facts.append(f"{self.restarts} restart{'' if self.restarts == 1 else 's'}, last after {self.reason}")
        if self.mailbox:
            facts.append(f"{self.mailbox} waiting")
        return f"{self.name} ({', '.join(facts)})"


class _Root(PlainSupervisor):
    """The root supervisor: stops children in reverse order; a child that crashes too often is given up alone."""

    def _times(self, child: Child) -> deque[float]:
        if child.attempts is None:
            child.attempts = deque()
        return child.attempts

    def _intensity_exceeded(self, child: Child) -> None:
        self._drop(child, Shutdown("restart intensity exceeded"))

    async def _stop_all(self) -> None:
        for number, child in enumerate(reversed(tuple(self.children())), 1):
            await self._stop(child)
            self._drop(child, Shutdown())
            if number % STOPS_A_TURN == 0:
                await asyncio.sleep(0)

    async def wait_for_plain(self, cell: Cell) -> None:
        """Wait for on_start. The actor is not alive afterwards if it raised `Ignore`. Raises `StartError`."""
        try:
            await cell.started()
        except BaseException:
            cell.request_stop(Shutdown(), DEFAULT_SHUTDOWN_S)  # its caller was cancelled while it was starting
            raise
        finally:
            if not cell.is_alive:
                self.plain.pop(cell.ref, None)

    def add_now(self, spec: ChildSpec) -> ActorRef:
        """Add a child that starts in one step."""
        child = Child(spec, self.system.new_ref(spec.name, spec.id))
        child.cell = self.system.launch(spec, child.ref, self)
        child.status = "running"
        self._children[child.ref] = child
        self._by_cell[child.cell] = child
        return child.ref


def running_loop() -> asyncio.AbstractEventLoop:
    """Return asyncio's running event loop. Raises `ConfigurationError` without one, as under trio."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        raise ConfigurationError(
            "no asyncio event loop is running here; under trio, run this in a thread with asyncio.run, or use "
            "BlockingPipeline"
        ) from None


class ActorSystem:
    """Runs actors. `async with` starts it; leaving stops everything, in reverse order.

    Args:
        name: for events.
        sink: receives events (`TelemetryEvent`). The default logs failures under `jido_ai`; your own sink also receives
            every start, stop and restart.
        max_restarts, max_seconds: restart intensity of each actor that is spawned from a ChildSpec at the top.
        crash_reports: what the event `actor.crashed` tells. "trace": the traceback, the type of the message, the number
            of the actor's attributes, and its restarts so far; "full": also the message and the attributes, in words;
            "short": only the error, as always for the parts of pipelines, whose messages may quote prompts.
        watchdog_s: report a handler that blocks the event loop for that many seconds, in the log while it blocks and as
            the event `loop.blocked` afterwards; None turns this off.

    A system belongs to the event loop it is started in, and must not be used from another thread.
    """

    def __init__(
        self,
        name: str = "actors",
        *,
        sink: Sink | None = None,
        max_restarts: int = 3,
        max_seconds: float = 5.0,
        crash_reports: CrashReports = "trace",
        watchdog_s: float | None = None,
    ) -> None:
        check_intensity(max_restarts, max_seconds)
        if crash_reports not in get_args(CrashReports):
            raise ConfigurationError(f'crash_reports must be "short", "trace" or "full", got {describe(crash_reports)}')
        if not isinstance(name, str):
            raise ConfigurationError(f"name must be a string, got {describe(name)}")
        if watchdog_s is not None and (
            isinstance(watchdog_s, bool) or not isinstance(watchdog_s, int | float) or not 0 < watchdog_s < math.inf
        ):
            raise ConfigurationError(f"watchdog_s must be None or a number above 0, got {describe(watchdog_s)}")
        self._crash_reports: CrashReports = crash_reports
        self._watchdog_s = watchdog_s
        self._watchdog: Watchdog | None = None
        self.name = str.__str__(name)
        self.dead_letters = 0
        self.is_observed = sink is not None or logging.getLogger("jido_ai").isEnabledFor(logging.DEBUG)
        self._sink = safe_sink(sink)
        self._intensity = (max_restarts, max_seconds)
        self._ids = count(1)
        self._names: dict[str, ActorRef] = {}
        self._root: _Root | None = None
        self.loop: asyncio.AbstractEventLoop
        self.create_future: CreateFuture
        self.dead_box: DeadLetters
        self.tombstone: Cell
        self.stopped: Stopped
        self.asks: Deadlines[Envelope]
        self.stops: Deadlines[Cell]

    def __repr__(self) -> str:
        return f"<ActorSystem {self.name}>"

    # -- life --------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Start in the running event loop. Raises `ActorError` if it is already running."""
        if self._root is not None:
            raise ActorError(f"{self!r} is already running")
        self.loop = running_loop()
        self.create_future = self.loop.create_future
        self.dead_box = DeadLetters(self._count_dead_letter)
        self.asks = Deadlines(self.loop, _unanswered, _expire_ask)
        self.stops = Deadlines(self.loop, _still_alive, _abandon)
        self.stopped = Stopped(self.loop)
        self.tombstone = Cell.tombstone(self, _Nobody())
        max_restarts, max_seconds = self._intensity
        self._root = _Root(max_restarts=max_restarts, max_seconds=max_seconds)
        spec = ChildSpec(id=f"{self.name}:root", start=lambda: self._root, type="supervisor")
        await self.launch(spec, self.new_ref(None, spec.id), _Nobody()).started()
        if self._watchdog_s is not None:
            self._watchdog = Watchdog(self.loop, self._watchdog_s, self._report_blocker)
            self._watchdog.start()

    async def stop(self) -> None:
        """Stop every actor, in reverse order of its start, and wait until all are gone."""
        root = self._root
        if root is None:
            return
        if root.cell.is_alive and running_loop() is not self.loop:
            raise self._elsewhere()
        try:
            if root.cell.is_alive:  # not after its event loop cancelled all tasks
                root.cell.request_stop(Shutdown(), None)
                await to_its_end(root.cell.wait_end())
        finally:
            self.asks.close()
            self.stops.close()
            if self._watchdog is not None:
                self._watchdog.stop()
            self._root = None

    @property
    def is_running(self) -> bool:
        """True between start and stop."""
        return self._root is not None and self._root.cell.is_alive

    # -- actors ------------------------------------------------------------------------------------

    @checked_arguments
    async def spawn(
        self,
        what: Callable[..., Actor[Any]] | ChildSpec,
        *args: Any,
        name: str | Via | None = None,
        mailbox: Bounded | None = None,
        **kwargs: Any,
    ) -> ActorRef:
        """Start an actor at the top of the tree and return its ref.

        A class is called with `args` and `kwargs` and never restarted. A ChildSpec is restarted by its own rule, up to
        the system's restart intensity; then that actor alone is given up. The result is an `Ignored`, which is not
        alive, if on_start raised `Ignore`.

        Raises:
            StartError: the constructor or on_start raised.
            NameTakenError: another living actor has that name.
            ConfigurationError: `what` or another argument cannot be started.
        """
        root = self._running_root()
        if name is None and mailbox is None and _is_plain(what):
            cell = self._launch_plain(root, what, args, kwargs)
            if cell.actor.has_on_start:
                await root.wait_for_plain(cell)
            return cell.ref
        if isinstance(what, ChildSpec):
            if args or kwargs or name is not None or mailbox is not None:
                raise ConfigurationError("spawn takes no other arguments with a ChildSpec; set them in the ChildSpec")
            spec = what
        else:
            spec = _spec_of(what, args, kwargs, name, mailbox)
        try:
            return await root.start_child(spec)
        except StartError as error:
            taken = error.__cause__
            if isinstance(taken, NameTakenError) and error.id == spec.id and taken.name == str(spec.name):
                raise taken from None
            raise

    def adopt(self, pykka_ref: PykkaRef, *, name: str | None = None) -> ActorRef:
        """Bring an actor that runs in pykka into this system, at the top of the tree; it keeps pykka's rules.

        To have it supervised, adopt it in the factory of a ChildSpec: `start=lambda: system.adopt(Other.start())`.

        Raises:
            NameTakenError: another living actor has that name.
            ConfigurationError: `pykka_ref` is not a pykka reference.
        """
        if not hasattr(pykka_ref, "actor_class"):
            raise ConfigurationError(f"adopt needs a pykka.ActorRef, got {describe(pykka_ref)}")
        label = pykka_ref.actor_class.__name__
        spec = ChildSpec(id=label, start=(AdoptedActor, (pykka_ref,), {}), restart="temporary", name=name)
        return self._running_root().add_now(spec)

    def whereis(self, name: str | Via) -> ActorRef | None:
        """Return the living actor with that name, or None."""
        if isinstance(name, Via):
            registry = self._registry_of(name)
            return None if registry is None else holder(registry, name.key)
        return self._names.get(name)

    def _registry_of(self, via: Via) -> ActorRef | None:
        return self._names.get(via.registry) if isinstance(via.registry, str) else via.registry

    async def wait_down(self, ref: ActorRef) -> Down:
        """Wait until the actor has ended and return its exit reason; NoProc if it had already ended.

        Raises:
            ConfigurationError: `ref` is not an `ActorRef`.
        """
        check_ref(ref)
        return Down(ref, await ref.cell.wait_end())

    def tree(self) -> TreeNode:
        """Return the supervision tree as it is now."""
        if self._root is None:
            return TreeNode(self.name, "ActorSystem", "stopped")
        return TreeNode(self.name, "ActorSystem", "running", children=_nodes(self._root))

    def print_tree(self) -> None:
        """Print the supervision tree as it is now."""
        print(self.tree())  # noqa: T201 - for people, in a shell or notebook

    def now(self) -> float:
        """Return the time of the event loop's clock, in seconds; it never goes back."""
        return self.loop.time()

    # -- for the runtime ---------------------------------------------------------------------------

    def new_ref(self, name: str | Via | None, label: str) -> ActorRef:
        """Make the ref of an actor that is about to be launched."""
        return ActorRef(next(self._ids), None if isinstance(name, Via) else name, label)

    def launch(self, spec: ChildSpec, ref: ActorRef, parent: Parent) -> Cell:
        """Build an actor and start its task. Raises `StartError`, `NameTakenError` or `ConfigurationError`."""
        if ref.name is not None and ref.name in self._names:
            raise NameTakenError(ref.name, self._names[ref.name])
        try:
            registry = self._free_registry(spec.name) if isinstance(spec.name, Via) else None
            actor = built(spec)
            if isinstance(actor, ActorRef):
                actor = _taken_over(cast("ActorRef", actor))
            if not isinstance(actor, Actor):
                if iscoroutine(actor):
                    actor.close()  # it will never be awaited
                raise TypeError(f"start of {spec.id!r} must return an Actor, got {describe(actor)}")
            if actor.was_launched:
                raise TypeError(f"start of {spec.id!r} must build a fresh actor; this one has run before")
        except (ConfigurationError, NameTakenError):
            raise
        except Exception as error:
            raise StartError(spec.id, Crashed(error)) from error
        queue = deque[Envelope]() if spec.mailbox is None else BoundedQueue(spec.mailbox, str(ref))
        cell = self.begin(cast("Actor[Any]", actor).on_loop(), ref, queue, parent, spec.shutdown_s)
        if registry is not None and isinstance(spec.name, Via):
            registry.register(spec.name.key, spec.name.value, ref=ref)
        return cell

    def _free_registry(self, via: Via) -> RegistryRef:
        """Return the registry of a name that is free. Raises `NameTakenError`, `ActorError`, `ConfigurationError`."""
        registry = self._registry_of(via)
        if registry is None:
            raise NotFoundError(f"no living actor has the name {via.registry!r}, whose key {via.key!r} is wanted")
        taken = holder(registry, via.key)
        if taken is not None:
            raise NameTakenError(str(via), taken)
        return cast("RegistryRef", registry)

    def begin(
        self, actor: Actor[Any], ref: ActorRef, queue: deque[Envelope], parent: Parent, shutdown_s: float
    ) -> Cell:
        """Start the task of an actor that is built."""
        cell = Cell(self, ref, actor, queue, parent, shutdown_s)
        if actor.ref_class is not ref.__class__:  # only now is it known what a factory builds
            ref.__class__ = actor.ref_class
        actor.attach(cell)
        ref.cell = cell
        if ref.name is not None:
            self._names[ref.name] = ref
        cell.launch()
        return cell

    def _launch_plain(self, root: _Root, kind: type[Actor[Any]], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Cell:
        """Launch an actor without a name that is never restarted. It needs no spec and no record: half the cost."""
        try:
            actor = kind(*args, **kwargs)
        except ConfigurationError:
            raise
        except Exception as error:
            raise StartError(kind.__name__, Crashed(error)) from error
        return root.start_plain(actor.on_loop(), kind.__name__, DEFAULT_SHUTDOWN_S)

    def _report_blocker(self, blocker: Blocker, blocked_s: float) -> None:
        self.emit(
            "loop.blocked",
            actor=blocker.actor,
            message=blocker.message,
            place=blocker.place,
            blocked_s=round(blocked_s, 3),
        )

    def _running_root(self) -> _Root:
        root = self._root
        if root is None or root.cell.ending is not None:
            raise ActorError(f"{self!r} is not running; use it in `async with`")
        if not runs(self.loop):
            running_loop()  # under trio the error says so
            raise self._elsewhere()
        return root

    def _elsewhere(self) -> ActorError:
        return ActorError(f"{self!r} belongs to another event loop; use asyncio.run_coroutine_threadsafe")

    def report_crash(self, cell: Cell, error: BaseException, message: object) -> None:
        """Emit `actor.crashed`."""
        report: dict[str, object] = {}
        actor = cell.actor.worker if isinstance(cell.actor, ThreadBridge) else cell.actor
        home = type(actor).__module__.split(".")
        if self._crash_reports != "short" and (home[0] != "jido_ai" or home[1:2] == ["actors"]):
            state = vars(actor)
            shown = {name: value for name, value in state.items() if name != "_cell"}
            if message is not None:
                report["message"] = describe(message) if self._crash_reports == "full" else type(message).__name__
            report["state"] = describe(shown) if self._crash_reports == "full" else f"{len(shown)} attributes"
            report["restarts"] = cell.parent.restarts_of(cell)
            report["traceback"] = "".join(traceback.format_exception(error)).rstrip()
        self.emit("actor.crashed", actor=str(cell.ref), id=cell.ref.id, error=error, **report)

    def forget(self, cell: Cell) -> None:
        """Free the name of an actor that ends."""
        name = cell.ref.name
        if name is not None and self._names.get(name) is cell.ref:
            del self._names[name]

    def _count_dead_letter(self) -> None:
        """Count a message to a dead actor."""
        self.dead_letters += 1

    def emit(self, name: str, **data: object) -> None:
        """Pass an event to the sink. A sink that raises is reported once and replaced by the log."""
        facts = {"system": self.name, **data}
        if OBSERVING.observer is not None:
            OBSERVING.observer.happened(name, facts)
        self._sink(TelemetryEvent(name, facts))


def _taken_over(ref: ActorRef) -> object:
    """Move an adopted actor from the top of the tree to the supervisor whose factory has adopted it."""
    adopted = ref.cell.actor
    if not isinstance(adopted, AdoptedActor):
        return ref
    actor = adopted.hand_over()
    ref.kill()
    return actor


def _is_plain(what: object) -> TypeGuard[type[Actor[Any]]]:
    """Return True if `what` is an actor class but not a supervisor."""
    return isinstance(what, type) and issubclass(what, Actor) and not what.is_supervisor


def _spec_of(
    what: Callable[..., Actor[Any]],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    name: str | Via | None,
    mailbox: Any,
) -> ChildSpec:
    """Return the spec of something to be started once. Raises `ConfigurationError`."""
    if not callable(what):
        raise ConfigurationError(f"spawn needs an Actor class or a ChildSpec as `what`, got {describe(what)}")
    if name is not None and not isinstance(name, Via) and (not isinstance(name, str) or not name):
        raise ConfigurationError(
            f"spawn: name must be None, a non-empty string or via(registry, key), got {describe(name)}"
        )
    if mailbox is not None and not isinstance(mailbox, Bounded):
        raise ConfigurationError(f"spawn: mailbox must be None or a Bounded, got {describe(mailbox)}")
    is_supervisor = isinstance(cast("object", what), type) and issubclass(cast("type", what), BaseSupervisor)
    return ChildSpec(
        id=name if isinstance(name, str) else _label_of(cast("object", what)),
        start=(what, args, kwargs),
        restart="temporary",
        type="supervisor" if is_supervisor else "worker",
        name=name,
        mailbox=mailbox,
    )


def _label_of(what: object) -> str:
    label: object = getattr(what, "__name__", None)
    return label if isinstance(label, str) and label else "actor"


class _Nobody:
    """The parent of the root supervisor."""

    def child_ended(self, cell: Cell) -> None:
        pass

    def take_orphans(self, cells: Iterable[Cell]) -> None:
        pass

    def restarts_of(self, cell: Cell) -> int:
        return 0


def _unanswered(envelopes: list[Envelope]) -> list[Envelope]:
    return [envelope for envelope in envelopes if envelope[1] is not None and not envelope[1].done()]


def _still_alive(cells: list[Cell]) -> list[Cell]:
    return [cell for cell in cells if cell.is_alive]


def _abandon(cell: Cell, limit_s: float) -> None:
    cell.abandon(limit_s)


def _expire_ask(envelope: Envelope, timeout_s: float) -> None:
    message, reply, ref = envelope
    if reply is not None:
        reply.set_exception(AskTimeoutError(timeout_s, str(ref), message))


def _nodes(supervisor: BaseSupervisor) -> tuple[TreeNode, ...]:
    return tuple(_node(child) for child in supervisor.children())


def _node(child: Child) -> TreeNode:
    actor = child.cell.actor if child.cell is not None else None
    is_supervisor = isinstance(actor, BaseSupervisor)
    shown = actor.worker if isinstance(actor, ThreadBridge) else actor
    kind = type(shown).__name__ if shown is not None else child.spec.type
    status = child.status if child.status != "running" or child.cell is None else child.cell.status
    return TreeNode(
        name=str(child.ref),
        kind=kind,
        status=status,
        restarts=child.restarts,
        mailbox=len(child.cell.queue) if child.cell is not None else 0,
        children=_nodes(actor) if is_supervisor else (),
        reason=getattr(child, "restart_reason", ""),
        messages=child.cell.handled if child.cell is not None else 0,
    )
