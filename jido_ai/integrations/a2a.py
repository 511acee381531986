"""A2A (the extra `a2a`): a pipeline as an agent of the protocol; remote agents as generators and critiquers."""
# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportGeneralTypeIssues=false, reportIndexIssue=false, reportInvalidTypeForm=false

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from functools import partial
from typing import Any

from jido_ai.critics.scoring import with_verdict
from jido_ai.errors import ComponentError, ConfigurationError, describe, message_of
from jido_ai.extras import check_versions, missing
from jido_ai.graph.results import GraphResult
from jido_ai.integrations.common import (
    AnyPipeline,
    Life,
    answer_text,
    asking,
    check_journal,
    is_suspended,
    summary_of,
    translated,
    waiting_revision,
)
from jido_ai.integrations.parts import ClosablePart, asked_again, decision_in
from jido_ai.integrations.progress import progress
from jido_ai.loop.events import Critiqued
from jido_ai.loop.pipeline import Approve
from jido_ai.protocols import RunContext
from jido_ai.text.redaction import redact
from jido_ai.values import Candidate, CritiqueResult, ReflectionResult

check_versions("a2a")
try:
    from a2a.helpers.proto_helpers import (
        get_message_text,
        get_stream_response_text,
        new_task,
        new_text_message,
        new_text_part,
    )
    from a2a.server.agent_execution import AgentExecutor
    from a2a.server.tasks import TaskUpdater
    from a2a.types import (
        AgentCapabilities,
        AgentCard,
        AgentInterface,
        AgentSkill,
        Role,
        SendMessageRequest,
        TaskState,
    )
except ImportError as error:
    raise missing("a2a-sdk", "a2a", error) from error

__all__ = ["A2ACritiquer", "A2AGenerator", "ReflectionExecutor", "agent_card"]


# -- in: a pipeline as an agent of the protocol --------------------------------------------------------------


class ReflectionExecutor(ClosablePart, AgentExecutor):
    """Answers a message with the best candidate of a pipeline.

    The task is WORKING with a status per critique, then has the answer as its artifact and is COMPLETED. A failed run
    is FAILED. A cancelled task ends the run.

    Args:
        pipeline: or a graph, whose input is the prompt and whose approval nodes ask; entered by the caller, or
            by the executor when it is first used; then `close` leaves it.
        approve: True makes the task INPUT_REQUIRED at each revision, with the question as JSON in its message. The next
            message to the task is "yes", "no", or another text that replaces the revision; JSON with "decision" and the
            question's "revision_id" says which question it answers. A message that was sent before the question, or is
            no answer, gets the question again, with what was wrong as "problem". Needs a memory.

    A message to a task that has ended changes nothing; one to a task that an earlier process left continues its run.

    Raises:
        ConfigurationError: `pipeline` is neither or has other inputs, or `approve=True` without a memory.
    """

    def __init__(self, pipeline: AnyPipeline, *, approve: bool | Approve = False) -> None:
        self._life = Life(pipeline)
        check_journal(self._life.pipeline, approve)
        self._approve = approve
        self._early: dict[str, int] = {}  # messages that were sent before the question of a task

    async def execute(self, context: Any, event_queue: Any) -> None:
        """Answer a message; see `AgentExecutor`."""
        said, task, decision = context.get_user_input(), context.current_task, None
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        if task is None:
            state = TaskState.TASK_STATE_SUBMITTED
            await event_queue.enqueue_event(
                new_task(context.task_id, context.context_id, state, history=[context.message])
            )
        elif task.status.state in _ENDED:
            return
        elif task.status.state == TaskState.TASK_STATE_INPUT_REQUIRED:
            question = json.loads(get_message_text(task.status.message))
            try:
                decision = self._decision(said, question, task.id)
            except ConfigurationError as error:
                await _ask(asked_again(question, error), updater)
                return
        else:  # an earlier process left it
            said = get_message_text(task.history[0])
        try:
            await self._answer(said, f"a2a:{context.task_id}", decision, updater)
        except Exception as error:  # noqa: BLE001 - a failure is the status of the task
            told = redact(f"{type(error).__name__}: {message_of(error)}")
            await updater.failed(updater.new_agent_message([new_text_part(told)]))

    def _decision(self, said: str, question: dict[str, Any], task_id: str) -> bool | str:
        early = self._early.pop(task_id, 0)
        if early:
            if early > 1:
                self._early[task_id] = early - 1
            raise ConfigurationError("a message was sent before this question, and does not count as its answer")
        return decision_in(said, question)

    async def cancel(self, context: Any, event_queue: Any) -> None:
        """Mark the task as cancelled; its run has been cancelled with `execute`. See `AgentExecutor`."""
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()

    async def _answer(self, prompt: str, run_id: str, decision: bool | str | None, updater: Any) -> None:
        await updater.start_work()
        result: ReflectionResult | GraphResult | None = None
        ask = asking(self._approve)
        steps = progress(self._life, prompt, run_id=run_id, approve=ask, decision=decision)
        async with aclosing(steps):
            async for step in steps:
                if isinstance(step, Critiqued):
                    told = json.dumps(_brief(step), ensure_ascii=False)
                    await updater.start_work(updater.new_agent_message([new_text_part(told, "application/json")]))
                elif isinstance(step, ReflectionResult | GraphResult):
                    result = step
        assert result is not None
        if is_suspended(result):
            question = await self._life.run(partial(waiting_revision, self._life.pipeline, result))
            early = _waiting_messages(updater.task_id)
            if early:
                self._early[updater.task_id] = early
            await _ask(question, updater)
            return
        text, summary = answer_text(result), summary_of(result)
        await updater.add_artifact([new_text_part(text)], name="answer", metadata={"jido": summary})
        await updater.complete()


