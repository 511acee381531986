"""Calls of models: every one is kept with its run, with what was sent and what came back."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.errors import ConfigurationError, ModelUnavailableError, NotFoundError, StoreDamagedError
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import ApprovalNode, CheckNode, LoopNode, MapNode, StepNode
from jido_ai.loop.events import ModelCalled, RunStopped
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.retry import RetryPolicy
from jido_ai.models.wrappers.cache import CachedModel, CompletionCache
from jido_ai.models.wrappers.retry import RetryingModel
from jido_ai.protocols import RunContext
from jido_ai.reflection.reflector import Reflector
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.runs import call_log
from jido_ai.runs.call_lines import CALLS, CallLines, calls_in
from jido_ai.runs.call_log import CallLog, Recorder, Way
from jido_ai.text.plain_json import dumped
from jido_ai.values import (
    SUSPEND,
    Completion,
    CompletionRequest,
    CritiqueResult,
    LoopConfig,
    MemoryEntry,
    Message,
    ModelCall,
    ReflectionResult,
    Scope,
    StopReason,
    Usage,
    utc_now,
)
from jido_ai.values.record import LogName, Record

SECRET = "sk-" + "a" * 24
ISSUE = {"message": "vague", "severity": 0.9}
BAD = json.dumps({"issues": [ISSUE], "suggestions": [], "severity": 0.9, "feedback": ""})
GOOD = json.dumps({"issues": [], "suggestions": [], "severity": 0.0, "feedback": ""})
BETTER = json.dumps({"improved_response": "better", "changes_made": ["x"], "parts_preserved": []})
ANSWERS = ("draft", BAD, BETTER, GOOD)


class Model:
    """Answers with texts or errors, in order, over and over."""

    provider, model, base_url = "scripted", "tiny", "http://models.example:8080/v1"

    def __init__(self, *answers: Any) -> None:
        self._answers = answers
        self.requests: list[CompletionRequest] = []

    async def complete(self, request: CompletionRequest) -> Completion:
        answer = self._answers[len(self.requests) % len(self._answers)]
        self.requests.append(request)
        await asyncio.sleep(0)
        if isinstance(answer, BaseException):
            raise answer
        return Completion(answer, usage=Usage(1, 10, 5, unpriced_calls=1)) if isinstance(answer, str) else answer


def piped(model: Any, memory: Any = None, **options: Any) -> Pipeline[Any]:
    return Pipeline(LLMGenerator(model), LLMCritiquer(model), LLMReviser(model), memory, **options)


def who(calls: tuple[ModelCall, ...]) -> list[tuple[int, str, int]]:
    return [(call.seq, call.role, call.iteration) for call in calls]


@pytest.fixture
async def memory() -> AsyncIterator[ReflexionMemory]:
    async with ReflexionMemory() as memory:
        yield memory


# -- what is kept ----------------------------------------------------------------------------------


async def test_every_call_is_kept_in_the_order_of_its_beginning() -> None:
    model = Model(*ANSWERS)
    async with piped(model) as pipeline:
        result = await pipeline.run("Write.", run_id="r")
    assert who(result.calls) == [(1, "generator", 0), (2, "critiquer", 0), (3, "reviser", 0), (4, "critiquer", 1)]
    for call, request, answer in zip(result.calls, model.requests, ANSWERS, strict=True):
        assert (call.run_id, call.model, call.host) == ("r", "tiny", "models.example:8080")
        assert (call.messages, call.reply, call.finish_reason) == (request.messages, answer, "stop")
        assert call.parameters.get("temperature") == request.temperature
        assert call.parameters.get("schema") == request.schema
        assert (call.usage.input_tokens, call.cost_usd, call.tries, call.cached) == (10, None, (), False)
        assert call.duration_s >= 0.0 and call.first_token_s is None and not call.truncated


async def test_members_of_a_panel_and_the_reflector_are_among_those_that_call() -> None:
    model, reflecting = Model("draft"), Model('{"reflection": "x", "strategy": "y"}')
    critics = [LLMCritiquer(Model(GOOD), name="one"), LLMCritiquer(Model(BAD), name="two")]
    pipeline = Pipeline(
        LLMGenerator(model), critics, reflector=Reflector(reflecting), config=LoopConfig(max_iterations=1)
    )
    async with pipeline:
        result = await pipeline.run("Write.")
    roles = [call.role for call in result.calls]
    assert roles[:3] == ["generator", "critiquer", "critiquer"]
    assert set(roles[3:]) == {"reflector"}


async def test_a_reply_that_cannot_be_read_and_the_one_after_it_are_two_calls() -> None:
    async with piped(Model("draft", "no JSON at all", GOOD)) as pipeline:
        result = await pipeline.run("Write.")
    assert who(result.calls) == [(1, "generator", 0), (2, "critiquer", 0), (3, "critiquer", 0)]
    assert result.calls[1].reply == "no JSON at all"


async def test_a_failed_call_says_why_it_has_no_reply() -> None:
    error = ModelUnavailableError(f"down, key {SECRET}", provider="scripted", model="tiny")
    async with piped(Model("draft", error), config=LoopConfig(step_retries=0)) as pipeline:
        result = await pipeline.run("Write.")
    assert result.stop_reason is StopReason.ERROR
    failed = result.calls[-1]
    assert (failed.role, failed.reply, failed.finish_reason) == ("critiquer", None, None)
    assert failed.error is not None and failed.error.startswith("ModelUnavailableError: ")
    assert SECRET not in repr(failed)


async def test_failed_tries_are_kept_with_the_wait_after_each() -> None:
    error = ModelUnavailableError("down", provider="scripted", model="tiny")
    model = RetryingModel(Model(error, error, "draft", GOOD), RetryPolicy(first_wait_s=0.001), sink=lambda _: None)
    async with piped(model) as pipeline:
        result = await pipeline.run("Write.")
    first = result.calls[0]
    assert first.reply == "draft" and first.error is None
    assert [one.error.partition(":")[0] for one in first.tries] == ["ModelUnavailableError"] * 2
    assert all(one.waited_s > 0.0 for one in first.tries)


async def test_an_answer_from_a_cache_is_marked_and_costs_nothing() -> None:
    model = CachedModel(Model("draft"), CompletionCache(when="always"))
    pipeline = Pipeline(LLMGenerator(model), lambda candidate, context: CritiqueResult(severity=0.0))
    async with pipeline:
        first, second = [await pipeline.run("Write.") for _ in range(2)]
    assert (first.calls[0].cached, second.calls[0].cached) == (False, True)
    assert second.calls[0].cost_usd == 0.0


async def test_thoughts_are_shown_apart_and_stay_in_the_reply() -> None:
    async with piped(Model("<think>hm</think>draft", GOOD)) as pipeline:
        result = await pipeline.run("Write.")
    assert (result.calls[0].reply, result.calls[0].thoughts) == ("<think>hm</think>draft", "hm")


async def test_lessons_that_were_offered_are_named(memory: ReflexionMemory) -> None:
    lesson = await memory.store(MemoryEntry(prompt="Write.", mistake="m", correction="c", kind="semantic"))
    async with piped(Model("draft", GOOD), memory) as pipeline:
        result = await pipeline.run("Write.")
    assert [call.lessons_shown for call in result.calls] == [(lesson.id,)] * 2


async def test_a_call_under_way_when_the_run_is_cancelled_is_kept() -> None:
    reached = asyncio.Event()

    async def hanging(request: CompletionRequest) -> Completion:
        reached.set()
        await asyncio.Future()
        raise AssertionError

    async with piped(hanging) as pipeline:
        handle = await pipeline.start("Write.")
        await reached.wait()
        await handle.cancel()
        result = await handle.result()
    [call] = result.calls
    assert call.reply is None and call.error is not None and "CancelledError" in call.error


@pytest.mark.parametrize("length", [99_999, 100_000, 100_001, 250_000])
async def test_texts_above_a_hundred_thousand_characters_are_cut(length: int) -> None:
    model = Model("x" * length, GOOD)
    async with piped(model) as pipeline:
        result = await pipeline.run("y" * length)
    call = result.calls[0]
    assert call.reply is not None and len(call.reply) == min(length, 100_000)
    assert max(len(message.content) for message in call.messages) <= 100_000
    assert call.truncated is (max(length, *(len(one.content) for one in model.requests[0].messages)) > 100_000)


# -- what is masked --------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["nowhere", "memory"])
async def test_secrets_are_masked_unless_all_is_kept(where: str) -> None:
    for mode in ("redacted", "full"):
        options: dict[str, Any] = {"record_calls": mode, "memory": True if where == "memory" else None}
        async with piped(Model(f"draft {SECRET}", GOOD), **options) as pipeline:
            result = await pipeline.run(f"Use password={SECRET}", run_id="r")
            kept = await pipeline.calls("r") if where == "memory" else result.calls
        assert result.calls == kept
        for call in kept:
            assert (SECRET in call.model_dump_json()) is (mode == "full")


async def test_a_secret_at_the_cut_is_not_cut_in_two() -> None:
    async with piped(Model("x" * 99_990 + " " + SECRET, GOOD)) as pipeline:
        result = await pipeline.run("Write.")
    assert "sk-" not in (result.calls[0].reply or "")


@pytest.mark.parametrize("has_memory", [False, True])
async def test_a_long_call_is_masked_beside_the_event_loop_and_told_before_what_came_of_it(
    has_memory: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    masked: list[tuple[int, bool]] = []
    redact = call_log.redact

    def noted(text: str, *level: Any) -> str:
        masked.append((len(text), threading.current_thread() is threading.main_thread()))
        return redact(text, *level)

    monkeypatch.setattr(call_log, "redact", noted)
    orders: list[list[str]] = []
    for size in (1, 1_500):
        draft = f"password={SECRET} " + "word " * size
        async with piped(Model(draft, *ANSWERS[1:]), True if has_memory else None) as pipeline:
            events = [event async for event in pipeline.stream("Write.", run_id="r")]
            if has_memory:
                assert await pipeline.calls("r") == events[-1].result.calls
        orders.append([type(event).__name__ for event in events])
        calls = events[-1].result.calls
        assert [call.seq for call in calls] == [1, 2, 3, 4]
        assert not any(SECRET in call.model_dump_json() for call in calls)
    assert orders[0] == orders[1]
    assert any(size > 5_000 for size, _ in masked)
    assert not any(is_on_the_loop for size, is_on_the_loop in masked if size > 5_000)


@pytest.mark.parametrize("is_closed_at_once", [False, True])
async def test_calls_that_end_while_a_long_one_is_masked_keep_their_order_and_none_is_lost(
    is_closed_at_once: bool,
) -> None:
    told: list[int] = []
    log = CallLog("r", "secrets", scope=Scope(), is_written=True)
    recorder = Recorder(Way(log, lambda call: told.append(call.seq)), role="generator")
    calls = [recorder.begin(CompletionRequest((Message("user", f"m{n}"),)), "m", "") for n in range(4)]
    for call, length in zip(calls[:3], (500_000, 1, 500_000), strict=True):
        call.answered(Completion("word " * length), Usage(calls=1), "")
    if not is_closed_at_once:
        assert log.take() == []
        await log.settled()
        assert told == [1, 2, 3]
    assert [call.seq for call in log.close()] == told == [1, 2, 3, 4]
    await log.settled()
    assert [line.data["seq"] for line in log.take()] == told == [1, 2, 3, 4]


async def test_a_memory_that_masks_nothing_does_not_unmask_the_calls() -> None:
    async with ReflexionMemory(redact="none") as memory, piped(Model(SECRET, GOOD), memory) as pipeline:
        result = await pipeline.run("Write.")
    assert result.calls[0].reply == "[redacted]"


async def test_off_keeps_nothing(memory: ReflexionMemory) -> None:
    async with piped(Model(*ANSWERS), memory, record_calls="off") as pipeline:
        result = await pipeline.run("Write.", run_id="r")
        assert (result.calls, await pipeline.calls("r")) == ((), ())
    assert not await memory.records("calls")


@pytest.mark.parametrize("value", ["on", "REDACTED", True, None])
def test_other_words_are_refused(value: Any) -> None:
    with pytest.raises(ConfigurationError, match="record_calls must be"):
        piped(Model("x"), record_calls=value)
    with pytest.raises(ConfigurationError, match="record_calls must be"):
        Graph({"a": StepNode(Model("x"), prompt="x")}, output="a", record_calls=value)


# -- where it is kept ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
async def test_all_stores_keep_the_calls_until_the_run_is_forgotten(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    address: Any = {"memory": None, "sqlite": tmp_path / "m.db"}.get(kind)
    if kind == "postgres":
        address = request.getfixturevalue("postgres")
    async with ReflexionMemory(address) as memory, piped(Model(*ANSWERS), memory) as pipeline:
        result = await pipeline.run("Write.", run_id="r")
        assert await pipeline.calls("r") == result.calls
        assert await pipeline.calls("r", Scope()) == result.calls
        with pytest.raises(NotFoundError):
            await pipeline.calls("r", Scope("other"))
        assert await RunJournal(memory).calls("r", after=1, limit=2) == result.calls[1:3]
        await RunJournal(memory).forget("r")
        assert not await memory.records("calls")
        with pytest.raises(NotFoundError):
            await pipeline.calls("r")


@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
async def test_a_forgotten_graph_leaves_no_line_of_its_loops_in_any_log(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    address: Any = {"memory": None, "sqlite": tmp_path / "m.db"}.get(kind)
    if kind == "postgres":
        address = request.getfixturevalue("postgres")
    async with ReflexionMemory(address) as memory:
        for run in ("r", "r2"):
            model = Model(*ANSWERS)
            loop = LoopNode(
                "Write.", generator=LLMGenerator(model), critiquer=LLMCritiquer(model), reviser=LLMReviser(model)
            )
            async with Graph({"a": loop}, output="a", memory=memory) as graph:
                await graph.run({}, run_id=run)
            logs: tuple[LogName, ...] = ("served", "events", "notes")
            await memory.append([Record(log=log, key=run, data={"events": []}) for log in logs])
        assert await RunJournal(memory).forget("r") > 2
        for log in ("journal", "calls", *logs):
            keys = {one.key for one in await memory.records(log)}
            assert "r2" in keys <= {"r2", "r2/a"}


async def test_calls_are_written_with_the_steps_and_never_by_themselves(memory: ReflexionMemory) -> None:
    writes: list[list[str]] = []
    append = memory.append

    async def noted(records: Any, **options: Any) -> Any:
        writes.append([record.log for record in records])
        return await append(records, **options)

    memory.append = noted  # type: ignore[method-assign]
    async with piped(Model(*ANSWERS), memory) as pipeline:
        await pipeline.run("Write.")
    with_calls = [logs for logs in writes if "calls" in logs]
    assert sum(logs.count("calls") for logs in with_calls) == 4
    assert all(logs[0] == "journal" for logs in with_calls)


async def test_equal_messages_and_schemas_are_written_once(memory: ReflexionMemory) -> None:
    system = "You are thorough. " * 50
    async with piped(Model(*ANSWERS), memory) as pipeline:
        result = await pipeline.run(system, run_id="r")
        kept = await pipeline.calls("r")
    lines = [record.data for record in await memory.records("calls")]
    whole = [dumped(call) for call in result.calls]
    assert sum(len(json.dumps(line)) for line in lines) < sum(len(json.dumps(call)) for call in whole)
    texts = [message[1] for line in lines for message in line["messages"] if len(message) == 2]
    assert len(texts) == len(set(texts))
    assert kept == result.calls


async def test_results_hold_calls_that_no_dump_shows() -> None:
    async with piped(Model(*ANSWERS)) as pipeline:
        result = await pipeline.run("Write.")
    assert "calls" not in result.model_dump()
    again = ReflectionResult[Any].model_validate(result.model_dump(mode="json"))
    assert again.calls == () and again == result


async def test_a_reused_run_id_has_none_of_the_old_calls(memory: ReflexionMemory) -> None:
    async with piped(Model(*ANSWERS), memory) as pipeline:
        await pipeline.run("Write.", run_id="r")
    async with piped(Model("other", GOOD), memory) as pipeline:
        second = await pipeline.run("Write anew.", run_id="r")
        assert await pipeline.calls("r") == second.calls
    assert who(second.calls) == [(1, "generator", 0), (2, "critiquer", 0)]


async def test_runs_of_one_id_in_two_scopes_keep_their_own_calls(memory: ReflexionMemory) -> None:
    async with piped(Model("one", GOOD), memory) as pipeline:
        mine = await pipeline.run("Write.", run_id="r")
        other = await pipeline.run("Write.", run_id="r", scope=Scope("other"))
        assert await pipeline.calls("r", Scope()) == mine.calls
        assert await pipeline.calls("r", Scope("other")) == other.calls
        with pytest.raises(NotFoundError, match="several scopes"):
            await pipeline.calls("r")


# -- resuming --------------------------------------------------------------------------------------


async def test_a_resumed_run_has_its_earlier_calls_and_continues_their_numbers(memory: ReflexionMemory) -> None:
    model = Model(*ANSWERS)
    async with piped(model, memory, approve=lambda *_: SUSPEND) as pipeline:
        first = await pipeline.run("Write.", run_id="r")
    assert len(first.calls) == 3
    async with piped(model, memory) as pipeline:
        events = [event async for event in pipeline.stream_resumed("r", decision=True)]
        again = await pipeline.resume("r")
    stopped = events[-1]
    assert isinstance(stopped, RunStopped)
    assert who(stopped.result.calls) == [*who(first.calls), (4, "critiquer", 1)]
    assert stopped.result.calls[:3] == first.calls
    assert again.calls == stopped.result.calls
    assert [event.call.seq for event in events if isinstance(event, ModelCalled)] == [4]


@pytest.mark.parametrize("damage", [b"{", b"\xff", b'{"seq": 1}', b"[]"])
async def test_a_damaged_call_does_not_stop_the_resumption_of_its_run(
    damage: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "m.db"
    async with (
        ReflexionMemory(path) as memory,
        piped(Model(*ANSWERS), memory, approve=lambda *_: SUSPEND, journal=True) as pipeline,
    ):
        await pipeline.run("Write.", run_id="r")
    with closing(sqlite3.connect(path)) as db:
        db.execute(
            "UPDATE record SET data = ? WHERE row = (SELECT max(row) FROM record WHERE log = 'calls')", (damage,)
        )
        db.commit()
        assert db.total_changes == 1
    async with ReflexionMemory(path) as memory, piped(Model(GOOD), memory, journal=True) as pipeline:
        result = await pipeline.resume("r", decision=True)
        again = await pipeline.resume("r")
        with pytest.raises(StoreDamagedError):
            await pipeline.calls("r")
    assert result.best_candidate is not None
    assert again.best_candidate == result.best_candidate
    assert [call.seq for call in result.calls] == [1_000_001]
    assert caplog.text.count("the calls of models of run 'r' that were made before are missing") == 2


async def test_calls_can_be_read_at_every_moment_of_a_resumption(memory: ReflexionMemory) -> None:
    async with piped(Model(*ANSWERS), memory, approve=lambda *_: SUSPEND) as pipeline:
        first = await pipeline.run("Write.", run_id="r")
        resuming = asyncio.create_task(pipeline.resume("r", decision=True))
        while not resuming.done():
            assert (await pipeline.calls("r"))[:3] == first.calls
            await asyncio.sleep(0)
        await resuming


def test_calls_side_by_side_with_an_equal_message_can_be_read_after_every_resumption() -> None:
    def call(seq: int) -> ModelCall:
        messages = (Message("system", "the same"), Message("user", f"{seq}"))
        return ModelCall(run_id="r", seq=seq, role="critiquer", messages=messages, started=utc_now())

    written: list[Record] = []
    for ended_in_order in ((2, 1), (4, 3), (5,)):
        lines = CallLines(calls_in(written))
        written += [Record(log=CALLS, key="r", data=lines.line(call(seq))) for seq in ended_in_order]
    assert [[one.content for one in call.messages] for call in calls_in(written)] == [
        ["the same", f"{seq}"] for seq in range(1, 6)
    ]


def test_lines_whose_messages_refer_to_each_other_are_damage() -> None:
    lines = [CallLines().line(ModelCall(run_id="r", seq=seq, role="critiquer", started=utc_now())) for seq in (1, 2)]
    lines[0]["messages"], lines[1]["messages"] = [("user", 2, 0)], [("user", 1, 0)]
    with pytest.raises(StoreDamagedError):
        calls_in([Record(log=CALLS, key="r", data=data) for data in lines])


PROGRAM = """
import asyncio, json, os, signal, sys
from jido_ai import LLMCritiquer, LLMGenerator, LLMReviser, Pipeline
from jido_ai.values import Completion

