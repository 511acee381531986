"""Random acyclic graphs with failures, choices, maps and fallbacks, against a plain interpreter."""

from __future__ import annotations

import os

import pytest
from graph_interpreter import Told, inputs_of, interpret, nodes_of
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from jido_ai import ConfigurationError, Graph
from jido_ai.testing import virtual_run

EXAMPLES = int(os.environ.get("GRAPH_EXAMPLES", "1000"))


@st.composite
def told_graphs(draw: st.DrawFn) -> dict[str, Told]:
    """Draw a graph: every node reads, waits for, chooses and falls back on nodes in one order."""
    count = draw(st.integers(1, 9))
    names = [f"n{number}" for number in range(count)]
    standbys: set[str] = set()
    told: dict[str, Told] = {}
    for number, name in enumerate(names):
        before, behind = names[:number], [other for other in names[number + 1 :] if other not in standbys]
        kind = draw(st.sampled_from(["step", "step", "step", "map", "choice"]))
        some = st.lists(st.sampled_from(before), unique=True, max_size=3) if before else st.just([])
        reads, after = tuple(draw(some)), tuple(draw(some))
        targets: tuple[str, ...] = ()
        if kind == "choice":
            if not behind:
                kind = "step"
            else:
                targets = tuple(draw(st.lists(st.sampled_from(behind), unique=True, min_size=1, max_size=3)))
        fails = kind == "step" and draw(st.integers(0, 4)) == 0
        standby = text = None
        fallback = draw(st.sampled_from(["none", "none", "text", "node"]))
        if fallback == "text":
            text = f"instead of {name}"
        elif fallback == "node" and behind and kind != "choice":
            standby = draw(st.sampled_from(behind))
            if standby in targets:
                standby = None
            else:
                standbys.add(standby)
        told[name] = Told(
            kind=kind,
            reads=reads,
            after=after,
            fails=fails,
            items=tuple(draw(st.lists(st.booleans(), max_size=3))) if kind == "map" else (),
            on_error=draw(st.sampled_from(["fail", "skip"])),
            targets=targets,
            pick=draw(st.integers(0, len(targets) - 1)) if targets else 0,
            text=text,
            standby=standby,
        )
    return told


def check(told: dict[str, Told]) -> None:
    inputs = inputs_of(told)
    try:
        graph = Graph(nodes_of(told), inputs=list(inputs), output="n0")
    except ConfigurationError:
        assume(False)
        raise

    async def run() -> dict[str, tuple[str, object]]:
        async with graph:
            result = await graph.run(inputs)
        return {
            name: (one.status, one.skipped_by if one.status == "skipped" else one.output)
            for name, one in result.nodes.items()
        }

    assert virtual_run(run()) == interpret(told)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(told_graphs())
def test_a_random_graph_ends_as_in_a_plain_interpreter(told: dict[str, Told]) -> None:
    check(told)


@pytest.mark.slow
@settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)
@given(told_graphs())
def test_a_thousand_random_graphs_end_as_in_a_plain_interpreter(told: dict[str, Told]) -> None:
    check(told)
