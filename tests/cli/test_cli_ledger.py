"""Commands that ask models: settings are used, what calls cost is written down, and a month's money is kept."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jido_ai.cli import doctor as cli_doctor
from jido_ai.cli.app import main
from jido_ai.cli.ask import AskOptions, ask
from jido_ai.errors import BudgetExceededError, ConfigurationError, ModelUnavailableError, RateLimitError
from jido_ai.loop import books as loop_books
from jido_ai.loop.settings import load_settings
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.retry import RetryPolicy
from jido_ai.models.wrappers.ledger import CostLedger
from jido_ai.models.wrappers.with_limits import with_limits
from jido_ai.testing import ScriptedModel
from jido_ai.values import Completion, MemoryEntry, Usage

CRITIQUE = json.dumps({"issues": ["no unit"], "suggestions": [], "severity": 0.9, "feedback": ""})
GOOD = json.dumps({"issues": [], "suggestions": [], "severity": 0.0, "feedback": ""})


@pytest.fixture(autouse=True)
def in_an_empty_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, ScriptedModel]]:
    """Put scripted models behind names."""

    def put(*replies: Any) -> dict[str, ScriptedModel]:
        made: dict[str, ScriptedModel] = {}

        def wrap(model: str, **options: Any) -> object:
            made[model] = ScriptedModel([Completion(one, usage=Usage(1, 70, 20, 0.25)) for one in replies])
            return with_limits(made[model], **options)

        def resolve(kind: str, name: str) -> object:
            return wrap

        monkeypatch.setattr(loop_books, "resolve", resolve)
        return made

    return put


def jido(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run the command line."""
    before, sys.argv = sys.argv, ["jido", *words]
    try:
        with pytest.raises(SystemExit) as caught:
            main()
    finally:
        sys.argv = before
    out, err = capsys.readouterr()
    return int(caught.value.code or 0), out, err


async def spent(path: Path) -> Usage:
    async with ReflexionMemory(path) as memory:
        return await CostLedger(memory).spent(label="ask")


