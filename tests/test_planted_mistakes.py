"""Both type checkers report each planted mistake at the border of the package, and nothing else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

PLANTED = Path(__file__).with_name("planted_mistakes.py")
ROOT = PLANTED.parents[1]


def mistakes() -> set[int]:
    return {number for number, line in enumerate(PLANTED.read_text("utf-8").splitlines(), 1) if "# MISTAKE: " in line}


def run(*command: str | Path) -> str:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, timeout=170)
    assert done.returncode == 1, done.stdout + done.stderr  # 2: it could not run
    return done.stdout


def mypy(tmp_path: Path) -> set[int]:
    said = run("mypy", "--strict", "--follow-imports=silent", "--cache-dir", tmp_path, PLANTED)
    return {int(number) for number in re.findall(rf"{PLANTED.name}:(\d+): error", said)}


def basedpyright(tmp_path: Path) -> set[int]:
    config = tmp_path / "pyrightconfig.json"
    settings = {"include": [str(PLANTED)], "typeCheckingMode": "strict", "pythonVersion": "3.11"}
    config.write_text(json.dumps(settings), "utf-8")
    said = run("basedpyright", "-p", config, "--pythonpath", sys.executable, "--outputjson")
    found = json.loads(said)["generalDiagnostics"]
    return {one["range"]["start"]["line"] + 1 for one in found if one["severity"] == "error"}


@pytest.mark.slow
@pytest.mark.parametrize("check", [mypy, basedpyright])
def test_a_type_checker_reports_each_planted_mistake_and_nothing_else(check: object, tmp_path: Path) -> None:
    assert len(mistakes()) >= 20
    assert callable(check)
    assert check(tmp_path) == mistakes()
