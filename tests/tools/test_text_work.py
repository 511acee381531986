"""Checks and repairs of texts: in a process that can be killed, or in a thread if they are short."""

from __future__ import annotations

import pytest

from jido_ai.critics.text_critiquer import TextCritiquer
from jido_ai.errors import Declined, ToolError
from jido_ai.protocols import RunContext
from jido_ai.revisers.targeted_reviser import TargetedReviser
from jido_ai.text.checks import check_text, is_quick
from jido_ai.text.repair import repair_texts
from jido_ai.text.syntax_repair import syntax_repairs
from jido_ai.tools.sandbox.executor import ProcessExecutor
from jido_ai.tools.text_work import TextWork
from jido_ai.values import Candidate, CritiqueResult, Issue, Location
from jido_ai.values.tool import ToolJob, ToolRun

LONG_KEY = "a." * 100_000 + "b=1"  # the parser takes quadratic time
CONTEXT = RunContext(run_id="run", prompt="prompt")


class Counting(ProcessExecutor):
    """Counts the processes it runs."""

    def __init__(self) -> None:
        super().__init__()
        self.runs = 0

    async def run(self, job: ToolJob) -> ToolRun:
        self.runs += 1
        return await super().run(job)


@pytest.mark.parametrize(
    ("language", "content"),
    [
        ("yaml", "a: 1 \nb:\n  - \u00e9\ud800: 2\n" * 800),
        ("toml", 'key = "\u00e9"\n' + "a." * 60 + "b = 1\nkey = 2\n"),
        ("markdown", "##a\n\n" * 10_000),
        ("json", '{"a": 1, "a": 2, "b": [' + "1, " * 100_000 + "]}"),
    ],
)
@pytest.mark.quick_cases(1)
async def test_a_process_finds_and_repairs_the_same_as_a_thread(language: str, content: str) -> None:
    executor = Counting()
    work = TextWork(executor)
    assert not is_quick(language, content)
    found = await work.check(language, content)
    assert found == check_text(language, content)
    assert found
    assert await work.repair(language, content, found) == repair_texts(language, content, found)
    assert executor.runs == 2


async def test_a_short_text_needs_no_process() -> None:
    executor = Counting()
    work = TextWork(executor)
    found = await work.check("yaml", "a: 1 \n")
    assert (await work.repair("yaml", "a: 1 \n", found))[0] == "a: 1\n"
    assert await work.repair_syntax("if x\n    pass\n") == syntax_repairs("if x\n    pass\n")
    assert executor.runs == 0


async def test_a_searched_repair_runs_in_a_process_for_shorter_texts_than_a_check() -> None:
    executor = Counting()
    work = TextWork(executor)
    content = "a: 1\n" * 200 + "b: 'x\n"
    found = await work.check("yaml", content)
    assert executor.runs == 0
    await work.repair("yaml", content, found)
    assert executor.runs == 1


async def test_long_python_is_repaired_in_a_process() -> None:
    executor = Counting()
    code = "a = 1\n" * 500 + "if x\n    pass\n"
    assert await TextWork(executor).repair_syntax(code) == syntax_repairs(code)
    assert executor.runs == 1


async def test_a_check_that_times_out_is_a_finding_and_the_quick_checks_still_count() -> None:
    work = TextWork(ProcessExecutor())
    (issue,) = await work.check("toml", LONG_KEY, left_s=0.3)
    assert (issue.kind, issue.rule, issue.source) == ("cannot-run", "cannot-run", "tool:toml")
    assert issue.message.startswith("too large to check: it took longer than")
    blanks, issue = await work.check("yaml", "a: \n" + "- [b, c]\n" * 100_000, left_s=0.3)
    assert (blanks.rule, issue.rule) == ("trailing-whitespace", "cannot-run")


async def test_a_text_that_is_too_large_to_check_does_not_pass() -> None:
    critic = TextCritiquer("toml", executor=_Hurried())
    result = await critic.critique(Candidate(LONG_KEY), CONTEXT)
    assert result.severity == 1.0
    assert "too large to check" in result.issues[0].message


async def test_a_repair_that_times_out_is_declined_with_the_reason() -> None:
    issue = Issue("Invalid value", kind="syntax", rule="toml", source="tool:toml", location=Location(None, 1, 1))
    with pytest.raises(ToolError, match="it took longer than"):
        await TextWork(_Hurried()).repair("toml", LONG_KEY, [issue])
    reviser = TargetedReviser(executor=_Hurried())
    with pytest.raises(Declined, match="too large to repair"):
        await reviser.revise(Candidate(LONG_KEY), CritiqueResult(severity=1.0, issues=[issue]), CONTEXT)
    assert await TextWork(_Hurried()).repair_syntax("a = 1\n" * 500 + "if x\n    pass\n") == ()


class _Hurried(ProcessExecutor):
    """Gives no process enough time to import its modules."""

    async def run(self, job: ToolJob) -> ToolRun:
        hurried = ToolJob(argv=job.argv, stdin=job.stdin, timeout_s=0.01, executes=False)
        return await super().run(hurried)


async def test_the_layout_of_a_long_text_is_checked_in_a_process() -> None:
    executor = Counting()
    work = TextWork(executor)
    assert await work.has_usual_layout("markdown", "- a\n" * 600) is True
    assert await work.has_usual_layout("markdown", "* a\n" * 600) is False
    assert executor.runs == 2
    late = await TextWork(_Hurried()).has_usual_layout("markdown", "- a\n" * 600)
    assert isinstance(late, Issue)
