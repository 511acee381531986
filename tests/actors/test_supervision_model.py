"""Supervision trees against a reference model: OTP's rules, written once more as a small pure program.

Random trees (supervisors within supervisors, every strategy, restart value and automatic shutdown) live through random
deaths of workers and supervisors, alone and several in one step, starts that fail, and requests. After each of them the
model and the runtime agree on who was started and stopped in which order, who lives, and what every supervisor says of
its children. 10,000 schedules instead of 250: `JIDO_SCHEDULES=10000 python -m pytest FILE`.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from actor_helpers import other_tasks
from hypothesis import given, settings
from hypothesis.strategies import DrawFn, booleans, composite, integers, lists, sampled_from

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import Backoff, ChildSpec
from jido_ai.actors.children import RestartChild, TerminateChild, WhichChildren
from jido_ai.actors.exit_reason import Crashed, ExitReason, Killed, Normal, Shutdown
from jido_ai.actors.restart import Restart, Strategy
from jido_ai.actors.supervisor import AutoShutdown, Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.errors import StartError
from jido_ai.testing import virtual_run

SCHEDULES = int(os.environ.get("JIDO_SCHEDULES", "250"))
WINDOW_S = 2.0
MOMENT_S = 1 / 1024  # on the virtual clock: until nothing is left to do

End = Literal["kill", "crash", "normal", "shutdown"]
REASONS: dict[End, ExitReason] = {
    "kill": Killed(),
    "crash": Crashed(ValueError("on purpose")),
    "normal": Normal(),
    "shutdown": Shutdown("on purpose"),
}


# -- the model -------------------------------------------------------------------------------------


@dataclass(eq=False, repr=False)
class Node:
    """A worker, or a supervisor (it has a strategy): what its spec says, and what is the case.

    Attributes:
        present: the children whose specs are kept; a temporary one goes with its end.
        known: what its supervisor says of it; it learns of a death a moment later.
        life: grows with every start and stop, so that a late exit or retry finds that it is late.
    """

    path: str
    restart: Restart
    is_brutal: bool = False
    is_significant: bool = False
    strategy: Strategy | None = None
    auto_shutdown: AutoShutdown = "never"
    max_restarts: int = 0
    children: list[Node] = field(default_factory=list)
    parent: Node | None = None
    present: list[Node] = field(default_factory=list)
    known: str = "stopped"
    is_alive: bool = False
    life: int = 0
    attempts: list[float] = field(default_factory=list)

    def __repr__(self) -> str:
        words = [self.path, self.restart, "brutal" * self.is_brutal, "significant" * self.is_significant]
        if self.strategy is not None:
            words += [self.strategy, self.auto_shutdown, str(self.max_restarts), repr(self.children)]
        return " ".join(word for word in words if word)

    def walk(self) -> Iterator[Node]:
        yield self
        for child in self.children:
            yield from child.walk()


class Model:
    """What OTP would do. `fails` is how often the start of a worker will fail yet."""

    def __init__(self, root: Node) -> None:
        self.log: list[str] = []
        self.now = 0.0
        self.fails: Counter[str] = Counter()
        self.seen: Counter[str] = Counter()
        self.start(root)

    def start(self, node: Node) -> bool:
        node.life += 1
        if node.strategy is None and self.fails[node.path]:
            self.fails[node.path] -= 1
            node.known = "stopped"
            self.log.append("!" + node.path)
            return False
        if node.strategy is None:
            self.log.append("+" + node.path)
        node.attempts, node.present = [], list(node.children)
        for child in node.present:
            child.known, child.is_alive = "stopped", False
        for child in node.present:
            if not self.start(child):
                self.stop_below(node)
                node.known = "stopped"
                return False
        node.known, node.is_alive = "running", True
        return True

    def stop(self, node: Node) -> None:
        """Stop it as a supervisor stops a child."""
        if node.is_alive:
            self.end(node, is_orderly=not node.is_brutal)
        node.life += 1
        node.known = "stopped"

    def stop_below(self, node: Node) -> None:
        for child in reversed(node.present):
            self.stop(child)

    def end(self, node: Node, *, is_orderly: bool) -> None:
        """Let it and all below be gone; its supervisor does not know yet."""
        node.is_alive = False
        if node.strategy is None:
            if is_orderly:
                self.log.append("-" + node.path)
        elif is_orderly:
            self.stop_below(node)
        else:
            for child in node.present:  # killed with it: workers at once, supervisors stop what is below them
                if child.is_alive:
                    self.end(child, is_orderly=child.strategy is not None and not child.is_brutal)

    def die(self, dead: list[Node], how: End) -> None:
        """Let siblings die by themselves in one step, and their supervisor do what it has to."""
        for node in dead:
            if node.strategy is None:
                node.is_alive = False
            else:
                self.end(node, is_orderly=how != "kill")
        supervisor = dead[0].parent
        if supervisor is not None:
            exits = deque((node, node.life, "crash" if how in ("kill", "crash") else "clean") for node in dead)
            self.look_at(exits, supervisor)

    def look_at(self, exits: deque[tuple[Node, int, str]], supervisor: Node) -> None:
        life = supervisor.life
        while exits and supervisor.is_alive and supervisor.life == life:
            node, its_life, what = exits.popleft()
            if node.life != its_life:
                self.seen["absorbed"] += 1
            elif what == "retry" or node.restart == "permanent" or (node.restart == "transient" and what == "crash"):
                node.known = "stopped"
                self.attempt(supervisor, node, exits)
            else:
                node.known = "stopped"
                if node.restart == "temporary":
                    supervisor.present.remove(node)
                if node.is_significant and self.is_lost(supervisor):
                    self.give_up(supervisor, "auto_shutdown")

    def is_lost(self, supervisor: Node) -> bool:
        left = [child for child in supervisor.present if child.is_significant and child.known != "stopped"]
        return supervisor.auto_shutdown == "any_significant" or not left

    def attempt(self, supervisor: Node, node: Node, exits: deque[tuple[Node, int, str]]) -> None:
        """Make one restart attempt, which counts; when a start fails, another one follows what is there to do."""
        supervisor.attempts.append(self.now)
        if len([at for at in supervisor.attempts if at >= self.now - WINDOW_S]) > supervisor.max_restarts:
            self.give_up(supervisor, "gave up")
            return
        before = supervisor.present.index(node)
        first, beyond = {
            "one_for_one": (before, before + 1),
            "rest_for_one": (before, None),
            "one_for_all": (0, None),
        }[supervisor.strategy or "one_for_one"]
        group = supervisor.present[first:beyond]
        for member in reversed(group):
            self.stop(member)
            if member.restart == "temporary":
                supervisor.present.remove(member)
        group = [member for member in group if member.restart != "temporary"]
        for member in group:
            if not self.start(member):
                if supervisor.strategy == "one_for_all":
                    for one in reversed(group):
                        self.stop(one)
                member.known = "restarting"
                exits.append((member, member.life, "retry"))
                self.seen["failed attempt"] += 1
                return
        self.seen["restart"] += 1

    def give_up(self, supervisor: Node, why: str) -> None:
        self.seen[why] += 1
        self.stop_below(supervisor)
        self.die([supervisor], "shutdown")

    def terminate(self, node: Node) -> None:
        self.stop(node)
        if node.restart == "temporary" and node.parent is not None:
            node.parent.present.remove(node)


# -- the runtime -----------------------------------------------------------------------------------


class Leaf(Actor[Any]):
    """Notes its starts and its stops by a supervisor; without an on_stop, so that it dies in one step."""

    def __init__(self, path: str, log: list[str], fails: Counter[str]) -> None:
        self.path, self.log, self.fails = path, log, fails

    async def on_start(self) -> None:
        if self.fails[self.path]:
            self.fails[self.path] -= 1
            self.log.append("!" + self.path)
            raise ValueError("told to fail")
        self.log.append("+" + self.path)

    def after_death(self, reason: ExitReason) -> None:
        if reason == Shutdown():
            self.log.append("-" + self.path)


def spec_of(node: Node, log: list[str], fails: Counter[str]) -> ChildSpec:
    common: dict[str, Any] = {
        "id": node.path,
        "name": node.path,
        "restart": node.restart,
        "significant": node.is_significant,
        "shutdown": "brutal_kill" if node.is_brutal else None,
        "backoff": Backoff(base_s=0.0),
    }
    if node.strategy is None:
        return ChildSpec(start=(Leaf, (node.path, log, fails), {}), **common)
    options = {
        "strategy": node.strategy,
        "max_restarts": node.max_restarts,
        "max_seconds": WINDOW_S,
        "auto_shutdown": node.auto_shutdown,
    }
    children = [spec_of(child, log, fails) for child in node.children]
    return ChildSpec(start=(Supervisor, (children,), options), type="supervisor", **common)


# -- what happens ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Event:
    """After `quarters` of a second, `pick` and up to `more` living siblings end; or a request is made for `pick`."""

    quarters: int
    pick: int
    what: End | Literal["terminate", "restart"]
    more: int
    failing: int | None
    times: int


@composite
def trees(draw: DrawFn, path: str = "0", depth: int = 0) -> Node:
    """Draw a supervisor with one to four children; some of them are supervisors."""
    node = Node(
        path,
        draw(sampled_from(["permanent", "permanent", "transient", "temporary"])) if depth else "temporary",
        strategy=draw(sampled_from(["one_for_one", "rest_for_one", "one_for_all"])),
        auto_shutdown=draw(sampled_from(["never", "never", "any_significant", "all_significant"])),
        max_restarts=draw(integers(0, 3)) if depth else draw(integers(0, 8)),
    )
    for index in range(draw(integers(1, 4))):
        if depth < 2 and draw(integers(0, 2)) == 0:
            child = draw(trees(f"{path}.{index}", depth + 1))
        else:
            child = Node(f"{path}.{index}", draw(sampled_from(["permanent", "transient", "temporary"])))
        child.is_brutal = draw(integers(0, 4)) == 0
        child.is_significant = node.auto_shutdown != "never" and child.restart != "permanent" and draw(booleans())
        child.parent = node
        node.children.append(child)
    return node


@composite
def events(draw: DrawFn) -> Event:
    return Event(
        draw(integers(0, 8)),
        draw(integers(0, 100)),
        draw(sampled_from(["kill", "kill", "crash", "crash", "normal", "shutdown", "terminate", "restart"])),
        draw(sampled_from([0, 0, 1, 2])),
        draw(sampled_from([None, None, None, *range(12)])),
        draw(integers(1, 2)),
    )


def end_in_one_step(dead: list[Node], how: End, system: ActorSystem, model: Model) -> None:
    """End siblings before their supervisor can look; a supervisor that is stopped takes longer, so it ends alone."""
    if how != "kill":
        dead = dead[:1] if dead[0].strategy else [node for node in dead if node.strategy is None]
    for node in dead:
        ref = system.whereis(node.path)
        assert ref is not None
        if how == "kill":
            ref.kill()
        else:
            ref.cell.stop(REASONS[how], None)
    model.die(dead, how)


def candidates(nodes: list[Node], event: Event) -> list[Node]:
    """Return whom the event may concern."""
    match event.what:
        case "terminate" | "restart":
            listed = [node for node in nodes if node.parent and node.parent.is_alive and node in node.parent.present]
            return [node for node in listed if event.what == "terminate" or node.known == "stopped"]
        case _:
            return [node for node in nodes if node.is_alive and (node.parent or event.pick < 5)]


async def request(what: str, node: Node, system: ActorSystem, model: Model) -> None:
    """Ask the supervisor of `node` to stop it, or to start it again."""
    supervisor = system.whereis(node.parent.path) if node.parent else None
    assert supervisor is not None
    if what == "terminate":
        model.terminate(node)
        await supervisor.ask(TerminateChild(node.path))
    elif model.start(node):
        await supervisor.ask(RestartChild(node.path))
    else:
        with pytest.raises(StartError):
            await supervisor.ask(RestartChild(node.path))


def ordered(log: list[str], *, is_exact: bool) -> tuple[list[str], list[str]]:
    """Return what is compared: all in order, or, where several supervisors stop at once, starts alone in order."""
    return (log, []) if is_exact else ([line for line in log if line[0] != "-"], sorted(log))


async def live_through(root: Node, schedule: list[Event]) -> Counter[str]:
    """Let the tree and the model of it live through the schedule; return what was seen on the way."""
    log: list[str] = []
    fails: Counter[str] = Counter()
    nodes = list(root.walk())
    leaves = [node for node in nodes if node.strategy is None]
    at = 0.0
    async with ActorSystem(sink=lambda _: None) as system:
        await system.spawn(spec_of(root, log, fails))
        model = Model(root)
        for event in schedule:
            at += event.quarters / 4
            await asyncio.sleep(max(0.0, at - system.now()))
            model.now = system.now()
            choice = candidates(nodes, event)
            if not choice:
                continue
            node = choice[event.pick % len(choice)]
            if event.failing is not None:
                moody = leaves[event.failing % len(leaves)].path
                fails[moody] = model.fails[moody] = event.times
            log.clear()
            model.log.clear()
            killed: list[Node] = []
            if event.what in ("terminate", "restart"):
                await request(event.what, node, system, model)
            else:
                siblings = [one for one in node.parent.present if one.is_alive] if node.parent else []
                killed = [node, *(one for one in siblings if one is not node)][: 1 + event.more]
                end_in_one_step(killed, event.what, system, model)
            await asyncio.sleep(MOMENT_S)
            is_exact = not any(one.strategy and (one.is_brutal or one in killed) for one in nodes)
            assert ordered(log, is_exact=is_exact) == ordered(model.log, is_exact=is_exact)
            alive = {one.path for one in nodes if system.whereis(one.path) is not None}
            assert alive == {one.path for one in nodes if one.is_alive}
            for one in nodes:
                supervisor = system.whereis(one.path)
                if one.strategy is not None and supervisor is not None:
                    said = [(info.id, info.status) for info in await supervisor.ask(WhichChildren())]
                    assert said == [(child.path, child.known) for child in one.present]
            assert fails == model.fails
            fails.clear()
            model.fails.clear()
    assert not other_tasks()
    return model.seen


@pytest.mark.timeout(60 + SCHEDULES / 5)
def test_random_trees_under_random_deaths_failing_starts_and_requests_do_what_the_model_says() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=SCHEDULES, deadline=None)
    @given(trees(), lists(events(), min_size=1, max_size=15))
    def check(root: Node, schedule: list[Event]) -> None:
        seen.update(virtual_run(live_through(root, schedule)), schedules=1, events=len(schedule))

    check()
    assert all(seen[what] for what in ("restart", "failed attempt", "absorbed", "gave up", "auto_shutdown")), seen
