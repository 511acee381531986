"""Reckoning of a comparison before it begins: how many calls it takes at most, and what they may cost."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jido_ai.comparing.strategies import Strategy
from jido_ai.comparing.tasks import Task
from jido_ai.components.component import used_by
from jido_ai.models.calls import innermost
from jido_ai.models.pricing import Prices
from jido_ai.values import Usage

ANSWER_TOKENS: Final = 1_024
"""Tokens of an answer that are reckoned with."""
_BYTES_PER_TOKEN: Final = 3
_TOKENS_AROUND: Final = 200
"""Of a request: what is sent beside the prompt and the answer that is judged or revised."""


@dataclass(frozen=True, slots=True)
class Reckoning:
    """The most that a comparison takes.

    Attributes:
        calls: model calls, without those of judges; a first answer that strategies share counts once.
        judge_calls: of judges among the checks.
        cost_usd: of `calls`, at 1,024 tokens an answer; None if a price is unknown.
        unpriced: models whose price is unknown, and strategies whose models are.
    """

    calls: int
    judge_calls: int
    cost_usd: float | None
    unpriced: tuple[str, ...] = ()


async def reckoned(
    tasks: Sequence[Task], strategies: Mapping[str, Strategy], *, max_calls: int, repeats: int = 1
) -> Reckoning:
    """Return the most that a comparison takes."""
    prices = Prices()
    texts = [task.prompt + (task.initial_candidate or "") for task in tasks]
    prompt_tokens = sum(math.ceil(len(text.encode("utf-8", "surrogatepass")) / _BYTES_PER_TOKEN) for text in texts)
    calls, cost = 0, 0.0
    unpriced: list[str] = []
    shared: set[str] = set()
    for strategy, one in strategies.items():
        models = [part for part in used_by(one.parts()) if hasattr(part, "complete") and not hasattr(part, "inside")]
        names = [_name(model) for model in models]
        most = one.most_calls(max_calls) or 0
        first = one.first_model()
        if first is not None and not one.learns:  # the first answer is asked for once
            name = _name(innermost(first))
            most -= name in shared
            shared.add(name)
        calls += most * len(tasks) * repeats
        sent = most * (prompt_tokens + len(tasks) * (ANSWER_TOKENS + _TOKENS_AROUND)) * repeats
        usage = Usage(most, sent, most * len(tasks) * ANSWER_TOKENS * repeats)
        costs = [await prices.cost(*_place(model), usage) for model in models]
        unpriced += [name for name, each in zip(names, costs, strict=True) if each is None]
        unpriced += [] if models else [strategy]  # a graph has its models once it runs
        cost += max((each for each in costs if each is not None), default=0.0)
    judges = sum(check.is_opinion for task in tasks for check in task.checks)
    without = tuple(dict.fromkeys(unpriced))
    return Reckoning(calls, judges * len(strategies) * repeats, None if without else cost, without)


def _place(model: Any) -> tuple[str, str, str | None]:
    return str(getattr(model, "provider", "")), getattr(model, "base_url", None) or "", _model(model)


def _model(model: Any) -> str | None:
    name: object = getattr(model, "model", None)
    return name if isinstance(name, str) else None


def _name(model: Any) -> str:
    return f"{getattr(model, 'provider', type(model).__name__)}:{_model(model) or ''}"
