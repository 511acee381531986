"""Every benchmark still runs, at a small size; its figures are for people, not for tests."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.timeout(180)
BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


def run(script: str, *arguments: str) -> str:
    command = [sys.executable, BENCHMARKS / script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=170, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_import_benchmark_names_its_anchor() -> None:
    rows = [json.loads(line) for line in run("bench_import.py", "--rounds", "1").splitlines()]
    assert {"import pydantic", "import jido_ai"} <= {row["statement"] for row in rows}


def test_the_weight_of_the_package_stands_beside_its_goal() -> None:
    rows = [json.loads(line) for line in run("bench_weight.py").splitlines()]
    figures = {row["figure"]: row for row in rows if "figure" in row}
    assert figures["circles of files"]["now"] == 0
    assert figures["lines"]["now"] == sum(row["lines"] for row in rows if "room" in row) > figures["logic"]["now"]


@pytest.mark.slow
def test_the_cost_of_a_run_is_measured_with_nothing_kept_in_memory_and_in_a_file() -> None:
    rows = [json.loads(line) for line in run("run_cost.py", "--runs", "2", "--repeats", "1").splitlines()]
    assert [row["kept"] for row in rows if row["of"] == "jido_ai"] == ["nothing", "memory", "file"]
    assert all(row["median_ms"] > 0 for row in rows)


@pytest.mark.slow
def test_improving_real_files_leaves_them_parsing_and_never_worse() -> None:
    *files, total = [json.loads(line) for line in run("bench_improve.py", "--files", "2").splitlines()]
    assert len(files) == 2
    assert total["parse"] == 2
    assert total["worse"] == 0
    assert total["not_fixed"] == 0


@pytest.mark.slow
def test_the_speed_of_improving_is_held_against_ruff() -> None:
    arguments = ("--files", "2", "--rounds", "1", "--only", "check", "--json")
    rows = [json.loads(line) for line in run("bench_improve_speed.py", *arguments).splitlines()]
    assert {(row["command"], row["state"]) for row in rows} >= {
        ("ruff check --fix", "cold"),
        ("jido improve --check", "warm"),
    }
    assert all(row["files_per_s"] > 0 for row in rows)


@pytest.mark.parametrize("clone", ["jido", "my jido clöne/jido_ai", "tests/site-packages"])
def test_the_files_to_improve_are_found_wherever_the_clone_lies(tmp_path: Path, clone: str) -> None:
    site = tmp_path / clone / "site-packages"
    for name in ("theirs/code.py", "theirs/jido.py", "one.py", "jido_ai/ours.py", "jido_ai.dist-info/ours.py"):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text("x = 1\n" * 500)
    code = f"""
import sys, sysconfig
sys.path.insert(0, {str(BENCHMARKS)!r})
sysconfig.get_path = lambda name: {str(site)!r}
import bench_improve
print(*(path.relative_to({str(site)!r}) for path in bench_improve.sources(9, seed=7)), sep="\\n")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert sorted(done.stdout.splitlines()) == ["one.py", "theirs/code.py", "theirs/jido.py"]


@pytest.mark.slow
def test_the_sandbox_benchmark_tells_start_up_and_the_fate_of_each_probe() -> None:
    rows = [json.loads(line) for line in run("bench_sandbox.py", "--rounds", "1", "--probes", "1").splitlines()]
    assert rows[0]["layer"] == "none"
    assert rows[0]["start_ms"] > 0
    assert rows[-1]["probe"]
    assert set(rows[-1]) - {"probe"} == {row["layer"] for row in rows[:-1] if "start_ms" in row}


@pytest.mark.slow
def test_the_tools_benchmark_holds_a_critique_against_its_slowest_tool() -> None:
    rows = [json.loads(line) for line in run("bench_tools.py", "--small").splitlines()]
    if "does not hold" in rows[0]:
        pytest.skip(rows[0]["does not hold"])
    assert rows[0]["program"] == "true"
    assert rows[1]["ratio"]["median"] > 0
    assert rows[1]["remembered_s"]["median"] < rows[1]["together_s"]["median"]


@pytest.mark.slow
def test_five_seconds_of_chaos_end_every_ask_and_leave_nothing_behind() -> None:
    row = json.loads(run("actors/chaos.py", "--seconds", "5"))
    assert row["clean"] is True
    assert row["kills"] > 1000
    assert set(row["outcomes"]) <= {"reply", "ActorDeadError", "CallError", "AskTimeoutError"}


