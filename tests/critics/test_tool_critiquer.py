"""ToolCritiquer, with the real tools."""

from __future__ import annotations

import asyncio
import dataclasses
import os
from pathlib import Path

import pytest

from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import ConfigurationError, ToolError, ToolNotFoundError
from jido_ai.protocols import Critiquer, RunContext
from jido_ai.tools.ready import COMPILE, PYTEST, RUFF, UNITTEST
from jido_ai.tools.sandbox.executor import ProcessExecutor
from jido_ai.tools.tool import Tool
from jido_ai.values import Candidate, CritiqueResult, Issue, Location
from jido_ai.values.tool import ToolJob, ToolRun

CONTEXT = RunContext(run_id="run", prompt="prompt")
CLEAN = "def add(a, b):\n    return a + b\n\n\nprint(add(1, 2))\n".replace("'", '"')
PASSING = "import unittest\n\n\nclass TestA(unittest.TestCase):\n    def test_b(self):\n        self.assertTrue(True)\n"
FAILING = PASSING.replace("True)", "False)")


def tool(name: str, code: str, **options: object) -> Tool:
    return Tool(name, ("python", "-c", code), **options)  # type: ignore[arg-type]


async def judge(content: str, *tools: str | Tool, **options: object) -> CritiqueResult:
    return await ToolCritiquer(tools, **options).critique(Candidate(content), CONTEXT)  # type: ignore[arg-type]


def rules(result: CritiqueResult) -> set[str | None]:
    return {issue.rule for issue in result.issues}


# -- the aggregate


async def test_a_candidate_without_findings_is_flawless() -> None:
    result = await judge(CLEAN, "compile", "ruff", "ruff-format")
    assert (result.severity, result.score, result.issues, result.actionable) == (0.0, 1.0, (), False)


@pytest.mark.rows("J6")
async def test_the_severity_is_the_worst_one_and_the_score_falls_with_each_finding() -> None:
    found = [Issue("a", severity=0.5), Issue("b", severity=0.25), Issue("a", severity=0.5)]
    result = await judge("", tool("t", "", parser=lambda _text: found))
    assert result.severity == 0.5
    assert result.score == pytest.approx(1 / 1.75)
    assert [issue.message for issue in result.issues] == ["a", "b"]


async def test_issues_and_parts_are_in_the_order_of_the_tools() -> None:
    slow = tool("slow", "import time; time.sleep(0.2)", parser=lambda _text: ["first"])
    quick = tool("quick", "", parser=lambda _text: ["second"])
    result = await judge("", slow, quick)
    assert [(issue.message, issue.source) for issue in result.issues] == [
        ("first", "tool:slow"),
        ("second", "tool:quick"),
    ]
    assert [part.source for part in result.parts] == ["tool:slow", "tool:quick"]
    assert result.source == "tool:slow+quick"


