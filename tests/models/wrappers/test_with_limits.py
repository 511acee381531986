"""All wrappers together: the order, what is shared, an outage of ten minutes (FAULTS 6), and no secret (FAULTS 21)."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from model_servers.wire import Form, begin, end, piece, reason, whole

from jido_ai.actors.system import ActorSystem
from jido_ai.errors import (
    AuthenticationError,
    CircuitOpenError,
    ConfigurationError,
    ModelError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitError,
)
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.models.calls import ModelCaller
from jido_ai.models.limits import BreakerRules
from jido_ai.models.names import model_named
from jido_ai.models.providers.anthropic import AnthropicModel
from jido_ai.models.providers.ollama import OllamaModel
from jido_ai.models.providers.openai import OpenAIModel
from jido_ai.models.spending import most_tokens
from jido_ai.models.wrappers.with_limits import with_limits
from jido_ai.models.wrappers.wrapper import Wrapper
from jido_ai.protocols import LanguageModel, RunContext, StreamingModel
from jido_ai.telemetry import LoggingSink, TelemetryEvent
from jido_ai.testing import ScriptedModel, virtual_run
from jido_ai.values import (
    Budget,
    Candidate,
    Completion,
    CompletionRequest,
    CritiqueResult,
    LoopConfig,
    Message,
    ReflectionResult,
    StopReason,
    Usage,
)

pytestmark = pytest.mark.virtual_clock

REQUEST = CompletionRequest((Message("user", "hello"),))
DOWN = ModelUnavailableError("down", provider="p", model="m", status=503)


def now() -> float:
    return asyncio.get_running_loop().time()


def layers(model: Any) -> list[str]:
    found: list[str] = []
    while isinstance(model, Wrapper):
        found.append(type(model).__name__)
        model = model.inside
    return found


class ClientError(Exception):
    """As the clients of providers raise them."""

    def __init__(self, **facts: Any) -> None:
        super().__init__("it said: password=hunter2hunter2")
        self.__dict__.update(facts)


# -- put together ----------------------------------------------------------------------------------


def test_the_order_is_the_documented_one() -> None:
    always = ["RetryingModel", "GuardedModel", "BudgetedModel", "LedgeredModel", "LoggedModel", "ForeignModel"]
    assert layers(with_limits(ScriptedModel([]))) == always
    assert layers(with_limits(ScriptedModel([]), cache=True)) == ["CachedModel", *always]


def test_a_name_gives_the_model_with_the_default_wrappers_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for model in (model_named("ollama:tiny"), with_limits("ollama:tiny")):
        assert layers(model).count("RetryingModel") == 1
        assert isinstance(model, StreamingModel)
        assert (model.provider, model.model) == ("ollama", "tiny")  # type: ignore[attr-defined]
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(AuthenticationError):
        with_limits("openai:gpt-4o-mini")


@pytest.mark.parametrize(
    "settings",
    [{"model": 42}, {"retries": -1}, {"max_concurrency": 0}, {"when_open": "never"}, {"prices": {"m": (1.0,)}},
     {"prices": 5}, {"breaker": "on"}, {"cache": 5}, {"ledger": "m.db"}, {"budget": 1.0},
     {"label": None}, {"store": "m.db"}],
)  # fmt: skip
def test_invalid_settings_are_rejected(settings: dict[str, Any]) -> None:
    arguments: dict[str, Any] = {"model": ScriptedModel([]), **settings}
    with pytest.raises(ConfigurationError):
        with_limits(arguments.pop("model"), **arguments)


@pytest.mark.rows("C32")
@pytest.mark.parametrize(
    ("error", "known"),
    [
        (TimeoutError(), ModelTimeoutError),
        (ConnectionResetError("reset by peer"), ModelUnavailableError),
        (ClientError(status_code=429), RateLimitError),
        (ClientError(status=529), ModelUnavailableError),
        (ClientError(response=SimpleNamespace(status_code=503)), ModelUnavailableError),
    ],
)
async def test_a_passing_failure_of_a_foreign_client_is_tried_again(error: Exception, known: type[ModelError]) -> None:
    assert (await with_limits(ScriptedModel([error, "ok"])).complete(REQUEST)).text == "ok"
    pieces = [piece async for piece in with_limits(ScriptedModel([error, "ok"])).stream(REQUEST)]
    assert pieces[0] == "ok"
    with pytest.raises(known) as failed:
        await with_limits(ScriptedModel([error]), retries=0).complete(REQUEST)
    assert "hunter2" not in str(failed.value)


@pytest.mark.rows("C32")
@pytest.mark.parametrize("error", [ValueError("503 timed out"), ClientError(status_code=400), ClientError(status=True)])
async def test_any_other_error_of_a_foreign_client_is_raised_at_once(error: Exception) -> None:
    script = ScriptedModel([error, "ok"])
    with pytest.raises(type(error)) as failed:
        await with_limits(script).complete(REQUEST)
    assert failed.value is error
    assert len(script.requests) == 1
    with pytest.raises(type(error)):
        [piece async for piece in with_limits(ScriptedModel([error])).stream(REQUEST)]


@pytest.mark.rows("C34")
async def test_a_sink_that_raises_fails_no_call(caplog: pytest.LogCaptureFixture) -> None:
    def sink(event: TelemetryEvent) -> None:
        raise RuntimeError("no room")

    rules = BreakerRules(failures=1)
    model = with_limits(ScriptedModel([DOWN, DOWN, "ok"]), sink=sink, breaker=rules)
    assert (await model.complete(REQUEST)).text == "ok"
    assert sum("not used again" in message for message in caplog.messages) == 1


async def test_every_try_is_in_the_ledger_and_a_cache_hit_is_not() -> None:
    store = InProcessStore()
    script = ScriptedModel([DOWN, "ok"], provider="p", model="m")
    model = with_limits(script, store=store, cache=True, prices={"p:m": (1.0, 1.0)}, label="answers")
    for _ in range(3):
        await model.complete(REQUEST.replace(temperature=0.0))
    records = await store.records("ledger")
    assert [(record.data["error"], record.data["calls"], record.data["label"]) for record in records] == [
        ("ModelUnavailableError", 0, "answers"),
        (None, 1, "answers"),
    ]


async def test_objects_of_one_model_and_system_share_the_breaker_and_the_ledger() -> None:
    async with ActorSystem() as system:
        scripts = [ScriptedModel(lambda _: DOWN, provider="p", model="a") for _ in range(2)]
        one, two = (with_limits(script, system=system, when_open="fail", prices={}) for script in scripts)
        with pytest.raises(ModelUnavailableError):
            await one.complete(REQUEST)
        assert now() == pytest.approx(15.0, rel=0.2)
        with pytest.raises(CircuitOpenError):
            await two.complete(REQUEST)
        assert [len(script.requests) for script in scripts] == [5, 0]
        assert one.inside.inside.inside.ledger is two.inside.inside.inside.ledger  # type: ignore[attr-defined]


async def test_a_stream_passes_through_all_wrappers() -> None:
    model = with_limits(ScriptedModel([DOWN, "two words"], provider="p"), cache=True, prices={"scripted": (1.0, 1.0)})
    items = [item async for item in model.stream(REQUEST)]
    assert items[:2] == ["two ", "words"]
    assert isinstance(items[2], Completion)
    assert items[2].usage.cost_usd == pytest.approx(3e-6)


async def test_a_model_without_streaming_gives_its_text_in_one_piece() -> None:
    class Plain:
        async def complete(self, request: CompletionRequest) -> Completion:
            return Completion("two words")

    items = [item async for item in with_limits(Plain()).stream(REQUEST)]
    assert items[0] == "two words"
    assert len(items) == 2


async def test_headers_of_a_provider_delay_the_calls_to_it() -> None:
    headers = {
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-limit-requests": "10",
        "x-ratelimit-reset-requests": "1m0s",
    }
    body = {"choices": [{"message": {"content": "ok"}, "finish_reason": "stop"}]}
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json=body, headers=headers))
    model = with_limits(OpenAIModel("m", api_key="k-1", transport=transport))
    for _ in range(3):
        await model.complete(REQUEST)
    assert now() == 12.0


class Asking:
    """A critiquer that asks a model."""

    def __init__(self, model: LanguageModel) -> None:
        self._caller = ModelCaller(model, component="critiquer")

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        await self._caller.ask([Message("user", candidate.content)], str, context)
        return CritiqueResult(severity=0.0)


@pytest.mark.parametrize("status", [500, 503])
async def test_a_run_waits_for_a_provider_that_is_down_and_not_for_one_that_answers_500(status: int) -> None:
    down = ModelUnavailableError("internal", provider="p", model="m", status=status)
    script = ScriptedModel([down] * 100, provider="p")
    async with ActorSystem() as system:
        model = with_limits(script, system=system, ledger=False)
        async with Pipeline(None, Asking(model), None, config=LoopConfig(max_iterations=1), system=system) as pipeline:
            result = await pipeline.run("question", "answer")
    assert result.stop_reason is StopReason.ERROR
    assert (result.duration_s < 20.0) == (status == 500)
    if status == 500:
        assert len(script.requests) == 5
        assert result.error is not None and "internal" in result.error.message


# -- FAULTS 6: down for ten minutes ----------------------------------------------------------------


class Talker:
    """A critiquer and reviser that ask a model for everything, within the run's budget."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    async def _ask(self, prompt: str, context: RunContext) -> str:
        assert context.meter is not None
        request = CompletionRequest((Message("user", prompt),), timeout_s=context.time_left_s)
        hold = context.meter.reserve(tokens=most_tokens(request))
        usage = Usage(calls=1)
        try:
            completion = await self._model.complete(request)
            usage = completion.usage
        finally:
            hold.settle(usage)
        return completion.text

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        await self._ask(candidate.content, context)
        return CritiqueResult(severity=max(0.0, 0.9 - 0.4 * context.iteration), issues=["wrong"])

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        return await self._ask(f"{candidate.content} again {now()}", context)


