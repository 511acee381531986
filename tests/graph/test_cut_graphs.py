"""A run of a graph that was cut is the run that was not: every kind of node, every kind of cut, every call and write.

The cells are generated. Some pass here; `make test-all` passes all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

import pytest
from cuts import CUTS, LIMIT_S, RUN, WAYS, Cutter, kept, lived, timeless

from jido_ai import (
    ApprovalNode,
    Candidate,
    ChoiceNode,
    CritiqueResult,
    Episode,
    Graph,
    GraphNode,
    LoopConfig,
    LoopNode,
    MapNode,
    Reflection,
    ReflexionMemory,
    RunContext,
    StepNode,
)
from jido_ai.graph.case import Case
from jido_ai.graph.config import GraphConfig
from jido_ai.testing import virtual_run
from jido_ai.values import Usage

INPUTS: Final = {"topic": "trees", "items": ["1", "2"]}
SPENT: Final = {"usage": Usage(1, 10, 20, cost_usd=0.25).model_dump()}
TEXTS: Final = {"c_0": "old oaks", "c_1": "tall firs and wide oaks"}
CALLS: Final = ("step", "generate", "critique", "revise", "reflect")
ACTORS: Final = ("MemoryActor", "ReflectionLoop")


class Author:
    """Generator, critic, reviser and reflector of the loop, and the function of the steps."""

    def __init__(self, cutter: Cutter) -> None:
        self.cutter = cutter

    async def step(self, x: Any) -> str:
        await self.cutter.reach(f"step {x}", x)
        return f"<{x}>"

    async def generate(self, prompt: str, context: RunContext) -> Candidate:
        await self._begin("generate", prompt, context)
        return Candidate(TEXTS["c_0"], id="c_0", metadata=SPENT)

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        await self._begin(f"critique {candidate.id}", candidate.content, context)
        severity = 0.1 if candidate.id == "c_1" else 0.8
        return CritiqueResult(severity=severity, issues=["oaks are not all trees"], metadata=SPENT)

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        await self._begin("revise", candidate.content, context)
        return Candidate(TEXTS["c_1"], id="c_1", parent_id="c_0", metadata=SPENT)

    async def reflect(self, episode: Episode, priors: Sequence[Reflection], context: RunContext) -> Reflection:
        assert episode.candidate is not None
        await self._begin(f"reflect {episode.candidate.id}", [one.lesson for one in priors], context)
        return Reflection(
            f"lesson of {episode.candidate.id}", root_cause="only oaks", strategy="name other trees", metadata=SPENT
        )

    async def _begin(self, name: str, given: object, context: RunContext) -> None:
        lessons = [one.correction for one in context.lessons]
        await self.cutter.reach(name, {"given": given, "lessons": lessons, "iteration": context.iteration})


def graph(memory: ReflexionMemory, cutter: Cutter) -> Graph:
    """Return a graph with steps, a loop, a map, a choice, an approval and a graph inside."""
    author = Author(cutter)
    draft = LoopNode(
        "{topic}",
        critiquer=author,
        generator=author,
        reviser=author,
        reflector=author,
        config=LoopConfig(timeout_s=2 * LIMIT_S, step_timeout_s=2 * LIMIT_S),
    )
    inner = Graph({"in": StepNode(author.step, inputs={"x": "{a}"})}, inputs=["a"], output="in")
    nodes = {
        "draft": draft,
        "parts": MapNode("{items}", StepNode(author.step, inputs={"x": "{item}"})),
        "pick": ChoiceNode([(Case("{draft.score}", ">=", 0.9), "good"), (None, "bad")]),
        "good": GraphNode(inner, inputs={"a": "{draft}"}),
        "bad": StepNode(author.step, inputs={"x": "{draft}"}),
        "sign": ApprovalNode("{good}{bad} {parts.texts}"),
        "end": StepNode(author.step, inputs={"x": "{sign}"}),
    }
    limits = GraphConfig(timeout_s=LIMIT_S)
    return Graph(nodes, inputs=list(INPUTS), output="end", memory=memory, name="g", config=limits)


async def whole(cutter: Cutter, way: str = "resume") -> dict[str, Any]:
    """Carry out the run with its cuts; return what it was and what it left."""
    result, memory = await lived(
        graph,
        lambda one: one.run(INPUTS, run_id=RUN),
        lambda one: one.run_or_resume(INPUTS, run_id=RUN),
        cutter,
        is_over=lambda one: one.status == "completed",
        way=way,
    )
    try:
        return {
            "result": timeless(result.to_map()),
            "calls": {name: given[0] for name, given in cutter.seen.items()},
            "changed": {name: given for name, given in cutter.seen.items() if any(one != given[0] for one in given)},
            "left": {**(left := await kept(memory)), "journal": without_cuts(left["journal"])},
            "loop": (await kept(memory, run_id=f"{RUN}/draft"))["journal"],
        }
    finally:
        await memory.close()


def without_cuts(lines: Sequence[str]) -> list[str]:
    """Leave out what failed and is tried again, and a question that waits once more after it was not answered."""
    told = [line for line in lines if "'error': {" not in line]
    return [line for n, line in enumerate(told) if not line.startswith("('waiting'") or line not in told[:n]]


@cache
def uncut() -> tuple[dict[str, Any], tuple[str, ...]]:
    cutter = Cutter()
    return virtual_run(whole(cutter)), tuple(cutter.names)


def is_place(name: str, cut: str) -> bool:
    """A component raises only in a call, and a reflector that raises is skipped. At writes only processes die."""
    if (cut == "error" and name.startswith("reflect")) or (cut == "ReflectionLoop" and name.startswith("step")):
        return False
    return name.startswith(CALLS) or cut in ("kill", "MemoryActor")


def cells() -> Iterator[Any]:
    for n, cut in enumerate((*CUTS, *ACTORS)):
        for at, place in enumerate(uncut()[1]):
            if is_place(place, cut):
                way = WAYS[(at + n) % len(WAYS)]
                yield pytest.param(cut, at, way, id=f"{cut}-{place}-{at}-{way}")


@pytest.mark.quick_cases(20)
@pytest.mark.parametrize(("cut", "at", "way"), list(cells()))
def test_a_graph_that_was_cut_once_is_the_graph_that_was_not(cut: str, at: int, way: str) -> None:
    assert virtual_run(whole(Cutter(lambda number, _place: cut if number == at else None), way)) == uncut()[0]


@pytest.mark.quick_cases(4)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("cut", CUTS)
def test_a_graph_that_was_cut_at_every_call_is_the_graph_that_was_not(cut: str, way: str) -> None:
    met: set[str] = set()

    def plan(_number: int, place: str) -> str | None:
        if place in met or not place.startswith(CALLS) or not is_place(place, cut):
            return None
        met.add(place)
        return cut

    assert virtual_run(whole(Cutter(plan), way)) == uncut()[0]
