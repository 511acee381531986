"""Graphs of the examples whose process is killed at each call, and continued by another process.

Some places pass here; `make test-all` passes all of them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from killed_graphs import INPUTS

HERE: Final = Path(__file__).parent
_SOME: Final = {"approval": (7, 12), "talk": (30, 60)}


def differences(name: str, stores: str, scratch: Path, first: int, every: int) -> list[str]:
    """Kill the graph at every so manieth place from the first on; return after which the run or memory differs."""
    done = subprocess.run(
        [sys.executable, str(HERE / "killed_graphs.py"), name, stores, str(first), str(every)],
        env={**os.environ, "SCRATCH": str(scratch), "PYTHONPATH": str(HERE.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["tried"] > 0
    return told["differences"]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", _SOME)
def test_some_kills_of_an_example_leave_no_difference(name: str, tmp_path: Path) -> None:
    assert differences(name, str(tmp_path), tmp_path, *_SOME[name]) == []


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", INPUTS)
def test_no_kill_of_an_example_leaves_a_difference(name: str, tmp_path: Path) -> None:
    assert differences(name, str(tmp_path), tmp_path, 0, 1) == []


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("name", "every"), [("talk", 1), ("approval", 1), ("code_change", 8)])  # these take minutes
def test_no_kill_of_an_example_leaves_a_difference_in_postgresql(
    name: str, every: int, tmp_path: Path, postgres: str
) -> None:
    assert differences(name, postgres, tmp_path, 0, every) == []
