"""Who judges an answer: the check of a task, the tests of a function in the sandbox, or the tests of a program."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from jido_ai import Candidate, CritiqueResult, Issue, RunContext, Tool, ToolCritiquer
from real_model.programs import Program

__all__ = ["Judge", "ProgramJudge", "TaskJudge", "code_of"]

_SEVERITY: Final = 0.8
_TESTS_S: Final = 15.0
_HEAD: Final = "import pytest\nfrom datetime import date\n\nfrom program import *\n\n\n"
_CALLS: Final = """\
import json, sys

PLAIN = (bool, int, float, str, list, tuple, dict, set, type(None))
file, report, tests = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
space, wrong, is_broken = {"__name__": "answer"}, [], False
try:
    exec(compile(open(file, encoding="utf-8").read(), "answer.py", "exec"), space)
except BaseException as error:
    is_broken = True
    wrong.append(f"the code cannot be run: {type(error).__name__}: {str(error)[:120]}")
for call, value in [] if is_broken else tests:
    expected = eval(value)
    try:
        got = eval(call, space)
    except BaseException as error:
        wrong.append(f"{call} raises {type(error).__name__}: {str(error)[:80]}; it must return {value}")
        continue
    is_same = type(got) in PLAIN and isinstance(got, bool) == isinstance(expected, bool) and got == expected
    if not is_same:
        wrong.append(f"{call} returns {repr(got)[:60]}; it must return {value}")
with open(report, "w", encoding="utf-8") as out:
    json.dump({"is_broken": is_broken, "wrong": wrong, "ended": len(tests)}, out)
"""
"""Runs the tests of a function. The report tells that all of them ran: code that ends the process leaves none."""


def code_of(text: str) -> str:
    """Return the first fenced block of an answer that has a definition, else the first block, else all of it."""
    blocks = re.findall(r"^```[^\n]*\n(.*?)(?:^```|\Z)", text, re.DOTALL | re.MULTILINE)
    for block in blocks:
        if re.search(r"^\s*(?:async )?def |^class ", block, re.MULTILINE):
            return block
    return blocks[0] if blocks else text


class Judge:
    """Judges texts; the same text is judged once. An instance is a critiquer of a pipeline."""

    name = "tool:checker"

    def __init__(self, judge: Callable[[str], Awaitable[CritiqueResult]]) -> None:
        self._judge = judge
        self._known: dict[str, CritiqueResult] = {}

    async def of(self, text: str) -> CritiqueResult:
        if text not in self._known:
            self._known[text] = await self._judge(text)
        return self._known[text]

    async def passes(self, text: str) -> bool:
        return not (await self.of(text)).issues

    async def wrong(self, text: str) -> list[str]:
        return [issue.message for issue in (await self.of(text)).issues]

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        del context
        return await self.of(candidate.content)


def _result(wrong: Sequence[str], most: int, kind: str, *, is_broken: bool) -> CritiqueResult:
    """Return a critique: the more faults, the lower the score; an answer that cannot be run has the lowest."""
    severity, score = (1.0, 0.0) if is_broken else (_SEVERITY, max(0.0, 1.0 - len(wrong) / (most + 1)))
    issues = tuple(
        Issue(one, severity=severity, kind="cannot-run" if is_broken else kind, source="tool:checker") for one in wrong
    )
    return CritiqueResult(severity=severity if wrong else 0.0, score=score, issues=issues, source="tool:checker")


class TaskJudge(Judge):
    """Judges the answers to a task by its check, or by its tests in the sandbox.

    Args:
        task: has `check` (text -> messages), or `tests` (pairs of a call and a value), and `n_checks`.
    """

    def __init__(self, task: Any) -> None:
        self._task = task
        if task.check is None:
            argv = ["python", "-c", _CALLS, "{file}", "{report}", json.dumps([list(test) for test in task.tests])]
            tool = Tool("tests", argv, report="report.json", parser=self._findings, timeout_s=_TESTS_S)
            self._tests = ToolCritiquer([tool])
        super().__init__(self._by_tests if task.check is None else self._by_check)

    async def _by_check(self, text: str) -> CritiqueResult:
        return _result(self._task.check(text), self._task.n_checks, "form", is_broken=False)

    async def _by_tests(self, text: str) -> CritiqueResult:
        context = RunContext(run_id="tests", prompt=self._task.prompt)
        judged = await self._tests.critique(Candidate(code_of(text) or "\n"), context)
        is_broken = any(issue.kind in ("cannot-run", "timeout") for issue in judged.issues)
        messages = [issue.message for issue in judged.issues]
        return _result(messages, self._task.n_checks, "test", is_broken=is_broken)

    def _findings(self, report: str) -> list[Issue]:
        told = cast("dict[str, Any]", json.loads(report))
        if told["ended"] != len(self._task.tests):
            raise ValueError("not all tests ran")
        kind = "cannot-run" if told["is_broken"] else "test"
        return [Issue(str(one), severity=_SEVERITY, kind=kind) for one in told["wrong"]]


@dataclass(frozen=True, slots=True)
class _Folders:
    shown: Path
    held_back: Path


class ProgramJudge(Judge):
    """Judges the text of a program by its tests, with pytest in the sandbox. Used as a context, for its files."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._home = tempfile.TemporaryDirectory(prefix="jido-program-")
        folders = _Folders(*(Path(self._home.name) / name for name in ("shown", "held_back")))
        for folder, tests in ((folders.shown, program.tests), (folders.held_back, program.held_back)):
            folder.mkdir()
            (folder / "program.py").write_text(program.code, "utf-8")
            (folder / "test_program.py").write_text(_HEAD + tests, "utf-8")
        self._tests, self._held_back = (
            ToolCritiquer(["pytest"], root=folder, replaces="program.py")
            for folder in (folders.shown, folders.held_back)
        )
        self._context = RunContext(run_id="tests", prompt=program.name)
        super().__init__(self._by_tests)

    def __enter__(self) -> ProgramJudge:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # a directory of ours in the temporary place; nothing depends on it
            self._home.cleanup()

    async def _by_tests(self, text: str) -> CritiqueResult:
        return await self._tests.critique(Candidate(text), self._context)

    async def passes_held_back(self, text: str) -> bool:
        """Tell whether a text also passes the tests that no model has seen."""
        return not (await self._held_back.critique(Candidate(text), self._context)).issues
