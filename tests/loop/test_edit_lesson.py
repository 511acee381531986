"""Lessons of repairs by rule: the finding, the edit, and where it was; nothing if only the layout changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from jido_ai.loop.edit_lesson import edits_in_words
from jido_ai.loop.lesson import lesson_of
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration, Location, MemoryEntry, Scope


def issue(line: int | None, message: str = "`os` imported but unused", rule: str = "F401") -> Issue:
    return Issue(message, rule=rule, location=None if line is None else Location("a.py", line))


def test_a_removed_line_is_described_with_its_finding_and_its_place() -> None:
    told = edits_in_words("import os\n\nx = 1\n", "\nx = 1\n", [issue(1)])
    assert told == "F401 `os` imported but unused: remove `import os` (a.py, line 1)"


def test_a_changed_line_is_described_before_and_after() -> None:
    finding = issue(2, "comparison to None", "E711")
    told = edits_in_words("x = f()\nif x == None:\n    pass\n", "x = f()\nif x is None:\n    pass\n", [finding])
    assert told == "E711 comparison to None: replace `if x == None:` by `if x is None:` (a.py, line 2)"


def test_an_inserted_line_without_a_finding_is_described_too() -> None:
    assert edits_in_words("x = 1\n", "x = 1\ny = 2\n", []) == "insert `y = 2` (line 2)"


def test_edits_of_the_layout_are_left_out() -> None:
    assert edits_in_words("x=1 \n\n\n\ny = 2\n", "x = 1\n\ny = 2\n", [issue(1, "trailing blank", "W291")]) == ""


def test_a_lesson_has_at_most_five_edits_of_three_lines_each() -> None:
    before = "\n".join(f"old{n}" if n % 2 else f"same{n}" for n in range(20))
    after = before.replace("old", "new")
    assert len(edits_in_words(before, after, []).splitlines()) == 5
    long = "\n".join(f"line {n}" for n in range(10))
    assert edits_in_words("", long, []) == "insert `line 0` / `line 1` / `line 2` and 7 more lines (line 1)"
    assert len(edits_in_words("", "x" * 10_000, [])) < 200


def test_texts_of_more_than_5000_lines_are_not_compared() -> None:
    assert edits_in_words("x\n" * 5_001, "y\n", []) == ""


def run_of(before: str, after: str, reviser: str = "targeted") -> list[Iteration]:
    first = Candidate(before)
    fixed = [{"rule": "F401", "line": 1, "message": "unused"}]
    metadata = {"reviser": reviser, "fixed": fixed}
    last = Candidate(after, parent_id=first.id, reasoning="fixed F401", metadata=metadata)
    return [
        Iteration(0, first, CritiqueResult(score=0.4, issues=[issue(1)])),
        Iteration(1, last, CritiqueResult(score=1.0)),
    ]


def lesson(history: list[Iteration]) -> MemoryEntry | None:
    return lesson_of(history, 1, prompt="improve a.py", run_id="r", scope=Scope(), by_critique=True)


def test_the_lesson_of_a_repair_by_rule_is_its_edit() -> None:
    learnt = lesson(run_of("import os\nx = 1\n", "x = 1\n"))
    assert learnt is not None
    assert learnt.correction == "F401 `os` imported but unused: remove `import os` (a.py, line 1)"


def test_a_repair_by_rule_that_changed_only_the_layout_teaches_nothing() -> None:
    assert lesson(run_of("x=1 \n", "x = 1\n")) is None


def test_the_reasoning_of_other_revisers_is_kept() -> None:
    learnt = lesson(run_of("import os\nx = 1\n", "x = 1\n", reviser="mutation"))
    assert learnt is not None
    assert learnt.correction == "fixed F401"


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
