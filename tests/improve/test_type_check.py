"""New errors of the type checker that a project configures reject a hunk."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from jido_ai.improve.patch_gate import PatchGate
from jido_ai.improve.patches import patch_of_texts
from jido_ai.improve.project_files import ProjectFiles
from jido_ai.improve.type_check import TypeCheck, has_types
from jido_ai.values.tool import ToolJob, ToolRun

OLD = "def f(x: int) -> int:\n    return x\n"
NEW = OLD.replace("return x", "return str(x)")
CONFIG = "[tool.mypy]\nstrict = true\n"


class Checker:
    """Answers as mypy does: an error for each file that makes a text; status 2 when it cannot run."""

    def __init__(self, status: int = 1) -> None:
        self.status, self.jobs = status, list[ToolJob]()

    async def run(self, job: ToolJob) -> ToolRun:
        self.jobs.append(job)
        wrong = [path for path, raw in job.files.items() if b"str(" in raw]
        error = {"line": 2, "column": 4, "message": "no int", "hint": None, "code": "return-value", "severity": "error"}
        said = "".join(json.dumps({"file": path, **error}) + "\n" for path in wrong)
        run = {"exit_status": self.status, "stdout": said, "stderr": "it is broken", "report": None}
        return ToolRun(**run, truncated=False, duration_s=0.1, directory="", sandbox="none")  # type: ignore[arg-type]


def project(root: Path, texts: Mapping[str, str]) -> ProjectFiles:
    for name, text in {"pyproject.toml": CONFIG, **texts}.items():
        (root / name).write_text(text)
    return ProjectFiles.read(root)


async def test_an_error_that_was_there_before_is_no_damage(tmp_path: Path) -> None:
    check = TypeCheck(project(tmp_path, {"a.py": OLD, "b.py": NEW}), Checker())
    assert await check.damage({"b.py": NEW + "# more\n"}) == []
    (damage,) = await check.damage({"a.py": NEW, "b.py": NEW})
    assert (damage.path, str(damage)) == ("a.py", "a.py: no int (return-value, new for mypy)")


async def test_a_checker_that_cannot_run_is_named_and_asked_once(tmp_path: Path) -> None:
    checker = Checker(status=2)
    check = TypeCheck(project(tmp_path, {"a.py": OLD}), checker)
    assert [await check.damage({"a.py": NEW}), await check.damage({"a.py": NEW})] == [[], []]
    assert (check.fault, len(checker.jobs)) == ("whether the types fit: mypy: it is broken", 1)


@pytest.mark.parametrize(
    ("files", "has"), [({"pyproject.toml": CONFIG}, True), ({"pyproject.toml": ""}, False), ({}, False)]
)
def test_a_project_has_types_if_it_configures_the_checker_that_is_installed(files: dict[str, str], has: bool) -> None:
    assert has_types(files, None) == has  # the tests' own environment has mypy


@pytest.mark.slow
async def test_a_new_error_of_the_real_checker_rejects_a_hunk(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": OLD})
    (bad,) = (await PatchGate(tmp_path).judge(patch_of_texts("a.py", OLD, NEW))).hunks
    assert "Incompatible return value type" in (bad.reason or "")