ANSWERS = json.loads(sys.argv[3])
left = [int(sys.argv[2])]


async def model(request):
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1
    role = request.messages[0].content
    return Completion(ANSWERS[int(sys.argv[4]) + int(sys.argv[2]) - left[0] - 1])


async def main():
    parts = LLMGenerator(model), LLMCritiquer(model), LLMReviser(model)
    async with Pipeline(*parts, sys.argv[1], journal=True) as pipeline:
        result = await pipeline.run_or_resume("Write.", run_id="r")
    print(json.dumps([(call.seq, call.role, call.reply) for call in result.calls]))


asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize("kill_at", [1, 2, 3])
def test_calls_before_a_kill_are_there_after_it(kill_at: int, tmp_path: Path) -> None:
    def go(count: int, done: int) -> subprocess.CompletedProcess[str]:
        program = [sys.executable, "-c", PROGRAM, str(tmp_path / "m.db"), str(count), json.dumps(ANSWERS), str(done)]
        return subprocess.run(program, capture_output=True, text=True, check=False, timeout=100)

    assert go(kill_at, 0).returncode == -signal.SIGKILL
    ended = go(9, kill_at)
    assert ended.returncode == 0, ended.stderr
    roles = ("generator", "critiquer", "reviser", "critiquer")
    assert json.loads(ended.stdout) == [[n, role, ANSWERS[n - 1]] for n, role in enumerate(roles, 1)]