def test_calls_of_a_command_are_recorded_in_the_ledger_of_its_memory_and_its_attempts_in_the_log(
    named: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    made = named("384 km", GOOD)
    (tmp_path / "jido.toml").write_text('model = "ollama:m"\nmemory = "kept/m.db"\nmonthly_budget_usd = 2.0\n')
    assert jido(capsys, "ask", "how far?")[:2] == (0, "384 km\n")
    assert list(made) == ["ollama:m"]
    assert asyncio.run(spent(tmp_path / "kept" / "m.db")).cost_usd == 0.5
    _, out, _ = jido(capsys, "cost", "--by", "label", "--json")
    told = json.loads(out)
    assert (told["rows"][0]["label"], told["rows"][0]["calls"], told["month"]["share"]) == ("ask", 2, 0.25)
    _, out, _ = jido(capsys, "progress", "--json", "--svg", "p.svg")
    assert [one["task_type"] for one in json.loads(out)["task_types"]] == ["ask"]
    assert "<svg" in Path("p.svg").read_text("utf-8")


def test_the_command_line_overrides_the_file(named: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    made = named("384 km", GOOD)
    (tmp_path / "jido.toml").write_text('model = "ollama:m"\n')
    jido(capsys, "ask", "how far?", "--model", "ollama:n", "--memory", "n.db")
    assert list(made) == ["ollama:n"]
    assert (tmp_path / "n.db").exists()


def test_the_loop_follows_its_settings(named: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    named("384", CRITIQUE)
    (tmp_path / "jido.toml").write_text('model = "ollama:m"\nmemory = "m.db"\n[task.ask]\nmax_iterations = 1\n')
    status, out, err = jido(capsys, "ask", "how far?")
    assert (status, out) == (1, "384\n")
    assert "max_iterations after 1 iteration" in err


def test_a_missing_model_is_reported_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("JIDO_MODEL", "RAE_LLM_MODEL_DEFAULT"):
        monkeypatch.delenv(name, raising=False)
    status, out, err = jido(capsys, "ask", "how far?")
    assert (status, out) == (2, "")
    assert err.startswith("jido: no model to answer with: give --model")


DREAM = json.dumps({"root_cause": "units", "problem": "no unit", "lesson": "name the unit", "confidence": 0.8})


async def remember(path: Path) -> None:
    async with ReflexionMemory(path) as memory:
        for number in range(3):
            await memory.store(MemoryEntry(f"q{number}", mistake="m", importance=0.9))


def test_the_cost_of_a_dream_is_in_the_ledger_of_the_memory(
    named: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    made = named(DREAM)
    path = tmp_path / "m.db"
    asyncio.run(remember(path))
    words = ("memory", "maintain", "--memory", str(path), "--model", "ollama:m")
    status, out, err = jido(capsys, *words, "--full")
    assert (status, err, len(made["ollama:m"].requests)) == (0, "", 1)
    assert "1 reflections on important episodes" in out
    _, out, _ = jido(capsys, "cost", "--memory", str(path), "--by", "label", "--json")
    assert [(row["label"], row["calls"], row["cost_usd"]) for row in json.loads(out)["rows"]] == [("maintain", 1, 0.25)]


def test_a_failed_dream_and_an_unused_model_are_reported(
    named: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    named("no lesson in it", "nor here")
    path = tmp_path / "m.db"
    asyncio.run(remember(path))
    words = ("memory", "maintain", "--memory", str(path), "--model", "ollama:m")
    assert jido(capsys, *words)[2] == "note     the model is called with --full only\n"
    assert "a reflection was made without the model: ParseError" in jido(capsys, *words, "--full")[2]


def test_no_model_dreams_when_the_monthly_budget_is_nearly_spent(
    named: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    made = named(DREAM)
    path = tmp_path / "m.db"
    (tmp_path / "jido.toml").write_text("monthly_budget_usd = 1.0\n")
    asyncio.run(remember(path))
    asyncio.run(write_row(path, 0.9))
    status, _, err = jido(capsys, "memory", "maintain", "--memory", str(path), "--full", "--model", "ollama:m")
    assert (status, made["ollama:m"].requests) == (0, [])
    assert "BudgetExceededError" in err


def test_a_mistake_in_the_file_is_one_line_and_status_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "jido.toml").write_text("modell = 3\n")
    for words in (("ask", "x"), ("cost",), ("progress",), ("memory", "list"), ("runs", "list")):
        status, _, err = jido(capsys, *words)
        assert status == 2
        assert err == f"jido: {tmp_path}/jido.toml: unknown setting 'modell'; did you mean 'model'?\n"


# -- mode and money --------------------------------------------------------------------------------


def asked(tmp_path: Path, *replies: str, **environ: str) -> tuple[int, str, ScriptedModel]:
    settings = load_settings(tmp_path, environ=environ)
    model = ScriptedModel([Completion(one, usage=Usage(1, 70, 20, 0.25)) for one in replies])
    err = io.StringIO()
    options = AskOptions("how far?", model, None, tmp_path / "m.db", 1, settings=settings)
    return ask(options, io.StringIO(), err), err.getvalue(), model


async def write_row(path: Path, usd: float) -> None:
    async with ReflexionMemory(path) as memory:
        await CostLedger(memory).record(Usage(1, 1, 1, usd), provider="p", model="m")


def test_a_command_reflects_only_in_mode_full(tmp_path: Path) -> None:
    assert len(asked(tmp_path, "384", CRITIQUE)[2].requests) == 2
    lesson = "Lesson: always name the unit\nRoot cause: none was asked for\nConfidence: 0.9"
    assert len(asked(tmp_path, "384", CRITIQUE, lesson, REFLECTIVE_MEMORY_MODE="full")[2].requests) == 3


def test_nothing_is_stored_when_memory_is_off(tmp_path: Path) -> None:
    asked(tmp_path, "384", GOOD, REFLECTIVE_MEMORY_ENABLED="false")

    async def kept() -> int:
        async with ReflexionMemory(tmp_path / "m.db") as memory:
            return len(await memory.records("episodes")) + len(await memory.records("journal")) + await memory.count()

    assert asyncio.run(kept()) == 0


def test_from_80_percent_of_the_budget_answers_come_without_reflections(tmp_path: Path) -> None:
    asyncio.run(write_row(tmp_path / "m.db", 0.9))
    environ = {"REFLECTIVE_MEMORY_MODE": "full", "JIDO_MONTHLY_BUDGET_USD": "1"}
    status, err, model = asked(tmp_path, "384", CRITIQUE, **environ)
    assert (status, len(model.requests)) == (1, 2)
    assert "1 attempts could not be reflected on" in err
    assert "90% of the month's $1.00 is spent: attempts are not reflected on" in err


def test_at_100_percent_of_the_budget_no_model_is_asked_and_one_line_says_why(tmp_path: Path) -> None:
    asyncio.run(write_row(tmp_path / "m.db", 1.0))
    with pytest.raises(BudgetExceededError, match=r"monthly_usd=1.0 \(1.0 spent or reserved\): of any 30 days"):
        asked(tmp_path, "384", JIDO_MONTHLY_BUDGET_USD="1")


# -- the doctor ------------------------------------------------------------------------------------


def diagnosed(monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    def nothing(given: object) -> tuple[()]:
        return ()

    monkeypatch.setattr(cli_doctor, "_sandbox", nothing)
    monkeypatch.setattr(cli_doctor, "names", nothing)
    out = io.StringIO()
    return cli_doctor.doctor(None, out), out.getvalue()


def test_the_doctor_shows_the_settings_file_and_the_effective_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "jido.toml").write_text("max_lessons = 7\n")
    monkeypatch.setenv("JIDO_MEMORY", "postgresql://me:hunter2@db.example/jido")
    status, text = diagnosed(monkeypatch)
    assert status == 0
    lines = {line[:22].strip(): line[22:] for line in text.splitlines()}
    assert lines["settings"] == f"{tmp_path}/jido.toml"
    assert lines["max_lessons"] == f"7 ({tmp_path}/jido.toml)"
    assert lines["mode"] == "lite (by default)"
    assert "a database server" in text
    assert "hunter2" not in text


def test_the_doctor_reports_errors_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "jido.toml").write_text("max_lessons = 'many'\n")
    status, text = diagnosed(monkeypatch)
    assert status == 1
    assert f"cannot be used: {tmp_path}/jido.toml: max_lessons: Input should be a valid integer, got 'many'" in text


# -- maintenance -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environ", "dreams"),
    [
        ({}, 0),
        ({"REFLECTIVE_MEMORY_MODE": "full"}, 1),
        ({"REFLECTIVE_MEMORY_MODE": "full", "JIDO_DREAMING": "false"}, 0),
        ({"REFLECTIVE_MEMORY_MODE": "full", "REFLECTIVE_MEMORY_ENABLED": "false"}, 0),
    ],
)
def test_maintenance_dreams_as_the_settings_say(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    environ: dict[str, str],
    dreams: int,
) -> None:
    async def fill() -> None:
        async with ReflexionMemory(tmp_path / "m.db") as memory:
            for number in range(3):
                await memory.store(MemoryEntry(f"q{number}", mistake="m", importance=0.9))

    asyncio.run(fill())
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    _, out, _ = jido(capsys, "memory", "maintain", "--memory", "m.db", "--json")
    assert json.loads(out)["dreams"] == dreams


@pytest.mark.parametrize("failure", ["status 500: 'internal'", "too many requests: 'slow down'"])
def test_waits_are_printed_line_by_line_and_the_last_failure_is_the_error(
    failure: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = RateLimitError if "many" in failure else ModelUnavailableError
    error = kind(failure, provider="p", model="m", host="box:80", status=500)

    def wrap(model: str, **options: Any) -> object:
        inside = ScriptedModel(lambda _: error, provider="p", model="m", base_url="http://box:80/v1")
        return with_limits(inside, **{**options, "retries": RetryPolicy(retries=2, first_wait_s=0.001, jitter=0.0)})

    monkeypatch.setattr(loop_books, "resolve", lambda kind, name: wrap)
    status, out, err = jido(capsys, "ask", "How far?", "--model", "p:m")
    assert (status, out) == (2, "")
    assert f"p:m at box:80: {failure}; waiting 0.0 s, try 2 of 3\n" in err
    assert f"p:m at box:80: {failure}; waiting 0.0 s, try 3 of 3\n" in err
    assert err.splitlines()[-1].startswith(f"jido: p:m at box:80: {failure} (gave up after 3 tries")


async def test_all_parts_are_closed_even_if_one_fails_to_close(named: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made, closed = named(GOOD), list[str]()

    async def close_badly(self: ScriptedModel) -> None:
        closed.append("a model")
        raise OSError("the connection is gone")

    monkeypatch.setattr(ScriptedModel, "aclose", close_badly, raising=False)
    with pytest.raises(OSError, match="the connection is gone"):
        async with loop_books.Books(None, load_settings(None), "ask") as books:
            for name in ("openai:one", "openai:two"):
                books.model(name)
    assert len(made) == 2
    assert closed == ["a model", "a model"]
    with pytest.raises(ConfigurationError, match="open"):
        await books.memory.store(MemoryEntry("a prompt"))
