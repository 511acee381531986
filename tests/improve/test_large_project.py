"""In a project that is too large to be read, an import may be used by a file that nobody read."""

from __future__ import annotations

from pathlib import Path

from jido_ai.improve.jobs import Project, make_job
from jido_ai.improve.outcome import ImproveOptions
from jido_ai.improve.project_files import ProjectFiles
from jido_ai.improve.source_files import find_sources
from jido_ai.tools.reports.linters import RuffDiagnostic
from jido_ai.tools.sandbox.executor import SandboxExecutor

TEXT = "import os\n"
REPORT = {"code": "F401", "message": "`os` imported but unused", "location": {"row": 1, "column": 8}}
FIX = {"applicability": "safe", "edits": []}


def why_held_back(root: Path, *, is_cut: bool) -> str | None:
    path = root / "x.py"
    path.write_text(TEXT)
    files = ProjectFiles(root, {"x.py": TEXT}, is_cut=is_cut)
    project = Project(files, ImproveOptions(files=[path], memory=root / "m.db"))
    (source,) = find_sources([path]).sources
    job = make_job(project, source, "x.py", SandboxExecutor(), is_named=True)
    assert job.policy is not None
    return job.policy.hold_back(TEXT, RuffDiagnostic.model_validate({**REPORT, "fix": FIX}))


def test_an_import_goes_when_the_whole_project_was_read(tmp_path: Path) -> None:
    assert why_held_back(tmp_path, is_cut=False) is None


def test_an_import_stays_when_some_files_were_not_read(tmp_path: Path) -> None:
    assert "too large" in (why_held_back(tmp_path, is_cut=True) or "")
