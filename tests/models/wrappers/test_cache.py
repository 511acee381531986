"""The cache: what is equal, what is kept, and one call for many who ask at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from jido_ai.errors import ConfigurationError, ModelTimeoutError, ModelUnavailableError
from jido_ai.models.wrappers.cache import CachedModel, CompletionCache
from jido_ai.testing import ScriptedModel
from jido_ai.values import Completion, CompletionRequest, Message, Usage

pytestmark = pytest.mark.virtual_clock

REQUEST = CompletionRequest((Message("user", "one two"),), temperature=0.0)
DOWN = ModelUnavailableError("down", provider="scripted")


def slow(seconds: float, reply: Any = "ok") -> Any:
    async def answer(_: CompletionRequest) -> Any:
        await asyncio.sleep(seconds)
        return reply

    return answer


async def test_a_repeated_request_costs_nothing_and_says_so() -> None:
    script = ScriptedModel(["ok"])
    model = CachedModel(script)
    first, second = [await model.complete(REQUEST) for _ in range(2)]
    assert (first.text, first.usage, first.is_cached) == ("ok", Usage(1, 2, 1), False)
    assert (second.text, second.usage, second.is_cached) == ("ok", Usage(), True)
    assert [item async for item in model.stream(REQUEST)] == ["ok", second]
    assert len(script.requests) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"messages": (Message("user", "one tw"),)},
        {"messages": (Message("system", "one two"),)},
        {"messages": (Message("user", "one"), Message("user", "two"))},
        {"messages": (Message("user", "one \ud800"),)},
        {"model": "other"},
        {"max_tokens": 5},
        {"stop": ("x",)},
        {"seed": 1},
        {"top_p": 0.5},
        {"schema": {"type": "object"}},
    ],
)
async def test_every_setting_that_may_change_the_answer_makes_another_request(change: dict[str, Any]) -> None:
    model = CachedModel(ScriptedModel(["first", "second"]))
    await model.complete(REQUEST)
    assert (await model.complete(REQUEST.replace(**change))).text == "second"


async def test_time_limit_and_metadata_do_not_make_another_request() -> None:
    model = CachedModel(ScriptedModel(["first"]))
    await model.complete(REQUEST)
    assert (await model.complete(REQUEST.replace(timeout_s=5.0, metadata={"label": "x"}))).is_cached


async def test_other_addresses_and_providers_share_a_cache_but_no_answers() -> None:
    cache = CompletionCache()
    for place in ({"provider": "a"}, {"provider": "b"}, {"provider": "a", "base_url": "http://x"}):
        assert not (await CachedModel(ScriptedModel(["ok"], **place), cache).complete(REQUEST)).is_cached
    assert (await CachedModel(ScriptedModel([], provider="a"), cache).complete(REQUEST)).is_cached


@pytest.mark.parametrize(
    ("when", "temperature", "wish", "is_kept"),
    [
        ("deterministic", 0.0, None, True),
        ("deterministic", None, None, False),
        ("deterministic", 0.7, None, False),
        ("deterministic", 0.7, True, True),
        ("deterministic", 0.0, False, False),
        ("always", 0.7, None, True),
        ("always", 0.7, False, False),
    ],
)
async def test_only_deterministic_or_requested_answers_are_cached(
    when: Any, temperature: float | None, wish: bool | None, is_kept: bool
) -> None:
    model = CachedModel(ScriptedModel(lambda _: "ok"), CompletionCache(when=when))
    request = REQUEST.replace(temperature=temperature, metadata={} if wish is None else {"cache": wish})
    await model.complete(request)
    assert (await model.complete(request)).is_cached is is_kept


@pytest.mark.parametrize(
    "reply", [Completion("half", finish_reason="length"), Completion("no", finish_reason="refusal"), DOWN]
)
async def test_errors_and_incomplete_answers_are_not_cached(reply: Any) -> None:
    model = CachedModel(ScriptedModel([reply, "ok"]))
    await asyncio.gather(model.complete(REQUEST), return_exceptions=True)
    assert not (await model.complete(REQUEST)).is_cached


async def test_the_cache_is_bounded_in_entries_bytes_and_time() -> None:
    cache = CompletionCache(max_entries=3, max_bytes=10_000, ttl_s=60.0)
    model = CachedModel(ScriptedModel(lambda request: "x" * int(request.messages[0].content)), cache)

    async def ask(size: int) -> bool:
        return (await model.complete(REQUEST.replace(messages=(Message("user", str(size)),)))).is_cached

    assert [await ask(size) for size in (1, 2, 3, 1, 4, 1, 3, 2)] == [
        False,
        False,
        False,
        True,
        False,
        True,
        True,
        False,
    ]
    assert len(cache) == 3
    await ask(20_000)
    assert not await ask(20_000)
    await ask(9_000)
    assert len(cache) == 1
    await asyncio.sleep(61.0)
    assert not await ask(9_000)


async def test_equal_requests_at_once_make_one_call_and_one_of_them_pays() -> None:
    script = ScriptedModel([slow(5.0)])
    model = CachedModel(script)
    answers = await asyncio.gather(*(model.complete(REQUEST) for _ in range(10)))
    assert len(script.requests) == 1
    assert sum((answer.usage for answer in answers), Usage()) == Usage(1, 2, 1)
    assert [answer.is_cached for answer in answers].count(True) == 9


async def test_a_cancelled_caller_does_not_end_the_call_for_the_others() -> None:
    script = ScriptedModel([slow(5.0)])
    model = CachedModel(script)
    tasks = [asyncio.create_task(model.complete(REQUEST)) for _ in range(3)]
    await asyncio.sleep(1.0)
    tasks[0].cancel()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(ends[0], asyncio.CancelledError)
    assert [end.usage.calls for end in ends[1:]] == [1, 0]  # type: ignore[union-attr]


async def test_the_call_ends_when_all_callers_are_cancelled_and_the_next_makes_another() -> None:
    ended: list[bool] = []

    async def answer(_: CompletionRequest) -> Any:
        try:
            await asyncio.sleep(5.0)
        finally:
            ended.append(True)

    model = CachedModel(ScriptedModel([answer, "ok"]))
    tasks = [asyncio.create_task(model.complete(REQUEST)) for _ in range(2)]
    await asyncio.sleep(1.0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert ended == [True]
    assert (await model.complete(REQUEST)).text == "ok"


async def test_a_caller_with_less_time_leaves_and_one_with_more_asks_again() -> None:
    def hasty(request: CompletionRequest) -> Any:
        assert request.timeout_s is not None
        return slow(request.timeout_s, ModelTimeoutError("late", provider="p")) if request.timeout_s < 5 else slow(3.0)

    script = ScriptedModel(hasty)
    model = CachedModel(script)
    ends = await asyncio.gather(
        *(model.complete(REQUEST.replace(timeout_s=seconds)) for seconds in (2.0, 10.0, 1.0)), return_exceptions=True
    )
    assert [type(end) for end in ends] == [ModelTimeoutError, Completion, ModelTimeoutError]
    assert len(script.requests) == 2


async def test_an_error_is_raised_in_all_waiting_callers() -> None:
    script = ScriptedModel([slow(1.0, DOWN)])
    model = CachedModel(script)
    ends = await asyncio.gather(*(model.complete(REQUEST) for _ in range(5)), return_exceptions=True)
    assert ends == [DOWN] * 5


async def test_a_stream_fills_the_cache() -> None:
    model = CachedModel(ScriptedModel(["two words"]))
    assert len([item async for item in model.stream(REQUEST)]) == 3
    assert (await model.complete(REQUEST)).is_cached


@pytest.mark.parametrize("settings", [{"max_entries": 0}, {"max_bytes": 0}, {"ttl_s": 0.0}, {"when": "never"}])
def test_an_invalid_cache_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        CompletionCache(**settings)
