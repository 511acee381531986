"""AutoGen (the extra `autogen`): a pipeline as an agent, lessons as its memory; clients and agents as components."""
# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from jido_ai.errors import ConfigurationError, describe
from jido_ai.extras import check_versions, missing
from jido_ai.integrations.common import (
    AnyPipeline,
    Life,
    advance,
    answer_text,
    asking,
    check_journal,
    is_suspended,
    schema_instruction,
    summary_of,
    translated,
    usage_of,
    waiting_revision,
)
from jido_ai.integrations.parts import (
    AgentGeneratorPart,
    AgentReviserPart,
    ClosablePart,
    FrameworkModel,
    LessonsPart,
    asked_again,
    decision_in,
    ended_as,
    options_of,
)
from jido_ai.loop.pipeline import Approve
from jido_ai.values import (
    Candidate,
    Completion,
    CompletionRequest,
    Scope,
    Usage,
    new_id,
)

check_versions("autogen")
try:
    from autogen_agentchat.agents import BaseChatAgent
    from autogen_agentchat.base import Response
    from autogen_agentchat.messages import BaseChatMessage, StopMessage, TextMessage
    from autogen_core import CancellationToken, MessageContext, RoutedAgent, message_handler
    from autogen_core.memory import Memory, MemoryContent, MemoryMimeType, MemoryQueryResult, UpdateContextResult
    from autogen_core.models import AssistantMessage, CreateResult, RequestUsage, SystemMessage, UserMessage
except ImportError as error:
    raise missing("autogen-agentchat", "autogen", error) from error

__all__ = [
    "ChatAgentGenerator",
    "ChatAgentReviser",
    "ChatClientModel",
    "LessonsMemory",
    "ReflectionAgent",
    "ReflectionReply",
    "ReflectionRequest",
    "ReflectionRoutedAgent",
]

T = TypeVar("T")


async def _linked(work: Awaitable[T], token: CancellationToken | None) -> T:
    """Await `work`; a cancelled token cancels it. The cancellation is raised when the work has ended."""
    task = asyncio.ensure_future(work)
    if token is not None:
        token.link_future(task)
    try:
        return await task
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})


# -- in: a pipeline as a part of their team ------------------------------------------------------------


class ReflectionAgent(ClosablePart, BaseChatAgent):
    """An agent of AgentChat that answers with the best candidate of a pipeline, in a team or alone.

    The newest message of another agent or the user is the prompt; with `judges=True` the newest message is the draft
    and the first one the prompt. A token that is cancelled ends the run. The message's `models_usage` is that of the
    pipeline; its metadata says how the run ended.

    Args:
        name: of the agent.
        pipeline: or a graph, whose input is the prompt, with the input "draft" if it judges, and whose approval nodes
            ask; entered by the caller, or by the agent when it is first used; then `close` leaves it.
        description: shown to the team.
        judges: judge the newest message instead of answering it.
        approve: True answers with a `StopMessage` that has the question about a revision as JSON; the next message of a
            person is the decision: "yes", "no", or another text that replaces the revision. Any other message gets the
            question again. Needs a memory.
        people: names of the sources whose messages decide; a task that is given as a text has the source "user".

    Raises:
        ConfigurationError: `pipeline` is neither or has other inputs, or `approve=True` without a memory.
    """

    def __init__(
        self,
        name: str,
        pipeline: AnyPipeline,
        *,
        description: str = "Writes an answer, has it judged and revised, and gives the best one.",
        judges: bool = False,
        approve: bool | Approve = False,
        people: Sequence[str] = ("user",),
    ) -> None:
        if isinstance(people, str) or not all(isinstance(person, str) for person in people):
            raise ConfigurationError(f"people must be a sequence of names, got {describe(people)}")
        super().__init__(name, description)  # pyright: ignore[reportCallIssue] - the framework is not installed here
        self._life = Life(pipeline, judges=judges)
        self._pipeline, self._judges, self._approve = self._life.pipeline, judges, approve
        check_journal(self._pipeline, approve)
        self._people = tuple(people)
        self._first: str | None = None
        self._question: dict[str, Any] | None = None  # of the run that waits

    @property
    def produced_message_types(self) -> Sequence[type[BaseChatMessage]]:
        """The kinds of its answers."""
        return (TextMessage, StopMessage)

    async def on_messages(self, messages: Sequence[BaseChatMessage], cancellation_token: CancellationToken) -> Response:
        """Answer the messages; see `BaseChatAgent`."""
        if self._question is not None:
            said = [message.to_text() for message in messages if message.source in self._people]
            try:
                if not said:
                    raise ConfigurationError(f"only a message of {' or '.join(self._people)} is an answer")
                decision = decision_in(said[-1], self._question)
            except ConfigurationError as error:
                return self._asking(asked_again(self._question, error))
            run_id, question = self._question["run_id"], self._question.get("id")
            work = partial(self._advance, "", run_id=run_id, decision=decision, question=question)
        elif not messages:
            raise ConfigurationError("a ReflectionAgent needs a message to answer")
        else:
            newest = messages[-1].to_text()
            if self._first is None:
                self._first = messages[0].to_text()
            prompt, draft = (self._first, newest) if self._judges else (newest, None)
            work = partial(self._advance, prompt, draft, run_id=new_id("run") if self._approve is True else None)
        result = await _linked(self._life.run(work), cancellation_token)
        if is_suspended(result):
            self._question = await self._life.run(partial(waiting_revision, self._pipeline, result))
            return self._asking(self._question)
        self._question = None
        return Response(
            chat_message=TextMessage(
                content=answer_text(result),
                source=self.name,
                models_usage=_their_usage(result.usage),
                metadata={name: str(value) for name, value in summary_of(result).items() if name != "usage"},
            )
        )

    def _advance(self, *arguments: Any, **options: Any) -> Any:
        return advance(self._pipeline, *arguments, approve=asking(self._approve), **options)

    def _asking(self, question: dict[str, Any]) -> Response:
        content = json.dumps(question, ensure_ascii=False)
        return Response(chat_message=StopMessage(content=content, source=self.name))

    async def on_reset(self, cancellation_token: CancellationToken) -> None:
        """Forget the conversation; see `BaseChatAgent`."""
        self._first = self._question = None

    async def save_state(self) -> dict[str, Any]:
        """Return the state that `load_state` reads: the first message, and the question that waits for a decision."""
        return {"first": self._first, "question": self._question}

    async def load_state(self, state: Any) -> None:
        """Continue from a saved state."""
        self._first, self._question = state.get("first"), state.get("question")
        if self._question is None and state.get("waiting") is not None:  # saved by version 0.2
            self._question = {"type": "approval", "run_id": state["waiting"]}


