"""Settings: which layer wins, what a mode fills, and how a mistake in them is told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.config import Layer, Settings, from_environment, from_toml, resolve_settings
from jido_ai.errors import ConfigurationError


def of_file(text: str) -> Layer:
    layer = from_toml(text, "jido.toml")
    assert layer is not None
    return layer


def resolved(*, given: dict[str, Any] | None = None, environ: dict[str, str] | None = None, file: str = "") -> Settings:
    return resolve_settings(Layer("given", given or {}), from_environment(environ or {}), of_file(file))


# -- who wins --------------------------------------------------------------------------------------


def test_precedence_is_given_then_environment_then_file_then_default() -> None:
    file, environ = 'model = "ollama:file"', {"JIDO_MODEL": "ollama:environment"}
    assert resolved().model is None
    assert resolved(file=file).model == "ollama:file"
    assert resolved(file=file, environ=environ).model == "ollama:environment"
    everywhere = resolved(file=file, environ=environ, given={"model": "ollama:given"})
    assert (everywhere.model, everywhere.origins) == ("ollama:given", {"model": "given"})


@pytest.mark.rows("R39")
@given(
    st.lists(
        st.fixed_dictionaries(
            {},
            optional={
                "max_lessons": st.integers(1, 100),
                "mode": st.sampled_from(["lite", "full"]),
                "dreaming": st.booleans(),
            },
        ),
        max_size=4,
    )
)
@settings(max_examples=60, deadline=None)
def test_the_first_layer_that_has_a_setting_wins_and_the_mode_fills_the_rest(
    said: list[dict[str, Any]],
) -> None:
    holds = resolve_settings(*(Layer(str(n), values) for n, values in enumerate(said)))
    first = {key: values[key] for values in reversed(said) for key in values}
    mode = first.get("mode", "lite")
    assert holds.mode == mode
    assert holds.max_lessons == first.get("max_lessons", 5 if mode == "full" else 3)
    assert holds.dreaming == first.get("dreaming", mode == "full")
    assert holds.origins.keys() == first.keys()


@pytest.mark.rows("R36", "R37", "R38")
@pytest.mark.parametrize(("mode", "expected"), [("lite", (3, 512, False, False)), ("full", (5, 1024, True, True))])
def test_the_modes_are_those_of_the_design(mode: str, expected: tuple[object, ...]) -> None:
    holds = resolved(environ={"REFLECTIVE_MEMORY_MODE": mode.upper()})
    came = (holds.max_lessons, holds.max_lesson_tokens, holds.dreaming, holds.reflect_on_success)
    assert came == expected


@pytest.mark.rows("R39")
def test_a_single_setting_of_any_layer_wins_over_the_mode_of_any_other() -> None:
    holds = resolved(file="max_lessons = 7\ndreaming = false", environ={"REFLECTIVE_MEMORY_MODE": "full"})
    assert (holds.mode, holds.max_lessons, holds.dreaming, holds.max_lesson_tokens) == ("full", 7, False, 1024)


@pytest.mark.rows("R40")
def test_the_model_of_jido_comes_before_the_default_of_rae() -> None:
    rae = {"RAE_LLM_MODEL_DEFAULT": "openai:rae"}
    assert resolved(environ=rae).model == "openai:rae"
    assert resolved(environ=rae | {"JIDO_MODEL": "openai:jido"}).model == "openai:jido"
    assert resolved(environ=rae | {"JIDO_MODEL": " "}).model == "openai:rae"


@pytest.mark.rows("M1", "R34")
@pytest.mark.parametrize(("text", "enabled"), [("true", True), ("0", False), ("OFF", False), ("Yes", True), ("", True)])
def test_reflective_memory_can_be_turned_off(text: str, enabled: bool) -> None:
    assert resolved(environ={"REFLECTIVE_MEMORY_ENABLED": text}).enabled is enabled


# -- loops by task type ----------------------------------------------------------------------------

LOOPS = """
[loop]
max_iterations = 6
budget = { max_calls = 9 }

