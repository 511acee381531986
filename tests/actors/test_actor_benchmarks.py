"""The benchmark of the runtime still runs and prints every row; its figures are for people, not for tests."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parent.parent.parent / "benchmarks" / "actors" / "run.py"

FIGURES = {
    *("ask_per_s", "ask_timeout_per_s", "ask_crowd_per_s", "tell_per_s", "ring_per_s", "thread_ask_per_s"),
    *(
        "spawn_us",
        "stop_us",
        "stop_crowd_us",
        "stop_tree_us",
        "stop_closing_us",
        "restart_us",
        "restart_p99_us",
        "idle_bytes",
    ),
    *("spawn_x10", "stop_x10", "restart_x10", "lookup_x10", "spawn_x10 (collector off)", "stop_x10 (collector off)"),
}


def run(*arguments: str) -> str:
    command = [sys.executable, BENCHMARK, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=58, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_one_run_prints_every_figure_on_every_loop_and_says_whether_it_is_reached() -> None:
    cells = [[cell.strip() for cell in line.split("|")] for line in run("--small").splitlines() if line.startswith("|")]
    rows = {(row[1], row[2]): row for row in cells[2:]}
    loops = ["standard"] + (["uvloop"] if importlib.util.find_spec("uvloop") else [])
    assert set(rows) == {(figure, loop) for figure in FIGURES for loop in loops}
    assert all(row[8] in {"yes", "NO"} and row[7].startswith((">=", "<=")) for row in rows.values())


def test_tools_that_are_not_installed_are_skipped_with_a_message(tmp_path: Path) -> None:
    code = f"""
import os, sys
sys.path.insert(0, {str(BENCHMARK.parent)!r})
os.environ["PATH"] = {str(tmp_path)!r}
import run
run.importlib.util.find_spec = lambda name: None
run.optional(["autogen", "xoscar", "beam"], 1.0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert [line.split(",")[0] for line in done.stdout.splitlines()] == [
        "autogen: skipped",
        "xoscar: skipped",
        "beam: skipped",
    ]
