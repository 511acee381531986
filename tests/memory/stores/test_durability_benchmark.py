"""The benchmark of durability still runs, at a small size, and finds nothing lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "bench_durability.py"


@pytest.mark.slow
def test_nothing_that_was_acknowledged_is_lost_or_doubled() -> None:
    command = [sys.executable, SCRIPT, "--rounds", "1", "--restarts", "1", "--pause", "0.2", "--writers", "8"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=150, check=False)
    assert done.returncode == 0, done.stderr
    kills, restarts = (json.loads(line) for line in done.stdout.splitlines())
    assert kills["acknowledged"] > 0
    assert kills["lost"] == 0
    assert "left out" in restarts or (restarts["lost"], restarts["doubled"], restarts["counter_off_by"]) == (0, 0, 0)
