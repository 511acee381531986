"""Outcomes of tests, and reports that are not credible, in the real sandbox of this machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import ConfigurationError, ToolError
from jido_ai.protocols import RunContext
from jido_ai.tools.ready import DOCTEST, PYTEST, UNITTEST
from jido_ai.tools.reports.outcomes import lost_tests
from jido_ai.tools.reports.tests import parse_lines, parse_outcomes, parse_results, parse_tests
from jido_ai.tools.sandbox.executor import SandboxExecutor
from jido_ai.tools.sandbox.layers import LAYERS, Layer
from jido_ai.tools.tool import Tool
from jido_ai.values import Candidate, Issue
from jido_ai.values.tool import ToolRun

CONTEXT = RunContext(run_id="run", prompt="prompt")
QUICK = PYTEST.with_arguments("--disable-plugin-autoload")
pytestmark = pytest.mark.skipif(SandboxExecutor().refusal() is not None, reason="no layer of the sandbox holds here")


async def run(tool: Tool, root: Path, files: dict[str, str], path: str, **more: str) -> ToolRun:
    """Run a tool in a project, on the file at `path`; `more` are files beside the project's."""
    for name, text in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    job = tool.job(files[path], tree=root, path=path)
    return await SandboxExecutor().run(job)


async def outcomes(tool: Tool, root: Path, files: dict[str, str], path: str) -> dict[str, str]:
    ended = await run(tool, root, files, path)
    assert ended.report is not None, ended.stderr
    assert tool.checks is not None
    return dict(tool.checks(ended.report))


async def judge(
    tool: Tool, root: Path, files: dict[str, str], path: str, executor: SandboxExecutor | None = None
) -> tuple[Issue, ...]:
    for name, text in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    critic = ToolCritiquer([tool], root=root, replaces=path, executor=executor)
    return (await critic.critique(Candidate(files[path]), CONTEXT)).issues


# -- how each test ended

ALL_KINDS = """\
import pytest

def test_passed(): pass
def test_failed(): assert 0
@pytest.fixture
def broken(): raise ValueError
def test_setup(broken): pass
@pytest.fixture
def late():
    yield
    raise ValueError
def test_teardown(late): pass
@pytest.mark.skip
def test_skipped(): pass
def test_skips(): pytest.skip("now")
@pytest.mark.xfail
def test_xfailed(): assert 0
@pytest.mark.xfail
def test_xpassed(): pass
@pytest.mark.xfail(strict=True)
def test_strict(): pass
@pytest.mark.parametrize("n", [1, 2])
def test_each(n): assert n == 1
def test_exits(): raise SystemExit(0)
"""


async def test_pytest_reports_the_outcome_of_each_test(tmp_path: Path) -> None:
    found = await outcomes(QUICK, tmp_path, {"test_a.py": ALL_KINDS}, "test_a.py")
    assert found == {
        "test_a.py::test_passed": "passed",
        "test_a.py::test_failed": "failed",
        "test_a.py::test_setup": "error",
        "test_a.py::test_teardown": "error",
        "test_a.py::test_skipped": "skipped",
        "test_a.py::test_skips": "skipped",
        "test_a.py::test_xfailed": "xfailed",
        "test_a.py::test_xpassed": "xpassed",
        "test_a.py::test_strict": "failed",
        "test_a.py::test_each[1]": "passed",
        "test_a.py::test_each[2]": "failed",
        "test_a.py::test_exits": "failed",
    }


async def test_a_file_that_is_skipped_or_cannot_be_collected_has_its_own_entry(tmp_path: Path) -> None:
    files = {
        "test_a.py": "import pytest\npytest.skip('x', allow_module_level=True)\n",
        "test_b.py": "import nothing_of_the_kind\n",
        "test_c.py": "def test_it(): pass\n",
    }
    tool = QUICK.with_arguments("--continue-on-collection-errors")
    found = await outcomes(tool, tmp_path, files, "test_c.py")
    assert found == {"test_a.py": "skipped", "test_b.py": "error", "test_c.py::test_it": "passed"}


