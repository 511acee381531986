"""A cost that is not known is null, never zero."""

from __future__ import annotations

import pytest

from jido_ai.graph.results import GraphResult
from jido_ai.serve.summaries import summary_of
from jido_ai.values import ModelCall, Usage, utc_now


@pytest.mark.parametrize(
    ("usage", "cost", "known"),
    [
        (Usage(2, 5, 5, unpriced_calls=2), None, 0.0),
        (Usage(2, 5, 5, cost_usd=0.5, unpriced_calls=1), None, 0.5),
        (Usage(2, 5, 5, cost_usd=0.5), 0.5, 0.5),
    ],
)
def test_the_summary_of_a_run_has_a_cost_only_if_all_of_it_is_known(
    usage: Usage, cost: float | None, known: float
) -> None:
    summary = summary_of(GraphResult("r", "text", "completed", {}, usage))
    assert (summary["cost_usd"], summary["known_usd"]) == (cost, known)


def test_the_summary_of_a_run_counts_the_failed_calls_that_are_in_no_usage() -> None:
    calls = [
        ModelCall(run_id="r", seq=seq, started=utc_now(), reply=reply, usage=usage)
        for seq, (reply, usage) in enumerate(
            [("fine", Usage(1, 5, 5)), (None, Usage()), (None, Usage(1, unpriced_calls=1)), (None, Usage())], 1
        )
    ]
    result = GraphResult("r", "text", "completed", {}, Usage(2, 5, 5, unpriced_calls=1), calls=tuple(calls))
    summary = summary_of(result)
    assert (summary["calls"], summary["failed_calls"]) == (2, 2)
