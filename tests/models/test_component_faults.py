"""Whatever a provider does to a component or a pipeline: a typed error or a valid result, in time, and no half a text.

Components do not stream, so the faults are those of whole answers. JIDO_FAULTS=20 asks 20 times, in all wire forms.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Generator
from typing import Any, get_args

import pytest
from model_servers.fault_server import FaultServer
from model_servers.outcomes import WHOLE
from model_servers.wire import Form

from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.errors import JidoError, ModelTimeoutError, TruncatedError
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.providers.anthropic import AnthropicModel
from jido_ai.models.providers.http import HttpModel
from jido_ai.models.providers.ollama import OllamaModel
from jido_ai.models.providers.openai import OpenAIModel
from jido_ai.protocols import RunContext
from jido_ai.reflection.reflector import Reflector
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.values import Candidate, Completion, CritiqueResult, LoopConfig, StopReason
from jido_ai.values.record import LogName

KEY = "planted-7c1f09b2-key"
TIMES = int(os.environ.get("JIDO_FAULTS", "2"))
FORMS: tuple[Form, ...] = ("openai", "anthropic", "ollama") if TIMES >= 20 else ("openai",)
ROLES = ("generator", "critiquer", "reviser")
REVISED = "a fine text"
SOUND = json.dumps(
    {
        "issues": ["no unit"],
        "suggestions": [],
        "severity": 0.9,
        "feedback": "",
        "improved_response": REVISED,
        "changes_made": [],
        "parts_preserved": [],
    }
)
"""What the server says when nothing is wrong: a candidate, a critique and a revision at once."""
HALF = ("half a sent", "x" * 20, "\\ud800")
"""What the server says when something is: no more than a part of an answer."""
GUARD_S = 40.0
CONTEXT = RunContext(run_id="run", prompt="how far is the moon?")


@pytest.fixture(scope="module")
def server() -> Generator[FaultServer]:
    with FaultServer(SOUND) as running:
        yield running


def model_of(server: FaultServer, form: Form, name: str, timeout_s: float = 10.0) -> HttpModel:
    kinds: dict[Form, Callable[..., HttpModel]] = {
        "openai": OpenAIModel,
        "anthropic": AnthropicModel,
        "ollama": OllamaModel,
    }
    size = 8 * 1024 * 1024 if name == "early-refusal" else 1024 * 1024
    return kinds[form](name, api_key=KEY, base_url=server.base_url(form), timeout_s=timeout_s, max_bytes=size)


def expected(fault: str) -> type:
    """Return what becomes of a call of a component: unlike a model, it takes no answer that was cut."""
    return TruncatedError if fault == "cut-by-length" else WHOLE[fault]


Act = Callable[[HttpModel, float], Awaitable[str]]


async def generate(model: HttpModel, timeout_s: float) -> str:
    (candidate,) = await LLMGenerator(model, timeout_s=timeout_s).generate(CONTEXT.prompt, CONTEXT)
    assert candidate.content == SOUND
    return candidate.content


async def critique(model: HttpModel, timeout_s: float) -> str:
    told = await LLMCritiquer(model, timeout_s=timeout_s).critique(Candidate("384,400"), CONTEXT)
    assert (told.severity, [issue.message for issue in told.issues]) == (0.9, ["no unit"])
    return "a critique"


async def revise(model: HttpModel, timeout_s: float) -> str:
    critique = CritiqueResult(severity=0.9, issues=["no unit"])
    revised = await LLMReviser(model, timeout_s=timeout_s).revise(Candidate("384,400"), critique, CONTEXT)
    assert revised.content == REVISED
    return revised.content


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("act", [generate, critique, revise])
@pytest.mark.parametrize("fault", sorted(WHOLE.keys() - {"lone-surrogate"}))  # which is replaced: another text
async def test_a_component_ends_in_a_typed_error_or_a_whole_answer(
    server: FaultServer, fault: str, act: Act, form: Form
) -> None:
    timeout_s = 0.4 if WHOLE[fault] is ModelTimeoutError else 10.0
    async with model_of(server, form, fault) as model, asyncio.timeout(GUARD_S):
        for outcome in await asyncio.gather(*(act(model, timeout_s) for _ in range(TIMES)), return_exceptions=True):
            if expected(fault) is Completion:
                assert isinstance(outcome, str), outcome
            else:
                assert isinstance(outcome, expected(fault)), outcome
                assert KEY not in str(outcome)


async def everything_kept(memory: ReflexionMemory) -> str:
    """Return all that the memory holds, entries and logs, as one text."""
    kept: list[Any] = [entry.model_dump(mode="json") for entry in await memory.list_entries()]
    for log in set(get_args(LogName)) - {"calls"}:  # calls are kept as they went, half an answer included
        kept += [record.data for record in await memory.records(log)]
    return json.dumps(kept)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("fault", sorted(WHOLE.keys() - {"lone-surrogate"}))  # which is replaced: another text
@pytest.mark.quick_cases(60)
async def test_a_run_ends_in_time_with_a_typed_error_or_whole_texts(
    server: FaultServer, fault: str, role: str, form: Form, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    is_slow = WHOLE[fault] is ModelTimeoutError
    limit_s = 0.4 if role == "generator" else 4.0  # until then the other steps are over, whatever the load
    models = {one: model_of(server, form, fault if one == role else "fine") for one in ROLES}
    # Components would wait for ever: it is the run's own time that ends a slow one.
    usual: dict[str, Any] = {"timeout_s": 3600.0 if is_slow else 10.0}
    config = LoopConfig(max_iterations=2, timeout_s=limit_s if is_slow else 60.0, step_timeout_s=600.0, step_retries=1)
    async with asyncio.timeout(GUARD_S), ReflexionMemory() as memory:
        pipeline = Pipeline(
            LLMGenerator(models["generator"], **usual),
            LLMCritiquer(models["critiquer"], **usual),
            LLMReviser(models["reviser"], format="json", **usual),
            reflector=Reflector(models["critiquer"], timeout_s=0.4),
            memory=memory,
            config=config,
        )
        async with pipeline:
            results = await pipeline.run_many([f"question {number}" for number in range(TIMES)])
        kept = await everything_kept(memory)
    for model in models.values():
        await model.aclose()
    for result in results:
        texts = [one.candidate.content for one in result.iterations]
        assert texts == [SOUND, REVISED][: len(texts)]
        assert result.best_candidate is None or result.best_candidate.content in texts
        if is_slow:
            assert result.stop_reason is StopReason.DEADLINE
        elif expected(fault) is Completion:
            assert (result.error, len(texts)) == (None, 2)
        else:
            assert result.stop_reason is StopReason.ERROR and result.error is not None
            assert (result.error.kind, result.error.component) == (expected(fault).__name__, role)
            assert issubclass(expected(fault), JidoError)
        assert len(texts) == 2 or len(texts) == (1 if role == "reviser" else 0)
    assert "question 0" in kept
    assert not [half for half in HALF if half in kept]
    assert KEY not in kept and KEY not in caplog.text