async def test_an_outage_of_ten_minutes_loses_no_run_and_is_probed_twice_a_minute() -> None:
    began, returns = 5.0, 605.0
    calls: list[tuple[float, bool]] = []
    opened: list[float] = []

    def sink(event: TelemetryEvent) -> None:
        if event.name == "provider.failed":
            opened.append(now())

    async def provider(request: CompletionRequest) -> Any:
        is_down = began <= now() < returns
        calls.append((now(), is_down))
        await asyncio.sleep(0.0 if is_down else 2.0)
        return DOWN if is_down else f"{len(calls)} {request.messages[0].content}"

    config = LoopConfig(max_iterations=4, timeout_s=1_200.0, step_timeout_s=1_200.0, budget=Budget(max_calls=7))
    async with ActorSystem(sink=sink) as system:
        models = [
            with_limits(ScriptedModel(provider, provider="p", model="a"), system=system, ledger=False) for _ in "ab"
        ]
        talkers = [Talker(model) for model in models]
        async with Pipeline(None, talkers[0], talkers[1], config=config, system=system) as pipeline:

            async def one(index: int) -> ReflectionResult:
                await asyncio.sleep(index * 0.7)
                return await pipeline.run(f"question {index}", f"answer {index}")

            runs = [asyncio.create_task(one(index)) for index in range(30)]
            results = await asyncio.gather(*runs)

    assert Counter(result.stop_reason for result in results) == {StopReason.ACCEPTED: 30}
    assert all(result.usage.calls <= 7 for result in results)
    assert opened[0] < began + 5.0
    probes = [time for time, is_down in calls if is_down and time > opened[0]]
    assert len(opened) == 1
    assert all(later - earlier >= 30.0 - 1e-6 for earlier, later in pairwise([opened[0], *probes]))
    first_back = min(time for time, is_down in calls if not is_down and time > began)
    assert first_back - returns <= 30.0
    assert max(result.duration_s for result in results) < returns + 60.0