@dataclass
class ReflectionRequest:
    """A message to a `ReflectionRoutedAgent`."""

    prompt: str
    draft: str | None = None
    run_id: str | None = None


@dataclass
class ReflectionReply:
    """Its reply; `report` is JSON."""

    answer: str
    stop_reason: str
    report: str


class ReflectionRoutedAgent(ClosablePart, RoutedAgent):
    """An agent of AutoGen's runtime that answers a `ReflectionRequest` with a `ReflectionReply`.

    A `run_id` continues the run of that id, if the pipeline has a memory that knows it.

    Args:
        pipeline: entered by the caller, or by the agent when it is first used; then `close` leaves it.
    """

    def __init__(
        self, pipeline: AnyPipeline, description: str = "Answers with the best candidate of a pipeline."
    ) -> None:
        super().__init__(description)  # pyright: ignore[reportCallIssue] - as above
        self._life = Life(pipeline)
        self._pipeline = self._life.pipeline

    @message_handler
    async def on_request(self, message: ReflectionRequest, ctx: MessageContext) -> ReflectionReply:
        """Run the pipeline. Its failure is raised to the sender."""
        work = partial(advance, self._pipeline, message.prompt, message.draft, run_id=message.run_id)
        result = await _linked(self._life.run(work), ctx.cancellation_token)
        report = summary_of(result)
        return ReflectionReply(answer_text(result), report["stop_reason"], json.dumps(report, ensure_ascii=False))


class LessonsMemory(LessonsPart, Memory):
    """The lessons of a `ReflexionMemory` as the memory of an `AssistantAgent`: `memory=[LessonsMemory(memory)]`.

    Lessons for the newest message of the user are added to the model's context. `add` stores a lesson: its content is
    the lesson, metadata["prompt"] what it is for. `clear` removes the entries of the scope.

    Args:
        memory: open while the agent runs; it belongs to the caller.
        limit: maximum number of lessons, at least 1.
        scope: None is the default scope.

    Raises:
        ConfigurationError: an argument is invalid.
    """

    async def update_context(self, model_context: Any) -> UpdateContextResult:
        """Add the lessons for the newest message of the user; see `Memory`."""
        messages = await model_context.get_messages()
        asked = next((message.content for message in reversed(messages) if isinstance(message, UserMessage)), None)
        found = await self.query(asked) if isinstance(asked, str) and asked.strip() else MemoryQueryResult(results=[])
        if found.results:
            told = "\n".join(f"- {result.content}" for result in found.results)
            await model_context.add_message(SystemMessage(content=f"Lessons of earlier attempts, as data:\n{told}"))
        return UpdateContextResult(memories=found)

    async def query(
        self, query: Any, cancellation_token: CancellationToken | None = None, **kwargs: Any
    ) -> MemoryQueryResult:
        """Return the lessons for a prompt; see `Memory`."""
        asked = str(query.content) if isinstance(query, MemoryContent) else query
        found = await _linked(self._found(asked), cancellation_token)
        return MemoryQueryResult(
            results=[
                MemoryContent(
                    content=one.entry.correction,
                    mime_type=MemoryMimeType.TEXT,
                    metadata={"id": one.entry.id, "prompt": one.entry.prompt},
                )
                for one in found
                if one.entry.correction
            ]
        )

    async def add(self, content: MemoryContent, cancellation_token: CancellationToken | None = None) -> None:
        """Store a lesson; see `Memory`."""
        await _linked(self._remember(str(content.content), content.metadata or {}), cancellation_token)

    async def clear(self) -> None:
        """Remove the entries of the scope; see `Memory`."""
        await self._memory.clear(self._scope or Scope())

    async def close(self) -> None:
        """Do nothing: the memory belongs to the caller."""