async def _ask(question: dict[str, Any], updater: Any) -> None:
    told = json.dumps(question, ensure_ascii=False)
    await updater.requires_input(updater.new_agent_message([new_text_part(told, "application/json")]))


def _waiting_messages(task_id: str) -> int:
    """Return how many messages to a task wait behind the one that is being answered.

    The SDK tells executors neither when a message came nor whether others wait; its task that feeds them knows.
    """
    for task in asyncio.all_tasks():
        if task.get_name() == f"producer:{task_id}":
            frame = getattr(task.get_coro(), "cr_frame", None)
            feeding = None if frame is None else frame.f_locals.get("self")
            requests = getattr(feeding, "_request_queue", None)
            return 0 if requests is None else requests.qsize()
    return 0


def _brief(judged: Critiqued) -> dict[str, Any]:
    """Return a critique without the candidate's text, since a task keeps every status."""
    critique = judged.critique
    return {
        "type": "Critiqued",
        "seq": judged.seq,
        "iteration": judged.iteration.index,
        "score": judged.candidate.score,
        "severity": critique.severity,
        "issues": [issue.message for issue in critique.issues],
    }


def agent_card(
    *, url: str, name: str, description: str = "Answers a prompt; has the answer judged and revised.", **more: Any
) -> AgentCard:
    """Return the card of a `ReflectionExecutor` that is served by JSON-RPC at `url`.

    Args:
        url: of the JSON-RPC endpoint.
        name: of the agent.
        description: of the agent and its one skill.
        more: other fields of the card, such as `provider`.
    """
    skill = AgentSkill(id="reflect", name=name, description=description, tags=["reflection"])
    return AgentCard(
        name=name,
        description=description,
        supported_interfaces=[AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="1.0")],
        version=more.pop("version", "1.0.0"),
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[skill],
        **more,
    )


# -- out: remote agents as components ------------------------------------------------------------------------


class _RemotePart:
    def __init__(self, client: Any) -> None:
        if not callable(getattr(client, "send_message", None)):
            raise ConfigurationError(f"need a client of A2A, got {describe(client)}")
        self._client = client

    async def _ask(self, prompt: str) -> str:
        """Return the text of the agent's artifacts, or of its message."""
        request = SendMessageRequest(message=new_text_message(prompt, role=Role.ROLE_USER))
        texts: dict[str, str] = {}
        with translated("a2a"):
            async for response in self._client.send_message(request):
                state, text = _state(response), get_stream_response_text(response)
                if state is not None and state not in _FINE:
                    ended = TaskState.Name(state)
                    raise ComponentError(f"the remote agent ended with {ended}: {text}", component="a2a")
                if response.HasField("artifact_update"):
                    id = response.artifact_update.artifact.artifact_id
                    texts[id] = texts.get(id, "") + text if response.artifact_update.append else text
                elif response.HasField("message") or (response.HasField("task") and text):
                    texts = {"": text}
        if not texts:
            raise ComponentError("the remote agent gave no answer", component="a2a")
        return "\n".join(texts.values())


_ENDED = (
    TaskState.TASK_STATE_COMPLETED,
    TaskState.TASK_STATE_FAILED,
    TaskState.TASK_STATE_CANCELED,
    TaskState.TASK_STATE_REJECTED,
)
_FINE = (
    TaskState.TASK_STATE_UNSPECIFIED,
    TaskState.TASK_STATE_SUBMITTED,
    TaskState.TASK_STATE_WORKING,
    TaskState.TASK_STATE_COMPLETED,
)


def _state(response: Any) -> Any:
    for name in ("task", "status_update"):
        if response.HasField(name):
            return getattr(response, name).status.state
    return None


class A2AGenerator(_RemotePart):
    """A remote agent as a generator. Each call is a task of its own."""

    async def generate(self, prompt: str, context: RunContext) -> Candidate:
        """Ask the agent. See `Generator`."""
        return Candidate(await self._ask(prompt))


class A2ACritiquer(_RemotePart):
    """A remote agent as a critiquer.

    It is sent JSON with "prompt" and "text", and answers with JSON: "severity" or "score", and "issues" as texts.
    """

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Ask the agent. An answer of another form is a `ComponentError`. See `Critiquer`."""
        asked = {"prompt": context.prompt, "text": candidate.content}
        answer = await self._ask(json.dumps(asked, ensure_ascii=False))
        try:
            told = json.loads(answer)
            given = {name: told[name] for name in ("severity", "score", "feedback") if told.get(name) is not None}
            return with_verdict(CritiqueResult(issues=tuple(told.get("issues") or ()), source="a2a", **given))
        except (ValueError, TypeError, AttributeError) as error:
            raise ComponentError(
                f"the remote critic must answer with JSON: {message_of(error)}", component="a2a"
            ) from error
