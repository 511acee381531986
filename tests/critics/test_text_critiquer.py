"""Texts that are not programs: judged by TextCritiquer and fixed by TargetedReviser."""

from __future__ import annotations

import pytest

from jido_ai.critics.text_critiquer import TextCritiquer
from jido_ai.errors import ConfigurationError, Declined
from jido_ai.loop.pipeline import reflect
from jido_ai.protocols import Critiquer, RunContext
from jido_ai.revisers.targeted_reviser import TargetedReviser
from jido_ai.values import Candidate, LoopConfig

CONTEXT = RunContext(run_id="run", prompt="prompt")


async def test_the_kind_of_an_issue_sets_its_severity() -> None:
    critiquer = TextCritiquer("markdown")
    assert isinstance(critiquer, Critiquer)
    result = await critiquer.critique(Candidate("a \n\n```\n"), CONTEXT)
    assert [(issue.rule, issue.severity) for issue in result.issues] == [
        ("trailing-whitespace", 0.2),
        ("unclosed-fence", 1.0),
    ]
    assert (result.severity, result.score) == (1.0, 1 / 2.2)
    assert result.source == "tool:markdown"
    assert (await critiquer.critique(Candidate("a\n"), CONTEXT)).severity == 0.0


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="json, jsonc, markdown"):
        TextCritiquer("cobol")


async def test_the_loop_makes_certain_repairs() -> None:
    result = await reflect(
        "mend",
        critiquer=TextCritiquer("json"),
        reviser=TargetedReviser(),
        initial_candidate='{"a": [1, 2}\n',
        config=LoopConfig(accept="clean"),
    )
    assert result.accepted
    assert result.best_candidate is not None
    assert result.best_candidate.content == '{"a": [1, 2]}\n'


@pytest.mark.rows("J9")
async def test_the_revision_lists_fixed_and_unfixed_issues() -> None:
    candidate = Candidate("a ")
    critique = await TextCritiquer("text").critique(candidate, CONTEXT)
    result = await TargetedReviser().revise(candidate, critique.add_issue("too short"), CONTEXT)
    assert result.content == "a\n"
    assert result.parent_id == candidate.id
    assert {entry["rule"] for entry in result.metadata["fixed"]} == {"trailing-whitespace", "final-newline"}
    assert len(result.metadata["left_alone"]) == 1


async def test_an_uncertain_repair_is_declined_with_the_reason() -> None:
    candidate = Candidate("[1 2")
    with pytest.raises(Declined, match="no certain fix"):
        await TargetedReviser().revise(candidate, await TextCritiquer("json").critique(candidate, CONTEXT), CONTEXT)