@pytest.mark.rows("J6")
async def test_tools_run_at_the_same_time(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")  # each end waits for the other to be opened
    reader = tool("reader", f"open({str(tmp_path / 'pipe')!r}).read()", timeout_s=60)
    writer = tool("writer", f"open({str(tmp_path / 'pipe')!r}, 'w').close()", timeout_s=60)
    assert (await judge("", reader, writer, executor=ProcessExecutor())).severity == 0.0


async def test_each_tool_reports_status_time_and_layer() -> None:
    result = await judge("", tool("t", "import sys; sys.exit(3)"), executor=ProcessExecutor())
    told = result.metadata["tools"]["t"]
    assert told["exit_status"] == 3
    assert told["duration_s"] > 0
    assert told["sandbox"] == result.metadata["sandbox"] == "none"
    assert told["truncated"] is False


def test_a_tool_critiquer_is_a_critiquer() -> None:
    assert isinstance(ToolCritiquer(["compile"]), Critiquer)


# -- exit status, limits, and what cannot run


@pytest.mark.rows("J6")
async def test_a_failure_without_a_finding_has_the_severity_on_fail() -> None:
    code = "import sys; print('why', file=sys.stderr); sys.exit(1)"
    result = await judge("", tool("t", code))
    assert result.severity == 0.8
    assert "why" in result.issues[0].message
    assert (await judge("", tool("t", code, severity_on_fail=0.35))).severity == 0.35


@pytest.mark.rows("J6")
async def test_findings_count_although_the_status_is_0() -> None:
    result = await judge("", tool("t", "", parser=lambda _text: [Issue("w", kind="warning")]))
    assert result.severity == 0.4


@pytest.mark.rows("J6")
async def test_a_tool_that_does_not_end_is_killed_and_has_severity_0_9() -> None:
    result = await judge("", tool("t", "while True: pass", timeout_s=0.3))
    assert result.severity == 0.9
    assert result.issues[0].kind == "timeout"


async def test_the_deadline_of_the_run_applies_to_tools_too() -> None:
    context = RunContext(run_id="run", prompt="prompt", deadline=asyncio.get_running_loop().time() + 0.3)
    critiquer = ToolCritiquer([tool("t", "while True: pass", timeout_s=30)])
    assert (await critiquer.critique(Candidate(""), context)).issues[0].kind == "timeout"


@pytest.mark.rows("J6")
@pytest.mark.parametrize(
    "options",
    [
        {"parser": int},
        {"parser": lambda _text: 1 / 0},
        {"parser": lambda _text: [], "report": "never-written"},
        {"ran": frozenset({7})},
    ],
    ids=["garbage", "parser raises", "no report", "other status"],
)
async def test_a_tool_that_cannot_run_or_be_parsed_has_severity_1(options: dict[str, object]) -> None:
    result = await judge("", tool("t", "print('garbage')", **options))
    assert result.severity == 1.0
    assert result.issues[0].kind == "cannot-run"
    assert "t cannot run" in result.issues[0].message


async def test_the_message_of_a_failing_tool_does_not_depend_on_its_directory() -> None:
    code = "import os, sys; print('rootdir: ' + os.getcwd(), file=sys.stderr); sys.exit(7)"
    first, second = [await judge("", tool("t", code, ran=frozenset({0}))) for _ in range(2)]
    assert first.issues[0].kind == "cannot-run"
    assert "rootdir: ." in first.issues[0].message
    assert first.issues == second.issues


@pytest.mark.parametrize(("kind", "told"), [("syntax", "syntax"), ("error", "cannot-run")])
async def test_a_status_for_not_running_counts_unless_the_candidate_does_not_parse(kind: str, told: str) -> None:
    failing = tool("t", "raise SystemExit(2)", parser=lambda _text: [Issue("x", kind=kind)], ran=frozenset({0, 1}))
    assert [issue.kind for issue in (await judge("", failing)).issues] == [told]


async def test_a_parser_may_read_the_stderr_of_a_tool() -> None:
    speaks = "import sys; print('out'); print('err', file=sys.stderr)"
    result = await judge("", tool("t", speaks, parser=lambda text: [text.strip()], output="stderr"))
    assert [issue.message for issue in result.issues] == ["err"]
    with pytest.raises(ConfigurationError, match="output"):
        tool("t", "", output="both")


async def test_a_failing_executor_does_not_count_as_passed() -> None:
    class Broken(ProcessExecutor):
        async def run(self, job: ToolJob) -> ToolRun:
            raise ToolError("no space left")

    result = await judge("", "compile", executor=Broken())
    assert result.severity == 1.0
    assert "no space left" in result.issues[0].message


async def test_truncated_output_is_not_taken_as_complete() -> None:
    class Small(ProcessExecutor):
        async def run(self, job: ToolJob) -> ToolRun:
            return await super().run(dataclasses.replace(job, max_output_bytes=100))

    result = await judge("import a\nimport b\n", "ruff", executor=Small())
    assert result.issues[0].kind == "cannot-run"
    assert "cut" in result.issues[0].message


async def test_messages_of_tools_are_bounded_and_clean() -> None:
    code = "import sys; print('\\x1b[31m\\0' + 'x' * 50_000, file=sys.stderr); sys.exit(1)"
    (issue,) = (await judge("", tool("t", code))).issues
    assert len(issue.message) < 10_200
    assert "\0" not in issue.message
    assert "cut" in issue.message


async def test_cancellation_passes_through(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "started")
    program = tool("t", f"open({str(tmp_path / 'started')!r}, 'w').close()\nwhile True: pass")
    task = asyncio.create_task(judge("", program, executor=ProcessExecutor()))
    await asyncio.to_thread((tmp_path / "started").read_text)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


# -- how the candidate is passed


async def test_a_candidate_arrives_as_a_file_on_stdin_or_as_an_argument() -> None:
    code = "import sys; sys.exit(sys.argv[1] if {} != 'é{{' + 'file}}\\n' else 0)"
    as_file = Tool("file", ("python", "-c", code.format("open(sys.argv[1], newline='').read()"), "{file}"))
    on_stdin = Tool("stdin", ("python", "-c", code.format("sys.stdin.read()"), "x"), input="stdin")
    as_argument = Tool("argument", ("python", "-c", code.format("sys.argv[1]"), "{content}"), input="none")
    result = await judge("é{file}\n", as_file, on_stdin, as_argument)
    assert result.issues == ()


async def test_the_bytes_of_a_candidate_are_not_changed() -> None:
    code = "import sys; print(open(sys.argv[1], 'rb').read())"
    echo = Tool("echo", ("python", "-c", code, "{file}"), parser=lambda text: [text.strip()])
    assert (await judge("\ufeffa\r\nb", echo)).issues[0].message == "b'\\xef\\xbb\\xbfa\\r\\nb'"


# -- what is refused at once


@pytest.mark.rows("J7")
def test_an_unknown_or_missing_tool_is_refused_before_anything_runs() -> None:
    with pytest.raises(ConfigurationError, match="known: "):
        ToolCritiquer(["no-such-tool"])
    with pytest.raises(ToolNotFoundError, match=r"'lint'.*'no-such-tool'.*install"):
        ToolCritiquer([Tool("lint", ("no-such-tool",))])
    with pytest.raises(ToolNotFoundError, match="no_such_module"):
        ToolCritiquer([Tool("t", ("python",), needs=("no_such_module",))])


@pytest.mark.rows("J7")
def test_a_program_that_is_not_allowed_is_refused() -> None:
    with pytest.raises(ToolNotFoundError, match="not allowed"):
        ToolCritiquer(["ruff"], executor=ProcessExecutor(allow=("python",)))


@pytest.mark.rows("J7")
@pytest.mark.parametrize("path", ["../x.py", "/x.py", "a\0.py", "C:\\x.py"])
def test_a_path_outside_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(ConfigurationError):
        ToolCritiquer(["compile"], root=tmp_path, replaces=path)
    with pytest.raises(ConfigurationError):
        Tool("t", ("true",), filename=path)


def test_a_path_through_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc")
    with pytest.raises(ConfigurationError, match="link"):
        ToolCritiquer(["compile"], root=tmp_path, replaces="link/passwd")


@pytest.mark.parametrize(
    "options",
    [
        {"argv": ()},
        {"argv": "ruff check"},
        {"argv": ("{file}",)},
        {"argv": ("true",), "timeout_s": 0.0},
        {"argv": ("true",), "timeout_s": float("nan")},
        {"argv": ("true",), "severity_on_fail": 1.5},
        {"argv": ("true",), "input": "telepathy"},
        {"argv": ("true",), "severity_on_fail": "high"},
        {"argv": ("true",), "timeout_s": True},
        {"argv": ("true",), "name": " "},
        {"argv": ("true",), "name": 3},
        {"argv": ("true",), "parser": 3},
        {"argv": ("true",), "files": 3},
        {"argv": ("true",), "files": {"a.txt": 3}},
        {"argv": ("true",), "files": {3: "a"}},
        {"argv": ("true",), "project_config": {"a.toml": None}},
        {"argv": ("true",), "filename": 3},
        {"argv": ("true",), "report": b"r.json"},
        {"argv": None},
    ],
)
def test_an_invalid_tool_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError):
        Tool(**{"name": "t", **options})  # type: ignore[arg-type]


