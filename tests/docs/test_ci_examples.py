"""The GitHub workflow and the pre-commit hooks run commands that work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "BASE": "HEAD"}


def read(name: str) -> Any:
    return YAML(typ="safe").load((ROOT / name).read_text("utf-8"))


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**ENVIRONMENT, "HOME": str(folder.parent)}
    return subprocess.run(
        ["bash", "-ec", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=150, check=False
    )


def repository(folder: Path) -> Path:
    """Return a repository with one changed file, which has one issue that can be fixed."""
    place = folder / "repository"
    place.mkdir()
    git = "git -c user.email=a@b -c user.name=n -c commit.gpgsign=false"
    shell(f"git init -q . && echo 'x = 1' > a.py && git add . && {git} commit -q -m one", place)
    (place / "a.py").write_text("import os\n\nx = 1\n")
    return place


@pytest.mark.slow
def test_the_steps_of_the_workflow_judge_the_changed_files_and_show_the_fixes(tmp_path: Path) -> None:
    place = repository(tmp_path)
    steps = read("examples/ci/github-workflow.yml")["jobs"]["improve"]["steps"]
    judge, show = (step["run"] for step in steps if "jido improve" in step.get("run", ""))
    judged = shell(judge, place)
    assert judged.returncode == 1, judged.stderr
    (result,) = json.loads((place / "jido.sarif").read_text())["runs"][0]["results"]
    assert result["ruleId"] == "F401"
    shown = shell(show, place)
    assert shown.returncode == 0, shown.stderr
    assert "-import os" in shown.stdout


@pytest.mark.slow
def test_the_hooks_report_or_fix_the_files_that_they_are_given(tmp_path: Path) -> None:
    hooks = {hook["id"]: hook["entry"] for hook in read(".pre-commit-hooks.yaml")}
    used = {hook["id"] for repo in read("examples/ci/pre-commit-config.yaml")["repos"] for hook in repo["hooks"]}
    assert used <= set(hooks)
    place = repository(tmp_path)
    reported = shell(f"{hooks['jido-improve']} a.py", place)
    assert reported.returncode == 1
    assert "F401" in reported.stdout
    assert shell(f"{hooks['jido-improve-apply']} a.py", place).returncode == 0
    assert (place / "a.py").read_text() == "x = 1\n"