async def test_unittest_reports_the_outcome_of_each_test(tmp_path: Path) -> None:
    text = """\
import unittest

class T(unittest.TestCase):
    def test_passed(self): pass
    def test_failed(self): self.fail()
    def test_error(self): raise ValueError
    def test_skips(self): raise unittest.SkipTest("now")
    @unittest.expectedFailure
    def test_xfailed(self): self.fail()
    @unittest.expectedFailure
    def test_xpassed(self): pass
    def test_sub(self):
        for n in (1, 2):
            with self.subTest(n=n):
                self.assertEqual(n, 1)

@unittest.skip("all")
class S(unittest.TestCase):
    def test_a(self): pass
"""
    found = await outcomes(UNITTEST, tmp_path, {"test_a.py": text}, "test_a.py")
    assert {name.removeprefix("test_a."): outcome for name, outcome in found.items() if "(" not in name} == {
        "T.test_passed": "passed",
        "T.test_failed": "failed",
        "T.test_error": "error",
        "T.test_skips": "skipped",
        "T.test_xfailed": "xfailed",
        "T.test_xpassed": "xpassed",
        "T.test_sub": "failed",
        "S.test_a": "skipped",
    }


async def test_doctest_reports_the_outcome_of_each_docstring(tmp_path: Path) -> None:
    text = (
        'def f():\n    """\n    >>> 1\n    1\n    """\n\n\ndef g():\n    """\n    >>> 1\n    2\n    """\n\n\n'
        'def h():\n    """\n    >>> 1 # doctest: +SKIP\n    2\n    """\n'
    )
    found = await outcomes(DOCTEST, tmp_path, {"a.py": text}, "a.py")
    assert found == {"a.f": "passed", "a.g": "failed", "a.h": "skipped"}


@pytest.mark.slow
async def test_too_many_tests_are_cut_and_the_cut_is_marked(tmp_path: Path) -> None:
    text = "import pytest\n@pytest.mark.parametrize('n', range(2000), ids=lambda n: f'{n:04}' + 'x' * 900)\n"
    found = await outcomes(QUICK, tmp_path, {"test_a.py": text + "def test_it(n): pass\n"}, "test_a.py")
    assert 1_000 < len(found) < 2_000
    assert list(found.values())[-1] == "cut"
    assert lost_tests(found, found) == ()


# -- tests that no longer run are lost, in every possible way

TESTS = "def test_a(): assert 1\n\ndef test_b(): assert 0\n"
SOLUTION = "x = 1\n"
EMPTIED = {
    "module level skip": "import pytest\npytest.skip('x', allow_module_level=True)\n" + TESTS,
    "skip mark": "import pytest\npytestmark = pytest.mark.skip\n" + TESTS,
    "skipif mark": "import pytest\npytestmark = pytest.mark.skipif(True, reason='x')\n" + TESTS,
    "xfail mark": "import pytest\npytestmark = pytest.mark.xfail\n" + TESTS.replace("assert 1", "assert 0"),
    "xfail without a run": "import pytest\npytestmark = pytest.mark.xfail(run=False)\n" + TESTS,
    "SkipTest": "import unittest\nraise unittest.SkipTest('x')\n" + TESTS,
    "SkipTest in the tests": TESTS.replace("assert 1", "raise __import__('unittest').SkipTest").replace(
        "assert 0", "raise __import__('unittest').SkipTest"
    ),
    "importorskip": "import pytest\npytest.importorskip('nothing_of_the_kind')\n" + TESTS,
    "renamed": TESTS.replace("test_a", "test_c").replace("test_b", "test_d"),
    "no tests any more": TESTS.replace("test_", "check_"),
    "__test__": "__test__ = False\n" + TESTS,
    "deleted": TESTS + "\ndel test_a, test_b\n",
    "empty": "",
}


