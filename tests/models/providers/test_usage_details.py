"""The id of an answer, its cached and its reasoning tokens, and ledger rows from before they were counted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.providers.anthropic import AnthropicModel
from jido_ai.models.providers.openai import CompatibleModel
from jido_ai.models.spending import Spending
from jido_ai.models.wrappers.ledger import CostLedger
from jido_ai.values import Completion, CompletionRequest, Message, Usage
from jido_ai.values.record import Record

REQUEST = CompletionRequest([Message("user", "hello")])
DETAILED = Usage(1, 10, 5, unpriced_calls=1, input_tokens_cached=4, reasoning_tokens=2)


def read(model: Any, reply: dict[str, Any]) -> Completion:
    completion = model._read(json.dumps(reply).encode(), REQUEST)
    assert isinstance(completion, Completion)
    return completion


def streamed(model: Any, *events: dict[str, Any]) -> Completion:
    assembler = model._assembler(REQUEST)
    for event in events:
        assembler.feed(json.dumps(event))
    return assembler.completion()


OPENAI: dict[str, Any] = {
    "id": "chatcmpl-1",
    "usage": {
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": {"reasoning_tokens": 2},
    },
}


def test_openai_reports_id_cached_and_reasoning_tokens() -> None:
    model = CompatibleModel("m", base_url="http://127.0.0.1:9/v1")
    whole = read(model, {**OPENAI, "choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]})
    pieces = streamed(model, {**OPENAI, "choices": [{"delta": {"content": "hi"}, "finish_reason": "stop"}]})
    for completion in (whole, pieces):
        assert (completion.response_id, completion.usage) == ("chatcmpl-1", DETAILED)


@pytest.mark.parametrize("details", [None, [], "many", {"cached_tokens": None}, {"cached_tokens": -1}])
def test_unreadable_details_do_not_fail_an_answer(details: object) -> None:
    model = CompatibleModel("m", base_url="http://127.0.0.1:9/v1")
    choices = [{"message": {"content": "hi"}, "finish_reason": "stop"}]
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "prompt_tokens_details": details}
    completion = read(model, {"id": 5, "choices": choices, "usage": usage})
    assert (completion.response_id, completion.usage.input_tokens_cached) == (None, 0)


def test_anthropic_reports_id_and_cached_tokens() -> None:
    model = AnthropicModel("m", api_key="sk-ant-test", base_url="http://127.0.0.1:9")
    usage = {"input_tokens": 6, "cache_read_input_tokens": 4, "output_tokens": 5}
    reply = {"id": "msg_1", "content": [{"type": "text", "text": "hi"}], "stop_reason": "end_turn", "usage": usage}
    whole = read(model, reply)
    assert (whole.response_id, whole.usage.input_tokens, whole.usage.input_tokens_cached) == ("msg_1", 10, 4)


def test_usages_and_accounts_add_cached_and_reasoning_tokens() -> None:
    account = Spending()
    account.record(DETAILED)
    account.record(DETAILED)
    assert DETAILED + DETAILED == account.spent == account.lap()
    assert (account.spent.input_tokens_cached, account.spent.reasoning_tokens) == (8, 4)


async def test_an_older_ledger_row_without_details_is_still_read() -> None:
    async with ReflexionMemory() as memory:
        ledger = CostLedger(memory)
        await ledger.record(DETAILED, provider="openai", model="m")
        (row,) = await memory.records("ledger")
        later = ("input_tokens_cached", "reasoning_tokens")
        old = {name: value for name, value in row.data.items() if name not in later}
        await memory.append([Record(log="ledger", key=row.key, kind="call", data={**old, "id": "call_old"})])
        assert await ledger.spent() == DETAILED + Usage(1, 10, 5, unpriced_calls=1)
