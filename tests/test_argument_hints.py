"""A misspelt argument of a public class or function is told with the nearest name."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import jido_ai
from jido_ai import (
    Candidate,
    ConfigurationError,
    LLMCritiquer,
    LoopConfig,
    LoopNode,
    Pipeline,
    ReflexionMemory,
    reflect,
    reflect_sync,
)
from jido_ai.actors import ActorSystem, ChildSpec
from jido_ai.argument_hints import with_hints
from jido_ai.learning import Check, compare, single


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: Pipeline(None, critic=print), "critiquer"),
        (lambda: Pipeline(None, print, memmory=None), "memory"),
        (lambda: reflect_sync("x", critic=print), "critiquer"),
        (lambda: LLMCritiquer("ollama:x", temprature=0.0), "temperature"),
        (lambda: ReflexionMemory(max_entry=3), "max_entries"),
        (lambda: LoopNode("x", crtiquer=print), "critiquer"),
        (lambda: ChildSpec(id="a", strat=print), "start"),
        (lambda: ActorSystem(nam="x"), "name"),
        (lambda: Check("exact", "x", weigth=1), ""),
        (lambda: single(modle="ollama:x"), "model"),
    ],
)
def test_the_error_for_an_unknown_argument_names_the_nearest_one(make: Any, name: str) -> None:
    with pytest.raises(TypeError, match=rf"(?i:did) you mean '{name}'" if name else "unexpected keyword"):
        make()


@pytest.mark.parametrize("make", [Pipeline, reflect_sync, LoopNode])
@pytest.mark.parametrize("name", ["max_iterations", "max_iteration", "severity_treshold"])
def test_an_argument_that_belongs_to_the_config_gets_a_hint_with_it(make: Any, name: str) -> None:
    field = {"severity_treshold": "severity_threshold"}.get(name, "max_iterations")
    with pytest.raises(TypeError, match=rf"did you mean config=LoopConfig\({field}=\.\.\.\)\?"):
        make("x", **{name: 1})


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: LoopConfig(severity_treshold=0.2), "severity_threshold"),
        (lambda: Candidate("x", scroe=0.2), "score"),
    ],
)
def test_the_error_for_an_unknown_field_names_the_nearest_one(make: Any, name: str) -> None:
    with pytest.raises(ConfigurationError, match=f"did you mean '{name}'"):
        make()


async def test_a_function_that_is_awaited_tells_it_too() -> None:
    with pytest.raises(TypeError, match=r"(?i:did) you mean 'critiquer'"):
        await reflect("x", judge=print)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"(?i:did) you mean 'max_calls'"):
        await compare([], {}, max_call=3)  # type: ignore[call-arg]


def test_an_error_from_inside_the_call_is_left_as_it_is() -> None:
    @with_hints
    class Odd:
        def __init__(self, critiquer: object = None) -> None:
            raise TypeError("f() got an unexpected keyword argument 'critic'")

    with pytest.raises(TypeError, match=r"'critic'$"):
        Odd()


def test_a_public_function_stays_what_it_was() -> None:
    assert inspect.iscoroutinefunction(reflect)
    assert reflect is jido_ai.loop.reflect  # type: ignore[attr-defined]
    assert "critiquer" in inspect.signature(reflect).parameters
