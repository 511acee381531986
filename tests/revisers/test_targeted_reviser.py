"""TargetedReviser: repairs without a model, with the real ruff."""

from __future__ import annotations

import ast
import asyncio
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import DrawFn, booleans, composite, lists, sampled_from

from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import ConfigurationError, Declined, ToolError, ToolNotFoundError
from jido_ai.protocols import Reviser, RunContext
from jido_ai.revisers.targeted_reviser import TargetedReviser
from jido_ai.tools.sandbox.executor import ProcessExecutor
from jido_ai.values import Candidate, CritiqueResult, Issue, Location
from jido_ai.values.tool import ToolJob, ToolRun

CONTEXT = RunContext(run_id="run", prompt="prompt")
CHECKS = ["compile", "ruff", "ruff-format"]


async def judge(content: str, **options: object) -> CritiqueResult:
    return await ToolCritiquer(CHECKS, **options).critique(Candidate(content), CONTEXT)  # type: ignore[arg-type]


def only(critique: CritiqueResult, *rules: str) -> CritiqueResult:
    return critique.replace(issues=tuple(issue for issue in critique.issues if issue.rule in rules))


async def mend(content: str, *rules: str, **options: object) -> str:
    """Return the revision of `content` when these of its findings are named; all of them without a rule."""
    critique = await judge(content)
    named = only(critique, *rules) if rules else critique
    return (await TargetedReviser(**options).revise(Candidate(content), named, CONTEXT)).content  # type: ignore[arg-type]


async def reasons(content: str, *issues: Issue, **options: object) -> tuple[str, ...]:
    with pytest.raises(Declined) as caught:
        await TargetedReviser(**options).revise(  # type: ignore[arg-type]
            Candidate(content), CritiqueResult(severity=0.5, issues=issues), CONTEXT
        )
    return caught.value.reasons


def test_it_is_a_reviser() -> None:
    assert isinstance(TargetedReviser(), Reviser)


# -- what it fixes


@pytest.mark.rows("J9")
@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        ("F401", "import os\nimport sys\n\nprint(sys)\n", "import sys\n\nprint(sys)\n"),
        ("I001", "import sys\nimport os\n\nprint(os, sys)\n", "import os\nimport sys\n\nprint(os, sys)\n"),
        ("E711", "def f(a):\n    return a == None  # why\n", "def f(a):\n    return a is None  # why\n"),
        ("E711", "def f(a):\n    return None != a\n", "def f(a):\n    return None is not a\n"),
        (
            "B006",
            "def f(a, b=[]):\n    return a, b\n",
            "def f(a, b=None):\n    if b is None:\n        b = []\n    return a, b\n",
        ),
        (
            "E722",
            "try:\n    print()\nexcept:\n    print(1)\n",
            "try:\n    print()\nexcept Exception:\n    print(1)\n",
        ),
        ("format", "x=1\n", "x = 1\n"),
        ("W291", "x = 1  \ny=2\n", "x = 1\ny=2\n"),
    ],
)
@pytest.mark.quick_cases(4)
async def test_a_named_finding_is_fixed(rule: str, before: str, after: str) -> None:
    assert await mend(before, rule) == after


async def test_a_text_that_was_to_be_filled_in_is_when_the_project_asks_for_it(tmp_path: Path) -> None:
    (tmp_path / "ruff.toml").write_text("preview = true\n[lint]\nselect = ['RUF027']\n")
    code = 'def f(name):\n    return "hello {name}"\n'
    critique = await judge(code, root=tmp_path, replaces="mod.py")
    reviser = TargetedReviser(root=tmp_path, replaces="mod.py")
    assert (await reviser.revise(Candidate(code), critique, CONTEXT)).content == code.replace('"hello', 'f"hello')


async def test_everything_fixable_is_fixed_at_once() -> None:
    code = (
        "import sys\nimport os, json\ndef f(x=[], y={}):\n    s='é😀'; z = s == None or x == None\n"
        "    try:\n        return x == None == z\n    except:\n        pass\nprint(json, f)\n"
    )
    critique = await judge(code)
    result = await TargetedReviser().revise(Candidate(code), critique, CONTEXT)
    left = (await judge(result.content)).issues
    assert {issue.rule for issue in left} <= {"SIM105", "E702"}
    fixed = {(entry["rule"], entry["line"]) for entry in result.metadata["fixed"]}
    assert fixed >= {("F401", 1), ("F401", 2), ("B006", 3), ("E711", 4), ("E711", 6), ("E722", 7)}