[task.improve]
accept = "clean"
candidates = 4
"""


@pytest.mark.rows("M31")
def test_a_loop_goes_as_given_else_as_its_task_type_says_else_as_all_do() -> None:
    holds = resolved(file=LOOPS)
    usual = holds.loop_config()
    assert (usual.max_iterations, usual.accept, usual.candidates) == (6, "severity", 1)
    assert usual.budget is not None
    assert usual.budget.max_calls == 9
    improve = holds.loop_config("improve", candidates=2)
    assert (improve.max_iterations, improve.accept, improve.candidates) == (6, "clean", 2)
    assert holds.loop_config("unheard of") == usual
    with pytest.raises(ConfigurationError, match="needs beam <= candidates"):
        holds.loop_config("improve", max_iterations=2)


# -- mistakes --------------------------------------------------------------------------------------


@pytest.mark.rows("M6", "M52")
@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("modell = 'x'", "jido.toml: unknown setting 'modell'; did you mean 'model'?"),
        ("api_key = 'sk-secret'", "jido.toml: unknown setting 'api_key'; known: enabled, mode, "),
        ("origins = {}", "unknown setting 'origins'"),
        ("enabled = 'yes'", "jido.toml: enabled: Input should be a valid boolean, got 'yes'"),
        ("max_lessons = 0", "max_lessons: Input should be greater than or equal to 1, got 0"),
        ("max_lessons = true", "max_lessons: Input should be a valid integer, got True"),
        ("holdout = 1.5", "holdout: Input should be less than or equal to 1, got 1.5"),
        ("learn_from = 'all'", "learn_from: Input should be 'known', 'accepted' or 'nothing', got 'all'"),
        ("max_examples = -1", "max_examples: Input should be greater than or equal to 0, got -1"),
        ("mode = 'fast'", "mode: Input should be 'lite' or 'full', got 'fast'"),
        ("mode = []", "mode: Input should be 'lite' or 'full'"),
        ("model = ' '", "jido.toml: model: "),
        ("model = 3", "model: Input should be a valid string, got 3"),
        ("retention_days = 366", "retention_days: Input should be less than or equal to 365"),
        ("retention_days = nan", "retention_days: "),
        ("monthly_budget_usd = 0", "monthly_budget_usd: Input should be greater than 0"),
        ("monthly_budget_usd = inf", "monthly_budget_usd: "),
        ("criteria = 'clarity'", "criteria: "),
        ("loop = 3", "loop: Input should be a valid dict"),
        ("[loop]\nmax_iteration = 3", "loop: unknown setting 'max_iteration'; did you mean 'max_iterations'?"),
        ("[loop]\nstop_rules = []", "loop: unknown setting 'stop_rules'"),
        ("[loop]\ntimeout_s = -1", "loop: timeout_s: Input should be greater than 0, got -1"),
        ("[task.ask]\ncandidates = 9", "task.ask: needs beam <= candidates <= max_iterations"),
        ("[task]\nask = 1", "task.ask: Input should be a valid dict"),
        ("model = ", "jido.toml: not valid TOML: "),
        ("a = " + "[" * 5_000, "jido.toml: not valid TOML: "),
    ],
)
def test_a_mistake_in_a_file_is_one_line_that_names_file_setting_and_value(file: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        resolved(file=file)
    text = str(caught.value)
    assert told in text
    assert text.startswith("jido.toml: ")
    assert "\n" not in text
    assert "sk-secret" not in text


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("REFLECTIVE_MEMORY_ENABLED", "perhaps", "REFLECTIVE_MEMORY_ENABLED must be true or false, got 'perhaps'"),
        ("REFLECTIVE_MEMORY_MODE", "fast", "the environment: REFLECTIVE_MEMORY_MODE: mode: Input should be 'lite' or"),
        ("JIDO_MONTHLY_BUDGET_USD", "ten", "JIDO_MONTHLY_BUDGET_USD must be a number, got 'ten'"),
        ("JIDO_MONTHLY_BUDGET_USD", "nan", "JIDO_MONTHLY_BUDGET_USD must be a finite number, got 'nan'"),
        ("JIDO_MAX_LESSONS", "1.5", "JIDO_MAX_LESSONS must be a whole number, got '1.5'"),
        ("JIDO_HOLDOUT", "a tenth", "JIDO_HOLDOUT must be a number, got 'a tenth'"),
        ("JIDO_MAX_EXAMPLES_SHOWN", "some", "JIDO_MAX_EXAMPLES_SHOWN must be a whole number, got 'some'"),
        ("JIDO_RETENTION_DAYS", "-1", "JIDO_RETENTION_DAYS: retention_days: Input should be greater"),
    ],
)
def test_a_mistake_in_the_environment_names_the_variable(variable: str, value: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        resolved(environ={variable: value})
    assert told in str(caught.value)


def test_a_value_that_another_layer_comes_before_is_still_looked_at() -> None:
    with pytest.raises(ConfigurationError, match=r"jido\.toml: max_lessons"):
        resolved(file="max_lessons = -1", given={"max_lessons": 5})


def test_an_invalid_table_is_refused_and_a_missing_one_is_empty() -> None:
    assert from_toml("[tool.other]", "p", ("tool", "jido")) is None
    with pytest.raises(ConfigurationError, match=r"p: \[tool.jido\] must be a table"):
        from_toml("[tool]\njido = 1", "p", ("tool", "jido"))


# -- what a file that came with a project may not say ----------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        'model = "openai:gpt@https://elsewhere.example/v1"',
        'critic = "compatible:m@elsewhere.example"',
        'model = "compatible:m@http://localhost@elsewhere.example"',
        'model = "compatible:m@http://[::1"',
        'model = "compatible:m@http://localhost:80,elsewhere.example/v1"',
        'model = "compatible:m@http://[::1]elsewhere.example/v1"',
        'memory = "postgresql://user:hunter2@elsewhere.example/jido"',
        'memory = "postgresql://localhost:5432,elsewhere.example/jido"',
        'memory = "postgresql://[::1],elsewhere.example/jido"',
        'memory = "postgresql://localhost%2Celsewhere.example/jido"',
        'memory = "postgresql:///jido?host=elsewhere.example"',
    ],
)
def test_a_file_names_no_address_elsewhere_and_no_password_is_quoted(line: str) -> None:
    with pytest.raises(ConfigurationError, match="may only name an address on this machine") as caught:
        resolved(file=line)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("model", "compatible:m@http://localhost:8080/v1"),
        ("model", "ollama:m@http://[::1]:11434"),
        ("model", "ollama:m@LOCALHOST:11434"),
        ("critic", "openai:gpt"),
        ("memory", "lessons/memory.db"),
        ("memory", "postgresql://localhost/jido"),
    ],
)
def test_a_file_may_name_what_is_on_this_machine_and_the_others_may_name_anything(key: str, value: str) -> None:
    assert getattr(resolved(file=f'{key} = "{value}"'), key) == value
    elsewhere = "postgresql://db.example/x" if key == "memory" else "compatible:m@https://elsewhere.example/v1"
    assert getattr(resolved(environ={f"JIDO_{key.upper()}": elsewhere}), key) == elsewhere
