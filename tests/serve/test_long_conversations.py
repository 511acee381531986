"""Long conversations at the OpenAI-compatible door: other requests are answered while one is read."""

from __future__ import annotations

import gc
import threading
import time
from itertools import pairwise
from typing import Any

import pytest

from jido_ai.serve import door
from jido_ai.serve.bodies import ChatRequest, ResponseRequest, checked
from jido_ai.serve.routes import chat, responses
from tests.serve.conftest import Stub, client_of

READ_BY: dict[str, tuple[Any, str, str]] = {
    "/v1/chat/completions": (chat, "chat_turns", "messages"),
    "/v1/responses": (responses, "response_turns", "input"),
}
SAID = {"role": "user", "content": "a"}


@pytest.mark.parametrize(("count", "is_long"), [(1, False), (2_000, True)])
@pytest.mark.parametrize("route", ["/v1/chat/completions", "/v1/responses"])
async def test_a_long_conversation_is_read_in_a_thread(
    stub: Stub, route: str, count: int, is_long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, name, field = READ_BY[route]
    threads: dict[str, int] = {}

    def watch(where: Any, work: str) -> None:
        original = getattr(where, work)

        def watched(*args: Any) -> Any:
            threads[work] = threading.get_ident()
            return original(*args)

        monkeypatch.setattr(where, work, watched)

    watch(module, name)
    for work in ("prompt_of", "settings_in", "warnings_of"):
        watch(door, work)
    async with client_of(stub) as client:
        answer = await client.post(route, json={"model": "answer", field: [SAID] * count})
    assert answer.status_code == 200
    assert set(threads) == {name, "prompt_of", "settings_in", "warnings_of"}
    assert {one != threading.get_ident() for one in threads.values()} == {is_long}


@pytest.mark.parametrize(("model", "field"), [(ChatRequest, "messages"), (ResponseRequest, "input")])
def test_other_threads_run_while_the_messages_are_checked(model: Any, field: str) -> None:
    fields = {"model": "answer", field: [dict(SAID) for _ in range(200_000)]}
    beats: list[float] = []
    is_over = threading.Event()

    def beat() -> None:
        while not is_over.wait(0.001):
            beats.append(time.perf_counter())

    beating = threading.Thread(target=beat)
    gc.disable()
    beating.start()
    try:
        begin = time.perf_counter()
        checked(model, fields)
        end = time.perf_counter()
    finally:
        is_over.set()
        beating.join()
        gc.enable()
    inside = [begin, *(one for one in beats if begin < one < end), end]
    longest = max(later - sooner for sooner, later in pairwise(inside))
    assert longest < (end - begin) / 2