async def test_the_revision_names_its_parent_and_what_was_done_and_left() -> None:
    candidate = Candidate("import os\n\nprint(unknown)\n")
    result = await TargetedReviser().revise(candidate, await judge(candidate.content), CONTEXT)
    assert result.parent_id == candidate.id
    assert [(entry["rule"], entry["line"]) for entry in result.metadata["fixed"]] == [("F401", 1)]
    (left,) = result.metadata["left_alone"]
    assert "F821" in left
    assert "no fix" in left


# -- what it leaves


@pytest.mark.rows("J9")
async def test_only_named_findings_are_fixed() -> None:
    code = "import os\nimport sys\n\n\ndef f(a):\n    return a == None\n"
    critique = await judge(code)
    named = critique.replace(issues=tuple(issue for issue in critique.issues if "sys" in issue.message))
    assert (await TargetedReviser().revise(Candidate(code), named, CONTEXT)).content == code.replace("import sys\n", "")


async def test_the_finding_in_the_named_line_of_equal_ones_is_fixed() -> None:
    code = "def f(a):\n    b = a == None\n    return a == None, b\n"
    issue = Issue("Comparison to `None`", rule="E711", location=Location(line=3))
    result = await TargetedReviser().revise(Candidate(code), CritiqueResult(severity=0.5, issues=[issue]), CONTEXT)
    assert result.content == "def f(a):\n    b = a == None\n    return a is None, b\n"


@pytest.mark.parametrize(
    ("code", "after"),
    [
        ("from os import path, sep\n", "from os import sep\n"),
        ("from os import (\r\n    sep,\r\n    path as ü,\r\n)\r\n", "from os import (\r\n    sep,\r\n)\r\n"),
        ("import sys, os.path, re\n", "import sys, re\n"),
    ],
)
@pytest.mark.quick_cases(1)
async def test_only_the_named_one_of_several_imported_names_is_removed(code: str, after: str) -> None:
    critique = await judge(code)
    issue = next(issue for issue in critique.issues if "path" in issue.message)
    named = CritiqueResult(severity=0.5, issues=[issue])
    assert (await TargetedReviser().revise(Candidate(code), named, CONTEXT)).content == after


@pytest.mark.slow
async def test_a_fix_that_would_change_other_findings_is_not_made() -> None:
    code = "from os import (\n    path,  # why\n    sep,  # both\n)\n\nx = 1\n"
    critique = await judge(code)
    issue = next(issue for issue in critique.issues if "sep" in issue.message)
    (reason,) = await reasons(code, issue)
    assert "outside the critique" in reason
    assert await mend(code, "F401") == "x = 1\n"


async def test_a_file_of_which_nothing_would_be_left_is_declined() -> None:
    with pytest.raises(Declined, match="nothing would be left"):
        await mend("import os\n", "F401")


async def test_the_same_finding_named_twice_is_fixed_once() -> None:
    place = Location(line=1)
    issues = [Issue("a", rule="F401", location=place, source="tool:ruff"), Issue("b", rule="F401", location=place)]
    result = await TargetedReviser().revise(
        Candidate("import os\nx = 1\n"), CritiqueResult(severity=0.5, issues=issues), CONTEXT
    )
    assert result.content == "x = 1\n"
    assert len(result.metadata["fixed"]) == 2


@pytest.mark.parametrize(
    ("end", "bom", "last"), [("\n", "", "\n"), ("\r\n", "\ufeff", "\n"), ("\n", "\ufeff", ""), ("\r\n", "", "")]
)
@pytest.mark.quick_cases(1)
async def test_line_endings_mark_and_end_of_the_file_are_kept(end: str, bom: str, last: str) -> None:
    code = bom + end.join(["import sys", "import os", "x   =  'ü'", "print(os, x)"]) + last.replace("\n", end)
    after = bom + end.join(["import os", "", "x   =  'ü'", "print(os, x)"]) + last.replace("\n", end)
    assert await mend(code, "F401", "I001") == after


@pytest.mark.slow
async def test_a_formatted_file_stays_formatted() -> None:
    code = (
        "def f(aaaaaaaaaaaaaaaaaaaaaaaaaa=1, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb=2, ccccccccccccccc=[]):\n    return 1\n"
    )
    formatted = await mend(code, "format")
    mended = await mend(formatted, "B006")
    assert "format" not in {issue.rule for issue in (await judge(mended)).issues}


