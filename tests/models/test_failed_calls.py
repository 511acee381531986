"""A failed call of a model is one call of unknown price, if the model received it, whoever makes the call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest
from pydantic import BaseModel

from jido_ai import (
    Graph,
    LLMCritiquer,
    LLMGenerator,
    LLMReviser,
    LoopConfig,
    LoopNode,
    Pipeline,
    ReflexionMemory,
    StepNode,
)
from jido_ai.comparing.run import Progress, compare
from jido_ai.comparing.tasks import Check, Task
from jido_ai.errors import ModelUnavailableError
from jido_ai.models.wrappers.with_limits import with_limits
from jido_ai.reflection.reflector import Reflector
from jido_ai.testing import virtual_run
from jido_ai.values import Completion, CompletionRequest, CritiqueResult, Usage

DOWN: Final = ModelUnavailableError("the server is down", provider="own", model="m", host="")
ANSWERED: Final = Usage(1, 10, 5, cost_usd=0.25)


class Number(BaseModel):
    n: int


class FailsOnce:
    """Fails in its first call, and answers each later one."""

    provider = "own"
    model = "m"

    def __init__(self, error: Exception, text: str) -> None:
        self.error = error
        self.text = text
        self.calls = 0

    async def complete(self, request: CompletionRequest) -> Completion:
        self.calls += 1
        if self.calls == 1:
            raise self.error
        return Completion(self.text, usage=ANSWERED)


def good(text: Any) -> CritiqueResult:
    return CritiqueResult(severity=0.0)


def bad(text: Any) -> CritiqueResult:
    return CritiqueResult(severity=0.9, issues=["too short"])


def shorter(text: Any, critique: Any) -> str:
    return "another text"


async def ran(*components: Any, **options: Any) -> Usage:
    async with Pipeline(*components, **{"config": LoopConfig(max_iterations=2)} | options) as pipeline:
        return (await pipeline.run("say it")).usage


async def graph(node: Any) -> Usage:
    async with Graph({"a": node}, inputs=["x"], output="a") as one:
        return (await one.run({"x": "1"})).usage


async def in_a_reflector(model: FailsOnce) -> Usage:
    async with ReflexionMemory() as memory:
        return await ran(lambda _: "text", bad, shorter, reflector=Reflector(model), memory=memory)


async def in_a_comparison(model: FailsOnce) -> Usage:
    told: list[Progress] = []
    compared = await compare(
        [Task("2 + 2", [Check.exact("text")])],
        {"loop": Pipeline(LLMGenerator(model), good)},
        baseline="loop",
        progress=told.append,
    )
    (row,) = compared.rows
    assert told[-1].calls == row.calls
    return Usage(row.calls, 10, 5, cost_usd=0.25, unpriced_calls=int(row.cost_usd is None))


PLACES: Final[dict[str, tuple[str, Callable[[FailsOnce], Awaitable[Usage]]]]] = {
    "generator": ("text", lambda model: ran(LLMGenerator(model), good)),
    "critiquer": ('{"severity": 0.0}', lambda model: ran(lambda _: "text", LLMCritiquer(model))),
    "reviser": ("text", lambda model: ran(lambda _: "text", bad, LLMReviser(model))),
    "reflector": ("Mistake: too short\nLesson: write more", in_a_reflector),
    "typed answer": ('{"n": 1}', lambda model: ran(LLMGenerator(model), output=Number)),
    "retries of the model": ("text", lambda model: ran(LLMGenerator(with_limits(model)), good)),
    "step": ("text", lambda model: graph(StepNode(LLMGenerator(model), prompt="say {x}", retries=1))),
    "loop": ("text", lambda model: graph(LoopNode("say {x}", generator=LLMGenerator(model), critiquer=good))),
    "comparison": ("text", in_a_comparison),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("was_received", [True, False])
def test_a_failed_call_counts_as_one_of_unknown_price_unless_it_was_not_received(
    place: str, was_received: bool
) -> None:
    text, carried_out = PLACES[place]
    model = FailsOnce(RuntimeError("the reply broke off") if was_received else DOWN, text)
    usage = virtual_run(carried_out(model))
    assert model.calls == 2
    assert usage == ANSWERED + (Usage(calls=1, unpriced_calls=1) if was_received else Usage())