@pytest.mark.parametrize("how", EMPTIED)
@pytest.mark.quick_cases(2)
async def test_tests_that_no_longer_run_are_lost(how: str, tmp_path: Path) -> None:
    other = {"test_z.py": "def test_it(): pass\n"}
    before = await outcomes(QUICK, tmp_path, {"test_s.py": TESTS, **other}, "test_s.py")
    after = await outcomes(QUICK, tmp_path, {"test_s.py": EMPTIED[how], **other}, "test_s.py")
    lost = lost_tests(before, after)
    assert [one.test for one in lost] == ["test_s.py::test_a", "test_s.py::test_b"]
    assert lost[1].sentence.startswith("test_s.py::test_b failed before and is ")


@pytest.mark.parametrize(
    "conftest",
    [
        "def pytest_collection_modifyitems(items):\n    items[:] = [i for i in items if 'test_s' not in i.nodeid]\n",
        "collect_ignore = ['test_s.py']\n",
        "collect_ignore_glob = ['*_s.py']\n",
        "def pytest_ignore_collect(collection_path):\n    return collection_path.name == 'test_s.py' or None\n",
        "def pytest_pycollect_makeitem(name):\n    return [] if name in ('test_a', 'test_b') else None\n",
    ],
)
@pytest.mark.quick_cases(1)
async def test_tests_that_the_projects_own_conftest_hides_are_lost(conftest: str, tmp_path: Path) -> None:
    files = {"test_s.py": TESTS, "test_z.py": "def test_it(): pass\n", "conftest.py": ""}
    before = await outcomes(QUICK, tmp_path, files, "conftest.py")
    after = await outcomes(QUICK, tmp_path, {**files, "conftest.py": conftest}, "conftest.py")
    assert [one.test for one in lost_tests(before, after)] == ["test_s.py::test_a", "test_s.py::test_b"]


# -- reports that are not credible

_REPORT = '{"ran": 2, "skipped": 0, "unfinished": 0, "problems": [], "outcomes": {"test_s.py::test_a": "passed"}}'
_FORGE = f"open('.jido-pytest.json', 'w').write({_REPORT!r})"
_PLUGIN = "next(o for o in gc.get_objects() if type(o).__name__ == 'PytestPluginManager')"
CANDIDATES = {
    "os._exit": "import os\nos._exit(0)\n",
    "os._exit with 1": "import os\nos._exit(1)\n",
    "a signal": "import os\nos.kill(os.getpid(), 9)\n",
    "sys.exit": "import sys\nsys.exit(0)\n",
    "sys.exit with 1": "import sys\nsys.exit(1)\n",
    "SystemExit": "raise SystemExit\n",
    "pytest.exit": "import pytest\ndef act(): pytest.exit('done', 0)\n",
    "KeyboardInterrupt": "raise KeyboardInterrupt\n",
    "a report of its own": f"import os\n{_FORGE}\nos._exit(0)\n",
    "a report at the end": f"import atexit, os\natexit.register(lambda: {_FORGE})\ndef act(): os._exit(0)\n",
    "a report at the end of all": f"import atexit, os, sys\natexit.register(lambda: {_FORGE})\nsys.exit(0)\n",
    "a fork whose parent ends": "import os\nif os.fork():\n    os._exit(0)\n",
    "a fork in a test whose parent ends": "import os\ndef act():\n    if os.fork(): os._exit(0)\n",
    "a conftest.py": "open('conftest.py', 'w').write('')\n",
    "a conftest.py below": "import os\nos.makedirs('sub', exist_ok=True)\nopen('sub/conftest.py', 'w').write('')\n",
    "a changed conftest.py": "open('kept/conftest.py', 'a').write('#')\n",
    "a pytest.ini": "open('pytest.ini', 'w').write('')\n",
    "a setup.cfg": "open('setup.cfg', 'w').write('')\n",
    "a tox.ini": "open('tox.ini', 'w').write('')\n",
    "a pyproject.toml": "open('pyproject.toml', 'w').write('')\n",
    "a sitecustomize.py": "open('sitecustomize.py', 'w').write('')\n",
    "a plugin": f"import gc\ndef pytest_runtest_makereport(): pass\nimport sys\n"
    f"{_PLUGIN}.register(sys.modules[__name__])\n",
    "a plugin object": f"import gc\nclass P:\n    def pytest_collection_modifyitems(self, items): items.clear()\n"
    f"{_PLUGIN}.register(P())\n",
    "replaced collecting": "import _pytest.python\n_pytest.python.Module.collect = lambda self: []\n",
    "replaced session": "import _pytest.main\n_pytest.main.Session.perform_collect = lambda *a, **k: []\n",
    "replaced running": "import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n",
    "replaced calling": "import _pytest.runner\n_pytest.runner.pytest_runtest_call = lambda item: None\n",
    "a replaced status": "import _pytest.main\n"
    "_pytest.main.Session.testsfailed = property(lambda s: 0, lambda s, v: 0)\n",
    "status in a thread": "import os, threading\nthreading.Timer(0.0, os._exit, (0,)).start()\n"
    "def act():\n    import time\n    time.sleep(30)\n",
}
USES = "import solution\n\ndef test_a(): getattr(solution, 'act', int)()\n\ndef test_b(): assert 0\n"


