"""A run of a graph that was cut is the run that was not: every kind of node, every kind of cut, every call and write.

The cells are generated. Some pass here; `make test-all` passes all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final

import pytest
from cuts import CUTS, LIMIT_S, RUN, WAYS, Cutter, kept, lived, timeless

from jido_ai import (
    ApprovalNode,
    Candidate,
    CheckNode,
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
from jido_ai.graph.nodes import Case, GraphConfig
from jido_ai.testing import virtual_run
from jido_ai.values import SUSPEND, Usage

INPUTS: Final = {"topic": "trees", "items": ["1", "2"]}
SPENT: Final = {"usage": Usage(1, 10, 20, cost_usd=0.25).model_dump()}
TEXTS: Final = {"0": "old oaks", "1": "tall firs and wide oaks"}
CALLS: Final = ("step", "generate", "critique", "revise", "approve", "reflect")
ACTORS: Final = (
    *("MemoryActor", "ReflectionLoop", "GraphRun", "g.runs", "g.components"),
    *("draft.generator", "draft.critiquer", "draft.reviser", "g.parts.each", "g.end"),
)
Shape = Callable[[ReflexionMemory, Cutter], Graph]


class Author:
    """Generator, critic, reviser and reflector of the loop, and the function of the steps."""

    def __init__(self, cutter: Cutter) -> None:
        self.cutter = cutter

    async def step(self, x: Any) -> str:
        await self.cutter.reach(f"step {x}", x)
        return f"<{x}>"

    async def generate(self, prompt: str, context: RunContext) -> Candidate:
        item = re.sub(r"\D", "", prompt)
        await self._begin(f"generate {item}", prompt, context)
        return Candidate(f"{item} {TEXTS['0']}", id=f"c{item}_0", metadata=SPENT)

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        is_made = not candidate.id.startswith("candidate_")  # by the loop; what a check judges has another id each time
        await self._begin(f"critique {candidate.id if is_made else 'again'}", candidate.content, context)
        severity = 0.1 if "firs" in candidate.content else 0.8
        return CritiqueResult(severity=severity, issues=["oaks are not all trees"], metadata=SPENT)

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        item = candidate.id.removesuffix("0")
        await self._begin(f"revise {candidate.id}", candidate.content, context)
        return Candidate(f"{item} {TEXTS['1']}", id=f"{item}1", parent_id=candidate.id, metadata=SPENT)

    async def approve(self, revision: Candidate, before: object, context: RunContext) -> object:
        await self._begin(f"approve {revision.id}", revision.content, context)
        return SUSPEND

    async def reflect(self, episode: Episode, priors: Sequence[Reflection], context: RunContext) -> Reflection:
        assert episode.candidate is not None
        await self._begin(f"reflect {episode.candidate.id}", [one.lesson for one in priors], context)
        return Reflection(
            f"lesson of {episode.candidate.id}", root_cause="only oaks", strategy="name other trees", metadata=SPENT
        )

    async def _begin(self, name: str, given: object, context: RunContext) -> None:
        lessons = [one.correction for one in context.lessons]
        await self.cutter.reach(name, {"given": given, "lessons": lessons, "iteration": context.iteration})


def loop(author: Author, prompt: str, **options: Any) -> LoopNode:
    return LoopNode(
        prompt,
        critiquer=author,
        generator=author,
        reviser=author,
        reflector=author,
        config=LoopConfig(timeout_s=2 * LIMIT_S, step_timeout_s=2 * LIMIT_S),
        **options,
    )


def wide(memory: ReflexionMemory, cutter: Cutter) -> Graph:
    """Return a graph with steps, a loop, a map, a choice, an approval and a graph inside."""
    author = Author(cutter)
    inner = Graph({"in": StepNode(author.step, inputs={"x": "{a}"})}, inputs=["a"], output="in")
    nodes = {
        "draft": loop(author, "{topic}"),
        "parts": MapNode("{items}", StepNode(author.step, inputs={"x": "{item}"})),
        "pick": ChoiceNode([(Case("{draft.score}", ">=", 0.9), "good"), (None, "bad")]),
        "good": GraphNode(inner, inputs={"a": "{draft}"}),
        "bad": StepNode(author.step, inputs={"x": "{draft}"}),
        "sign": ApprovalNode("{good}{bad} {parts.texts}"),
        "end": StepNode(author.step, inputs={"x": "{sign}"}),
    }
    limits = GraphConfig(timeout_s=LIMIT_S)
    return Graph(nodes, inputs=list(INPUTS), output="end", memory=memory, name="g", config=limits)


def deep(memory: ReflexionMemory, cutter: Cutter) -> Graph:
    """Return a graph with a map of a graph inside: a loop that asks a person, a check and an approval."""
    author = Author(cutter)
    part = {
        "draft": loop(author, "write on {item}", approve=author.approve),
        "check": CheckNode("{draft}", critiquer=author),
        "sign": ApprovalNode("{draft} is {check.score}"),
    }
    inner = Graph(part, inputs=["item"], output="sign")
    nodes = {
        "parts": MapNode('["1"]', inner),
        "end": StepNode(author.step, inputs={"x": "{topic} {items} {parts.texts}"}),
    }
    limits = GraphConfig(timeout_s=LIMIT_S)
    return Graph(nodes, inputs=list(INPUTS), output="end", memory=memory, name="g", config=limits)


def shaky(memory: ReflexionMemory, cutter: Cutter) -> Graph:
    """Return a graph whose nodes fail: tried again, replaced by a text or by another node, or left out of a map."""
    author = Author(cutter)

    async def fails(x: Any) -> str:
        await cutter.reach(f"step {x} fails", x)
        raise ValueError(f"no {x}")

    async def fails_for_two(x: Any) -> str:
        return await fails(x) if x == "2" else await author.step(x)

    nodes = {
        "text": StepNode(fails, inputs={"x": "text"}, retries=2, fallback="a text"),
        "node": StepNode(fails, inputs={"x": "node"}, retries=1, fallback="other"),
        "other": StepNode(author.step, inputs={"x": "other {topic}"}),
        "parts": MapNode("{items}", StepNode(fails_for_two, inputs={"x": "{item}"}, retries=1), on_error="skip"),
        "draft": loop(author, "{topic}", retries=1, fallback="a draft"),
        "end": StepNode(author.step, inputs={"x": "{text} {node} {parts.texts} {draft}"}),
    }
    limits = GraphConfig(timeout_s=LIMIT_S)
    return Graph(nodes, inputs=list(INPUTS), output="end", memory=memory, name="g", config=limits)


LOOPS: Final = {wide: ("draft",), deep: ("parts[0]/draft",), shaky: ("draft",)}


async def whole(graph: Shape, cutter: Cutter, way: str = "resume") -> dict[str, Any]:
    """Carry out the run with its cuts; return what it was and what it left."""
    result, memory = await lived(
        graph,
        lambda one: one.run(INPUTS, run_id=RUN),
        lambda one: one.run_or_resume(INPUTS, run_id=RUN),
        cutter,
        is_over=lambda one: one.status == ("partial" if graph is shaky else "completed"),
        way=way,
    )
    try:
        return {
            "result": timeless(result.to_map()),
            "calls": {name: given[0] for name, given in cutter.seen.items()},
            "changed": {name: given for name, given in cutter.seen.items() if any(one != given[0] for one in given)},
            "left": {**(left := await kept(memory)), "journal": without_cuts(left["journal"])},
            "loops": [(await kept(memory, run_id=f"{RUN}/{path}"))["journal"] for path in LOOPS[graph]],
        }
    finally:
        await memory.close()


def without_cuts(lines: Sequence[str]) -> list[str]:
    """Leave out what failed and is tried again, and a question that waits once more after it was not answered."""
    told = [line for line in lines if "'error': {" not in line]
    return [line for n, line in enumerate(told) if not line.startswith("('waiting'") or line not in told[:n]]


@cache
def uncut(graph: Shape) -> tuple[dict[str, Any], tuple[str, ...]]:
    cutter = Cutter()
    return virtual_run(whole(graph, cutter)), tuple(cutter.names)


def is_place(name: str, cut: str, graph: Shape) -> bool:
    """A component raises only in a call, and a reflector that raises is skipped. At writes only processes die.

    An error for which something stands in is the result of the node.
    """
    if cut == "error" and graph is shaky:
        return False
    if (cut == "error" and name.startswith("reflect")) or (cut == "ReflectionLoop" and name.startswith("step")):
        return False
    return name.startswith(CALLS) or cut in ("kill", "MemoryActor")


def cells() -> Iterator[Any]:
    for graph in LOOPS:
        for n, cut in enumerate((*CUTS, *ACTORS)):
            for at, place in enumerate(uncut(graph)[1]):
                if is_place(place, cut, graph):
                    way = WAYS[(at + n) % len(WAYS)]
                    yield pytest.param(graph, cut, at, way, id=f"{graph.__name__}-{cut}-{place}-{at}-{way}")


@pytest.mark.quick_cases(25)
@pytest.mark.parametrize(("graph", "cut", "at", "way"), list(cells()))
def test_a_graph_that_was_cut_once_is_the_graph_that_was_not(graph: Shape, cut: str, at: int, way: str) -> None:
    cutter = Cutter(lambda number, _place: cut if number == at else None)
    assert virtual_run(whole(graph, cutter, way)) == uncut(graph)[0]


@pytest.mark.quick_cases(4)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("graph", list(LOOPS))
def test_a_graph_that_was_cut_at_every_call_is_the_graph_that_was_not(graph: Shape, cut: str, way: str) -> None:
    met: set[str] = set()

    def plan(_number: int, place: str) -> str | None:
        if place in met or not place.startswith(CALLS) or not is_place(place, cut, graph):
            return None
        met.add(place)
        return cut

    assert virtual_run(whole(graph, Cutter(plan), way)) == uncut(graph)[0]