@settings(max_examples=15, deadline=None)
@given(limit=st.integers(0, 9), script=st.lists(st.sampled_from(["ok", "ok", "down", "busy", "late"]), max_size=25))
@example(limit=1, script=["down", "down", "down", "down", "late"])  # waits for the provider, and is made again
def test_the_calls_that_may_be_billed_never_pass_the_budget_of_a_run(limit: int, script: list[str]) -> None:
    ends = {
        "down": DOWN,
        "busy": RateLimitError("later", provider="p", retry_after_s=3.0),
        "late": ModelTimeoutError("late", provider="p"),
    }
    made: list[str] = []

    def provider(_: CompletionRequest) -> Any:
        made.append(script[len(made)] if len(made) < len(script) else "ok")
        return ends.get(made[-1], f"answer {len(made)}")

    async def main() -> ReflectionResult:
        talker = Talker(with_limits(ScriptedModel(provider, provider="p"), ledger=False))
        config = LoopConfig(max_iterations=6, timeout_s=5_000.0, step_timeout_s=5_000.0, budget=Budget(max_calls=limit))
        async with Pipeline(None, talker, talker, config=config) as pipeline:
            return await pipeline.run("question", "answer")

    result = virtual_run(main())
    assert result.usage.calls <= limit
    assert made.count("ok") + made.count("late") <= limit


