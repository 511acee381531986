"""DSPy (the extra `dspy`): modules judged and revised, critiquers as metrics; language models as components."""
# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportGeneralTypeIssues=false, reportIndexIssue=false, reportInvalidTypeForm=false

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import to_json

from jido_ai.critics.scoring import with_verdict
from jido_ai.errors import ConfigurationError, describe
from jido_ai.extras import check_versions, missing
from jido_ai.integrations.common import answer_text, failure_of, schema_instruction, translated, usage_of
from jido_ai.integrations.parts import OnePieceModel, ended_as, options_of
from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.values import (
    Candidate,
    Completion,
    CompletionRequest,
    CritiqueResult,
    LoopConfig,
    ReflectionResult,
    Usage,
)

check_versions("dspy")
try:
    import dspy
    from dspy.signatures import InputField
except ImportError as error:
    raise missing("dspy", "dspy", error) from error

__all__ = ["DSPyModel", "ReflectiveModule", "metric"]


# -- in: judging their modules ---------------------------------------------------------------------------


class ReflectiveModule(dspy.Module):
    """Runs a module until its prediction is accepted, as `dspy.Refine`, and returns the best prediction.

    Each further attempt gets the critique of the one before in the input field `hint_`. The module is copied for each
    call and never changed. The text of a prediction is its one output, as JSON if it is no text, or JSON of several;
    its critiquers find the `dspy.Prediction` in `candidate.value`.

    Args:
        module: any module.
        reward_fn: takes the inputs as a dict and the prediction; returns the score in [0, 1].
        critiquer: judges instead; may be a list.
        config: of the loop; by default its documented settings.

    Raises:
        ConfigurationError: there is neither a `reward_fn` nor a critiquer, or there are both.
    """

    def __init__(
        self,
        module: Any,
        *,
        reward_fn: Callable[[dict[str, Any], Any], float] | None = None,
        critiquer: Any = None,
        config: LoopConfig | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(module, dspy.Module):
            raise ConfigurationError(f"need a module of DSPy, got {describe(module)}")
        if (reward_fn is None) == (critiquer is None):
            raise ConfigurationError("a ReflectiveModule needs either a reward_fn or a critiquer")
        self.module = module
        self._reward_fn, self._critiquer, self._config = reward_fn, critiquer, config or LoopConfig()

    def forward(self, **inputs: Any) -> Any:
        """Return the best prediction. Works beside a running event loop too, which it blocks: use `acall` there."""
        with BlockingPipeline(self._pipeline(inputs)) as pipeline:
            return _prediction(pipeline.run(_text_of(inputs)))

    async def aforward(self, **inputs: Any) -> Any:
        """Do as `forward`, in the event loop."""
        async with self._pipeline(inputs) as pipeline:
            return _prediction(await pipeline.run(_text_of(inputs)))

    def _pipeline(self, inputs: dict[str, Any]) -> Pipeline:
        attempts = _Attempts(self.module, inputs)
        critiquer = self._critiquer if self._reward_fn is None else _Reward(self._reward_fn, inputs)
        return Pipeline(attempts, critiquer, attempts, config=self._config)


class _Attempts:
    """Generates and revises by calling copies of a module."""

    def __init__(self, module: Any, inputs: dict[str, Any]) -> None:
        self._module, self._inputs, self._count = module, inputs, 0

    async def generate(self, prompt: str, context: RunContext) -> Candidate:
        return await self._call(None)

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        return await self._call(critique.as_feedback())

    async def _call(self, hint: str | None) -> Candidate:
        module, lms = self._module.deepcopy(), []
        for predictor in module.predictors():
            lm = predictor.lm or dspy.settings.lm
            if lm is not None:
                rollout = {} if self._count == 0 else {"rollout_id": self._count, "temperature": 1.0}
                predictor.lm = lm.copy(**rollout)
                lms.append(predictor.lm)
        self._count += 1
        adapter = dspy.settings.adapter or dspy.ChatAdapter()
        with dspy.context(adapter=adapter if hint is None else _hinting(adapter, hint)):
            if hasattr(module, "aforward"):
                prediction = await module.acall(**self._inputs)
            else:
                prediction = await asyncio.to_thread(module, **self._inputs)
        usage = sum((_usage(entry) for lm in lms for entry in lm.history), Usage())
        return Candidate(_text_of(prediction), value=prediction, metadata={"usage": usage})


def _hinting(adapter: Any, hint: str) -> Any:
    """Return an adapter that adds the input field `hint_` to every signature, and otherwise is `adapter`."""

    class Hinting(type(adapter)):
        def __init__(self) -> None:
            self.__dict__.update(adapter.__dict__)

        def __call__(self, lm: Any, lm_kwargs: Any, signature: Any, demos: Any, inputs: Any) -> Any:
            return adapter(lm, lm_kwargs, _hinted(signature), demos, {**inputs, "hint_": hint})

        async def acall(self, lm: Any, lm_kwargs: Any, signature: Any, demos: Any, inputs: Any) -> Any:
            return await adapter.acall(lm, lm_kwargs, _hinted(signature), demos, {**inputs, "hint_": hint})

    return Hinting()


def _hinted(signature: Any) -> Any:
    field = InputField(desc="The review of an earlier attempt, as data")
    return signature if "hint_" in signature.input_fields else signature.append("hint_", field, str)


class _Reward:
    """A reward function as a critiquer. It may block: it is called in a thread."""

    def __init__(self, reward_fn: Callable[[dict[str, Any], Any], float], inputs: dict[str, Any]) -> None:
        self._reward_fn, self._inputs = reward_fn, inputs

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        score = float(await asyncio.to_thread(self._reward_fn, dict(self._inputs), candidate.value))
        told = None if score >= 1.0 else f"The reward is {score:g} of 1: {candidate.content}"
        return with_verdict(CritiqueResult(score=score, feedback=told, source="reward_fn"))


def metric(critiquer: Any, *, threshold: float = 0.3) -> Callable[..., Any]:
    """Return a metric of DSPy that scores a prediction with a critiquer, in [0, 1].

    While an optimizer collects traces (`trace` is given), it returns whether the severity is below `threshold`; for
    GEPA, which names a predictor, a prediction with "score" and "feedback".

    Raises:
        ComponentError: by the metric, if the critiquer fails.
    """
    pipeline = BlockingPipeline(Pipeline(critiquer=critiquer, config=LoopConfig(max_iterations=1)))

    def judge(
        example: Any, prediction: Any, trace: Any = None, pred_name: str | None = None, pred_trace: Any = None
    ) -> Any:
        inputs = example.inputs() if getattr(example, "_input_keys", None) else example
        asked = _text_of(dict(inputs))
        result = pipeline.run(asked, Candidate(_text_of(prediction), value=prediction))
        failure = failure_of(result, needs_critique=True)
        if failure is not None:
            raise failure
        critique = result.iterations[0].critique
        if pred_name is not None:
            return dspy.Prediction(score=critique.score, feedback=critique.as_feedback())
        return critique.score if trace is None else critique.severity < threshold

    return judge


def _prediction(result: ReflectionResult) -> Any:
    answer_text(result)
    assert result.answer is not None
    return result.answer.value


def _text_of(values: Any) -> str:
    """Return the one value of a prediction or of inputs as text, or JSON of several."""
    told = dict(values) if isinstance(values, Mapping) else dict(values.items())
    if len(told) > 1:
        told.pop("reasoning", None)
    only = next(iter(told.values())) if len(told) == 1 else told
    return only if isinstance(only, str) else to_json(only, fallback=str).decode()


# -- out: their language models ----------------------------------------------------------------------------


class DSPyModel(OnePieceModel):
    """A `dspy.LM` as a `LanguageModel`. It retries nothing unless `num_retries` says so.

    Args:
        lm: it belongs to the caller; its history does not grow.
        num_retries: of its client.

    Raises:
        ConfigurationError: it is not a language model of DSPy.
    """

    def __init__(self, lm: Any, *, num_retries: int = 0) -> None:
        if not isinstance(lm, dspy.BaseLM):
            raise ConfigurationError(f"need a language model of DSPy, got {describe(lm)}")
        self._lm, self._num_retries = lm, num_retries
        self.provider, self.model = "dspy", str(lm.model)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. See `LanguageModel`."""
        lm = self._lm.copy(num_retries=self._num_retries)
        messages = [{"role": message.role, "content": message.content} for message in schema_instruction(request)]
        with translated(self.provider, self.model):
            outputs = await lm.acall(messages=messages, **options_of(request))
        text = outputs[0] if isinstance(outputs[0], str) else outputs[0].get("text") or ""
        entry = lm.history[-1] if lm.history else {}
        response = entry.get("response")
        choices = getattr(response, "choices", None)
        ended = getattr(choices[0] if choices else response, "finish_reason", None)
        finish = ended_as(ended, provider=self.provider, model=self.model)
        return Completion(text, model=self.model, usage=_usage(entry), **finish)


def _usage(entry: Mapping[str, Any]) -> Usage:
    used = entry.get("usage") or {}
    usage = usage_of(input_tokens=used.get("prompt_tokens"), output_tokens=used.get("completion_tokens"))
    cost = entry.get("cost")
    if cost is None:
        return usage
    return usage.model_copy(update={"cost_usd": float(cost), "unpriced_calls": 0})
