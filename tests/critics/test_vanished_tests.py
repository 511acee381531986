"""A candidate that skips, expects to fail, empties or hides tests is not judged clean."""

from __future__ import annotations

import dataclasses

import pytest

from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.tools.ready import PYTEST
from jido_ai.values import Candidate, LoopConfig

CONTEXT = RunContext(run_id="r", prompt="p")
CRITIC = ToolCritiquer([PYTEST])
FIRST = "import pytest\n\n\ndef test_one():\n    pass\n\n\ndef test_two():\n    assert False\n"
ONE = "import pytest\n\n\n{mark}\ndef test_one():\n    {body}\n\n\ndef test_two():\n    assert False\n"
WAYS = {
    "skipped": ONE.format(mark="@pytest.mark.skip", body="pass"),
    "skipped in the middle": ONE.format(mark="", body="pytest.skip('later')"),
    "expected to fail": ONE.format(mark="@pytest.mark.xfail", body="assert False"),
    "gone": "def test_two():\n    assert False\n\n\ndef test_three():\n    pass\n",
    "renamed": FIRST.replace("test_one", "test_1"),
    "no longer collected": FIRST.replace("def test_one", "def check_one"),
}


async def first() -> RunContext:
    critique = await CRITIC.critique(Candidate(FIRST), CONTEXT)
    assert critique.checks == {
        "pytest:test_candidate.py::test_one": "passed",
        "pytest:test_candidate.py::test_two": "failed",
    }
    return dataclasses.replace(CONTEXT, baseline=critique)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.quick_cases(2)
async def test_a_passed_test_that_no_longer_runs_is_a_failure(way: str) -> None:
    critique = await CRITIC.critique(Candidate(WAYS[way]), await first())
    found = [issue for issue in critique.issues if issue.rule == "test_candidate.py::test_one"]
    assert [issue.kind for issue in found] == ["test"]
    assert "passed before and is" in found[0].message


@pytest.mark.parametrize(
    "code",
    [
        "import pytest\n\n\ndef test_one():\n    pass\n\n\n@pytest.mark.skip\ndef test_two():\n    assert False\n",
        "def test_one():\n    pass\n",
        "import pytest\n\n\ndef test_one():\n    pass\n\n\n@pytest.mark.xfail\ndef test_two():\n    assert False\n",
    ],
    ids=["skipped", "gone", "expected to fail"],
)
@pytest.mark.quick_cases(2)
async def test_a_failing_test_is_not_fixed_by_hiding_it(code: str) -> None:
    critique = await CRITIC.critique(Candidate(code), await first())
    assert [issue.rule for issue in critique.issues] == ["test_candidate.py::test_two"]
    assert "failed before and is" in critique.issues[0].message


async def test_a_file_that_skips_itself_is_not_clean() -> None:
    code = "import pytest\n\npytest.skip('not today', allow_module_level=True)\n"
    critique = await CRITIC.critique(Candidate(code), await first())
    assert critique.severity >= 0.9


async def test_a_run_does_not_accept_a_revision_that_hides_the_failing_test() -> None:
    async def revise(candidate: Candidate, *_: object) -> str:
        return "def test_one():\n    pass\n" + "\n" * candidate.content.count("\n")

    config = LoopConfig(max_iterations=2, accept="clean", severity_threshold=1.0)
    async with Pipeline(critiquer=ToolCritiquer([PYTEST]), reviser=revise, config=config) as pipeline:
        result = await pipeline.run("p", FIRST)
    assert not result.accepted
    assert result.iterations[1].critique.issues