# -- while it runs ---------------------------------------------------------------------------------


async def test_an_event_follows_each_call_and_a_run_in_flight_shows_its_calls_so_far() -> None:
    async with piped(Model(*ANSWERS)) as pipeline:
        seen: list[ModelCall] = []
        events: list[Any] = []
        async for event in pipeline.stream("Write.", run_id="r"):
            events.append(event)
            if isinstance(event, ModelCalled):
                seen.append(event.call)
                assert (await pipeline.calls("r"))[: len(seen)] == tuple(seen)
    assert tuple(seen) == events[-1].result.calls
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert isinstance(events[-1], RunStopped)


async def test_an_unknown_run_is_not_found(memory: ReflexionMemory) -> None:
    async with piped(Model("x"), memory) as pipeline:
        with pytest.raises(NotFoundError):
            await pipeline.calls("nobody")
    async with piped(Model("x")) as pipeline:
        with pytest.raises(NotFoundError):
            await pipeline.calls("nobody")


# -- components of one's own -----------------------------------------------------------------------


@pytest.mark.parametrize("is_plain", [True, False])
async def test_a_component_of_ones_own_records_its_call(is_plain: bool) -> None:
    fields: dict[str, Any] = {"model": "mine", "messages": [{"role": "user", "content": "hi"}], "reply": SECRET}

    def plain(prompt: str, context: RunContext) -> str:  # it runs in a thread
        context.record_call(**fields, usage=Usage(1, 3, 4, 0.5), duration_s=2.0)
        return "draft"

    async def awaited(prompt: str, context: RunContext) -> str:
        return plain(prompt, context)

    critic = LLMCritiquer(Model(GOOD))
    async with Pipeline(plain if is_plain else awaited, critic) as pipeline:
        result = await pipeline.run("Write.", run_id="r")
    call = result.calls[0]
    assert (call.run_id, call.seq, call.role, call.iteration, call.path) == ("r", 1, "generator", 0, "")
    assert (call.model, call.messages, call.reply) == ("mine", (Message("user", "hi"),), "[redacted]")
    assert (call.usage.input_tokens, call.cost_usd, call.duration_s) == (3, 0.5, 2.0)
    assert who(result.calls) == [(1, "generator", 0), (2, "critiquer", 0)]


