"""A run that was cut is the run that was not: every kind of run, every kind of cut, at every call and write.

The cells are generated. Some pass here; `make test-all` passes all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

import pytest
from cuts import CUTS, LIMIT_S, RUN, WAYS, Cutter, kept, lived, timeless
from pydantic import BaseModel

from jido_ai.errors import Declined
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.testing import virtual_run
from jido_ai.values import (
    SUSPEND,
    Candidate,
    CritiqueResult,
    Episode,
    LoopConfig,
    MemoryEntry,
    Reflection,
    ReflectionResult,
    StopReason,
    Usage,
)

PROMPT: Final = "sort the numbers of a long list"
SPENT: Final = {"usage": Usage(1, 10, 20, cost_usd=0.25).model_dump()}
SEVERITY: Final = {
    **{"a0": 0.9, "a1": 0.7, "a2": 0.5, "a3": 0.1},
    **{"b0": 0.9, "b1": 0.7, "b2": 0.45, "b3": 0.4},
    **{"c0": 0.95, "c1": 0.9, "c2": 0.8, "c3": 0.7},
}


class Answer(BaseModel):
    text: str


@dataclass
class Author:
    """Generator, critic, reviser and reflector whose answers follow from what they are given."""

    cutter: Cutter
    firsts: int = 1
    form: str = "{}"
    uses_attempts: bool = False
    asks: str = "no"
    declines: str = ""

    def _made(self, name: str, parent: str | None = None) -> Candidate:
        text = f"{name} {ord(name[0]) * name[0] * 3} {name * 9}"
        return Candidate(
            self.form.replace("{}", text),
            id=f"c_{name}",
            parent_id=parent,
            metadata=SPENT,
            reasoning=f"made {name} anew",
        )

    async def generate(self, prompt: str, context: RunContext) -> Sequence[Candidate]:
        if context.iteration:
            last = name_of(context.attempts[-1].candidate) if context.attempts else "a0"
            await self._begin(f"draft after {last}", context)
            return [self._made(after(last))]
        await self._begin("generate", context)
        return [self._made(f"{chr(97 + n)}0") for n in range(self.firsts)]

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        name = name_of(candidate)
        await self._begin(f"critique {name}", context)
        return CritiqueResult(
            severity=SEVERITY[name],
            issues=[f"{name[0]} is slow with many numbers"],
            suggestions=[f"use a better way to sort than {name}"],
            source="model:judge",
            metadata=SPENT,
        )

    async def again(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        await self._begin(f"second critique {name_of(candidate)}", context)
        return CritiqueResult(severity=0.05, source="model:other", metadata=SPENT)

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        name = name_of(candidate)
        await self._begin(f"revise {name}", context)
        if name == self.declines:
            raise Declined("it does not know how")
        return self._made(after(name), candidate.id)

    async def reflect(self, episode: Episode, priors: Sequence[Reflection], context: RunContext) -> Reflection:
        assert episode.candidate is not None
        name = name_of(episode.candidate)
        await self._begin(f"reflect {name}", context)
        return Reflection(
            f"lesson of {name}",
            root_cause="the list is sorted twice",
            strategy=f"sort once, said {name[0]}",
            metadata={**SPENT, "priors": [one.lesson for one in priors]},
        )

    async def approve(self, revision: Candidate, before: Any, context: RunContext) -> object:
        await self._begin(f"approve {name_of(revision)}", context)
        return SUSPEND if self.asks == "suspend" else True

    async def _begin(self, name: str, context: RunContext) -> None:
        lessons = [(one.id if one.id.startswith("given") else "own", one.correction) for one in context.lessons]
        await self.cutter.reach(name, {"lessons": lessons, "iteration": context.iteration})


def name_of(candidate: Candidate) -> str:
    return candidate.id.removeprefix("c_")[:2]


def after(name: str) -> str:
    return f"{name[0]}{int(name[1]) + 1}"


@dataclass(frozen=True)
class Case:
    """One kind of run."""

    config: dict[str, Any] = field(default_factory=dict[str, Any])
    firsts: int = 1
    reflects: bool = False
    lessons: bool = False
    is_panel: bool = False
    is_typed: bool = False
    asks: str = "no"
    declines: str = ""
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    initial: str | None = None
    revises: bool = True

    def opened(self, memory: ReflexionMemory, cutter: Cutter) -> Pipeline[Any]:
        form = '{"text": "{}"}' if self.is_typed else "{}"
        author = Author(cutter, self.firsts, form, not self.revises, self.asks, self.declines)
        config = LoopConfig(
            **{"max_iterations": 4, "timeout_s": LIMIT_S, "step_timeout_s": 2 * LIMIT_S, "patience": 3, **self.config}
        )
        return Pipeline(
            author,
            [author, Second(author)] if self.is_panel else author,
            author if self.revises else None,
            memory,
            config,
            output=Answer if self.is_typed else None,
            reflector=author if self.reflects else None,
            approve=author.approve if self.asks != "no" else None,
            name="pipe",
            **self.options,
        )

    async def prepare(self, memory: ReflexionMemory) -> None:
        if self.lessons:
            for n in range(2):
                await memory.store(
                    MemoryEntry(f"{PROMPT} {n}", "too slow", f"given lesson {n}", id=f"given_{n}", kind="semantic")
                )

    async def run(self, pipeline: Pipeline[Any]) -> ReflectionResult[Any]:
        return await pipeline.run(PROMPT, self._given(), run_id=RUN)

    async def repeat(self, pipeline: Pipeline[Any]) -> ReflectionResult[Any]:
        return await pipeline.run_or_resume(PROMPT, self._given(), run_id=RUN)

    def _given(self) -> Candidate | None:
        return None if self.initial is None else Candidate(f"{self.initial} {'q' * 40}", id=f"c_{self.initial}")


@dataclass
class Second:
    author: Author

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        return await self.author.again(candidate, context)


CASES: Final = {
    "plain": Case(),
    "accepted": Case({"max_iterations": 6}),
    "lessons": Case(lessons=True),
    "reflecting": Case(reflects=True, lessons=True),
    "full": Case({"max_iterations": 6}, reflects=True, options={"mode": "full"}),
    "panel": Case(is_panel=True, reflects=True),
    "typed": Case(is_typed=True, reflects=True),
    "approving": Case(asks="yes", reflects=True),
    "suspending": Case(asks="suspend", reflects=True, lessons=True),
    "given": Case(initial="a0", reflects=True, lessons=True, options={"recall_by": "critique"}),
    "beam": Case({"candidates": 2, "beam": 2, "max_iterations": 6}, firsts=2, reflects=True, lessons=True),
    "wide": Case({"candidates": 3, "beam": 2, "max_iterations": 7}, firsts=3, reflects=True),
    "asking beam": Case({"candidates": 2, "beam": 2, "max_iterations": 6}, firsts=2, asks="suspend", reflects=True),
    "declining": Case(declines="a1", reflects=True, lessons=True),
    "declining beam": Case(
        {"candidates": 2, "beam": 2, "max_iterations": 6}, firsts=2, declines="a1", reflects=True, lessons=True
    ),
    "adaptive": Case({"policy": "adaptive"}, reflects=True, lessons=True),
    "drafting": Case({"policy": "adaptive"}, reflects=True, lessons=True, revises=False),
    "redrafting": Case(reflects=True, lessons=True, revises=False),
}
ACTORS: Final = ("pipe.generator", "pipe.critiquer", "MemoryActor", "ReflectionLoop", "pipe.components", "pipe.runs")
FINAL: Final = (StopReason.CANCELLED, StopReason.DEADLINE, StopReason.ERROR, StopReason.BUDGET, StopReason.SUSPENDED)


def is_over(result: ReflectionResult[Any]) -> bool:
    return result.stop_reason not in FINAL


async def whole(case: Case, cutter: Cutter, way: str = "resume") -> dict[str, Any]:
    """Carry out the run with its cuts; return what it was and what it left."""
    result, memory = await lived(
        case.opened, case.run, case.repeat, cutter, is_over=is_over, way=way, prepare=case.prepare
    )
    try:
        told = timeless(result.model_dump(mode="json", exclude={"duration_s", "calls"}))
        beside = case.config.get("candidates", 1) > 1
        for iteration in told["iterations"] if beside else ():
            del iteration["usage"]
        calls = dict(cutter.seen.items())
        assert all(one == given[0] for given in calls.values() for one in given), calls
        return {
            "result": told,
            "calls": {name: given[0] for name, given in calls.items()},
            **await kept(memory, side_by_side=beside),
        }
    finally:
        await memory.close()


@cache
def uncut(name: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    cutter = Cutter()
    return virtual_run(whole(CASES[name], cutter)), tuple(cutter.names)


def is_place(name: str, cut: str) -> bool:
    """A component raises only in a call, and a reflector that raises is skipped. At writes only processes die."""
    if name.startswith("reflect") and cut == "error":
        return False
    return not name.startswith(("before", "after")) or cut in ("kill", "MemoryActor")


def cells() -> Iterator[Any]:
    for name in CASES:
        _, places = uncut(name)
        for n, cut in enumerate((*CUTS, *ACTORS)):
            for at, place in enumerate(places):
                if is_place(place, cut):
                    way = WAYS[(at + n) % len(WAYS)]
                    yield pytest.param(name, cut, at, way, id=f"{name}-{cut}-{place}-{at}-{way}")


@pytest.mark.quick_cases(60)
@pytest.mark.parametrize(("name", "cut", "at", "way"), list(cells()))
def test_a_run_that_was_cut_once_is_the_run_that_was_not(name: str, cut: str, at: int, way: str) -> None:
    expected, _ = uncut(name)
    cutter = Cutter(lambda number, _place: cut if number == at else None)
    assert virtual_run(whole(CASES[name], cutter, way)) == expected


def every_second(cut: str) -> Callable[[int, str], str | None]:
    """Cut at each call when it is made the first, third and fifth time."""
    cuts_of: dict[str, int] = {}

    def plan(number: int, place: str) -> str | None:
        if not is_place(place, cut) or place.startswith(("before", "after")):
            return None
        cuts_of[place] = cuts_of.get(place, 0) + 1
        return cut if cuts_of[place] in (1, 3, 5) else None

    return plan


@pytest.mark.quick_cases(12)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("cut", [*CUTS])
@pytest.mark.parametrize("name", list(CASES))
def test_a_run_that_was_cut_in_every_call_is_the_run_that_was_not(name: str, cut: str, way: str) -> None:
    expected, _ = uncut(name)
    assert virtual_run(whole(CASES[name], Cutter(every_second(cut)), way)) == expected