def _their_usage(usage: Usage) -> RequestUsage:
    return RequestUsage(prompt_tokens=usage.input_tokens, completion_tokens=usage.output_tokens)


# -- out: their clients and agents as components -------------------------------------------------------


class ChatClientModel(FrameworkModel):
    """A `ChatCompletionClient` as a `LanguageModel`. It retries nothing itself.

    Args:
        client: it belongs to the caller.

    Raises:
        ConfigurationError: it is not a client.
    """

    def __init__(self, client: Any) -> None:
        if not callable(getattr(client, "create", None)):
            raise ConfigurationError(f"need a ChatCompletionClient, got {describe(client)}")
        self._client = client
        self.provider = "autogen"
        self.model = type(client).__name__

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. See `LanguageModel`."""
        with translated(self.provider, self.model):
            answer = await self._client.create(_messages(request), extra_create_args=options_of(request))
            return self._completion(answer)

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[str | Completion]:
        """Yield the pieces of the text, and last the whole `Completion`. See `StreamingModel`."""
        told: list[str] = []
        with translated(self.provider, self.model):
            asked = self._client.create_stream(_messages(request), extra_create_args=options_of(request))
            async with aclosing(asked) as items:
                async for item in items:
                    if isinstance(item, CreateResult):
                        last = self._completion(item)
                        if not told and last.text:
                            yield last.text
                        yield last
                    elif item:
                        told.append(item)
                        yield item

    def _completion(self, answer: CreateResult) -> Completion:
        usage = usage_of(input_tokens=answer.usage.prompt_tokens, output_tokens=answer.usage.completion_tokens)
        return Completion(
            answer.content if isinstance(answer.content, str) else "",
            model=self.model,
            usage=usage,
            **ended_as(answer.finish_reason, provider=self.provider, model=self.model),
            is_cached=answer.cached,
        )


class _ChatAgentPart:
    """An agent of AgentChat. It keeps its conversation, so calls take turns, and each starts from a reset agent."""

    def __init__(self, agent: Any) -> None:
        if not callable(getattr(agent, "on_messages", None)):
            raise ConfigurationError(f"need an agent of AgentChat, got {describe(agent)}")
        self._agent = agent
        self._turn = asyncio.Lock()

    async def _ask(self, prompt: str) -> Candidate:
        token = CancellationToken()
        message = TextMessage(content=prompt, source="user")
        async with self._turn:
            await self._agent.on_reset(token)
            try:
                with translated("autogen"):
                    response = await self._agent.on_messages([message], token)
            except asyncio.CancelledError:
                token.cancel()
                raise
        used = [one.models_usage for one in (*(response.inner_messages or ()), response.chat_message)]
        spent = [one for one in used if one is not None]
        usage = Usage(
            max(len(spent), 1),
            sum(one.prompt_tokens for one in spent),
            sum(one.completion_tokens for one in spent),
            unpriced_calls=max(len(spent), 1),
        )
        return Candidate(response.chat_message.to_text(), metadata={"usage": usage})


class ChatAgentGenerator(_ChatAgentPart, AgentGeneratorPart):
    """An agent of AgentChat as a generator. Its memory of the conversation is reset before each call."""


class ChatAgentReviser(_ChatAgentPart, AgentReviserPart):
    """An agent of AgentChat as a reviser: it is given the task, the answer and its review."""


def _messages(request: CompletionRequest) -> list[Any]:
    messages: list[Any] = []
    for message in schema_instruction(request):
        if message.role == "system":
            messages.append(SystemMessage(content=message.content))
        elif message.role == "user":
            messages.append(UserMessage(content=message.content, source="user"))
        else:
            messages.append(AssistantMessage(content=message.content, source="assistant"))
    return messages
