"""What counts as a number."""

from __future__ import annotations

import math
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.critics.panel import PanelCritiquer
from jido_ai.critics.scoring import weighted_score
from jido_ai.errors import ConfigurationError
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.retry import RetryPolicy
from jido_ai.testing import ScriptedModel
from jido_ai.text.numbers import is_number

TOO_LARGE = 10**400
MOST = int(sys.float_info.max)


@given(st.integers(-MOST, MOST) | st.floats(allow_nan=False, allow_infinity=False))
def test_a_value_that_fits_a_float_is_a_number(value: float) -> None:
    assert is_number(value)
    assert math.isfinite(float(value))


@pytest.mark.parametrize("value", [TOO_LARGE, -TOO_LARGE, math.nan, math.inf, -math.inf, True, "5", None, 1j])
def test_a_value_that_fits_no_float_is_not_a_number(value: object) -> None:
    assert not is_number(value)


def test_a_setting_that_fits_no_float_is_refused() -> None:
    model: Any = ScriptedModel([])
    for make in (
        lambda: LLMCritiquer(model, criteria={"clear": TOO_LARGE}),
        lambda: LLMGenerator(model, temperature=TOO_LARGE),
        lambda: LLMGenerator(model, n=2, temperature=(0, TOO_LARGE)),
        lambda: PanelCritiquer([LLMCritiquer(model)], member_timeout_s=TOO_LARGE),
        lambda: weighted_score({"a": 0.5}, {"a": TOO_LARGE}),
        lambda: RetryPolicy(timeout_s=TOO_LARGE),
    ):
        with pytest.raises(ConfigurationError):
            make()
