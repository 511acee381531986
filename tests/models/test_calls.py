"""One call of a model by a component: in time, within the budget, once more when the reply cannot be read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from jido_ai.errors import (
    AuthenticationError,
    BudgetExceededError,
    CircuitOpenError,
    ConfigurationError,
    ModelTimeoutError,
    ModelUnavailableError,
    ParseError,
    RateLimitError,
    RefusalError,
    ReplyError,
    TruncatedError,
)
from jido_ai.models.calls import Answer, EchoError, ModelCaller
from jido_ai.models.defaults import DEFAULTS, DefaultFloat, DefaultInt
from jido_ai.models.spending import Spending
from jido_ai.models.wrappers.with_limits import with_limits
from jido_ai.protocols import RunContext
from jido_ai.testing import ScriptedModel
from jido_ai.values import Budget, Completion, CompletionRequest, Message, Usage

QUESTION = (Message("user", "how many?"),)
CONTEXT = RunContext(run_id="run", prompt="p")


def number(text: str) -> int:
    if not text.isdecimal():
        raise ParseError("there is no number", raw=text)
    return int(text)


def metered(spending: Spending) -> RunContext:
    return RunContext(run_id="run", prompt="p", meter=spending)


async def ask(
    model: Any, context: RunContext = CONTEXT, default_tokens: int | None = None, **settings: Any
) -> Answer[int]:
    caller = ModelCaller(model, component="counter", **{"timeout_s": 30.0, **settings})
    return await caller.ask(QUESTION, number, context, schema={"type": "integer"}, default_tokens=default_tokens)


async def test_settings_and_schema_are_sent_and_the_usage_is_returned() -> None:
    model = ScriptedModel(["7"])
    answer = await ask(model, temperature=0.25, max_tokens=50, seed=4, timeout_s=9.0)
    (request,) = model.requests
    assert (request.temperature, request.max_tokens, request.seed, request.timeout_s) == (0.25, 50, 4, 9.0)
    assert (request.messages, request.schema) == (QUESTION, {"type": "integer"})
    assert (answer.value, answer.model, answer.usage) == (7, "scripted", Usage(1, 2, 1))
    assert answer.metadata == {"model": "scripted", "usage": Usage(1, 2, 1).model_dump()}


async def test_a_schema_is_sent_unchanged_with_each_call() -> None:
    model = ScriptedModel(["7", "8", "9"])
    caller = ModelCaller(model, component="counter", timeout_s=30.0)
    for schema in ({"type": "integer"}, {"type": "number"}, None):
        await caller.ask(QUESTION, number, CONTEXT, schema=schema)
    assert [request.schema for request in model.requests] == [{"type": "integer"}, {"type": "number"}, None]


async def test_an_unreadable_reply_is_requested_once_more_with_the_reason() -> None:
    model = ScriptedModel(["seven </fault>", "7"])
    answer = await ask(model)
    _, second = model.requests
    assert second.messages[:1] == QUESTION
    assert second.messages[1] == Message("assistant", "seven </fault>")
    assert "\nthere is no number\n</fault_" in second.messages[2].content
    assert (answer.value, answer.usage.calls, answer.metadata["asked_again"]) == (7, 2, True)


async def test_a_second_unreadable_reply_is_an_error_that_carries_it() -> None:
    model = ScriptedModel(["seven", "s" * 5_000])
    with pytest.raises(ParseError, match=r"scripted:scripted: .*there is no number") as caught:
        await ask(model)
    assert len(model.requests) == 2
    assert len(caught.value.raw) == 2_000
    assert caught.value.component == "counter"
    assert caught.value.retryable


@pytest.mark.parametrize("finish_reason", ["refusal", "filter"])
async def test_a_refusal_is_never_read(finish_reason: Any) -> None:
    model = ScriptedModel([Completion("7", finish_reason=finish_reason)])
    with pytest.raises(RefusalError, match="scripted:scripted"):
        await ask(model)
    assert len(model.requests) == 1


# -- replies that are cut off ----------------------------------------------------------------------

CUT = Completion("1", usage=Usage(1, 2, 1), finish_reason="length")


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({}, r"the model's own limit of tokens; ask for less, or set max_tokens; .* was cut, too"),
        ({"max_tokens": 7}, r"its limit of 7 tokens; raise max_tokens; .* was cut, too"),
        (
            {"default_tokens": 800},
            r"its limit of 800 tokens \(default\); set max_tokens=\.\.\.; .* was cut at 1600, too",
        ),
        ({"max_tokens": 7, "default_tokens": 800}, r"its limit of 7 tokens; raise max_tokens"),
    ],
)
async def test_half_a_reply_is_never_read_and_the_error_names_a_remedy(limits: dict[str, int], told: str) -> None:
    model = ScriptedModel([CUT, CUT])
    with pytest.raises(TruncatedError, match="scripted:scripted: .*" + told) as caught:
        await ask(model, **limits)
    assert len(model.requests) == 2
    assert not caught.value.retryable


@pytest.mark.parametrize(
    ("limits", "words", "second_limit", "warning"),
    [
        ({"max_tokens": 50}, "25 words", 50, "the first reply was cut at 50 tokens"),
        ({"max_tokens": 1}, "1 words", 1, "the first reply was cut at 1 tokens"),
        ({"default_tokens": 800}, "400 words", 1600, "the first reply was cut at 800 tokens"),
        ({}, "20 words", None, "the first reply was cut at the model's own limit of tokens"),
    ],
)
async def test_a_shorter_reply_is_requested_after_a_cut_one(
    limits: dict[str, int], words: str, second_limit: int | None, warning: str
) -> None:
    spending = Spending()
    model = ScriptedModel([CUT, "7"])
    answer = await ask(model, metered(spending), **limits)
    (message,) = model.requests[1].messages
    assert message.content.startswith("how many?\n\n")
    assert words in message.content.splitlines()[-1]
    assert model.requests[1].max_tokens == second_limit
    assert (answer.value, answer.usage.calls, spending.spent.calls) == (7, 2, 2)
    assert answer.metadata["warnings"] == [warning]


async def test_a_default_limit_is_sent_and_not_mentioned_without_a_cut() -> None:
    model = ScriptedModel(["7"])
    answer = await ask(model, default_tokens=800)
    assert model.requests[0].max_tokens == 800
    assert "warnings" not in answer.metadata


async def test_an_unreadable_shorter_reply_is_requested_once_more_in_short() -> None:
    model = ScriptedModel([CUT, "seven", "7"])
    answer = await ask(model, default_tokens=800)
    third = model.requests[2]
    assert third.messages[0] == model.requests[1].messages[0]
    assert (answer.value, answer.usage.calls, third.max_tokens) == (7, 3, 1600)
    assert answer.metadata["asked_again"] and answer.metadata["warnings"]
    model = ScriptedModel(["seven", CUT])
    with pytest.raises(TruncatedError, match="800 tokens"):
        await ask(model, default_tokens=800)


@pytest.mark.parametrize(
    "thought",
    [
        Completion("", finish_reason="length"),
        Completion("<think>well, let me", finish_reason="length"),
        Completion("1", usage=Usage(1, 2, 800, reasoning_tokens=790), finish_reason="length"),
    ],
)
async def test_a_model_that_spends_a_default_limit_on_thoughts_gets_more_from_then_on(thought: Completion) -> None:
    model = ScriptedModel([thought, "7", "8"])
    caller = ModelCaller(model, component="counter", timeout_s=30.0)
    for _ in range(2):
        await caller.ask(QUESTION, number, CONTEXT, default_tokens=800)
    assert [request.max_tokens for request in model.requests] == [800, 6400, 6400]


async def test_a_budget_that_does_not_bear_the_second_call_ends_it() -> None:
    model = ScriptedModel([CUT, "7"])
    with pytest.raises(BudgetExceededError):
        await ask(model, metered(Spending(Budget(max_tokens=1_000))), default_tokens=800)
    assert len(model.requests) == 1


async def test_a_model_that_does_not_return_a_completion_raises_a_reply_error() -> None:
    class Wrong:
        async def complete(self, request: CompletionRequest) -> Completion:
            return "7"  # type: ignore[return-value]

    with pytest.raises(ReplyError, match="must return a Completion"):
        await ask(Wrong())


# -- thoughts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        "<think>\nsix? no\n</think>\n\n7",
        "six? no.\n</think>\n7",
        "<think>" + "hm " * 5_000 + "</think>7",
        "<think>\n\n</think>\n\n7",
        "[THINK][/THINK]7",
        "7</think>",
    ],
)
async def test_thoughts_are_not_part_of_a_reply(reply: str) -> None:
    assert (await ask(ScriptedModel([reply]))).value == 7


async def test_a_reply_is_asked_for_again_without_its_thoughts() -> None:
    model = ScriptedModel(["<think>private</think>seven", "7"])
    answer = await ask(model)
    _, second = model.requests
    assert second.messages[1] == Message("assistant", "seven")
    assert "private" not in str(second.messages)
    assert answer.metadata["asked_again"]


@pytest.mark.parametrize("blank", ["<think>hm</think>", "<think>hm", "<|channel|>analysis<|message|>hm", " \n"])
async def test_a_reply_of_thoughts_alone_is_blank_and_requested_again(blank: str) -> None:
    model = ScriptedModel([blank, "7"])
    assert (await ask(model)).value == 7
    assert model.requests[1].messages[1] == Message("assistant", "(blank)")
    only = "" if blank.isspace() else ": the model gave only thoughts; write the answer itself after them"
    assert f"\nthe reply is blank{only}\n" in model.requests[1].messages[2].content
    with pytest.raises(ParseError, match="the reply is blank"):
        await ask(ScriptedModel([blank, blank]))


async def test_an_unfinished_thought_is_half_a_reply() -> None:
    half = Completion("<think>hm", finish_reason="length")
    with pytest.raises(TruncatedError):
        await ask(ScriptedModel([half, half]))


# -- the shape of a reply --------------------------------------------------------------------------

SHAPE = '{"number": "<the number>"}'


class Enforcing(ScriptedModel):
    """A model whose server enforces schemas."""

    enforces_schema = True


async def ask_in_shape(model: Any, *, times: int = 1, question: str = "how many?", shape: str = SHAPE) -> list[str]:
    """Ask, and return the reply of each time."""
    caller = ModelCaller(model, component="counter", timeout_s=30.0)
    question_of = (Message("user", question),)
    schema = {"type": "object"}
    return [(await caller.ask(question_of, _digits, CONTEXT, schema=schema, shape=shape)).value for _ in range(times)]


def _digits(text: str) -> str:
    if not any(letter.isdigit() for letter in text):
        raise ParseError("there is no number", raw=text)
    return text


def last_lines(model: ScriptedModel) -> list[str]:
    return [request.messages[-1].content.splitlines()[-1] for request in model.requests]


@pytest.mark.parametrize("around", [lambda model: model, with_limits], ids=["bare", "with_limits"])
async def test_a_model_whose_server_enforces_schemas_sees_the_shape_only_after_an_unreadable_reply(
    around: Callable[[Any], Any],
) -> None:
    shape = f"The shape of the reply: {SHAPE}"
    model = Enforcing(["none", "7", "8"])
    await ask_in_shape(around(model), times=2)
    assert last_lines(model) == ["how many?", shape, "how many?"]
    model = ScriptedModel(["none", "7", "8"])
    await ask_in_shape(around(model), times=2)
    assert last_lines(model) == [shape, shape, shape]


async def test_a_request_without_a_shape_does_not_mention_one() -> None:
    model = ScriptedModel(["none", "<the number>7"])
    assert await ask_in_shape(model, shape="") == ["<the number>7"]
    assert "shape" not in str([request.messages for request in model.requests])


@pytest.mark.parametrize("kind", [ScriptedModel, Enforcing])
async def test_a_reply_that_repeats_a_placeholder_is_asked_for_again(kind: type[ScriptedModel]) -> None:
    model = kind(['{"number": "<the number>", "of": 7}', "7"])
    assert await ask_in_shape(model) == ["7"]
    assert "repeats the placeholder '<the number>'" in model.requests[1].messages[-1].content
    with pytest.raises(EchoError, match=r"nor the one after it can be read: .*'<the number>'"):
        await ask_in_shape(kind(["7 <the number>", "8 <the number>"]))


async def test_another_fault_after_a_placeholder_is_not_an_echo() -> None:
    with pytest.raises(ParseError, match="there is no number") as caught:
        await ask_in_shape(ScriptedModel(["<the number>", "none"]))
    assert not isinstance(caught.value, EchoError)


@pytest.mark.parametrize("reply", ["<the number> 7", '{"a": "<the number>", "b": 7}'])
async def test_a_placeholder_in_the_task_is_not_an_echo(reply: str) -> None:
    model = ScriptedModel([reply])
    assert await ask_in_shape(model, question="replace <the number> in this form") == [reply]
    model = ScriptedModel([f"{reply} <a unit>", "7"])
    assert await ask_in_shape(model, question="replace <the number>", shape=f"{SHAPE} <a unit>") == ["7"]


async def test_once_the_server_refused_the_schema_the_next_request_shows_the_shape() -> None:
    model = Enforcing([Completion("7", dropped=("temperature",)), Completion("7", dropped=("schema",)), "7"])
    await ask_in_shape(model, times=3)
    assert last_lines(model) == ["how many?", "how many?", f"The shape of the reply: {SHAPE}"]


async def test_a_refused_schema_is_remembered_for_that_schema_and_that_model_only() -> None:
    first, second = ({"type": "object", "title": name} for name in ("first", "second"))
    model = Enforcing([Completion("7", dropped=("schema",)), "7", "7"])
    caller = ModelCaller(model, component="counter", timeout_s=30.0)
    for schema in (first, second, first):
        await caller.ask(QUESTION, _digits, CONTEXT, schema=schema, shape=SHAPE)
    other = Enforcing(["7"])
    await ModelCaller(other, component="counter").ask(QUESTION, _digits, CONTEXT, schema=first, shape=SHAPE)
    shows = [SHAPE in request.messages[-1].content for request in (*model.requests, *other.requests)]
    assert shows == [False, False, True, False]


# -- defaults --------------------------------------------------------------------------------------


async def test_a_request_says_which_of_its_settings_are_defaults() -> None:
    for settings, names in (
        ({}, ("schema",)),
        ({"temperature": 0.5, "max_tokens": 9}, ("schema",)),
        ({"temperature": DefaultFloat(0.5)}, ("schema", "temperature")),
        ({"temperature": 0.5, "max_tokens": DefaultInt(9)}, ("schema", "max_tokens")),
    ):
        model = ScriptedModel(["7"])
        await ask(model, **settings)
        assert model.requests[0].metadata == {DEFAULTS: names}


async def test_an_answer_names_the_settings_that_the_model_refused() -> None:
    answer = await ask(ScriptedModel([Completion("7", dropped=("temperature",))]))
    assert answer.metadata["dropped"] == ["temperature"]


# -- time ------------------------------------------------------------------------------------------


async def hang(request: CompletionRequest) -> str:
    return await asyncio.get_running_loop().create_future()


@pytest.mark.virtual_clock
@pytest.mark.parametrize(
    ("own", "left", "waited"),
    [
        (30.0, 100.0, 30.0),
        (30.0, 12.0, 12.0),
        (30.0, None, 30.0),
        (None, None, 120.0),  # a model that shows no sign of life
        (None, 100.0, 100.0),
        (300.0, None, 300.0),
    ],
)
async def test_a_call_ends_at_its_own_limit_or_with_the_run(
    own: float | None, left: float | None, waited: float
) -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()
    model = ScriptedModel(hang)
    context = RunContext(run_id="r", prompt="p", deadline=None if left is None else began + left)
    with pytest.raises(ModelTimeoutError, match=f"scripted:scripted: the model did not answer in {waited:g} s"):
        await ask(model, context, timeout_s=own)
    assert loop.time() - began == pytest.approx(waited)
    assert model.requests[0].timeout_s == pytest.approx(waited)


async def test_when_the_run_is_over_nothing_is_sent() -> None:
    model = ScriptedModel(["7"])
    spending = Spending()
    context = RunContext(run_id="r", prompt="p", deadline=asyncio.get_running_loop().time() - 1.0, meter=spending)
    with pytest.raises(ModelTimeoutError, match="nothing was sent"):
        await ask(model, context)
    assert (model.requests, spending.spent) == ([], Usage())


# -- budget ----------------------------------------------------------------------------------------


async def test_a_meter_counts_every_call_and_the_answer_does_not_report_it_again() -> None:
    spending = Spending()
    answer = await ask(ScriptedModel(["seven", "7"]), metered(spending))
    assert spending.spent.calls == 2
    assert spending.spent == answer.usage
    assert spending.set_aside == Usage()
    assert "usage" not in answer.metadata


async def test_a_call_beyond_the_budget_is_not_made_and_neither_is_a_second_one() -> None:
    model = ScriptedModel(["seven", "7"])
    with pytest.raises(BudgetExceededError):
        await ask(model, metered(Spending(Budget(max_calls=1))))
    assert len(model.requests) == 1
    with pytest.raises(BudgetExceededError):
        await ask(model, metered(Spending(Budget(max_tokens=10))))
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("error", "calls"),
    [
        (ConfigurationError("?"), 0),
        (AuthenticationError("no key", provider="p"), 0),
        (CircuitOpenError("down", provider="p"), 0),
        (RateLimitError("later", provider="p", status=429), 0),
        (ModelUnavailableError("down", provider="p"), 0),
        (ModelTimeoutError("late", provider="p"), 1),
        (ReplyError("junk", provider="p", status=200), 1),
        (RuntimeError("?"), 1),
    ],
)
async def test_a_failed_call_counts_unless_it_was_refused_or_never_sent(error: Exception, calls: int) -> None:
    spending = Spending()
    with pytest.raises(type(error)):
        await ask(ScriptedModel([error]), metered(spending))
    assert (spending.spent.calls, spending.set_aside) == (calls, Usage())


async def test_a_cancelled_call_counts_and_leaves_nothing_reserved() -> None:
    spending = Spending()
    started = asyncio.Event()

    async def begin(request: CompletionRequest) -> str:
        started.set()
        return await hang(request)

    task = asyncio.ensure_future(ask(ScriptedModel(begin), metered(spending)))
    await started.wait()
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()
    assert (spending.spent.calls, spending.set_aside) == (1, Usage())


async def test_a_model_without_usage_still_counts_as_a_call_of_unknown_price() -> None:
    spending = Spending()
    await ask(ScriptedModel([Completion("7")]), metered(spending))
    await ask(ScriptedModel([Completion("7", usage=Usage(input_tokens=5))]), metered(spending))
    assert spending.spent == Usage(2, 5, unpriced_calls=2)


async def test_an_answer_from_a_cache_does_not_count_as_a_call() -> None:
    spending = Spending()
    await ask(ScriptedModel([Completion("7", is_cached=True)]), metered(spending))
    assert spending.spent == Usage()


# -- what may be a model ---------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["gpt", "nobody:gpt", "", 5, None, Completion])
def test_a_value_that_is_not_a_model_is_refused_at_once(model: Any) -> None:
    with pytest.raises(ConfigurationError):
        ModelCaller(model, component="c", timeout_s=1.0)


@pytest.mark.parametrize(
    "setting", [{"timeout_s": 0.0}, {"timeout_s": -1.0}, {"temperature": -1.0}, {"max_tokens": 0}, {"seed": 1.5}]
)
def test_a_setting_out_of_range_is_refused_at_once(setting: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(setting))):
        ModelCaller(ScriptedModel([]), component="c", **{"timeout_s": 1.0, **setting})


async def test_a_model_made_from_its_name_is_closed_only_after_its_last_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed: list[str] = []

    class Closing(ScriptedModel):
        async def aclose(self) -> None:
            closed.append("closed")

    monkeypatch.setattr("jido_ai.models.calls.model_of", lambda _: Closing(hang))
    caller = ModelCaller("made:here", component="counter", timeout_s=30.0)
    call = asyncio.ensure_future(caller.ask(QUESTION, number, CONTEXT))
    await asyncio.sleep(0)
    await caller.aclose()
    assert not closed
    call.cancel()
    await asyncio.wait({call})
    await caller.aclose()
    assert closed == ["closed"]
    await ModelCaller(Closing(hang), component="counter", timeout_s=30.0).aclose()
    assert closed == ["closed"]


@pytest.mark.parametrize(
    ("told", "counted"),
    [
        (Usage(1, 20, 5), Usage(1, 20, 5, unpriced_calls=1)),
        (Usage(1, 20, 5, cost_usd=0.0), Usage(1, 20, 5)),
        (Usage(1, 20, 5, cost_usd=0.25), Usage(1, 20, 5, 0.25)),
        (Usage(), Usage(1, unpriced_calls=1)),
    ],
)
async def test_a_model_that_tells_tokens_but_no_cost_has_an_unknown_price_and_not_zero(
    told: Usage, counted: Usage
) -> None:
    spending = Spending()
    answer = await ask(ScriptedModel([Completion("7", usage=told)]), metered(spending))
    assert (answer.usage, spending.spent) == (counted, counted)