def test_arguments_of_a_tool_are_copied() -> None:
    argv, files = ["true"], {"a.txt": "a"}
    tool = Tool("t", argv, files=files)
    argv.append("more")
    files["b.txt"] = "b"
    assert (tool.argv, tool.files) == (("true",), {"a.txt": "a"})


@pytest.mark.parametrize(
    "options",
    [
        {"tools": []},
        {"tools": "ruff"},
        {"tools": ["ruff", "ruff"]},
        {"tools": 3},
        {"tools": [None]},
        {"tools": ["ruff"], "severity_map": 3},
        {"tools": ["ruff"], "max_parallel": True},
        {"tools": ["ruff"], "max_parallel": 0},
        {"tools": ["ruff"], "root": "/no/such/directory"},
        {"tools": ["ruff"], "severity_map": {"F401": 2.0}},
        {"tools": ["ruff"], "severity_map": {"F401": True}},
        {"tools": ["ruff"], "severity_map": {"cannot-run": 0.0}},
    ],
)
def test_an_invalid_critiquer_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError):
        ToolCritiquer(**options)  # type: ignore[arg-type]


# -- the ready tools


async def test_compile_reports_line_and_column_of_a_syntax_error() -> None:
    (issue,) = (await judge("x = 1\ndef f(:\n", "compile")).issues
    assert issue.severity == 1.0
    assert issue.location is not None
    assert (issue.location.path, issue.location.line, issue.location.column) == ("candidate.py", 2, 7)


