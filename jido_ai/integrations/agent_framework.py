"""agent-framework (extra `agent-framework`): pipelines as executors and middleware; clients, agents as components."""
# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportGeneralTypeIssues=false, reportIndexIssue=false, reportInvalidTypeForm=false

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from functools import partial
from typing import Any

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
    tokens_of,
)
from jido_ai.loop.pipeline import Approve
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.prompts.lessons import format_for_prompt
from jido_ai.values import (
    Candidate,
    Completion,
    CompletionRequest,
    Scope,
    Usage,
    new_id,
)

check_versions("agent-framework")
try:
    from agent_framework import (
        AgentExecutorResponse,
        AgentMiddleware,
        AgentResponse,
        AgentResponseUpdate,
        Content,
        ContextProvider,
        Executor,
        Message,
        ResponseStream,
        WorkflowContext,
        handler,
        response_handler,
    )
except ImportError as error:
    raise missing("agent-framework-core", "agent-framework", error) from error

__all__ = [
    "AgentGenerator",
    "AgentReviser",
    "ChatClientModel",
    "LessonsProvider",
    "ReflectionExecutor",
    "ReflectionMiddleware",
]


# -- in: a pipeline as a part of their workflow or agent -------------------------------------------------


class ReflectionExecutor(ClosablePart, Executor):
    """An executor of a workflow that answers with the best candidate of a pipeline.

    A `str` is the prompt; of a list of messages, the newest message of the user. Behind an agent, the agent's answer is
    the draft. The answer is the output of the workflow, and goes on to the next executor as a list of one message.

    With a memory, a workflow restored from a checkpoint continues the run that was in flight. Its checkpoints need no
    allowed types: questions are dicts.

    Args:
        pipeline: or a graph, whose inputs are the prompt and, behind an agent, "draft", and whose approval nodes ask; a
            graph with one input is given the agent's answer, if there is one; entered by the caller, or by the executor
            when it is first used; then `close` leaves it.
        id: of the executor.
        approve: True asks about each revision with `request_info`: a dict with "revision" and "feedback". The response
            is True or "yes", False or "no", or another text that replaces the revision; any other response gets the
            question again, with what was wrong as "problem". Needs a memory.

    Raises:
        ConfigurationError: `pipeline` is neither or has other inputs, or `approve=True` without a memory.
    """

    def __init__(self, pipeline: AnyPipeline, *, id: str = "reflection", approve: bool | Approve = False) -> None:
        self._life = Life(pipeline)
        self._pipeline, self._approve = self._life.pipeline, approve
        check_journal(self._pipeline, approve)
        self._seed, self._count = new_id("run"), 0
        super().__init__(id)

    @handler(input=str, output=list[Message], workflow_output=str)
    async def on_text(self, prompt: str, ctx: WorkflowContext[Any, Any]) -> None:
        """Answer a prompt."""
        await self._answer(prompt, None, ctx)

    @handler(input=list[Message], output=list[Message], workflow_output=str)
    async def on_messages(self, messages: list[Message], ctx: WorkflowContext[Any, Any]) -> None:
        """Answer the newest message of the user."""
        await self._answer(_asked(messages), None, ctx)

    @handler(input=AgentExecutorResponse, output=list[Message], workflow_output=str)
    async def on_agent(self, response: AgentExecutorResponse, ctx: WorkflowContext[Any, Any]) -> None:
        """Judge and revise the answer of an agent."""
        await self._answer(_asked(response.full_conversation or []), response.agent_response.text, ctx)

    # Older versions (seen: 1.0 to 1.13) refuse postponed annotations here; the decorator has the types.
    @response_handler(request=dict, response=object, output=list[Message], workflow_output=str)
    async def on_decision(self, question, response, ctx) -> None:
        """Continue with a decision about a revision."""
        try:
            decision = decision_in(response, question)
        except ConfigurationError as error:
            await ctx.request_info(asked_again(question, error), object)
            return
        answer = {"decision": decision, "question": question.get("id")}
        await self._go_on(partial(self._work, "", None, question["run_id"], **answer), ctx)

    async def on_checkpoint_save(self) -> dict[str, Any]:
        """Return the state from which the ids of the runs are made."""
        return {"seed": self._seed, "count": self._count}

    async def on_checkpoint_restore(self, state: dict[str, Any]) -> None:
        """Continue with the ids of a checkpoint."""
        self._seed, self._count = state.get("seed", self._seed), state.get("count", self._count)

    async def _answer(self, prompt: str, draft: str | None, ctx: WorkflowContext[Any, Any]) -> None:
        self._count += 1
        await self._go_on(partial(self._work, prompt, draft, f"{self._seed}-{self._count}"), ctx)

    def _work(
        self,
        prompt: str,
        draft: str | None,
        run_id: str,
        decision: bool | str | None = None,
        question: str | None = None,
    ) -> Any:
        answer: dict[str, Any] = {"decision": decision, "question": question}
        return advance(self._pipeline, prompt, draft, run_id=run_id, approve=asking(self._approve), **answer)

    async def _go_on(self, work: Callable[[], Any], ctx: WorkflowContext[Any, Any]) -> None:
        result = await self._life.run(work)
        if is_suspended(result):
            question = await self._life.run(partial(waiting_revision, self._pipeline, result))
            await ctx.request_info(question, object)
            return
        text = answer_text(result)
        await ctx.send_message([Message("assistant", [text], author_name=self.id)])
        await ctx.yield_output(text)


