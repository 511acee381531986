"""Histories for the tests of policies: single iterations, and a strategy that draws whole ones."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from jido_ai.critics.acceptance import History
from jido_ai.loop.convergence import Decision, score_of
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration, LoopConfig, Usage, Verdict

CONFIG = LoopConfig(policy="adaptive")


def iteration(
    index: int = 0,
    score: float = 0.5,
    issues: str = "a",
    *,
    severity: float = 0.5,
    source: str = "model:m",
    parts: Any = (),
    **more: Any,
) -> Iteration:
    """Return one judged candidate; each letter of `issues` is an issue of `severity`."""
    found = [Issue(f"issue {letter}", severity=severity, source=source) for letter in issues]
    critique = CritiqueResult(severity=severity, score=score, issues=found, source=source, parts=parts)
    candidate = Candidate(more.pop("text", f"text {index}"), score=score, parent_id=more.pop("parent_id", None))
    first = {} if index == 0 else {"change": 0.3, "gain": 0.0}
    return Iteration(index, candidate, critique, **{**first, **more})


def tools(index: int = 0, score: float = 0.5, issues: str = "a", **more: Any) -> Iteration:
    return iteration(index, score, issues, source="tool:t", **more)


def panel(*sources: str, issues: str = "ab", score: float = 0.6) -> History:
    parts = [CritiqueResult(score=score, source=source) for source in sources]
    return (iteration(0, score, issues, severity=0.4, source="panel", parts=parts),)


def verdict(decision: Decision) -> Verdict:
    assert isinstance(decision, Verdict)
    return decision


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Draw histories as the loop makes them: revisions name their base, and findings recur."""
    tenths = st.integers(0, 10).map(lambda tenth: tenth / 10)
    sources = draw(st.lists(st.sampled_from(["model:m", "model:n", "tool:t", "unknown"]), min_size=1, max_size=3))
    judged: list[Iteration] = []
    for index in range(draw(st.integers(1, 8))):
        issues = tuple(
            Issue(f"issue {letter}", severity=draw(st.none() | tenths), source=draw(st.sampled_from(sources)))
            for letter in draw(st.lists(st.sampled_from("abcdef"), max_size=5))
        )
        score = draw(tenths)
        critique = CritiqueResult(
            severity=draw(tenths), score=score, issues=issues, source=sources[0],
            parts=[CritiqueResult(score=score, source=source) for source in sources] if len(sources) > 1 else (),
        )  # fmt: skip
        parent = draw(st.sampled_from(judged)) if judged and draw(st.booleans()) else None
        candidate = Candidate(
            draw(st.sampled_from("uvwxyz")) * (index + 1 if draw(st.integers(0, 5)) else 1),
            score=score,
            parent_id=parent.candidate.id if parent else None,
        )
        made = {"change": draw(tenths), "gain": score - score_of(parent)} if parent else {}
        judged.append(Iteration(index, candidate, critique, usage=Usage(draw(st.integers(0, 4))), **made))  # type: ignore[arg-type]
    return tuple(judged)


prices = st.floats(0, 0.2)
configs = st.builds(
    LoopConfig,
    policy=st.just("adaptive"),
    call_price=prices,
    severity_threshold=st.floats(0, 1),
    score_threshold=st.floats(0.01, 1),
    accept=st.sampled_from(["severity", "clean"]),
)
