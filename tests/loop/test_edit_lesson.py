"""Lessons of repairs: the edit in general terms; nothing where nothing general was learned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jido_ai.loop.edit_lesson import edit_in_words
from jido_ai.loop.lesson import lesson_of
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration, Location, MemoryEntry, Reflection, Scope

UNUSED = Issue("`os` imported but unused", rule="F401", location=Location("a.py", 1))
FAILING = Issue("[test_fee] assert 5 == 0.5", kind="test", rule="tests/test_fees.py::test_fee_is_capped")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("return max(CAP, days)", "return min(CAP, days)", "try `min` instead of `max`: min keeps"),
        ("if d <= today:", "if d < today:", "try `<` instead of `<=`: check whether the bound"),
        ("if d < today:", "if d > today:", "try `>` instead of `<`: check the direction"),
        ("return a + b", "return a - b", "try `-` instead of `+`"),
        ("if done:", "if not done:", "try adding `not`"),
        ("range(1, 9)", "range(0, 9)", "try one less for a constant"),
        ("name.split()[1]", "name.split()[0]", "try one less for an index"),
        ("steps = [1]", "steps = [0]", "try one less for a constant"),
        ("range(n)", "range(n + 1)", "try adding `+ 1`"),
        ("text[: n - 1]", "text[:n]", "try leaving out `- 1`"),
        ("return low", "return high", "try another name in the place of one"),
    ],
)
def test_one_change_is_described_in_general_terms(before: str, after: str, words: str) -> None:
    told = edit_in_words(f"x = 1\n{before}\n", f"x = 1\n{after}\n")
    assert told is not None
    assert words in told


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a = 1", "a = 1"),
        ("a = 1\nb = 2", "a = 2\nb = 3"),
        ("'a'", "'b'"),
        ("x", "x + y"),
        ("x", "x + 2"),
        ("x\n" * 5_001, "y"),
    ],
)
def test_no_change_several_and_those_of_one_program_have_no_general_terms(before: str, after: str) -> None:
    assert edit_in_words(before, after) is None


def run_of(
    before: str, after: str, /, issue: Issue = UNUSED, reasoning: str = "fixed F401", **metadata: object
) -> list[Iteration]:
    first = Candidate(before)
    last = Candidate(after, parent_id=first.id, reasoning=reasoning, metadata=metadata)
    return [
        Iteration(0, first, CritiqueResult(score=0.4, issues=[issue])),
        Iteration(1, last, CritiqueResult(score=1.0)),
    ]


def lesson(history: list[Iteration], **more: Any) -> MemoryEntry | None:
    return lesson_of(history, 1, prompt="", run_id="r", scope=Scope(), by_critique=True, **more)


@pytest.mark.parametrize("rule", ["F401", "F841", "W291", "E501", "I001", "format", "unused-import", "W0611"])
def test_layout_and_unused_names_teach_nothing(rule: str) -> None:
    assert lesson(run_of("import os\nx = 1\n", "x = 1\n", Issue("m", rule=rule), "removed what nobody needs")) is None


def test_a_repair_by_rule_teaches_nothing() -> None:
    metadata = {"reviser": "targeted", "fixed": [{"rule": "E711", "line": 1, "message": "is None"}]}
    assert lesson(run_of("a == None\n", "a is None\n", Issue("comparison", rule="E711"), **metadata)) is None


def test_an_edit_that_tests_vouch_for_becomes_a_lesson_in_general_terms() -> None:
    metadata: dict[str, Any] = {"reviser": "mutation", "vouched_by": "tests", "operator": "counterpart"}
    metadata |= {"failure": "AssertionError:number", "before": "return max(a, b)", "after": "return min(a, b)"}
    learnt = lesson(run_of("return max(a, b)\n", "return min(a, b)\n", FAILING, "...", **metadata), task_type="improve")
    assert learnt is not None
    assert learnt.prompt == "failing test: fee is capped"
    assert learnt.correction == (
        "When a test finds a wrong number, try `min` instead of `max`: min keeps a value below a limit, max above it."
    )
    assert learnt.task_type == "improve"
    assert learnt.metadata["repairs"] == [{name: metadata[name] for name in ("operator", "failure", "before", "after")}]


def test_the_lesson_that_a_model_drew_goes_before_all_others() -> None:
    drawn = Reflection(lesson="Take min to keep a value below a limit.", source="llm")
    history = run_of("a", "b", Issue("too much"), "the reviser explains it at length")
    learnt = lesson(history, reflections={0: drawn, 1: None})
    assert learnt is not None
    assert learnt.correction == "Take min to keep a value below a limit."
    by_rule = lesson(history, reflections={0: drawn.replace(source="fallback")})
    assert by_rule is not None
    assert by_rule.correction == "the reviser explains it at length"


@pytest.mark.parametrize("score", [1.0, 0.95])
async def test_a_file_without_findings_recalls_nothing_and_is_no_attempt(score: float) -> None:
    async with ReflexionMemory() as memory:
        await memory.store(MemoryEntry("improve it", correction="remove the import"))

        def critic(_candidate: Candidate, _context: RunContext) -> CritiqueResult:
            return CritiqueResult(score=score)

        async with Pipeline(
            critiquer=critic,
            reviser=lambda candidate, critique, context: candidate,
            memory=memory,
            recall_by="critique",
        ) as pipeline:
            result = await pipeline.run("improve it", "x = 1\n")
        assert result.lessons_used == ()
        (record,) = await memory.records("episodes")
        assert record.data["metadata"]["given"] is True
        assert not record.data["memories_used"]
        assert await memory.count() == 1


async def test_a_given_draft_uses_no_lesson_and_its_revision_does(tmp_path: Path) -> None:
    def judge(candidate: Candidate, _context: RunContext) -> CritiqueResult:
        return CritiqueResult(score=1.0) if "fixed" in candidate.content else CritiqueResult(score=0.2, issues=["bad"])

    async with ReflexionMemory(tmp_path / "m.db") as memory:
        known = await memory.store(MemoryEntry("improve it\nbad", correction="write fixed"))
        async with Pipeline(
            critiquer=judge, reviser=lambda candidate, critique, context: "fixed", memory=memory, recall_by="critique"
        ) as pipeline:
            await pipeline.run("improve it", "draft")
        draft, revision = await memory.records("episodes")
        assert (draft.data["metadata"].get("given"), tuple(draft.data["memories_used"])) == (True, ())
        assert (revision.data["metadata"].get("given"), list(revision.data["memories_used"])) == (None, [known.id])
