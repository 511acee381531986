"""What worked in a project before must work after: all changes of a call together."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from jido_ai.improve.gate import Change, Gate, GateVerdict
from jido_ai.improve.project_files import ProjectFiles
from jido_ai.tools.ready import PYTEST
from jido_ai.tools.sandbox.executor import SandboxExecutor

FILES = {
    "pkg/__init__.py": "",
    "pkg/a.py": "import json\nimport os\n\nVALUE = 1\n",
    "pkg/b.py": "from pkg.a import json\n\n\ndef load(text):\n    return json.loads(text)\n",
    "pkg/c.py": "LIMIT = 2\nNAME = 'c'\n",
    "tests/test_c.py": "from pkg import c\n\n\ndef test_limit():\n    assert c.LIMIT == 2\n",
}


@pytest.fixture
def project(tmp_path: Path) -> ProjectFiles:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return ProjectFiles.read(tmp_path)


def lines_of(path: str) -> list[str]:
    return FILES[path].splitlines(keepends=True)


def change(path: str, *without: str) -> Change:
    """Return the change that takes rows out of a file, each a unit of its own."""

    def text(kept: Collection[str]) -> str:
        return "".join(row for row in lines_of(path) if row.strip() not in without or row.strip() in kept)

    async def rebuild(missing: Collection[str]) -> str:
        return text(missing)

    return Change(path, FILES[path], text(()), without, rebuild)


async def held(project: ProjectFiles, *changes: Change, **options: object) -> GateVerdict:
    return await Gate(project, SandboxExecutor(), **options).hold(changes)  # type: ignore[arg-type]


async def test_changes_that_break_nothing_stay(project: ProjectFiles) -> None:
    one = change("pkg/a.py", "import os")
    verdict = await held(project, one)
    assert verdict.texts == {"pkg/a.py": one.after}
    assert (verdict.taken_back, verdict.unchecked) == ({}, ())


async def test_an_edit_that_breaks_another_module_is_reverted_and_the_rest_stays(project: ProjectFiles) -> None:
    verdict = await held(project, change("pkg/a.py", "import json", "import os"), change("pkg/c.py", "NAME = 'c'"))
    assert verdict.texts == {"pkg/a.py": "import json\n\nVALUE = 1\n"}
    assert set(verdict.taken_back) == {("pkg/a.py", "import json"), ("pkg/c.py", "NAME = 'c'")}
    assert "pkg.b cannot be imported any more" in verdict.taken_back["pkg/a.py", "import json"]
    assert verdict.taken_back["pkg/c.py", "NAME = 'c'"] == "pkg.c has no NAME any more"


async def test_public_names_may_be_removed_on_request(project: ProjectFiles) -> None:
    verdict = await held(project, change("pkg/c.py", "NAME = 'c'"), keeps_names=False)
    assert verdict.texts == {"pkg/c.py": "LIMIT = 2\n"}


@pytest.mark.slow
async def test_a_change_that_breaks_a_test_is_reverted(project: ProjectFiles) -> None:
    tests = PYTEST.with_arguments("tests")
    broken = Change("pkg/c.py", FILES["pkg/c.py"], "LIMIT = 3\nNAME = 'c'\n")
    fine = change("pkg/a.py", "import os")
    outcomes = {"tests/test_c.py::test_limit": "passed"}
    verdict = await held(project, broken, fine, tests=tests, outcomes=outcomes)
    assert verdict.texts == {"pkg/a.py": fine.after}
    assert verdict.taken_back == {("pkg/c.py", None): "tests/test_c.py::test_limit fails"}


async def test_a_test_that_failed_before_breaks_nothing(project: ProjectFiles) -> None:
    tests = PYTEST.with_arguments("tests")
    broken = Change("pkg/c.py", FILES["pkg/c.py"], "LIMIT = 3\nNAME = 'c'\n")
    verdict = await held(project, broken, tests=tests, outcomes={"tests/test_c.py::test_limit": "failed"})
    assert verdict.texts == {"pkg/c.py": broken.after}


async def test_checks_that_cannot_run_are_reported(project: ProjectFiles) -> None:
    gate = Gate(project, SandboxExecutor(layers=()))
    verdict = await gate.hold([change("pkg/a.py", "import os")])
    assert verdict.texts
    assert "whether modules can be imported" in verdict.unchecked[0]


def test_a_file_is_a_module_by_the_packages_around_it(tmp_path: Path) -> None:
    for name in ("src/p/__init__.py", "src/p/q/__init__.py", "src/p/q/m.py", "x.py", "src/y.py", "p-q.py", "setup.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    files = ProjectFiles.read(tmp_path)
    found = {path: files.module(path) for path in files.texts}
    told = {path: module and (module.name, module.root, module.is_packaged) for path, module in found.items()}
    assert told == {
        "src/p/__init__.py": ("p", "src", True),
        "src/p/q/__init__.py": ("p.q", "src", True),
        "src/p/q/m.py": ("p.q.m", "src", True),
        "x.py": ("x", ".", False),
        "src/y.py": ("y", "src", False),
        "p-q.py": None,
        "setup.py": None,
    }
    assert [module.name for module in files.modules()] == ["p", "p.q", "p.q.m"]
