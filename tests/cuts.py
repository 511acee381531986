"""Runs that are cut, again and again, at chosen places, and continued: for pipelines and for graphs.

A `Cutter` counts the calls of a run and the writes of its store, and cuts at some of them. `lived` carries out a run
with those cuts, on the virtual clock, until it is over. What the run was and left must equal that of an uncut one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from jido_ai.actors.restarting import BaseSupervisor
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.values import MemoryEntry, Scope
from jido_ai.values.record import Claim, Record

RUN: Final = "r"
CUTS: Final = ("error", "cancel", "deadline", "kill", "close")
"""Ways to end the work on a run: a component raises, somebody cancels it, its time is up, its process dies without a
word, its pipeline closes. Any other word is the end of the name of an actor, which is killed while the call goes on."""
WAYS: Final = ("resume", "start", "run_or_resume")
LIMIT_S: Final = 600.0
_MOST_LIVES: Final = 200


class Broken(Exception):
    """What a component raises at a cut; to try again is in vain."""

    retryable = False


@dataclass
class Cutter:
    """Counts what a run does and cuts it there.

    Attributes:
        plan: tells, from the number of a place and its name, how to cut there; None goes on.
        names: of the places reached, in order.
        seen: what a call was given, by its name: of each of its tries.
    """

    plan: Callable[[int, str], str | None] = lambda _number, _name: None
    names: list[str] = field(default_factory=list)
    seen: dict[str, list[Any]] = field(default_factory=dict)
    store: CutStore | None = None
    saved: CutStore | None = None
    cut: str | None = None
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    go: asyncio.Event = field(default_factory=asyncio.Event)
    left: list[asyncio.Future[Any]] = field(default_factory=list["asyncio.Future[Any]"])

    async def reach(self, name: str, given: Any = None) -> None:
        """Note a place, and cut there if it is planned."""
        self.names.append(name)
        if given is not None:
            self.seen.setdefault(name, []).append(given)
        how = self.plan(len(self.names) - 1, name)
        if how is None or self.reached.is_set():
            return
        if how == "error":
            raise Broken(name)
        if how == "kill":  # whatever is written from now on is lost
            assert self.store is not None
            self.saved = self.store.copied()
        self.cut = how
        self.reached.set()
        await (asyncio.Event() if how in CUTS else self.go).wait()


class CutStore(InProcessStore):
    """A store whose writes are places to cut: before and after each."""

    def __init__(self, cutter: Cutter) -> None:
        super().__init__()
        self.cutter = cutter
        self.is_open_to_cuts = True

    def copied(self) -> CutStore:
        new = CutStore(self.cutter)
        new.__dict__.update(deepcopy({name: value for name, value in vars(self).items() if name != "cutter"}))
        return new

    async def _around(self, what: str, write: Callable[[], Awaitable[Any]]) -> Any:
        await self.cutter.reach(f"before {what}")
        done = await write()
        await self.cutter.reach(f"after {what}")
        return done

    async def add(self, entry: MemoryEntry, *, max_entries: int) -> MemoryEntry:
        return await self._around("add", partial(super().add, entry, max_entries=max_entries))

    async def update(
        self, id: str, change: Callable[[MemoryEntry], MemoryEntry], *, scope: Scope | None = None
    ) -> MemoryEntry:
        return await self._around("update", partial(super().update, id, change, scope=scope))

    async def append(self, records: Sequence[Record]) -> list[Record]:
        return await self._around(
            f"append {records[0].kind}" if records else "append", partial(super().append, records)
        )

    async def append_claimed(self, records: Sequence[Record], claim: Claim, *, release: bool = False) -> list[Record]:
        return await super().append_claimed(records, claim, release=release)


Opened = Callable[[ReflexionMemory, Cutter], AbstractAsyncContextManager[Any]]


async def lived(
    opened: Opened,
    begin: Callable[[Any], Awaitable[Any]],
    repeat: Callable[[Any], Awaitable[Any]],
    cutter: Cutter,
    *,
    is_over: Callable[[Any], bool],
    way: str = "resume",
    decision: object = True,
    prepare: Callable[[ReflexionMemory], Awaitable[object]] | None = None,
) -> tuple[Any, ReflexionMemory]:
    """Carry out a run with the cuts of the cutter until it is over; return its result, and its memory, still open.

    Args:
        opened: makes the pipeline or graph.
        begin: starts the run.
        repeat: does so again with `run_or_resume`.
        is_over: tells from a result that nothing is left to do.
        way: how to continue; what was cancelled or waits for a person is resumed.
        prepare: called with the new memory before the run.
    """
    cutter.store = CutStore(cutter)
    result: Any = None
    for life in range(_MOST_LIVES):
        memory = ReflexionMemory(store=cutter.store, similarity="weighted")
        async with memory:
            if not life and prepare is not None:
                plan, cutter.plan = cutter.plan, lambda _number, _name: None
                await prepare(memory)
                cutter.plan, cutter.names[:] = plan, []
            cutter.reached.clear()
            cutter.go.clear()
            async with opened(memory, cutter) as runs:
                status = None if result is None else str(getattr(result, "stop_reason", None) or result.status)
                try:
                    result = await _cut(runs, _continued(runs, life, begin, repeat, way, status, decision), cutter)
                except LookupError:  # it died before its first line was written
                    result = await _cut(runs, begin(runs), cutter)
            if cutter.left:
                await asyncio.wait(cutter.left)
                cutter.left.clear()
            if cutter.cut in ("close", "kill"):
                result = None
        if cutter.saved is not None:
            cutter.store, cutter.saved = cutter.saved, None
        cutter.cut = None
        if result is not None and is_over(result):
            await memory.open()
            return result, memory
    raise AssertionError(f"not over after {_MOST_LIVES} lives")


async def _continued(  # noqa: PLR0917 - the order of those that call it
    runs: Any, life: int, begin: Any, repeat: Any, way: str, status: str | None, decision: object
) -> Any:
    if not life:
        return await begin(runs)
    if status == "suspended":
        asked = await runs.questions(RUN)
        return await runs.resume(RUN, decision={question.path: decision for question in asked})
    if way == "resume" or status == "cancelled":
        return await runs.resume(RUN)
    if way == "start":
        handle = await runs.start(resume=RUN)
        return await handle.result()
    return await repeat(runs)


async def _cut(runs: Any, work: Awaitable[Any], cutter: Cutter) -> Any:
    """Await the work, and cut it when the cutter says so; None if it was killed or its pipeline closes."""
    task = asyncio.ensure_future(work)
    while True:
        reached = asyncio.ensure_future(cutter.reached.wait())
        await asyncio.wait({task, reached}, return_when=asyncio.FIRST_COMPLETED)
        reached.cancel()
        if task.done():
            return task.result()
        how = cutter.cut
        if how in ("kill", "close"):
            if how == "kill":
                task.cancel()
                await asyncio.wait({task})
            else:
                cutter.left.append(task)
            return None
        if how == "cancel":
            await runs.cancel(RUN)
        elif how != "deadline":
            assert how is not None
            for ref in actors_named(runs, how):
                ref.kill()
            cutter.cut = None
            await asyncio.sleep(0)
            cutter.reached.clear()
            cutter.go.set()
            await asyncio.sleep(0)
            cutter.go.clear()
            continue
        return await task


def actors_named(runs: Any, end: str) -> list[Any]:
    """Return the actors of a pipeline's system, and of its memory's, whose kind is `end` or whose name ends so."""
    systems = {runs._system, *([] if runs.memory is None else [runs.memory.actor.cell.system])}
    found: list[Any] = []
    left = [child for system in systems for child in system._root.children()]
    while left:
        child = left.pop()
        actor = None if child.cell is None else child.cell.actor
        if child.ref is not None and (type(actor).__name__ == end or str(child.ref).endswith(end)):
            found.append(child.ref)
        if isinstance(actor, BaseSupervisor):
            left += actor.children()
    return found


# -- what is compared ------------------------------------------------------------------------------


_OF_A_MOMENT: Final = {
    *("timestamp", "generated_at", "duration_s", "last_used", "started"),
    *("events", "sha256", "trace", "settles"),
}


def timeless(value: Any) -> Any:
    """Return a value without times and durations."""
    if isinstance(value, dict):
        return {name: timeless(one) for name, one in value.items() if name not in _OF_A_MOMENT}
    return [timeless(one) for one in value] if isinstance(value, list | tuple) else value


async def kept(memory: ReflexionMemory, *, run_id: str = RUN, side_by_side: bool = False) -> dict[str, Any]:
    """Return what a memory holds: entries of each kind in order, episodes, moves, and the run's lines without its cuts.

    Args:
        side_by_side: what each step spent depends on the order in which steps side by side end, and is left out.
    """
    entries = sorted(await memory.list_entries(None), key=lambda entry: entry.kind)
    logs = {
        name: [(one.key, one.kind, timeless(dict(one.data))) for one in await memory.records(name)]  # type: ignore[arg-type]
        for name in ("episodes", "moves")
    }
    moves = {data["run"]: data for _, _, data in logs.pop("moves")}  # of those of one run the last one counts
    spending = ("spent", "usage") if side_by_side else ()
    lines = [
        (one.kind, timeless({name: value for name, value in one.data.items() if name not in spending}))
        for one in await memory.records("journal", key=run_id)
    ]
    last = [line for line in lines if line[0] == "stopped"][-1:]
    steps = [line for line in lines if line[0] not in ("resumed", "graph_resumed", "stopped")]
    for _, _, data in logs["episodes"] if side_by_side else ():
        del data["metrics"]
    told = [timeless(entry.model_dump(mode="json")) for entry in entries]
    return {"entries": told, **logs, "moves": moves, "journal": sorted(map(repr, steps)), "end": last}
