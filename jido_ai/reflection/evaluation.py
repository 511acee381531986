"""Reflection triggers: whether to reflect on an attempt, and how often that was the case. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, Literal

from jido_ai.errors import ConfigurationError, describe
from jido_ai.text.numbers import is_number
from jido_ai.values import SLACK, CritiqueResult, Outcome

ReflectionMode = Literal["lite", "full"]

_REWARD_THRESHOLD: Final = 0.3


def needs_reflection(
    critique: CritiqueResult, mode: ReflectionMode = "lite", *, reward_threshold: float = _REWARD_THRESHOLD
) -> bool:
    """Tell whether an attempt with this critique needs reflection. The first rule that applies decides.

    1. Outcome unknown or cancelled: no. 2. Failure, error, timeout: yes. 3. With a reward: if it is below
    `reward_threshold`; not at the threshold. 4. Partial: yes, unless `metadata["needs_reflection"]` is False.
    5. Success: in mode "full", or if that metadata is True. 6. Otherwise: severity above 0.3.

    The outcome is the one of the critique; it is not derived from the score here.

    Args:
        mode: "lite" or "full".
        reward_threshold: in [-1, 1]; 0.3 by default (SPEC C5).

    Raises:
        ConfigurationError: the mode is unknown, or the threshold is out of range.

    Source: SPEC D2, which combines C5, R58 and Jido's severity.
    """
    if not isinstance(critique, CritiqueResult):
        raise ConfigurationError(f"needs_reflection judges a CritiqueResult, got {describe(critique)}")
    if mode not in ("lite", "full"):
        raise ConfigurationError(f'mode must be "lite" or "full", got {describe(mode)}')
    if not is_number(reward_threshold) or not -1.0 <= reward_threshold <= 1.0:
        raise ConfigurationError(f"reward_threshold must be in [-1, 1], got {describe(reward_threshold)}")
    flag = critique.metadata.get("needs_reflection")
    match critique.outcome:
        case Outcome.UNKNOWN | Outcome.CANCELLED:
            return False
        case Outcome.FAILURE | Outcome.ERROR | Outcome.TIMEOUT:
            return True
        case _ if critique.reward is not None:
            return critique.reward < reward_threshold - SLACK
        case Outcome.PARTIAL:
            return flag is not False
        case Outcome.SUCCESS:
            return mode == "full" or flag is True
        case _:
            return critique.should_refine()


def reward_of(critique: CritiqueResult) -> float:
    """Return the given reward, else the one derived from the score, in [-1, 1]."""
    return 2.0 * critique.score - 1.0 if critique.reward is None else critique.reward


def trigger_statistics(rewards: Sequence[float], *, threshold: float = _REWARD_THRESHOLD) -> dict[str, Any]:
    """Return how often reflection was triggered: total, triggered, rate in % to 1 decimal, mean reward to 3.

    Without rewards: zeros (SPEC C7).
    """
    triggered = sum(reward < threshold - SLACK for reward in rewards)
    total = len(rewards)
    return {
        "total": total,
        "triggered": triggered,
        "rate_percent": round(100.0 * triggered / total, 1) if total else 0.0,
        "mean_reward": round(math.fsum(rewards) / total, 3) if total else 0.0,
        "threshold": threshold,
    }
