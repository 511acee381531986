"""DSPy's modules judged by us, and its language models inside of a pipeline."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from integration_helpers import CONFIG, PROMPT, Parts

pytest.importorskip("dspy", reason="dspy is not installed: make test-integrations")

import dspy
from frameworks.dspy import Writer, dummy
from model_contract import *  # noqa: F403 - the suite

from jido_ai.errors import AuthenticationError, ComponentError, ModelError, RateLimitError
from jido_ai.integrations.dspy import DSPyModel, ReflectiveModule, metric
from jido_ai.values import CompletionRequest, Message


def reward(args: dict[str, Any], prediction: Any) -> float:
    return 1.0 if prediction.answer == "v3" else 0.1 + 0.15 * int(prediction.answer[-1])


# -- in ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("judged_by", ["reward_fn", "critiquer"])
def test_a_module_is_run_until_its_prediction_is_accepted(judged_by: str) -> None:
    judge = {"reward_fn": reward} if judged_by == "reward_fn" else {"critiquer": Parts()}
    lm, writer = dummy(), Writer()
    before = writer.dump_state()
    with dspy.context(lm=lm):
        prediction = ReflectiveModule(writer, config=CONFIG, **judge)(question=PROMPT)
    assert isinstance(prediction, dspy.Prediction)
    assert prediction.answer == "v3"
    assert writer.dump_state() == before
    assert "hint_" not in writer.write.signature.input_fields


async def test_the_result_in_the_event_loop_is_the_same_and_the_hint_has_the_review() -> None:
    parts, lm = Parts(), dummy()
    asked: list[str] = []
    with dspy.context(lm=lm):
        inner = Writer()
        outer = ReflectiveModule(inner, critiquer=parts, config=CONFIG)
        prediction = await outer.acall(question=PROMPT)
    asked += [str(entry["messages"]) for entry in dspy.clients.base_lm.GLOBAL_HISTORY[-4:]]
    assert prediction.answer == "v3"
    assert parts.calls == ["critique v0", "critique v1", "critique v2", "critique v3"]
    assert "hint_" not in asked[0]
    assert "v2 is not good enough" in asked[3]


async def test_a_cancelled_call_leaves_nothing_in_flight() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    class Slow(Writer):
        async def aforward(self, question: str) -> Any:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

    with dspy.context(lm=dummy()):
        run = asyncio.create_task(ReflectiveModule(Slow(), reward_fn=reward).acall(question=PROMPT))
        await begun.wait()
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
    async with asyncio.timeout(60):
        await ended.wait()


def test_a_failing_component_is_the_error_of_the_module_and_of_the_metric() -> None:
    broken = Parts(fail=ComponentError("broken", component="critiquer"))
    with dspy.context(lm=dummy()), pytest.raises(ComponentError, match="broken"):
        ReflectiveModule(Writer(), critiquer=broken)(question=PROMPT)
    with pytest.raises(ComponentError, match="broken"):
        metric(broken)(dspy.Example(question=PROMPT).with_inputs("question"), dspy.Prediction(answer="v1"))


def test_a_critiquer_is_a_metric() -> None:
    example = dspy.Example(question=PROMPT, answer="v3").with_inputs("question")
    parts = Parts()
    judge = metric(parts)
    assert judge(example, dspy.Prediction(answer="v3")) == 1.0
    assert judge(example, dspy.Prediction(answer="v1")) == pytest.approx(0.25)
    assert judge(example, dspy.Prediction(answer="v3"), []) is True
    told = judge(example, dspy.Prediction(answer="v1"), None, "write", None)
    assert (told.score, "v1 is not good enough" in told.feedback) == (pytest.approx(0.25), True)
    assert set(parts.seen) == {PROMPT}


# -- out ---------------------------------------------------------------------------------------------


class Scripted(dspy.BaseLM):
    """A language model without a provider."""

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__("scripted", "chat", 0.0, 1000, False)
        self.error, self.calls = error, []

    async def aforward(self, prompt: Any = None, messages: Any = None, **options: Any) -> Any:
        self.calls.append(messages)
        if self.error is not None:
            raise self.error
        text = '{"score": 7, "verdict": "accept"}' if "JSON" in str(messages[-1]) else "well then"
        return _response(text)


def _response(text: str) -> Any:
    from types import SimpleNamespace as Space

    message = Space(content=text, tool_calls=None)
    choice = Space(message=message, finish_reason="stop", index=0)
    return Space(choices=[choice], usage={"prompt_tokens": 7, "completion_tokens": 2}, model="scripted")


@pytest.fixture(params=["dspy"])
def model(request: pytest.FixtureRequest) -> DSPyModel:
    return DSPyModel(Scripted())


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
async def test_the_history_of_a_language_model_does_not_grow() -> None:
    lm = Scripted()
    answer = await DSPyModel(lm).complete(CompletionRequest((Message("user", "hi"),)))
    assert (answer.text, answer.usage.input_tokens) == ("well then", 7)
    assert lm.history == []


@pytest.mark.parametrize(("status", "kind"), [(429, RateLimitError), (401, AuthenticationError), (418, ModelError)])
async def test_a_refusal_of_the_model_is_a_refusal_error_after_one_call(status: int, kind: type[Exception]) -> None:
    error = RuntimeError("no")
    error.status_code = status  # type: ignore[attr-defined]
    lm = Scripted(error)
    with pytest.raises(kind):
        await DSPyModel(lm).complete(CompletionRequest((Message("user", "hi"),)))
    assert len(lm.calls) == 1
