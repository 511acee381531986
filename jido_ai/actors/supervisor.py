"""Supervisor: children in start order, restarted by a strategy, given up when they crash too often.

Semantics are those of OTP's `supervisor`; where we differ, docs/planning says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, Literal, cast

from jido_ai.actors.cell import Cell
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.children import (
    Child,
    CountChildren,
    DeleteChild,
    LookAtExits,
    RestartChild,
    StartChild,
    TerminateChild,
    TryAgain,
    WhichChildren,
    count_children,
)
from jido_ai.actors.exit_reason import Crashed, ExitReason, Killed, Normal, Shutdown
from jido_ai.actors.ref import ActorRef
from jido_ai.actors.restart import Strategy, group_of, should_restart
from jido_ai.actors.restarting import BaseSupervisor
from jido_ai.errors import (
    AlreadyPresentError,
    AlreadyStartedError,
    ChildRunningError,
    ConfigurationError,
    NotFoundError,
    RestartingError,
    StartError,
    describe,
)

_IDS_SHOWN: Final = 10
AutoShutdown = Literal["never", "any_significant", "all_significant"]


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in choices:
        raise ConfigurationError(f"{name} must be one of {', '.join(choices)}, got {describe(value)}")


class Supervisor(BaseSupervisor):
    """Starts `children` in order, stops them in reverse, and restarts them by `strategy`.

    Args:
        children: their specs; ids are unique.
        strategy: which children are restarted with one that crashed: none (one_for_one), all started after it
            (rest_for_one), all (one_for_all).
        max_restarts, max_seconds: restart intensity. At one more attempt in the sliding window the supervisor gives up:
            it stops all children and ends with Shutdown.
        auto_shutdown: end with Shutdown when any, or the last, significant child has ended for good by itself.

    Raises:
        ConfigurationError: before anything starts.
    """

    def __init__(
        self,
        children: Sequence[ChildSpec] = (),
        *,
        strategy: Strategy = "one_for_one",
        max_restarts: int = 3,
        max_seconds: float = 5.0,
        auto_shutdown: AutoShutdown = "never",
    ) -> None:
        super().__init__(max_restarts=max_restarts, max_seconds=max_seconds)
        _check_choice("strategy", strategy, ("one_for_one", "rest_for_one", "one_for_all"))
        _check_choice("auto_shutdown", auto_shutdown, ("never", "any_significant", "all_significant"))
        self._strategy: Strategy = strategy
        self._auto_shutdown: AutoShutdown = auto_shutdown
        if not isinstance(cast("object", children), Iterable) or isinstance(children, Iterator):
            # An iterator would be empty for the next incarnation.
            raise ConfigurationError(f"children must be a sequence of ChildSpecs, got {describe(children)}")
        self._specs = tuple(children)
        self._children: dict[str, Child] = {}
        seen: set[str] = set()
        for spec in self._specs:
            self._check(spec)
            if spec.id in seen:
                raise ConfigurationError(f"two children have the id {spec.id!r}; ids are unique among siblings")
            seen.add(spec.id)

    def children(self) -> Iterable[Child]:
        """Return the children, in start order."""
        return self._children.values()

    async def on_start(self) -> None:
        kept = dict(self.ref.slots or {})  # addresses of the children of an earlier incarnation
        self.ref.slots = dict(kept)
        for spec in self._specs:
            child = self._add(spec, kept.pop(spec.id, None))
            try:
                started = await self._launch(child)
            except BaseException as error:
                await self._stop_all()
                await self._wait_for_leaving()
                if isinstance(error, ConfigurationError):
                    raise StartError(spec.id, Crashed(error)) from error
                raise
            if not started and spec.restart == "temporary":
                self._drop(child, Normal())
        for id_, ref in kept.items():  # children added later are not back
            del self.ref.slots[id_]
            ref.give_up(Shutdown())

    async def on_stop(self, reason: ExitReason) -> None:
        await self._stop_all()
        await self._wait_for_leaving()

    async def on_receive(self, message: object) -> object:
        match message:
            case LookAtExits():
                await self._look_at_exits()
            case TryAgain(child, turn):
                if child.turn == turn and child.status == "restarting":
                    await self._attempt(child)
            case StartChild(spec):
                return await self._start_child(spec)
            case TerminateChild(which):
                await self._terminate(self._find(which))
            case RestartChild(id):
                return await self._restart_stopped(self._find(id))
            case DeleteChild(id):
                self._delete(self._find(id))
            case WhichChildren():
                return tuple(child.info() for child in self._children.values())
            case CountChildren():
                return count_children(self._children.values())
            case _:
                raise ConfigurationError(f"a supervisor does not understand {describe(message)}")
        return None

    # -- requests ----------------------------------------------------------------------------------

    def _check(self, spec: object) -> None:
        if not isinstance(spec, ChildSpec):
            raise ConfigurationError(f"children must be ChildSpecs, got {describe(spec)}")
        if spec.significant and self._auto_shutdown == "never":
            raise ConfigurationError(f"ChildSpec {spec.id!r}: significant=True needs a supervisor with auto_shutdown")

    def _find(self, which: str | ActorRef) -> Child:
        id_ = cast("object", which.label if isinstance(which, ActorRef) else which)
        child = self._children.get(id_) if isinstance(id_, str) else None
        if child is not None and (child.ref is which or not isinstance(which, ActorRef)):
            return child
        known = ", ".join(islice(self._children, _IDS_SHOWN)) or "none"
        more = f" and {len(self._children) - _IDS_SHOWN} more" if len(self._children) > _IDS_SHOWN else ""
        raise NotFoundError(f"{self.ref} has no child {describe(which)}; it has: {known}{more}")

    def _add(self, spec: ChildSpec, ref: ActorRef | None = None) -> Child:
        child = Child(spec, self.system.new_ref(spec.name, spec.id) if ref is None else ref)
        self._children[spec.id] = child
        if self.ref.slots is not None:
            self.ref.slots[spec.id] = child.ref
        return child

    def _drop(self, child: Child, reason: ExitReason) -> None:
        self._children.pop(child.spec.id, None)
        if self.ref.slots is not None:
            self.ref.slots.pop(child.spec.id, None)
        child.ref.give_up(reason)

    async def _start_child(self, spec: ChildSpec) -> ActorRef:
        self._check(spec)
        there = self._children.get(spec.id)
        if there is not None:
            if there.status == "running":
                raise AlreadyStartedError(spec.id, there.ref)
            raise RestartingError(spec.id) if there.status == "restarting" else AlreadyPresentError(spec.id)
        child = self._add(spec)
        try:
            started = await self._launch(child)
        except (StartError, ConfigurationError):
            self._drop(child, Shutdown())
            raise
        if not started and spec.restart == "temporary":
            self._drop(child, Normal())
        return child.ref

    async def _terminate(self, child: Child) -> None:
        was_restarting = child.status == "restarting"
        await self._stop(child)
        child.ref.give_up(Shutdown())
        if was_restarting:  # the rest of its group was waiting to start after it
            for id_ in group_of(self._strategy, self._children, child.spec.id):
                if self._children[id_].status == "stopped":
                    self._children[id_].ref.give_up(Shutdown())
        if child.spec.restart == "temporary":
            self._drop(child, Shutdown())

    async def _restart_stopped(self, child: Child) -> ActorRef:
        if child.status == "running":
            raise ChildRunningError(child.spec.id)
        if child.status == "restarting":
            raise RestartingError(child.spec.id)
        await self._wait_for_leaving()
        await self._launch(child)
        return child.ref

    def _delete(self, child: Child) -> None:
        if child.status == "running":
            raise ChildRunningError(child.spec.id)
        if child.status == "restarting":
            raise RestartingError(child.spec.id)
        self._drop(child, Shutdown())

    async def _stop_all(self) -> None:
        for child in reversed(tuple(self._children.values())):
            await self._stop(child)

    # -- ends and restarts -------------------------------------------------------------------------

    async def _ended(self, child: Child, cell: Cell) -> None:
        reason = cell.reason or Killed()
        child.cell = None
        self._show(child, "stopped")
        if should_restart(child.spec.restart, reason):
            child.restart_reason = describe(reason)
            await self._wait_for_orphans(cell)
            delay_s = self._delay_s(child)
            if delay_s > 0:
                self._wait_to_restart(child, delay_s)
            else:
                await self._attempt(child)
            return
        child.ref.give_up(reason)
        if child.spec.restart == "temporary":
            self._drop(child, reason)
        if child.spec.significant and (self._auto_shutdown == "any_significant" or self._standing == 0):
            self.exit(Shutdown("auto_shutdown"))

    async def _attempt(self, child: Child) -> None:
        """Make one restart attempt, which counts whether it succeeds or not."""
        if not self._count_attempt(child):
            self._gave_up_on(child)
            self.exit(Shutdown("restart intensity exceeded"))
            return
        child.last_attempt = self.system.now()
        group = group_of(self._strategy, self._children, child.spec.id)
        await self._stop_group(group)
        for member in group:
            if member not in self._children:
                continue
            one = self._children[member]
            try:
                started = await self._launch(one)
            except (StartError, ConfigurationError) as error:
                self._attempt_failed(one, error)
                return
            if started:
                self._note_restart(one)

    async def _stop_group(self, group: Sequence[str]) -> None:
        """Stop a group in reverse, and wait until all names below are free; temporary members are dropped."""
        gone: list[Cell] = []
        for id_ in reversed(group):
            member = self._children[id_]
            if member.cell is not None:
                gone.append(member.cell)
            if member.spec.restart != "temporary":
                member.ref.await_restart()
            await self._stop(member)
            if member.spec.restart == "temporary":
                self._drop(member, Shutdown())
        for cell in gone:  # a supervisor that was killed has left children behind
            await self._wait_for_orphans(cell)

    def _attempt_failed(self, child: Child, error: Exception) -> None:
        self.system.emit("supervisor.restart_failed", supervisor=str(self.ref), child=child.spec.id, error=error)
        if child.spec.id in self._children:
            self._wait_to_restart(child, self._delay_s(child))
