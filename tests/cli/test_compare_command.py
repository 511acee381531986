"""`jido compare`: from a file of tasks to a table."""

from __future__ import annotations

import io
import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from model_servers.stand_in import StandIn

from jido_ai.cli.compare import CompareOptions, compare_tasks
from jido_ai.cli.cost import show_costs_of
from jido_ai.comparing.comparison import Comparison
from jido_ai.comparing.task_file import EXAMPLE, read_tasks
from jido_ai.errors import AuthenticationError, ConfigurationError

KEY = "stand-in-key"
TASK = {"prompt": "Say well then.", "checks": [{"contains": "well"}], "id": "well"}
OTHER = {"prompt": "Say no.", "checks": [{"exact": "no"}], "id": "no"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPATIBLE_API_KEY", KEY)
    monkeypatch.delenv("JIDO_MODEL", raising=False)
    (tmp_path / "tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in (TASK, OTHER)))
    return tmp_path


def run(**given: Any) -> tuple[int, str, str]:
    """Run the command, and return its status, output and complaints."""
    out, err = io.StringIO(), io.StringIO()
    usual: dict[str, Any] = {"tasks": Path("tasks.jsonl"), "models": (), "strategies": ("single",), "memory": "m.db"}
    status = compare_tasks(CompareOptions(**{**usual, **given}), out, err)
    return status, out.getvalue(), err.getvalue()


def test_strategies_are_compared_on_a_file_of_tasks(folder: Path) -> None:
    with StandIn(KEY) as server:
        model = f"compatible:m@{server.url}/v1"
        options: dict[str, Any] = {"models": (model,), "strategies": ("single", "best-of-2"), "run_id": "r"}
        status, out, err = run(**options)
        asked = len(server.asked)
        assert "already" not in err
        status, _, again = run(**options, as_json=True, out=folder / "result.json")
        assert "4 of 4 answers are there already\n" in again
        assert len(server.asked) == asked == 4
    assert status == 0
    assert "| single | 1 of 2 |" in out
    assert "| best-of-2 | 1 of 2 |" in out
    assert err.startswith("r: 2 tasks, 4 answers")
    result = Comparison.from_json((folder / "result.json").read_text())
    assert [row.calls for row in result.rows] == [2, 4]


def test_several_models_are_compared_by_strategy_and_model() -> None:
    with StandIn(KEY) as server:
        models = tuple(f"compatible:{name}@{server.url}/v1" for name in ("a", "b"))
        _, out, _ = run(models=models, as_json=True)
    assert [row["name"] for row in json.loads(out)["rows"]] == [f"single {model}" for model in models]


def test_pipelines_and_graphs_of_the_settings_are_strategies_by_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with StandIn(KEY) as server:
        monkeypatch.setenv("COMPATIBLE_BASE_URL", f"{server.url}/v1")
        (folder / "jido.toml").write_text('model = "compatible:m"\n[pipelines.checked]\ncritics = ["rules:a.toml"]\n')
        (folder / "a.toml").write_text('[[rules]]\nof = "characters"\nat_most = 1000\n')
        try:
            status, out, _ = run(strategies=("single", "checked"))
        except ConfigurationError as error:
            pytest.fail(str(error))
    assert status == 0
    assert "| checked | 1 of 2 |" in out


def test_the_calls_of_graphs_are_in_the_ledger(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with StandIn(KEY) as server:
        monkeypatch.setenv("COMPATIBLE_BASE_URL", f"{server.url}/v1")
        (folder / "jido.toml").write_text('[graphs.mine]\nfile = "mine.toml"\n')
        (folder / "mine.toml").write_text(
            '[graph]\ninputs = ["text"]\noutput = "a"\n[nodes.a]\nprompt = "{text}"\nmodel = "compatible:m"\n'
        )
        assert run(strategies=("mine",))[0] == 0
        assert len(server.asked) == 2
    out = io.StringIO()
    show_costs_of("m.db", out, days=1, by="label", as_json=True)
    assert [(row["label"], row["calls"]) for row in json.loads(out.getvalue())["rows"]] == [("compare", 2)]


def test_the_example_that_is_written_can_be_read_and_the_next_command_copied(folder: Path) -> None:
    path = folder / "new.jsonl"
    status, out, _ = run(tasks=path, init=True)
    assert status == 0
    assert path.read_text() == EXAMPLE
    assert len(read_tasks(path)) == 6
    assert shlex.split(out.splitlines()[1].removeprefix("next: "))[:2] == ["jido", "compare"]
    with pytest.raises(ConfigurationError, match="exists"):
        run(tasks=path, init=True)


def test_a_dry_run_says_how_many_calls_and_what_they_cost_and_asks_nothing() -> None:
    with StandIn(KEY) as server:
        model = f"compatible:m@{server.url}/v1"
        status, out, _ = run(models=(model,), strategies=("single", "best-of-3"), dry_run=True)
        assert not server.asked
    assert status == 0
    assert "at most 8 model calls" in out  # two first answers, and for each task two samples and a verdict
    assert "cost: unknown" in out
    assert "compatible:m" in out


def test_a_dry_run_reckons_with_the_models_of_a_graph(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPATIBLE_BASE_URL", "http://127.0.0.1:9")
    (folder / "jido.toml").write_text('[graphs.mine]\nfile = "mine.toml"\n')
    (folder / "mine.toml").write_text(
        '[graph]\ninputs = ["text"]\noutput = "a"\n[nodes.a]\nprompt = "{text}"\nmodel = "compatible:m"\n'
    )
    _, out, _ = run(strategies=("mine",), dry_run=True)
    assert "the price of compatible:m is unknown; set it in jido.toml" in out


def test_a_dry_run_reckons_with_a_known_price(folder: Path) -> None:
    (folder / "jido.toml").write_text('[prices."compatible:m"]\ninput_usd = 0.0\noutput_usd = 1000.0\n')
    _, out, _ = run(models=("compatible:m@http://127.0.0.1:9/v1",), dry_run=True)
    assert "$2.05" in out  # two answers of 1,024 tokens


@pytest.mark.parametrize("model", ["openai:gpt-4o-mini", "anthropic:claude-haiku-4-5"])
def test_a_dry_run_needs_no_key(monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    status, out, _ = run(models=(model,), critic=model, strategies=("single", "loop"), dry_run=True)
    assert status == 0
    assert "cost: at most about $" in out
    with pytest.raises(AuthenticationError):
        run(models=(model,))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "--model"),
        ({"models": ("compatible:m@http://127.0.0.1:9/v1",), "strategies": ("singel",)}, "did you mean 'single'"),
        ({"strategies": ("xyz",)}, "'best-of-N'"),
        ({"models": ("compatible:m@http://127.0.0.1:9/v1",), "strategies": ("single", "single")}, "twice"),
        ({"models": ("compatible:m@http://127.0.0.1:9/v1",), "strategies": ()}, "at least one"),
        ({"models": ("compatible:m@http://127.0.0.1:9/v1",), "baseline": "loop"}, "--baseline"),
        ({"models": ("nobody:m",)}, "nobody"),
        ({"tasks": Path("none.jsonl")}, "none.jsonl"),
        ({"tasks": None}, "--init"),
        ({"critics": "tests"}, "--critics"),
        ({"as_json": True, "markdown": True}, "--json"),
    ],
)
def test_wrong_usage_is_one_error_before_anything_is_made(folder: Path, given: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        run(**given)
    assert not (folder / "m.db").exists()


def test_a_comparison_that_reaches_its_cost_limit_returns_status_1_and_prints_the_command_to_continue(
    folder: Path,
) -> None:
    with StandIn(KEY) as server:
        model = f"compatible:m@{server.url}/v1"
        (folder / "jido.toml").write_text('[prices."compatible:m"]\ninput_usd = 1000.0\noutput_usd = 1000.0\n')
        status, out, err = run(models=(model,), max_cost=0.001, run_id="r")
        assert not server.asked
    assert status == 1
    assert "Stopped early" in out
    again = shlex.split(err.splitlines()[-1].split("continue with: ")[1])
    assert again[:3] == ["jido", "compare", "tasks.jsonl"]
    assert again[again.index("--run-id") + 1] == "r"
    assert again[again.index("--model") + 1] == model


def test_from_runs_needs_a_judge_and_recorded_runs(folder: Path) -> None:
    with pytest.raises(Exception, match="no memory yet"):
        run(tasks=None, from_runs=True, models=("compatible:m@http://127.0.0.1:9/v1",))