@pytest.mark.parametrize("how", CANDIDATES)
@pytest.mark.quick_cases(4)
async def test_a_candidate_that_ends_or_manipulates_the_tests_cannot_run(how: str, tmp_path: Path) -> None:
    files = {"solution.py": CANDIDATES[how], "test_s.py": USES, "kept/conftest.py": "", "sub/note.txt": ""}
    (issue,) = await judge(QUICK, tmp_path, files, "solution.py")
    assert (issue.kind, issue.severity) == ("cannot-run", 1.0), issue.message


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import os\nos._exit(0)\n", "it left no report; exit status 0"),
        ("import os\nos._exit(7)\n", "exit status 7"),
        ("import os\nos.kill(os.getpid(), 11)\n", "exit status -11"),
        ("open('conftest.py', 'w')\n", "conftest.py, which configures the tests, appeared while they ran"),
        (CANDIDATES["replaced running"], "_pytest.python.Function.runtest was replaced"),
        (CANDIDATES["a plugin object"], "the candidate made itself a plugin of pytest"),
    ],
)
@pytest.mark.quick_cases(2)
async def test_a_candidate_that_cannot_run_has_its_reason(code: str, said: str, tmp_path: Path) -> None:
    (issue,) = await judge(QUICK, tmp_path, {"solution.py": code, "test_s.py": USES}, "solution.py")
    assert said in issue.message


async def test_a_temporary_conftest_is_detected(tmp_path: Path) -> None:
    hide = "def pytest_collection_modifyitems(items):\n    items[:] = items[:1]\n"
    make = f"open('z/conftest.py', 'w').write({hide!r})\n"
    clean_up = "def act():\n    import os\n    os.unlink('z/conftest.py')\n"
    files = {"solution.py": make + clean_up, "a/test_s.py": USES, "z/test_z.py": "def test_it(): assert 0\n"}
    (issue,) = await judge(QUICK, tmp_path, files, "solution.py")
    assert "z/conftest.py appeared while the tests ran" in issue.message


