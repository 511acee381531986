"""The report of `jido improve` in words."""

from __future__ import annotations

from jido_ai.improve.report_text import notes_of
from jido_ai.values import Candidate, CritiqueResult, Iteration, ReflectionResult, StopReason, Usage


def test_a_note_on_a_repair_names_the_edit_and_its_evidence_without_the_operator() -> None:
    told = (
        "mutation operator 'counterpart' for AssertionError:number, line 2: `return max(5, n)` became "
        "`return min(5, n)`. Only the tests vouch for it: 2 of 2 pass"
    )
    repaired = Candidate("x", reasoning=told, metadata={"vouched_by": "tests"})
    judged = Iteration(0, repaired, CritiqueResult(severity=0.0), True, None, None, 0.1, Usage())
    result = ReflectionResult("r", "p", repaired, (judged,), (), StopReason.ACCEPTED)
    assert notes_of(result) == [
        "line 2: `return max(5, n)` became `return min(5, n)`. Only the tests vouch for it: 2 of 2 pass"
    ]
