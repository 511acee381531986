"""The object that a candidate's text stands for: kept by copies, in nothing that is written."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from scripted import PROMPT

from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.text.plain_json import dumped
from jido_ai.values import Candidate, CritiqueResult, Iteration


class Prediction:
    """Cannot be copied, compared or written."""

    def __eq__(self, other: object) -> bool:
        raise AssertionError("compared")

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, memo: object) -> Prediction:
        raise AssertionError("copied")

    def __repr__(self) -> str:
        return "the prediction"


VALUE = Prediction()


@pytest.mark.parametrize(
    "copied",
    [
        lambda candidate: candidate.model_copy(),
        lambda candidate: candidate.model_copy(update={"score": 0.5}),
        lambda candidate: candidate.replace(parent_id="a"),
        lambda candidate: candidate.update_score(0.5),
        lambda candidate: Iteration(0, candidate, CritiqueResult.no_issues()).candidate,
    ],
)
def test_a_copy_of_a_candidate_keeps_the_very_value(copied: Callable[[Candidate], Candidate]) -> None:
    assert copied(Candidate("a", value=VALUE)).value is VALUE


def test_a_value_is_in_no_map_dump_json_or_repr() -> None:
    candidate = Candidate("a", value=VALUE)
    iteration = Iteration(0, candidate, CritiqueResult.no_issues())
    for told in (
        candidate.to_map(),
        candidate.model_dump(),
        json.loads(candidate.model_dump_json()),
        dumped(candidate),
    ):
        assert "value" not in told
    assert "value" not in iteration.model_dump()["candidate"]
    assert "prediction" not in repr(candidate)
    assert "value" not in Candidate.model_json_schema(mode="serialization")["properties"]
    assert "value" not in Candidate.model_json_schema()["properties"]
    assert Candidate.from_map(candidate.to_map()).value is None


def test_equality_and_hash_ignore_the_value() -> None:
    plain = Candidate("a")
    one, other = plain.replace(value=VALUE), plain.replace(value=[1])
    assert plain == one == other
    assert one == plain
    assert hash(plain) == hash(one) == hash(other)
    assert one != one.replace(score=0.5)
    assert plain != Candidate("b", id=plain.id, timestamp=plain.timestamp, value=VALUE)
    assert one != "a"


@pytest.mark.virtual_clock
async def test_a_run_keeps_the_value_of_its_best_candidate_and_journals_none() -> None:
    seen: list[object] = []

    def generate(prompt: str, context: RunContext) -> Candidate:
        return Candidate("a", value=VALUE)

    def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        seen.append(candidate.value)
        return CritiqueResult.no_issues()

    async with ReflexionMemory() as memory:
        async with Pipeline(generate, critique, memory=memory) as pipeline:
            result = await pipeline.run(PROMPT, run_id="run-1")
        records = await memory.records("journal")
    assert result.best_candidate is not None
    assert result.best_candidate.value is VALUE
    assert len(seen) == 1
    assert seen[0] is VALUE
    assert records
    assert "prediction" not in repr(records)
