"""The learning benchmark still runs, at a small size, and memory pays in it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "benchmarks" / "bench_learning.py"


@pytest.mark.slow
def test_with_memory_the_tasks_take_fewer_attempts_also_where_wrong_lessons_were_planted() -> None:
    command = [sys.executable, SCRIPT, "--small"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=150, check=False)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    means = {row["world"]: row for row in rows if "seeds" in row}
    assert set(means) == {"none", "planted", "crowded"}
    assert all(row["ratio"]["worst"] < 0.8 for row in means.values())
    assert means["planted"]["wrong_share_late"]["worst"] <= 0.02