async def test_a_bare_except_below_except_exception_still_catches_the_rest() -> None:
    code = "try:\n    print()\nexcept Exception:\n    print(1)\nexcept:\n    print(2)\n"
    assert await mend(code, "E722") == code.replace("except:", "except BaseException:")


# -- when it declines


@pytest.mark.rows("J9")
@pytest.mark.parametrize(
    ("issue", "reason"),
    [
        (Issue("too clever"), "no rule"),
        (Issue("Undefined name", rule="F821", location=Location(line=1)), "no fix"),
        (Issue("not there", rule="F401", location=Location(line=1)), "does not find it"),
        (Issue("elsewhere", rule="F821", location=Location("other.py", 1)), "does not find it"),
        (Issue("x", rule="format", source="tool:ruff-format"), "the file is formatted"),
    ],
)
async def test_unknown_findings_are_left_with_a_reason(issue: Issue, reason: str) -> None:
    (said,) = await reasons("print(unknown)\n", issue)
    assert issue.message in said
    assert reason in said


async def test_without_an_issue_there_is_nothing_to_do() -> None:
    assert await reasons("x = 1\n") == ("the critique names no issue",)


async def test_there_is_one_reason_per_issue() -> None:
    issues = (Issue("a"), Issue("b", rule="F401"), Issue("c", rule="E711"))
    assert len(await reasons("print(1)\n", *issues)) == 3


async def test_a_file_that_does_not_parse_is_left_alone() -> None:
    (reason,) = await reasons("def f(:\n", Issue("m", rule="F401"))
    assert "does not parse" in reason


async def test_unsafe_fixes_are_made_for_certain_rules_only() -> None:
    code = "def f():\n    x = print()\n"
    (issue,) = (await judge(code)).issues
    assert issue.rule == "F841"
    assert "may change what the program does" in (await reasons(code, issue))[0]
    none = "def f(a):\n    return a == None\n"
    (issue,) = (await judge(none)).issues
    assert "may change what the program does" in (await reasons(none, issue, certain=()))[0]


class Meddling(ProcessExecutor):
    """Corrupts the output of the checks once something was changed."""

    def __init__(self, original: str, program: str, **changes: object) -> None:
        super().__init__()
        self._original, self._program, self._changes = original.encode(), program, changes

    async def run(self, job: ToolJob) -> ToolRun:
        run = await super().run(job)
        if self._program not in job.argv[:2] or job.files.get("candidate.py") == self._original:
            return run
        values = {name: getattr(run, name) for name in run.__dataclass_fields__}
        return ToolRun(**{**values, **self._changes})  # type: ignore[arg-type]


TWO = "import os\n\n\ndef f(a):\n    return a == None\n"
NEW = '[{"code": "F821", "message": "new", "location": {"row": 1, "column": 1}}]'


@pytest.mark.rows("J9")
@pytest.mark.parametrize(
    ("program", "changes", "reason"),
    [
        ("check", {"stdout": NEW, "exit_status": 1}, "led to F821 new"),
        ("-I", {"exit_status": 1}, "no longer parsed"),
    ],
)
async def test_an_edit_that_makes_something_worse_is_reverted(
    program: str, changes: dict[str, object], reason: str
) -> None:
    issues = (await judge(TWO)).issues
    said = await reasons(TWO, *issues, executor=Meddling(TWO, program, **changes))
    assert len(said) == len(issues) == 2
    assert all("reverted" in one and reason in one for one in said)


@pytest.mark.rows("J9")
async def test_an_edit_that_does_not_help_is_reverted() -> None:
    found = await ProcessExecutor().run(
        ToolJob(argv=("ruff", "check", "--isolated", "--output-format", "json", "x.py"), files={"x.py": b"import os\n"})
    )
    spoilt = Meddling("import os\n", "check", stdout=found.stdout, exit_status=1)
    (issue,) = (await judge("import os\n")).issues
    assert "still there" in (await reasons("import os\n", issue, executor=spoilt))[0]


async def test_one_bad_edit_does_not_spoil_the_good_ones(tmp_path: Path) -> None:
    code = "import os\n\n\ntry:\n    print()\nexcept:\n    print(1)\n"
    # `except Exception` would be a finding of BLE001, which is new
    (tmp_path / "ruff.toml").write_text("[lint]\nselect = ['F', 'E722', 'BLE001']\n")
    critique = await judge(code, root=tmp_path, replaces="mod.py")
    result = await TargetedReviser(root=tmp_path, replaces="mod.py").revise(Candidate(code), critique, CONTEXT)
    assert result.content == "try:\n    print()\nexcept:\n    print(1)\n"
    (left,) = result.metadata["left_alone"]
    assert "reverted" in left
    assert "BLE001" in left


