"""The table of OpenAI's parameters: each is passed on, refused, or told to have no effect."""

from __future__ import annotations

import pytest

from jido_ai.serve.bodies import ChatRequest
from jido_ai.serve.parameters import NO_EFFECT, PASSED_ON, REFUSED, settings_in, warnings_of
from jido_ai.serve.problems import Problem
from jido_ai.values import CompletionRequest

KNOWN = frozenset({"model", "messages"})


def test_no_parameter_has_two_rules() -> None:
    names = [*PASSED_ON, *REFUSED, *NO_EFFECT]
    assert len(names) == len(set(names))


def test_a_parameter_that_is_passed_on_is_a_field_of_the_request_to_a_model() -> None:
    assert set(PASSED_ON.values()) <= set(CompletionRequest.model_fields)


@pytest.mark.parametrize("name", PASSED_ON)
def test_a_parameter_that_is_passed_on_gives_a_setting_and_no_warning(name: str) -> None:
    assert settings_in({name: 1}) == {PASSED_ON[name]: 1}
    assert warnings_of({name: 1}, KNOWN) == []


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens", "max_output_tokens"])
@pytest.mark.parametrize("nothing", [-1, 0])
def test_a_limit_of_minus_one_or_zero_tokens_is_none_as_local_servers_mean_it(name: str, nothing: int) -> None:
    messages = [{"role": "user", "content": "hi"}]
    asked = ChatRequest.model_validate({"model": "m", "messages": messages, name: nothing})
    assert settings_in(asked.model_dump()) == {}


@pytest.mark.parametrize("name", REFUSED)
def test_a_parameter_that_is_refused_is_named_with_a_reason(name: str) -> None:
    with pytest.raises(Problem, match=REFUSED[name][1].split(";")[0]) as raised:
        settings_in({name: {"some": "thing"}})
    assert (raised.value.kind, raised.value.field) == ("malformed", name)


@pytest.mark.parametrize(
    ("name", "nothing"), [(name, one) for name, rule in REFUSED.items() for one in (*rule[0], None)]
)
def test_a_value_that_asks_for_nothing_is_accepted_silently(name: str, nothing: object) -> None:
    assert settings_in({name: nothing}) == {}
    assert warnings_of({name: nothing}, KNOWN) == []


@pytest.mark.parametrize(("name", "value"), [("n", True), ("logprobs", 0), ("top_logprobs", False), ("n", 0)])
def test_a_number_is_no_boolean(name: str, value: object) -> None:
    with pytest.raises(Problem, match=name):
        settings_in({name: value})


@pytest.mark.parametrize("name", NO_EFFECT)
def test_a_parameter_without_effect_gives_a_warning_with_the_reason(name: str) -> None:
    assert warnings_of({name: "some"}, KNOWN) == [f"{name} has no effect: {NO_EFFECT[name]}"]
    assert warnings_of({name: None}, KNOWN) == []


def test_unknown_parameters_are_named_in_one_warning() -> None:
    assert warnings_of({"model": "a", "zeta": 1, "alpha": 2}, KNOWN) == [
        "unknown parameters have no effect: alpha, zeta"
    ]
