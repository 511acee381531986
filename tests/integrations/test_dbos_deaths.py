"""Workers that die or sleep, with real processes and a real PostgreSQL: the benchmarks in small."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("dbos", reason="dbos is not installed: make test-integrations")

from postgres_cluster import programs

from jido_ai.integrations.dbos_attempts import dead_among
from jido_ai.integrations.dbos_workers import WorkerRow

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks" / "workers"
NEEDS_POSTGRES = pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed on this machine")


def run(script: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, BENCHMARKS / script, *arguments], capture_output=True, text=True, timeout=170, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@NEEDS_POSTGRES
@pytest.mark.slow
@pytest.mark.timeout(180)
def test_kills_of_workers_and_restarts_of_postgresql_lose_nothing_and_repeat_only_calls_in_flight() -> None:
    told = run("kills.py", "--runs", "16", "--kills", "4", "--restarts", "2", "--workers", "2")
    assert "16 runs, 2 workers of 4, 4 kills, 2 restarts of PostgreSQL" in told
    assert told.count(" 0   (reach 0)") == 4


@NEEDS_POSTGRES
@pytest.mark.slow
@pytest.mark.timeout(180)
def test_the_late_write_of_a_worker_that_was_stopped_is_refused() -> None:
    assert "late write refused 2 times" in run("stopped.py", "--rounds", "2")


def row(id: str, silent_s: float = 0.0, owner: str = "elsewhere") -> WorkerRow:
    return WorkerRow(
        id=id, queue="q", owner=owner, names=(), release="1", concurrency=4, silent_s=silent_s, dead_after_s=10.0
    )


def test_an_executor_is_dead_without_a_row_or_when_silent_for_too_long() -> None:
    holders = {"me": ["a"], "living": ["b"], "silent": ["c"], "unknown": ["d"], "just": ["e"]}
    rows = [row("me", 99.0), row("living"), row("silent", 10.1), row("just", 10.0)]
    assert dead_among(holders, rows, "me", judges_silence=True) == ["silent", "unknown"]


def test_a_worker_that_was_itself_away_does_not_judge_silent_ones() -> None:
    assert dead_among({"silent": ["a"]}, [row("silent", 99.0)], "me", judges_silence=False) == []


def test_a_process_of_this_machine_that_has_ended_is_dead_at_once() -> None:
    import json

    from jido_ai.runs.leases import let_go, new_claim
    from jido_ai.values import Scope

    claim = new_claim("worker", Scope(), 10.0)
    ended = json.dumps({**json.loads(claim.owner), "start": "1"})
    let_go(claim)
    rows = [row("one", owner=claim.owner), row("two", owner=ended)]
    assert dead_among({"one": ["a"], "two": ["b"]}, rows, "me", judges_silence=False) == ["two"]