class ReflectionMiddleware(ClosablePart, AgentMiddleware):
    """Has each answer of an agent judged and revised: `Agent(..., middleware=[ReflectionMiddleware(pipeline)])`.

    The agent's answer is the draft of a run, whose answer takes its place, also for the next turn of a session in
    memory; the run's usage is added to the response's. An answer without text, such as a tool call that needs approval,
    is left as it is. A stream gives the judged answer as one update.

    Args:
        pipeline: or a graph with an input for the prompt and the input "draft", or with one input, which is given the
            answer; entered by the caller, or when it is first used; then `close` leaves it.
    """

    def __init__(self, pipeline: AnyPipeline) -> None:
        self._life = Life(pipeline, judges=True)
        self._pipeline = self._life.pipeline

    async def process(self, context: Any, call_next: Callable[[], Awaitable[None]]) -> None:
        """Judge the answer; see `AgentMiddleware`."""
        prompt = _asked(context.messages)
        await call_next()
        if not context.stream:
            context.result = await self._judged(prompt, context.result)
            return
        drafted = context.result

        async def updates() -> AsyncGenerator[AgentResponseUpdate]:
            response = await self._judged(prompt, await drafted.get_final_response())
            for message in response.messages:
                yield AgentResponseUpdate(contents=message.contents, role=message.role, author_name=message.author_name)
            if response.usage_details:
                yield AgentResponseUpdate(contents=[Content.from_usage(response.usage_details)], role="assistant")

        context.result = ResponseStream(updates(), finalizer=AgentResponse.from_updates)

    async def _judged(self, prompt: str, response: Any) -> Any:
        if not response.text.strip() or not prompt.strip():
            return response
        result = await self._life.run(partial(advance, self._pipeline, prompt, response.text))
        used = dict(response.usage_details or {})
        for kind, tokens in zip(("input", "output", "total"), tokens_of(result.usage), strict=True):
            used[f"{kind}_token_count"] = (used.get(f"{kind}_token_count") or 0) + tokens
        message = next(one for one in reversed(response.messages) if one.text.strip())  # the one that the session keeps
        others = [content for content in message.contents if content.type != "text"]
        message.contents = [*others, Content.from_text(answer_text(result))]
        return AgentResponse(messages=[message], response_id=response.response_id, usage_details=used)


class LessonsProvider(LessonsPart, ContextProvider):
    """The lessons of a `ReflexionMemory` for an agent: `Agent(..., context_providers=[LessonsProvider(memory)])`.

    Lessons for the newest message of the user are added to the agent's instructions.

    Args:
        memory: open while the agent runs; it belongs to the caller.
        limit: maximum number of lessons, at least 1.
        scope: None is the default scope.

    Raises:
        ConfigurationError: an argument is invalid.
    """

    def __init__(self, memory: ReflexionMemory, *, limit: int = 5, scope: Scope | None = None) -> None:
        LessonsPart.__init__(self, memory, limit=limit, scope=scope)
        ContextProvider.__init__(self, "jido_lessons")

    async def before_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:
        """Add the lessons; see `ContextProvider`."""
        asked = _asked(context.input_messages)
        if not asked.strip():
            return
        told = format_for_prompt([one.entry for one in await self._found(asked)])
        if told:
            context.extend_instructions(self.source_id, told)


def _asked(messages: Sequence[Message]) -> str:
    """Return the text of the newest message of the user, or of the newest message if there is none; "" for none."""
    users = [message for message in messages if message.role == "user"] or list(messages)
    return users[-1].text if users else ""


# -- out: their clients and agents as components ----------------------------------------------------------


class ChatClientModel(FrameworkModel):
    """A chat client as a `LanguageModel`. It retries nothing itself.

    Args:
        client: has `get_response`; it belongs to the caller.

    Raises:
        ConfigurationError: it is not a client.
    """

    def __init__(self, client: Any) -> None:
        if not callable(getattr(client, "get_response", None)):
            raise ConfigurationError(f"need a chat client of agent-framework, got {describe(client)}")
        self._client = client
        self.provider = "agent_framework"
        self.model = str(getattr(client, "model", None) or type(client).__name__)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. See `LanguageModel`."""
        with translated(self.provider, self.model):
            answer = await self._client.get_response(_messages(request), options=options_of(request))
            return self._completion(answer)

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[str | Completion]:
        """Yield the pieces of the text, and last the whole `Completion`. See `StreamingModel`."""
        with translated(self.provider, self.model):
            updates = self._client.get_response(_messages(request), stream=True, options=options_of(request))
            async for update in updates:
                if update.text:
                    yield update.text
            answer = await updates.get_final_response()
            yield self._completion(answer)

    def _completion(self, answer: Any) -> Completion:
        return Completion(
            answer.text,
            model=self.model,
            usage=_usage(answer),
            **ended_as(answer.finish_reason, provider=self.provider, model=self.model),
            response_id=answer.response_id,
        )


class _AgentPart:
    def __init__(self, agent: Any) -> None:
        if not callable(getattr(agent, "run", None)):
            raise ConfigurationError(f"need an agent of agent-framework, got {describe(agent)}")
        self._agent = agent

    async def _ask(self, prompt: str) -> Candidate:
        with translated("agent_framework"):
            response = await self._agent.run(prompt)
        return Candidate(response.text, metadata={"usage": _usage(response)})


class AgentGenerator(_AgentPart, AgentGeneratorPart):
    """An agent as a generator. Each call is a conversation of its own."""


class AgentReviser(_AgentPart, AgentReviserPart):
    """An agent as a reviser: it is given the task, the answer and its review."""


def _usage(answer: Any) -> Usage:
    used = answer.usage_details or {}
    return usage_of(
        input_tokens=used.get("input_token_count"),
        output_tokens=used.get("output_token_count"),
        cached=used.get("cache_read_input_token_count"),
        reasoning=used.get("reasoning_output_token_count"),
    )


def _messages(request: CompletionRequest) -> list[Message]:
    return [Message(message.role, [message.content]) for message in schema_instruction(request)]
