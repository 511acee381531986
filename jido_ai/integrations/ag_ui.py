"""AG-UI (the extra `ag-ui`): a pipeline behind one POST route, as an agent for user interfaces."""
# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportGeneralTypeIssues=false, reportIndexIssue=false, reportInvalidTypeForm=false

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from typing import Any
from urllib.parse import quote

from jido_ai.errors import ConfigurationError, message_of
from jido_ai.extras import check_versions, missing
from jido_ai.graph.results import GraphResult
from jido_ai.integrations.common import (
    AnyPipeline,
    Life,
    answer_text,
    asking,
    check_journal,
    decisions_made,
    is_suspended,
    summary_of,
    waiting_revision,
)
from jido_ai.integrations.parts import decision_in
from jido_ai.integrations.progress import progress
from jido_ai.loop.events import Critiqued
from jido_ai.loop.pipeline import Approve
from jido_ai.text.redaction import redact
from jido_ai.values import ReflectionResult, new_id

check_versions("ag-ui")
try:
    from ag_ui.core import (
        RunAgentInput,
        RunErrorEvent,
        RunFinishedEvent,
        RunStartedEvent,
        StateDeltaEvent,
        StateSnapshotEvent,
        TextMessageContentEvent,
        TextMessageEndEvent,
        TextMessageStartEvent,
    )
    from ag_ui.encoder import EventEncoder
    from fastapi import APIRouter
    from fastapi.responses import StreamingResponse
except ImportError as error:
    raise missing("ag-ui-protocol with fastapi", "ag-ui", error) from error

__all__ = ["router"]


def router(pipeline: AnyPipeline, *, approve: bool | Approve = False) -> APIRouter:
    """Return a router with one route, POST "/": `app.include_router(router(pipeline), prefix="/agent")`.

    The newest message of the user is the prompt. The stream has the state `{"status", "iterations"}`, with a delta for
    each critique, and the best candidate as a message of the assistant. A failed run is a RUN_ERROR. A client that goes
    away ends its run.

    Args:
        pipeline: or a graph, whose input is the prompt and whose approval nodes ask; entered by the caller, or
            when it is first used.
        approve: True ends the run at each revision with an interrupt, whose metadata has "revision" and "feedback". The
            payload of its resume entry is "yes", "no", or another text that replaces the revision; a cancelled
            interrupt is a "no". A repeated answer counts once; one of another thread is refused. Needs a memory.

    Raises:
        ConfigurationError: `pipeline` is neither or has other inputs, or `approve=True` without a memory.
    """
    life, routes = Life(pipeline), APIRouter()
    check_journal(life.pipeline, approve)

    @routes.post("/")
    async def run(asked: RunAgentInput) -> StreamingResponse:
        encoder = EventEncoder()

        async def lines() -> AsyncGenerator[str]:
            async with aclosing(_events(life, approve, asked)) as events:
                async for event in events:
                    yield encoder.encode(event)

        return StreamingResponse(lines(), media_type=encoder.get_content_type())

    return routes


async def _events(life: Life, approve: bool | Approve, asked: Any) -> AsyncGenerator[Any]:
    ids = {"thread_id": asked.thread_id, "run_id": asked.run_id}
    yield RunStartedEvent(**ids)
    try:
        async with aclosing(_run(life, approve, asked, ids)) as events:
            async for event in events:
                yield event
    except Exception as error:  # noqa: BLE001 - a failure is an event of the stream
        yield RunErrorEvent(message=redact(message_of(error)), code=type(error).__name__)


async def _run(life: Life, approve: bool | Approve, asked: Any, ids: dict[str, str]) -> AsyncGenerator[Any]:
    prompt, run_id, decision = _prompt(asked), f"{_thread(asked)}{quote(asked.run_id, safe='')}", None
    if asked.resume:
        prompt = None
        run_id, number, decision = _answered(asked)
        made = await life.run(partial(decisions_made, life.pipeline, run_id))
        if number > made:
            raise ConfigurationError("the interrupt is not one of this agent")
        if number < made:  # a client that repeats its request
            decision = None
    yield StateSnapshotEvent(snapshot={"status": "running", "iterations": []})
    result: ReflectionResult | GraphResult | None = None
    steps = progress(life, prompt, run_id=run_id, approve=asking(approve), decision=decision)
    async with aclosing(steps):
        async for step in steps:
            if isinstance(step, Critiqued):
                yield _delta("add", "/iterations/-", step.to_map())
            elif isinstance(step, ReflectionResult | GraphResult):
                result = step
    assert result is not None
    if is_suspended(result):
        question = await life.run(partial(waiting_revision, life.pipeline, result))
        number = await life.run(partial(decisions_made, life.pipeline, result.run_id))
        interrupt = {
            "id": f"{result.run_id}#{number}",
            "reason": "approval",
            "message": "Approve the revision?",
            "metadata": question,
        }
        yield _delta("replace", "/status", "suspended")
        yield RunFinishedEvent(**ids, outcome={"type": "interrupt", "interrupts": [interrupt]})
        return
    text, summary, message = answer_text(result), summary_of(result), new_id("message")
    yield _delta("replace", "/status", summary["stop_reason"])
    yield TextMessageStartEvent(message_id=message, role="assistant")
    if text:
        yield TextMessageContentEvent(message_id=message, delta=text)
    yield TextMessageEndEvent(message_id=message)
    yield RunFinishedEvent(**ids, result=summary, outcome={"type": "success"})


def _delta(op: str, path: str, value: Any) -> Any:
    return StateDeltaEvent(delta=[{"op": op, "path": path, "value": value}])


def _thread(asked: Any) -> str:
    """Return the prefix of the ids of a thread's runs; no other ids begin with it."""
    return f"agui:{quote(asked.thread_id, safe='')}:"


def _answered(asked: Any) -> tuple[str, int, bool | str]:
    """Return the run, the number of the question and the decision of a request's one resume entry.

    Raises:
        ConfigurationError: there are more, or it is none of this thread.
    """
    if len(asked.resume) > 1:
        raise ConfigurationError(f"a run has one interrupt at a time, got {len(asked.resume)} resume entries")
    (entry,) = asked.resume
    run_id, _, number = entry.interrupt_id.rpartition("#")
    if not run_id.startswith(_thread(asked)) or not number.isdecimal():
        raise ConfigurationError("the interrupt is not one of this thread")
    return run_id, int(number), _decision(entry)


def _decision(entry: Any) -> bool | str:
    return False if entry.status == "cancelled" else decision_in(entry.payload)


def _prompt(asked: Any) -> str:
    """Return the text of the newest message of the user; "" if there is none."""
    for message in reversed(asked.messages):
        if message.role == "user":
            content = message.content
            if isinstance(content, str):
                return content
            return "".join(getattr(part, "text", None) or "" for part in content)
    return ""
