"""Answers of components that no line of the journal can hold fail their step before anything is written."""

from __future__ import annotations

from typing import Any, Final

import pytest

from jido_ai import (
    Candidate,
    ConfigurationError,
    CritiqueResult,
    Graph,
    LoopNode,
    Pipeline,
    Reflection,
    ReflexionMemory,
    RunContext,
)
from jido_ai.memory import intake

LIMIT: Final = 20_000
LARGE: Final = "x" * LIMIT
ROLES: Final = ("generator", "critiquer", "reviser")


@pytest.fixture(autouse=True)
def small_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "MOST_LINE_BYTES", LIMIT)


def memory() -> ReflexionMemory:
    return ReflexionMemory(max_text_bytes=LIMIT)


class Author:
    """Makes, judges and revises a text; one of its answers is large."""

    def __init__(self, role: str) -> None:
        self.role = role

    def generate(self, prompt: str, context: RunContext) -> str:
        return LARGE if self.role == "generator" else "a text"

    def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        feedback = LARGE if self.role == "critiquer" else None
        return CritiqueResult(severity=0.9, issues=["too short"], feedback=feedback)

    def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        return LARGE if self.role == "reviser" else "another text"


@pytest.mark.parametrize("role", ROLES)
async def test_a_large_answer_ends_a_run_with_a_sentence_and_the_journal_stays_whole(role: str) -> None:
    author = Author(role)
    async with memory() as kept, Pipeline(author, author, author, memory=kept) as pipeline:
        first = await pipeline.run("write a text", run_id="r")
        assert first.error is not None
        assert (first.stop_reason, first.error.kind, first.error.component) == ("error", "ComponentError", role)
        assert first.error.message.startswith(f"the answer of the {role} has 20,")
        assert len(first.iterations) == (role == "reviser")
        assert (await pipeline.resume("r")).error == first.error
        author.role = "none"
        assert (await pipeline.resume("r")).error is None


@pytest.mark.parametrize("role", ROLES)
async def test_a_large_answer_fails_the_loop_of_a_graph_with_a_sentence(role: str) -> None:
    author = Author(role)
    loop = LoopNode("write {t}", generator=author, critiquer=author, reviser=author)
    async with memory() as kept, Graph({"a": loop}, inputs=["t"], output="a", memory=kept) as graph:
        result = await graph.run({"t": "a text"}, run_id="r")
        assert result.error is not None
        assert (result.status, result.error.kind, result.error.component) == ("failed", "ComponentError", f"a/{role}")
        author.role = "none"
        assert (await graph.resume("r")).status == "completed"


async def test_a_large_reflection_is_skipped_as_one_that_failed() -> None:
    def reflect(episode: Any, priors: Any) -> Reflection:
        return Reflection(LARGE, strategy="write more")

    author = Author("none")
    async with memory() as kept, Pipeline(author, author, author, memory=kept, reflector=reflect) as pipeline:
        result = await pipeline.run("write a text", run_id="r")
    assert result.error is None
    assert result.reflections_skipped


async def test_a_large_initial_candidate_is_refused() -> None:
    author = Author("none")
    async with memory() as kept, Pipeline(author, author, author, memory=kept) as pipeline:
        with pytest.raises(ConfigurationError, match="initial_candidate has 20,"):
            await pipeline.run("write a text", LARGE, run_id="r")
        assert await kept.records("journal") == []
    async with Pipeline(author, author, author) as pipeline:
        assert (await pipeline.run("write a text", LARGE)).error is None