@pytest.mark.parametrize(
    "text",
    [
        "import threading, time\nthreading.Thread(target=time.sleep, args=(1e6,)).start()\n",
        "import threading, time\ndef act():\n    threading.Thread(target=time.sleep, args=(1e6,)).start()\n",
        "import os, time\ndef act():\n    if not os.fork():\n        time.sleep(1e6)\n",
        "import os, time\ndef act():\n    if not os.fork():\n        os.setsid()\n        time.sleep(1e6)\n",
        "import subprocess\ndef act():\n    subprocess.Popen(['sleep', '1000000'])\n",
        "import os\ndef act():\n    pid = os.fork()\n    if not pid: os._exit(0)\n    os.waitpid(pid, 0)\n",
        "import os\ndef act():\n    if not os.fork(): raise SystemExit\n",
        "import os, atexit, time\natexit.register(time.sleep, 1e6)\n",
        "import os\ndef act():\n    os.chdir('/')\n",
        "import os, tempfile\ndef act():\n    open(tempfile.mkdtemp() + '/conftest.py', 'w').write('1 / 0')\n",
        "def act():\n    open('pytest.ini', 'w').write('')\n    import os\n    os.unlink('pytest.ini')\n",
    ],
)
@pytest.mark.quick_cases(3)
async def test_threads_processes_and_files_left_by_a_test_neither_delay_nor_change_the_report(
    text: str, tmp_path: Path
) -> None:
    tests = USES.replace("assert 0", "assert 1")
    assert await judge(QUICK, tmp_path, {"solution.py": text, "test_s.py": tests}, "solution.py") == ()


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("tool", [QUICK, UNITTEST], ids=["pytest", "unittest"])
@pytest.mark.parametrize("forks", [1, 3])
@pytest.mark.quick_cases(2)
async def test_a_process_left_behind_cannot_overwrite_the_report(
    tool: Tool, layer: Layer, forks: int, tmp_path: Path
) -> None:
    executor = SandboxExecutor(layers=(layer,))
    if executor.refusal() is not None:
        pytest.skip(f"the layer {layer} does not hold here")
    text = (
        f"import os\nif {' or '.join(['not os.fork()'] * forks)}:\n    os.setsid()\n    while True:\n"
        f"        try: {_FORGE.replace('.jido-pytest.json', tool.report or '')}\n        except OSError: pass\n"
    )
    case = "import solution, unittest\nclass T(unittest.TestCase):\n    def test_b(self): assert 0\n"
    files = {"solution.py": text, "test_s.py": case}
    (issue,) = await judge(tool, tmp_path, files, "solution.py", executor)
    assert (issue.kind, (issue.rule or "").endswith("test_b")) == ("test", True)


@pytest.mark.parametrize("place", ["os.mkdir(p); open(p + '/x', 'w')", "os.symlink('/dev/null', p)", "os.mkfifo(p)"])
@pytest.mark.quick_cases(1)
async def test_an_existing_file_at_the_reports_path_is_removed(place: str, tmp_path: Path) -> None:
    text = f"import os\np = '.jido-pytest.json'\n{place}\n"
    (issue,) = await judge(QUICK, tmp_path, {"solution.py": text, "test_s.py": USES}, "solution.py")
    assert (issue.kind, issue.rule) == ("test", "test_s.py::test_b")


@pytest.mark.parametrize("tool", [UNITTEST, DOCTEST], ids=["unittest", "doctest"])
@pytest.mark.parametrize(
    "text",
    [
        "import os\nos._exit(0)\n",
        "import sys\nsys.exit(0)\n",
        "import os\nif os.fork():\n    os._exit(0)\n",
        "open('sitecustomize.py', 'w').write('')\n",
    ],
)
@pytest.mark.quick_cases(2)
async def test_other_runners_reject_such_candidates_too(tool: Tool, text: str, tmp_path: Path) -> None:
    doc = '"""\n>>> 1\n1\n"""\n'
    case = "import unittest, solution\nclass T(unittest.TestCase):\n    def test_a(self): pass\n"
    (issue,) = await judge(tool, tmp_path, {"solution.py": doc + text, "test_s.py": case}, "solution.py")
    assert issue.kind == "cannot-run" or "Failed to import" in issue.message


# -- texts that are not UTF-8


@pytest.mark.parametrize("tool", [QUICK, UNITTEST], ids=["pytest", "unittest"])
async def test_a_lone_surrogate_in_a_failing_tests_message_does_not_lose_the_test(tool: Tool, tmp_path: Path) -> None:
    text = (
        "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): raise ValueError('\\ud800 said')\n"
        "    def test_b(self): self.assertEqual('\\udcff', 'x')\n"
    )
    issues = await judge(tool, tmp_path, {"test_s.py": text}, "test_s.py")
    assert [issue.kind for issue in issues] == ["test", "test"]
    assert any("\\ud800 said" in issue.message for issue in issues)


@pytest.mark.slow
async def test_a_lone_surrogate_in_a_doctest_or_an_id_does_not_lose_the_test(tmp_path: Path) -> None:
    doc = "def f():\n    '''\n    >>> raise ValueError(chr(0xd800))\n    '''\n"
    (issue,) = await judge(DOCTEST, tmp_path, {"a.py": doc}, "a.py")
    assert "\\ud800" in issue.message
    text = "import pytest\n@pytest.mark.parametrize('s', ['\\ud800'])\ndef test_it(s): assert not s, s\n"
    (issue,) = await judge(QUICK, tmp_path, {"test_s.py": text}, "test_s.py")
    assert issue.kind == "test"


