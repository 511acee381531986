"""PytestExecutor: one result per test."""

from __future__ import annotations

from pathlib import Path

import pytest

from jido_ai.critics.pytest_critiquer import PytestCritiquer, PytestResult
from jido_ai.critics.pytest_executor import PytestExecutor
from jido_ai.errors import ConfigurationError
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate

CONTEXT = RunContext(run_id="r", prompt="p")
TESTS = """\
import pytest
from code_under_test import double

def test_two():
    assert double(2) == 4

@pytest.mark.parametrize("n", [3, 5])
def test_more(n):
    assert double(n) == 2 * n

@pytest.mark.skip
def test_not_now():
    assert False
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "code_under_test.py").write_text("def double(n): return 0\n")
    (tmp_path / "test_it.py").write_text(TESTS)
    return tmp_path


def executor(project: Path) -> PytestExecutor:
    return PytestExecutor("test_it.py", root=project, replaces="code_under_test.py", unsafe=True)


@pytest.mark.rows("H43")
async def test_every_test_that_ran_is_one_result(project: Path) -> None:
    critic = PytestCritiquer(executor(project))
    critique = await critic.critique(Candidate("def double(n): return 4\n"), CONTEXT)
    assert critique.score == pytest.approx(1 / 3)
    assert [issue.rule for issue in critique.issues] == ["test_it.py::test_more[3]", "test_it.py::test_more[5]"]
    assert "assert 4 == (2 * 3)" in critique.issues[0].message
    assert [one["name"] for one in critique.metadata["test_results"] if one["passed"]] == ["test_it.py::test_two"]
    good = await critic.critique(Candidate("def double(n): return 2 * n\n"), CONTEXT)
    assert (good.score, good.issues, good.metadata["tests"]) == (1.0, (), 3)


async def test_a_candidate_that_cannot_be_imported_passes_nothing(project: Path) -> None:
    (result,) = await executor(project).run_tests(Candidate("def double(n) return"), CONTEXT)
    assert not result.passed
    assert "SyntaxError" in result.error


async def test_an_empty_run_has_no_result_and_a_crashed_run_is_a_failure(project: Path) -> None:
    (project / "test_it.py").write_text("")
    assert await executor(project).run_tests(Candidate("x = 1"), CONTEXT) == []
    (project / "test_it.py").write_text("import os\nos._exit(3)\n")
    (result,) = await executor(project).run_tests(Candidate("x = 1"), CONTEXT)
    assert (result.name, result.passed) == ("pytest", False)
    assert "cannot run: exit status 3" in result.error


async def test_a_run_that_is_killed_at_its_limit_is_a_failure(project: Path) -> None:
    (project / "test_it.py").write_text("while True: pass\n")
    one = PytestExecutor(root=project, replaces="code_under_test.py", unsafe=True, timeout_s=0.5)
    assert await one.run_tests(Candidate("x = 1"), CONTEXT) == [
        PytestResult("pytest", False, error="pytest cannot run: it was killed: it did not finish within 0.5 s")
    ]


def test_invalid_settings_are_rejected(project: Path) -> None:
    with pytest.raises(ConfigurationError, match="needs replaces"):
        PytestExecutor(root=project)
    with pytest.raises(ConfigurationError, match="timeout_s"):
        PytestExecutor(timeout_s=float("nan"))
    with pytest.raises(ConfigurationError):
        PytestExecutor(root=project, replaces="../outside.py")