# -- FAULTS 21: no secret in anything written ------------------------------------------------------

KEY = "sk-planted-0123456789abcdefghij"


async def test_a_planted_key_is_never_written(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    answers = iter(
        [
            httpx.Response(503, json={"error": {"message": f"overloaded, Bearer {KEY}"}}, headers={"x-key": KEY}),
            httpx.Response(429, json={"error": {"message": f"slow down {KEY}"}}, headers={"retry-after": "1"}),
            httpx.Response(
                200,
                json={
                    "model": "m",
                    "choices": [{"message": {"content": f"your key is {KEY}"}, "finish_reason": "stop"}],
                    "usage": {"prompt_tokens": 3, "completion_tokens": 2},
                },
            ),
            *[httpx.Response(401, json={"error": {"message": f"Incorrect API key provided: {KEY}"}})] * 2,
        ]
    )
    seen: list[TelemetryEvent] = []

    def sink(event: TelemetryEvent) -> None:
        seen.append(event)
        LoggingSink()(event)

    sent: list[httpx.Request] = []

    def serve(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return next(answers)

    store = InProcessStore()
    async with ActorSystem(sink=sink) as system:
        inside = OpenAIModel("m", transport=httpx.MockTransport(serve))
        model = with_limits(inside, system=system, store=store, cache=True, sink=sink)
        request = CompletionRequest((Message("user", f"keep {KEY} to yourself"),), temperature=0.0)
        await model.complete(request)
        with pytest.raises(AuthenticationError) as caught:
            await model.complete(REQUEST)
        talker = Talker(model)
        async with Pipeline(None, talker, talker, system=system) as pipeline:
            result = await pipeline.run("question", "answer")
    assert KEY in sent[0].headers["authorization"]
    assert result.error is not None
    written = [
        caplog.text,
        repr(seen),
        str(caught.value) + repr(caught.value) + repr(vars(caught.value)),
        result.model_dump_json(),
        json.dumps([dict(record.data) for record in await store.records("ledger")]),
        repr(model) + repr(inside),
        *capfd.readouterr(),
    ]
    assert "hello" in caplog.text, "requests are in the log at DEBUG"
    for text in written:
        assert KEY not in text
        assert KEY[3:] not in text


async def test_requests_and_answers_are_logged_at_debug_only(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    await with_limits(ScriptedModel([DOWN, "the answer"])).complete(REQUEST)
    assert "hello" not in caplog.text
    assert "the answer" not in caplog.text


# -- what the providers' answers cost --------------------------------------------------------------


def provider_over_http(form: Form) -> LanguageModel:
    """Return a provider whose every answer, whole or a stream, took 3 tokens in and 2 out."""

    def answer(request: httpx.Request) -> httpx.Response:
        if json.loads(request.content).get("stream"):
            events = [*begin(form), piece(form, "fine"), *reason(form), *end(form)]
            return httpx.Response(200, content=b"".join(events), headers={"content-type": "text/event-stream"})
        return httpx.Response(200, json=whole(form))

    options: Any = {"transport": httpx.MockTransport(answer)}
    match form:
        case "openai":
            return OpenAIModel("m", api_key="a-key-of-a-test", **options)
        case "anthropic":
            return AnthropicModel("m", api_key="a-key-of-a-test", **options)
        case "ollama":
            return OllamaModel("m", base_url="http://127.0.0.1:11434", **options)


@pytest.mark.parametrize("form", ["openai", "anthropic", "ollama"])
async def test_an_answer_of_a_provider_has_its_cost(form: Form) -> None:
    model = with_limits(provider_over_http(form), prices={"m": (1_000.0, 10_000.0)}, budget=Budget(max_cost_usd=100.0))
    completion = await model.complete(REQUEST)
    [*_, streamed] = [item async for item in model.stream(REQUEST)]
    assert isinstance(streamed, Completion)
    for usage in (completion.usage, streamed.usage):  # the second is made: the first's price is known to the budget
        assert (usage.calls, usage.unpriced_calls, usage.cost_usd) == (1, 0, pytest.approx(3 * 0.001 + 2 * 0.01))


async def test_an_answer_of_a_provider_with_an_unknown_price_has_no_cost() -> None:
    completion = await with_limits(provider_over_http("openai"), prices={"other": (1.0, 1.0)}).complete(REQUEST)
    assert (completion.usage.unpriced_calls, completion.usage.cost_usd) == (1, 0.0)