# -- which tests run a line

CODE = """\
TOP = [n for n in range(3)]


def f(x):
    if x:
        return 1
    return 2


def never():
    return 3


async def later(x):
    return x


class C:
    y = 1

    def m(self):
        return [
            f(1),
            f(0),
        ]
"""
LINE_TESTS = """\
import asyncio, threading
import pytest
import code_under_test as c

def test_one(): assert c.f(1) == 1
def test_fails(): assert c.never() == 4
@pytest.fixture
def made(): return c.C().m()
def test_setup(made): assert made == [1, 2]
def test_thread():
    thread = threading.Thread(target=c.f, args=(0,))
    thread.start()
    thread.join()
def test_async(): assert asyncio.run(c.later(1)) == 1
@pytest.mark.parametrize("n", range(5))
def test_many(n): c.f(1)
def test_imports():
    import late
"""


async def lines(root: Path, wanted: dict[str, list[int]]) -> dict[str, dict[int, tuple[str, ...]]]:
    argv = list(QUICK.argv)
    place = argv.index("{file}") + 1
    tool = Tool("pytest", [*argv[:place], "--jido-lines", ".lines.json", *argv[place:]], report=QUICK.report)
    (root / ".lines.json").write_text(json.dumps(wanted))
    files = {"code_under_test.py": CODE, "test_l.py": LINE_TESTS, "late.py": "X = 1\n"}
    ended = await run(tool, root, files, "code_under_test.py")
    assert ended.report is not None, ended.stderr
    return parse_lines(ended.report)


async def test_lines_that_passing_tests_ran_are_reported_with_up_to_three_tests(tmp_path: Path) -> None:
    wanted = {"code_under_test.py": list(range(1, 30)), "late.py": [1], "gone.py": [1]}
    found = await lines(tmp_path, wanted)
    assert set(found) == {"code_under_test.py", "late.py", "gone.py"}
    assert found["late.py"] == found["gone.py"] == {}  # an import is not a run
    ran = found["code_under_test.py"]
    assert set(ran) == {5, 6, 7, 15, 22, 23, 24}
    assert ran[7] == ("test_l.py::test_setup", "test_l.py::test_thread")
    assert ran[15] == ("test_l.py::test_async",)
    assert ran[6] == ("test_l.py::test_one", "test_l.py::test_setup", "test_l.py::test_many[0]")


async def test_only_requested_lines_are_reported(tmp_path: Path) -> None:
    assert await lines(tmp_path, {"code_under_test.py": [6, 11]}) == {
        "code_under_test.py": {6: ("test_l.py::test_one", "test_l.py::test_setup", "test_l.py::test_many[0]")}
    }


# -- the readers


def report(**changes: object) -> str:
    return json.dumps({"ran": 1, "skipped": 0, "unfinished": 0, "problems": [], **changes})


@pytest.mark.parametrize("read", [parse_tests, parse_results, parse_outcomes, parse_lines])
def test_a_report_marked_as_not_credible_is_an_error_for_every_reader(read: object) -> None:
    assert callable(read)
    with pytest.raises(ToolError, match="not credible: because"):
        read(report(broken="because"))


def test_unknown_outcomes_are_an_error() -> None:
    assert parse_outcomes(report(outcomes={"a::b": "xpassed"})) == {"a::b": "xpassed"}
    with pytest.raises(ToolError, match="unknown outcomes"):
        parse_outcomes(report(outcomes={"a::b": "fine"}))


def test_a_tool_reads_checks_by_a_function() -> None:
    assert {tool.checks for tool in (PYTEST, UNITTEST, DOCTEST)} == {parse_outcomes}
    with pytest.raises(ConfigurationError, match="checks must be a function"):
        Tool("t", ("x",), checks="parse")  # type: ignore[arg-type]
