"""Every benchmark still runs, at a small size; its figures are for people, not for tests."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


def run(script: str, *arguments: str) -> str:
    command = [sys.executable, BENCHMARKS / script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=55, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_import_benchmark_names_its_anchor() -> None:
    rows = [json.loads(line) for line in run("bench_import.py", "--rounds", "1").splitlines()]
    assert {"import pydantic", "import jido_ai"} <= {row["statement"] for row in rows}


def test_improving_real_files_leaves_them_parsing_and_never_worse() -> None:
    *files, total = [json.loads(line) for line in run("bench_improve.py", "--files", "2").splitlines()]
    assert len(files) == 2
    assert total["parse"] == 2
    assert total["worse"] == 0
    assert total["not_fixed"] == 0


def test_the_repair_benchmark_judges_every_repair_by_tests_that_were_held_back() -> None:
    *programs, total = [json.loads(line) for line in run("bench_repair.py", "--programs", "2").splitlines()]
    assert len(programs) == total["programs"] == 2
    assert total["alone"]["mended"] == 2
    assert total["alone"]["passes_held_back"] + len(total["fails_held_back"]) >= 2


def test_five_seconds_of_chaos_end_every_ask_and_leave_nothing_behind() -> None:
    row = json.loads(run("actors/chaos.py", "--seconds", "5"))
    assert row["clean"] is True
    assert row["kills"] > 1000
    assert set(row["outcomes"]) <= {"reply", "ActorDeadError", "CallError", "AskTimeoutError"}


@pytest.mark.parametrize("loop", ["standard", "uvloop"])
@pytest.mark.parametrize("runtime", ["ours", "deque", "queue"])
def test_the_runtime_benchmark_measures_every_runtime_on_every_loop(runtime: str, loop: str) -> None:
    if loop == "uvloop":
        pytest.importorskip("uvloop")
    code = f"import os, sys; os.environ['SCALE'] = '0.01'; sys.argv = ['child', {runtime!r}, {loop!r}, 'all']"
    folder = BENCHMARKS / "actors"
    whole = f"{code}; sys.path.insert(0, {str(folder)!r}); import child; child.main()"
    done = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, timeout=55, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["ask_per_s"] > 0