SIMULATION = '''
"""Worlds in which each of three revisions closes one of three findings and tells the score truly."""
from dataclasses import dataclass
from types import SimpleNamespace

class Stop:
    def __init__(self, pick, reason): self.pick, self.reason = pick, reason

class Go:
    def __init__(self, base): self.base = base

@dataclass
class World:
    name: str
    recall: float = 1.0
    false_pos: float = 0.0
    fix: float = 1.0
    critique_quality: float = 1.0
    collateral: float = 0.0
    unfixable: float = 0.0
    mean_defects: float = 3.0
    tool_share: float = 0.5
    score_noise: float = 0.0
    score_bias: float = 0.0
    sev_noise: float = 0.0
    premature: float = 0.0
    nitpick: float = 0.0
    reword: float = 0.0
    rho: float = 1.0
    critics: int = 1
    def draw(self, rng): return self

def revise(*arguments): raise NotImplementedError

critique = revise
SCORES = [0.4, 0.6, 0.8, 1.0]

class Env:
    def __init__(self, world, seed, mode): self.w, self.mode = world, mode
    def node(self, key, parent=None):
        draft = min(key[-1], 3)
        ids = [900 + finding for finding in range(draft, 3)]
        seen = SimpleNamespace(
            verdict="revise" if ids else "accept", score=SCORES[draft], severities=[0.6] * len(ids), ids=ids,
            change=0.2, max_sev=0.6 if ids else 0.0, tool_issues=len(ids), tool_share=0.5)
        return seen, SCORES[draft]

WORLDS, POLICIES = [World("three")], {}

def oracle(task, price): return 1.0, 8

def run_one(policy, task, price):
    seen = []
    for draft in range(4):
        seen.append(task.node((draft,))[0])
        decision = policy(seen, SimpleNamespace(calls=2 * draft + 2, cost=price))
        if isinstance(decision, Stop):
            return SCORES[decision.pick], 2 * draft + 2, decision.reason, draft
        assert decision.base == draft
'''


def test_the_stopping_benchmark_plays_the_adaptive_policy_in_a_simulation(tmp_path: Path) -> None:
    simulation = tmp_path / "simulation.py"
    simulation.write_text(SIMULATION)
    arguments = ("--simulator", str(simulation), "--tasks", "3", "--seed", "1", "--seed", "2")
    rows = [json.loads(line) for line in run("bench_stopping.py", *arguments).splitlines()]
    worlds = [row for row in rows if row.get("world") == "three"]
    assert [row["seed"] for row in worlds] == [1, 1, 2, 2]
    assert len({row["policy"] for row in worlds}) == 2
    assert all((row["quality"], row["regret"], row["hurt_percent"]) == (1.0, 0.0, 0.0) for row in worlds)
    assert rows[-2]["seeds"] == 2
    assert "seconds" in rows[-1]


def test_the_constants_of_the_simulation_stand_beside_what_a_comparison_found(tmp_path: Path) -> None:
    simulation = tmp_path / "simulation.py"
    simulation.write_text(
        SIMULATION
        + """
def fresh(world, rng): return SimpleNamespace(d=[1])
def redraw(world, rng, first): return SimpleNamespace(d=[])
def critique(world, rng, draft, turn, change): return SimpleNamespace(verdict="revise"), {0}, []
def revise(world, rng, draft, found, false, turn): return SimpleNamespace(d=draft.d * (turn == 0)), 1.0
WORLDS = [World("three")]
"""
    )
    compared = tmp_path / "compared.json"
    # by strategy: passed and calls; the last task is right, is revised, and is wrong then
    found = [((0, 1), (0, 2), (1, 2)), ((0, 1), (1, 4), (1, 3)), ((1, 1), (1, 2), (1, 1)), ((1, 1), (0, 4), (1, 1))]
    cases = [
        {"task_id": number, "strategy": strategy, "verdict": {"passed": bool(passed)}, "calls": calls}
        for number, task in enumerate(found)
        for strategy, (passed, calls) in zip(("single", "loop", "oracle"), task, strict=True)
    ]
    compared.write_text(json.dumps({"cases": cases}))
    arguments = ("--simulator", str(simulation), "--compared", str(compared), "--tasks", "10")
    head, measured, world = run("bench_constants.py", *arguments).splitlines()
    assert head.split() == ["first", "faulted", "alarms", "mended", "spoilt", "sampled"]
    assert re.findall(r"\d+%(?= \[)|-", measured) == ["50%", "50%", "50%", "100%", "100%", "100%"]
    assert re.findall(r"\d+%(?= \[)|-", world) == ["0%", "100%", "-", "100%", "-", "100%"]