# -- errors


async def test_a_tool_that_cannot_run_is_an_error_and_not_a_decline() -> None:
    (issue,) = (await judge("import os\n")).issues
    executor = Meddling("", "check", exit_status=2, stderr="boom")
    with pytest.raises(ToolError, match="boom"):
        await TargetedReviser(executor=executor).revise(
            Candidate("import os\n"), CritiqueResult(severity=0.5, issues=[issue]), CONTEXT
        )


def test_a_path_outside_or_a_missing_program_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError):
        TargetedReviser(root=tmp_path, replaces="../x.py")
    with pytest.raises(ToolNotFoundError):
        TargetedReviser(executor=ProcessExecutor(allow=("python",)))


# -- properties

SNIPPETS = [
    "import os{n}",
    "from os import sep, path",
    "def f{n}(a, b=[]):\n    b.append(a)\n    return b",
    "def g{n}(a):\n    return a == None or (a, None) != None",
    "def h{n}(a):\n    try:\n        return a.b\n    except:\n        pass",
    "def i{n}(a):\n    try:\n        return a.b\n    except:\n        print('é')\n        raise",
    "x{n} = 'ü'   ",
    "class C{n}:\n    def m(self, a={{}}, *, b=dict()):\n        '''Doc.'''\n        return a, b",
    "print( undefined{n} )",
]


@composite
def modules(draw: DrawFn) -> str:
    """Draw a module: snippets with planted defects between lines that must survive."""
    end = draw(sampled_from(["\n", "\r\n"]))
    lines: list[str] = []
    for number, snippet in enumerate(draw(lists(sampled_from(SNIPPETS), min_size=1, max_size=6))):
        lines += snippet.format(n=number).split("\n")
        lines += [f"keep{number}  =  {number}  # ünïcode 😀 {number}"]
    return ("\ufeff" if draw(booleans()) else "") + end.join(lines) + (end if draw(booleans()) else "")


@settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(modules(), booleans())
@pytest.mark.slow
def test_a_revision_parses_is_never_worse_and_keeps_every_other_line(code: str, all_of_it: bool) -> None:
    asyncio.run(check(code, all_of_it))


async def check(code: str, all_of_it: bool) -> None:
    before = await judge(code)
    named = [issue for issue in before.issues if issue.rule != "format"]
    named = named if all_of_it else named[::2]
    critique = CritiqueResult(severity=0.5, issues=named)
    try:
        result = await TargetedReviser().revise(Candidate(code), critique, CONTEXT)
    except Declined:
        return
    text = result.content.removeprefix("\ufeff")
    ast.parse(text)
    after = await judge(result.content)
    assert not Counter(issue.rule for issue in after.issues) - Counter(issue.rule for issue in before.issues)
    assert len(after.issues) < len(before.issues)
    kept = [line for line in code.splitlines() if line.startswith("keep")]
    assert [line for line in text.splitlines() if line.startswith("keep")] == kept
    assert result.content.startswith("\ufeff") == code.startswith("\ufeff")
    assert ("\r\n" in result.content) == ("\r\n" in code)
    assert result.content.count("\n") == result.content.count("\r\n") or "\r" not in code


# -- files that do not parse


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(a)\r\n    return a\r\n", "def f(a):\r\n    return a\r\n"),
        ("\ufeffx = [1, 2\n", "\ufeffx = [1, 2]\n"),
        ("x = 'hello\n", "x = 'hello'\n"),  # `x = hello` also parses, but the name is undefined
    ],
)
@pytest.mark.quick_cases(1)
async def test_a_file_with_one_possible_reading_is_made_to_parse(before: str, after: str) -> None:
    critique = await judge(before)
    result = await TargetedReviser().revise(Candidate(before), critique, CONTEXT)
    assert result.content == after
    assert {entry["rule"] for entry in result.metadata["fixed"]} >= {"SyntaxError"}
    assert "syntax" not in {issue.kind for issue in (await judge(after)).issues}


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("y = [1]\nx = len(y - 1\n", "2 of 2 equally small edits"),
        ("x = 1\n5 = x\n", "0 of 1 equally small edits"),  # `5 == x` is an unused value
        ("def f(:\n", "no small edit is known"),
    ],
)
@pytest.mark.quick_cases(1)
async def test_a_file_with_several_or_no_readings_is_left_alone(code: str, reason: str) -> None:
    assert reason in (await reasons(code, *(await judge(code)).issues))[0]