async def test_recording_outside_of_a_run_does_nothing() -> None:
    context = RunContext("r", "p")
    context.record_call(model="m", messages=[], reply="x")
    assert context == RunContext("r", "p")


async def test_a_field_that_a_call_does_not_have_is_refused() -> None:
    async def generate(prompt: str, context: RunContext) -> str:
        context.record_call(model="m", messages=[Message("user", "x")], reply="y", nonsense=1)
        return "x"

    pipeline = Pipeline(generate, lambda candidate, context: CritiqueResult(severity=0.0))
    async with pipeline:
        result = await pipeline.run("Write.")
    assert result.error is not None and "nonsense" in result.error.message


# -- graphs ----------------------------------------------------------------------------------------


async def test_calls_of_a_graph_have_the_paths_of_their_nodes(memory: ReflexionMemory) -> None:
    graph = Graph(
        {
            "loop": LoopNode(
                "Write {topic}", generator=Model("draft"), critiquer=Model(BAD, GOOD), reviser=Model(BETTER)
            ),
            "parts": MapNode("{topics}", StepNode(Model("part"), prompt="{item}")),
            "check": CheckNode("{loop}", critiquer=Model(GOOD)),
        },
        inputs=("topic", "topics"),
        output="check",
        memory=memory,
    )
    async with graph:
        result = await graph.run({"topic": "x", "topics": ["a", "b", "c"]}, run_id="g")
        kept = await graph.calls("g")
        again = await graph.resume("g")
    assert result.status == "completed", result.error
    assert kept == again.calls == result.calls
    assert [call.seq for call in kept] == list(range(1, len(kept) + 1))
    paths = sorted((call.path, call.role, call.iteration) for call in kept)
    assert paths == [
        ("check", "critiquer", 0),
        ("loop", "critiquer", 0),
        ("loop", "critiquer", 1),
        ("loop", "generator", 0),
        ("loop", "reviser", 0),
        *((f"parts[{number}]", "generator", 0) for number in range(3)),
    ]
    assert {call.run_id for call in kept} == {"g"}
    loop: Any = result.nodes["loop"].result
    assert loop.calls == tuple(call for call in kept if call.path == "loop")
    assert await RunJournal(memory).calls("g/loop") == loop.calls
    assert "calls" not in result.to_map()