@pytest.mark.slow
def test_the_memory_benchmark_prints_every_figure_beside_its_anchor() -> None:
    lines = run("memory/run.py", "--entries", "1000", "--queries", "10", "--small").splitlines()
    rows = {row["name"]: row for row in map(json.loads, lines)}
    assert rows["exactness, differences from a brute force"]["ours"] == 0
    quality = rows["quality, weighted"]
    assert quality["hits"] >= 0.60
    assert quality["false"] <= 0.06
    assert quality["recall_at_3"] >= 0.71
    assert rows["wrong among offered after 200 uses, each lesson judged"]["ours"] <= 0.02
    names = {"query p99 ms, numpy", "query p99 ms, no numpy", "cold start us an entry", "loop gap ms, load from SQLite"}
    assert names <= rows.keys()


@pytest.mark.slow
def test_the_cost_of_an_example_stands_beside_that_of_a_lesson() -> None:
    arguments = ("--entries", "100", "--rounds", "1")
    rows = [json.loads(line) for line in run("memory/lesson_costs.py", *arguments).splitlines()]
    names = {f"{step} of {kind} beside a lesson, CPU s" for kind in ("example", "wisdom") for step in ("store", "load")}
    assert names <= {row["name"] for row in rows}
    assert all(row["ours"] > 0 and row["anchor"] > 0 for row in rows)


def test_few_histories_without_an_effect_look_like_one_and_most_with_one_do() -> None:
    rows = [json.loads(line) for line in run("bench_effect.py", "--histories", "60").splitlines()]
    assert [row["ours"] <= 0.15 if "no effect" in row["name"] else row["ours"] >= 0.2 for row in rows] == [True] * 7


@pytest.mark.slow
def test_the_benchmark_of_texts_has_twenty_shapes_and_ends_each() -> None:
    *shapes, total = [json.loads(line) for line in run("bench_texts.py", "--small", "--language", "json").splitlines()]
    assert len(shapes) == total["shapes"] == 20
    assert total["too large"] == 0


@pytest.mark.slow
def test_a_graph_whose_process_is_killed_ends_the_same_and_repeats_nothing() -> None:
    told = run("graphs/kills.py", "--kills", "4")
    assert "0 ended differently, 0 calls of finished nodes" in told


@pytest.mark.slow
def test_the_graph_benchmark_runs_without_peers() -> None:
    told = run("graphs/run.py", "--without-peers", "--runs", "10", "--repeats", "1", "--in-flight", "50")
    assert "line: jido_ai" in told
    assert "50 runs in flight" in told
    assert "failed" not in told


@pytest.mark.slow
def test_the_mcp_benchmark_tells_its_four_figures() -> None:
    pytest.importorskip("mcp.server.mcpserver", reason="mcp 2 is not installed")
    rows = [json.loads(line) for line in run("bench_mcp.py", "--calls", "20", "--rounds", "1").splitlines()]
    assert len(rows) == 4
    assert rows[0]["median"] > 0


def test_the_calls_of_each_warm_run_stand_beside_their_anchor() -> None:
    rows = run("bench_calls.py").splitlines()
    assert len(rows) == 3
    assert all(re.search(r" \d+ calls in \d+ files +then \d+ calls in \d+ files$", row) for row in rows)


@pytest.mark.slow
def test_the_statistics_of_a_comparison_stand_beside_their_anchors() -> None:
    rows = [json.loads(line) for line in run("bench_compare.py", "--sets", "200").splitlines()]
    figures = {(row["figure"], str(row.get("rate"))): row for row in rows if row["tasks"] == 40}
    assert 91.0 <= figures["intervals that contain the rate", "0.1 to 0.9"]["percent"] <= 98.5
    assert all(row["percent"] <= 7.0 for row in rows if row["anchor"] == "at most 5 %")