async def test_compile_executes_nothing_and_reports_warnings() -> None:
    result = await judge("1 is 1\nraise SystemExit(9)\n", "compile")
    assert [(issue.kind, issue.severity) for issue in result.issues] == [("warning", 0.4)]


@pytest.mark.parametrize("content", ["a\0b", "(" * 5_000, "x = '\ud800'\n"])
async def test_compile_rejects_every_text_that_is_not_python(content: str) -> None:
    assert (await judge(content, "compile")).severity == 1.0


async def test_ruff_finds_mistakes_without_any_configuration() -> None:
    code = (
        "import sys\nimport os\nfrom abc import ABC\nfrom abc import ABC\ndef f(x=[], id=1):\n    try:\n"
        "        return x == None or y\n    except:\n        pass\nprint(ABC)\n"
    )
    assert rules(await judge(code, "ruff")) >= {"F401", "I001", "B006", "E711", "E722", "F811", "A002", "F821"}


async def test_a_file_that_is_not_formatted_is_one_finding_of_style() -> None:
    (issue,) = (await judge("x=1\ny=2\n", "ruff-format")).issues
    assert (issue.severity, issue.kind, issue.rule) == (0.2, "style", "format")


async def test_a_syntax_error_is_reported_once() -> None:
    result = await judge("def f(:\n", "ruff", "compile", "ruff-format")
    assert [issue.source for issue in result.issues] == ["tool:ruff"]
    assert result.severity == 1.0
    assert result.score == 0.5
    assert [part.severity for part in result.parts] == [1.0, 1.0, 1.0]


async def test_pytest_and_unittest_report_failing_tests_and_accept_passing_ones() -> None:
    failed = await judge(FAILING, "pytest", "unittest")
    assert [issue.source for issue in failed.issues] == ["tool:pytest", "tool:unittest"]
    for issue in failed.issues:
        assert issue.severity == 0.9
        assert "test_b" in issue.message
        assert issue.location is not None
        assert issue.location.path == "test_candidate.py"
        assert issue.location.line in (5, 6)
    assert (await judge(PASSING, "pytest", "unittest")).issues == ()


@pytest.mark.rows("J6", "H44")
@pytest.mark.parametrize("content", ["x = 1\n", "import os\nos._exit(0)\n"], ids=["no test", "ends early"])
@pytest.mark.quick_cases(1)
async def test_a_run_without_tests_does_not_pass(content: str) -> None:
    result = await judge(content, "pytest", "unittest")
    assert [issue.kind for issue in result.issues] == ["cannot-run", "cannot-run"]
    assert result.severity == 1.0


