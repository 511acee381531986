"""OutputCritiquer: the type first, then the critics, each with an object of its own."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from jido_ai.critics.output_critiquer import OutputCritiquer
from jido_ai.protocols import RunContext
from jido_ai.text.output_type import output_type
from jido_ai.values import Candidate, CritiqueResult

CONTEXT = RunContext("run", "prompt")
GOOD = Candidate('{"id": 1, "tags": ["a"]}')


class Invoice(BaseModel):
    id: int
    tags: list[str] = []


def critic_of(critiquer: Any = None, output: Any = Invoice) -> OutputCritiquer:
    return OutputCritiquer(output_type(output), critiquer)


async def test_without_critics_the_type_judges_alone() -> None:
    assert (await critic_of().critique(GOOD, CONTEXT)).severity == 0.0
    critique = await critic_of().critique(Candidate('{"tags": [1, 2]}'), CONTEXT)
    assert (critique.severity, critique.source, len(critique.issues)) == (0.8, "output", 3)
    assert critique.score == pytest.approx(1 / (1 + 3 * 0.8))


async def test_critics_judge_only_candidates_that_validate() -> None:
    seen: list[Any] = []

    def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
        seen.append(candidate.value)
        return CritiqueResult(severity=0.5, source="me")

    critic = critic_of(judge)
    assert (await critic.critique(Candidate("no json"), CONTEXT)).source == "output"
    assert (await critic.critique(GOOD, CONTEXT)).source == "me"
    assert seen == [Invoice(id=1, tags=["a"])]


async def test_each_critic_has_an_object_of_its_own() -> None:
    async def spoil(candidate: Candidate, context: RunContext) -> CritiqueResult:
        candidate.value.tags.clear()
        return CritiqueResult(severity=0.0)

    async def count(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0 if candidate.value.tags else 1.0)

    for critics in ([spoil, count], [count, spoil], [spoil, spoil, count]):
        assert (await critic_of(critics).critique(GOOD, CONTEXT)).severity == 0.0


async def test_a_function_that_is_annotated_with_the_type_gets_the_object() -> None:
    def with_context(invoice: Invoice, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=invoice.id / 10, source=context.run_id)

    async def alone(invoice: Invoice) -> CritiqueResult:
        return CritiqueResult(severity=invoice.id / 5)

    def of_candidate(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=len(candidate.content) / 1000)

    assert (await critic_of(with_context).critique(GOOD, CONTEXT)).severity == 0.1
    assert (await critic_of(alone).critique(GOOD, CONTEXT)).severity == 0.2
    assert (await critic_of([with_context, alone, of_candidate]).critique(GOOD, CONTEXT)).severity == 0.2


async def test_annotations_of_other_forms_of_types_are_known_too() -> None:
    def of_list(numbers: list[int], context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=sum(numbers) / 10)

    assert (await critic_of(of_list, list[int]).critique(Candidate("[1, 2]"), CONTEXT)).severity == pytest.approx(0.3)


async def test_a_function_without_annotations_gets_the_candidate() -> None:
    def judge(candidate, context):  # type: ignore[no-untyped-def]
        return CritiqueResult(severity=0.0 if isinstance(candidate, Candidate) else 1.0)

    assert (await critic_of(judge).critique(GOOD, CONTEXT)).severity == 0.0


async def test_a_long_text_is_validated_beside_the_event_loop() -> None:
    text = '{"id": 1, "tags": [' + ",".join('"x"' for _ in range(5_000)) + "]}"
    assert (await critic_of().critique(Candidate(text), CONTEXT)).severity == 0.0