async def test_a_loop_of_a_resumed_graph_has_its_earlier_calls(memory: ReflexionMemory) -> None:
    loop = LoopNode("Write {topic}", generator=Model("draft"), critiquer=Model(GOOD))
    nodes = {"loop": loop, "ask": ApprovalNode("{loop}")}
    async with Graph(nodes, inputs=("topic",), output="ask", memory=memory) as graph:
        await graph.run({"topic": "x"}, run_id="g")
        result = await graph.resume("g", decision=True)
    kept: Any = result.nodes["loop"].result
    assert who(kept.calls) == [(1, "generator", 0), (2, "critiquer", 0)]


async def test_a_graph_that_keeps_nothing_keeps_nothing_of_its_loops() -> None:
    node = LoopNode("Write", generator=Model("draft"), critiquer=Model(GOOD))
    async with Graph({"a": node}, output="a", memory=True, record_calls="off") as graph:
        result = await graph.run(run_id="g")
        assert result.calls == await graph.calls("g") == ()
    assert result.nodes["a"].result is not None and result.nodes["a"].result.calls == ()  # type: ignore[union-attr]


async def test_a_pipeline_that_a_component_runs_keeps_its_own_calls() -> None:
    inner = piped(Model("inner", GOOD))

    async def generate(prompt: str, context: RunContext) -> str:
        result = await inner.run(prompt)
        assert len(result.calls) == 2
        return "outer"

    async with inner, Graph({"a": LoopNode("x", generator=generate, critiquer=Model(GOOD))}, output="a") as graph:
        result = await graph.run()
    assert [(call.seq, call.role) for call in result.calls] == [(1, "critiquer")]