async def test_files_beside_the_candidate_test_it() -> None:
    test = "import unittest\nfrom solution import add\nclass T(unittest.TestCase):\n    def test_add(self):\n"
    files = {"test_solution.py": test + "        self.assertEqual(add(1, 2), 3)\n"}
    chosen = dataclasses.replace(UNITTEST, filename="solution.py", files=files)
    assert (await judge("def add(a, b):\n    return a + b\n", chosen)).severity == 0.0
    assert (await judge("def add(a, b):\n    return a - b\n", chosen)).severity == 0.9


def test_arguments_are_added_at_the_end() -> None:
    chosen = PYTEST.with_arguments("tests/test_a.py")
    assert chosen.argv[-1] == "tests/test_a.py"
    assert chosen.project_argv is not None
    assert chosen.project_argv[-1] == "tests/test_a.py"
    assert COMPILE.with_arguments("x").project_argv is None


# -- severities


@pytest.mark.rows("J6")
async def test_severities_are_mapped_by_rule_letters_kind_or_tool() -> None:
    code = "import os\nfrom a import *\n"  # F401, F403

    async def severity(**mapped: float) -> dict[str | None, float | None]:
        mapping = {key.replace("_", "-"): value for key, value in mapped.items()}
        return {issue.rule: issue.severity for issue in (await judge(code, "ruff", severity_map=mapping)).issues}

    plain = await severity()
    assert (plain["F401"], plain["F403"]) == (0.4, 0.7)
    mapped = await severity(F401=0.15, F=0.25)
    assert (mapped["F401"], mapped["F403"]) == (0.15, 0.25)
    assert (await severity(warning=0.5))["F401"] == 0.5
    assert (await severity(ruff=0.6))["F403"] == 0.6


async def test_a_timeout_can_be_mapped_too() -> None:
    loops = tool("t", "while True: pass", timeout_s=0.3)
    assert (await judge("", loops, severity_map={"timeout": 0.45})).severity == 0.45


# -- projects


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text("")
    (tmp_path / "pkg" / "helper.py").write_text("ONE = 1\n")
    (tmp_path / "pkg" / "mod.py").write_text("old = broken(\n")
    (tmp_path / "tests").mkdir()
    test = "from pkg.mod import two\n\n\ndef test_two():\n    assert two() == 2\n"
    (tmp_path / "tests" / "test_mod.py").write_text(test)
    return tmp_path


async def test_the_tests_of_a_project_run_with_the_candidate_in_its_place(project: Path) -> None:
    good = "from pkg.helper import ONE\n\n\ndef two():\n    return ONE + ONE\n"
    critiquer = ToolCritiquer(["pytest"], root=project, replaces="pkg/mod.py")
    passed, failed = await asyncio.gather(
        *(critiquer.critique(Candidate(code), CONTEXT) for code in (good, good.replace("+", "-")))
    )
    assert passed.issues == ()
    (issue,) = failed.issues
    assert issue.rule == "tests/test_mod.py::test_two"
    assert issue.location == Location("tests/test_mod.py", 5, 5)
    assert (project / "pkg" / "mod.py").read_text() == "old = broken(\n"


async def test_the_rules_of_a_project_apply_if_it_has_any(project: Path) -> None:
    code = "import os\nx = 'a'\n"

    async def found() -> set[str | None]:
        return rules(await judge(code, "ruff", root=project, replaces="pkg/mod.py"))

    assert "F401" in await found()
    (project / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert "F401" in await found()
    (project / "pyproject.toml").write_text("[tool.ruff.lint]\nselect = ['Q']\n")
    assert await found() == {"Q000"}
    (project / "pkg" / "ruff.toml").write_text("[lint]\nselect = ['F']\n")
    assert await found() == {"F401"}


async def test_paths_are_relative_to_the_project(project: Path) -> None:
    result = await judge("import os\n", "compile", "ruff", root=project, replaces="pkg/mod.py")
    assert {issue.location.path for issue in result.issues if issue.location} == {"pkg/mod.py"}


async def test_a_finding_keeps_its_identity_in_the_next_run() -> None:
    first, second = [await judge(FAILING, "unittest", RUFF) for _ in range(2)]
    assert [one.fingerprint for one in first.issues] == [one.fingerprint for one in second.issues]
