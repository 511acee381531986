"""A recorded run prints, and is shown in a notebook, as its result is; one that has not ended says so."""

from __future__ import annotations

from jido_ai import CritiqueResult, Pipeline, ReflexionMemory
from jido_ai.loop import SUSPEND


def judge(candidate: object, context: object) -> CritiqueResult:
    return CritiqueResult(severity=0.8, issues=["it is <b>short</b>"])


async def test_a_recorded_run_prints_as_its_result_and_escapes_every_text() -> None:
    async with ReflexionMemory() as memory, Pipeline(None, judge, lambda c, q, x: "b", memory) as pipeline:
        result = await pipeline.run("Write.", "a")
        assert pipeline.journal is not None
        recorded = await pipeline.journal.load(result.run_id)
        (summary,) = await pipeline.journal.list()
    assert str(recorded) == str(result)
    assert recorded._repr_html_() == result._repr_html_()
    assert "&lt;b&gt;short" in recorded._repr_html_()
    assert str(summary).startswith(f"{result.run_id}  {result.stop_reason}  ")
    assert f"<td>{result.run_id}</td><td>Write.</td>" in summary._repr_html_()


async def test_a_recorded_run_that_waits_shows_what_was_judged() -> None:
    memory = ReflexionMemory()
    async with memory, Pipeline(None, judge, lambda c, q, x: "b", memory, approve=lambda *_: SUSPEND) as pipeline:
        result = await pipeline.run("Write.", "a")
        assert pipeline.journal is not None
        recorded = await pipeline.journal.load(result.run_id)
    assert recorded.result() is not None
    assert str(recorded).splitlines()[0] == "1. severity 0.80  a"
    assert "suspended" in str(recorded)
