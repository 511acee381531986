"""Defaults of components, and how a request names them."""

from __future__ import annotations

import pytest

from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.models.calls import ModelCaller
from jido_ai.models.defaults import DEFAULTS, DefaultFloat, DefaultInt, names_of_defaults, settings_by_default
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.reflection.reflector import Reflector
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.testing import ScriptedModel
from jido_ai.values import CompletionRequest, Message


def test_a_default_is_the_number_that_it_shows() -> None:
    assert (DefaultFloat(0.3), DefaultInt(9)) == (0.3, 9)
    assert (repr(DefaultFloat(0.3)), repr(DefaultInt(9))) == ("0.3", "9")


def test_only_defaults_are_named() -> None:
    assert names_of_defaults(temperature=DefaultFloat(0.3), seed=None, max_tokens=9) == ("temperature",)


@pytest.mark.parametrize(
    ("names", "read"),
    [
        (("a", "b"), {"a", "b"}),
        (["a", 7], {"a"}),
        (None, set()),
        ("a", set()),
        ({"a": 1}, set()),
        (frozenset("a"), {"a"}),
    ],
)
def test_names_are_read_from_metadata_of_any_kind(names: object, read: set[str]) -> None:
    request = CompletionRequest((Message("user", "?"),), metadata={DEFAULTS: names})
    assert settings_by_default(request) == read


@pytest.mark.parametrize(
    ("component", "value"), [(LLMGenerator, 0.7), (LLMCritiquer, 0.3), (LLMReviser, 0.5), (Reflector, 0.7)]
)
def test_a_default_temperature_of_a_component_is_distinguished_from_one_set_by_the_user(
    component: type, value: float
) -> None:
    for settings, is_default in (({}, True), ({"temperature": value}, False), ({"temperature": None}, False)):
        caller: ModelCaller = component(ScriptedModel([]), **settings)._model
        assert ("temperature" in settings_by_default(caller._pattern)) is is_default
        assert caller._pattern.temperature == settings.get("temperature", value)


def test_a_reflectors_limit_is_a_default_too() -> None:
    caller = Reflector(ScriptedModel([]))._model
    assert caller is not None
    assert settings_by_default(caller._pattern) == {"schema", "temperature", "max_tokens"}
