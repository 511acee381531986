"""Google ADK (extra `google-adk`): pipelines as agents and nodes, lessons as memory; models, agents as components."""
# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any, Final

from pydantic import PrivateAttr

from jido_ai.errors import ConfigurationError, ModelError, describe
from jido_ai.extras import check_versions, missing
from jido_ai.integrations.common import (
    Life,
    advance,
    answer_text,
    asking,
    check_journal,
    decisions_made,
    is_suspended,
    schema_instruction,
    summary_of,
    translated,
    usage_of,
    waiting_revision,
)
from jido_ai.integrations.parts import (
    AgentGeneratorPart,
    ClosablePart,
    FrameworkModel,
    LessonsPart,
    decision_in,
    ended_as,
    tokens_of,
)
from jido_ai.loop.pipeline import Approve
from jido_ai.memory.lessons import LESSON_KINDS
from jido_ai.values import (
    Candidate,
    Completion,
    CompletionRequest,
    MemoryEntry,
    MemoryQuery,
    Scope,
    Usage,
    extract_keywords,
    new_id,
)

check_versions("google-adk")
try:
    from google.adk.agents import BaseAgent
    from google.adk.events.event import Event
    from google.adk.events.request_input import RequestInput
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry as AdkMemoryEntry
    from google.adk.models.llm_request import LlmRequest
    from google.adk.runners import Runner
    from google.adk.sessions import InMemorySessionService
    from google.adk.workflow import BaseNode
    from google.genai import types
except ImportError as error:
    raise missing("google-adk", "google-adk", error) from error

__all__ = ["AdkModel", "AgentGenerator", "LessonsMemoryService", "ReflectionAgent", "ReflectionNode"]

_SEARCHED: Final = 200
"""Newest lessons of a scope that are searched for words."""
_STATUSES: Final = {"RESOURCE_EXHAUSTED": 429, "UNAUTHENTICATED": 401, "PERMISSION_DENIED": 403, "UNAVAILABLE": 503}


# -- in: a pipeline as a part of their agents and workflows ------------------------------------------------


class ReflectionAgent(ClosablePart, BaseAgent):
    """An agent that answers with the best candidate of a pipeline, alone or in a tree of agents.

    The message of the user is the prompt. With `judges=True`, the newest text of another agent in this invocation is
    the draft. The event has the usage of the run; its custom metadata says how the run ended. With a memory, an agent
    that runs again after a fault in the same invocation continues the run that was in flight.

    Args:
        name: of the agent.
        pipeline: or a graph, whose input is the prompt, with the input "draft" if it judges; entered by the caller, or
            by the agent when it is first used; then `close` leaves it. A graph with one input is given what it judges.
        judges: judge what the agent before it wrote.

    Raises:
        ConfigurationError: `pipeline` is neither or has other inputs.
    """

    pipeline: Any
    judges: bool = False
    _life: Life = PrivateAttr()

    def __init__(self, **fields: Any) -> None:
        life = Life(fields.get("pipeline"), judges=bool(fields.get("judges")))  # type: ignore[arg-type]
        super().__init__(**fields)
        self._life = life

    async def _run_async_impl(self, ctx: Any) -> AsyncGenerator[Event]:
        prompt, draft = _text(ctx.user_content), None
        if self.judges:
            written = (event for event in reversed(ctx.session.events) if event.invocation_id == ctx.invocation_id)
            texts = (_text(one.content) for one in written if one.author not in ("user", self.name) and not one.partial)
            draft = next((text for text in texts if text), None)
        answered = sum(
            event.author == self.name and event.invocation_id == ctx.invocation_id and event.custom_metadata is not None
            for event in ctx.session.events
        )
        run_id = f"adk:{ctx.session.id}:{ctx.invocation_id}:{ctx.branch or ''}/{self.name}:{answered}"
        result = await self._life.run(partial(advance, self._life.pipeline, prompt, draft, run_id=run_id))
        yield _answer(result, author=self.name, invocation_id=ctx.invocation_id)


class ReflectionNode(ClosablePart, BaseNode):
    """A node of a workflow that outputs the best candidate of a pipeline as text.

    Its input, or where there is none the message of the user, is the prompt. With a memory, a node that is rerun after
    a fault in the same invocation continues the run that was in flight.

    Args:
        name: of the node.
        pipeline: or a graph, whose input is the prompt and whose approval nodes ask; entered by the caller, or by the
            node when it is first used; then `close` leaves it.
        approve: True asks about each revision with a `RequestInput`, whose payload has "revision" and "feedback". The
            response is "yes", "no", or another text that replaces the revision. Needs a memory.

    Raises:
        ConfigurationError: `pipeline` is neither or has other inputs, or `approve=True` without a memory.
    """

    pipeline: Any
    approve: Any = False
    rerun_on_resume: bool = True
    _life: Life = PrivateAttr()

    def __init__(self, **fields: Any) -> None:
        life = Life(fields.get("pipeline"))  # type: ignore[arg-type]
        check_journal(life.pipeline, fields.get("approve"))
        super().__init__(**fields)
        self._life = life

    async def _run_impl(self, *, ctx: Any, node_input: Any) -> AsyncGenerator[Any]:
        prompt = _prompt(node_input) or _text(ctx.user_content)
        run_id, answers = f"adk:{ctx.session.id}:{ctx.invocation_id}:{ctx.node_path}", {}
        for name, value in (ctx.resume_inputs or {}).items():
            asked, mark, number = name.rpartition("#")
            if mark and number.isdigit() and asked.startswith(f"adk:{ctx.session.id}:"):
                run_id, answers[int(number)] = asked, decision_in(value)
        result, asked_id = await self._life.run(partial(self._work, prompt, run_id, answers))
        if asked_id is None:
            yield _answer(result, author=self.name, invocation_id=ctx.invocation_id, output=answer_text(result))
            return
        question = await self._life.run(partial(waiting_revision, self._life.pipeline, result))
        yield RequestInput(interrupt_id=asked_id, message="Approve the revision?", payload=question)

    async def _work(self, prompt: str, run_id: str, answers: Mapping[int, bool | str]) -> tuple[Any, str | None]:
        """Run or resume, and use the answers that are there. Returns the id of the question that has none yet."""
        ask: Approve | None = asking(self.approve)
        number = await decisions_made(self._life.pipeline, run_id)
        decision = answers.get(number)
        result = await advance(self._life.pipeline, prompt, run_id=run_id, approve=ask, decision=decision)
        run_id = result.run_id
        while is_suspended(result):
            number = await decisions_made(self._life.pipeline, run_id)
            if number not in answers:
                return result, f"{run_id}#{number}"
            result = await advance(self._life.pipeline, prompt, run_id=run_id, approve=ask, decision=answers[number])
        return result, None


class LessonsMemoryService(LessonsPart, BaseMemoryService):
    """The lessons of a `ReflexionMemory` as the memory of a runner: `Runner(..., memory_service=...)`.

    `search_memory`, which the tools `load_memory` and `preload_memory` call, gives the lessons for a query.
    `add_memory` stores lessons. Sessions are conversations, not lessons: `add_session_to_memory` stores nothing.
    App and user are the project and tenant of a scope, so users do not see each other's lessons; those of the default
    scope, in which a pipeline learns unless told otherwise, are for all. Lessons for similar prompts are found first,
    then newer ones that share a word with the query, as in ADK's own memory.

    Args:
        memory: open while the runner is used; it belongs to the caller.
        limit: maximum number of lessons, at least 1.
        scope: one scope for all apps and users; None keeps them apart.

    Raises:
        ConfigurationError: an argument is invalid.
    """

    async def add_session_to_memory(self, session: Any) -> None:
        """Store nothing; see the class."""

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[AdkMemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Store lessons: the content is the lesson, custom_metadata["prompt"] is the prompt it applies to.

        The metadata of the call is for all lessons; that of a lesson comes before it.
        """
        for memory in memories:
            about = {**(custom_metadata or {}), **memory.custom_metadata}
            await self._remember(_text(memory.content), about, self._scopes_of(app_name, user_id)[0])

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Return the lessons for a query; see `BaseMemoryService`."""
        if not query.strip():
            return SearchMemoryResponse()
        scopes = self._scopes_of(app_name, user_id)
        similar = [one.entry for scope in scopes for one in await self._found(query, scope)]
        others = [entry for scope in scopes for entry in await self._sharing_words(query, scope)]
        found = {entry.id: entry for entry in (*similar, *others) if entry.correction}
        return SearchMemoryResponse(
            memories=[
                AdkMemoryEntry(
                    id=entry.id,
                    author="jido",
                    timestamp=entry.timestamp.isoformat(),
                    content=types.Content(role="model", parts=[types.Part(text=entry.correction)]),
                    custom_metadata={"prompt": entry.prompt, "mistake": entry.mistake},
                )
                for entry in list(found.values())[: self._limit]
            ]
        )

    async def _sharing_words(self, query: str, scope: Scope) -> list[MemoryEntry]:
        """Return the newest lessons of a scope that share a word with a query, those that share most first."""
        wanted, kinds = set(extract_keywords(query)), MemoryQuery(kinds=LESSON_KINDS)
        shared: list[tuple[int, MemoryEntry]] = []
        for entry in await self._memory.list_entries(scope, _SEARCHED, where=kinds):
            shared.append((len(wanted.intersection(extract_keywords(f"{entry.prompt} {entry.correction}"))), entry))
        shared.sort(key=lambda one: -one[0])
        return [entry for count, entry in shared if count]

    def _scopes_of(self, app_name: str, user_id: str) -> list[Scope]:
        """Return the scopes to search; the first one is written to."""
        return [Scope(project=app_name, tenant=user_id), Scope()] if self._scope is None else [self._scope]


def _answer(result: Any, *, author: str, invocation_id: str, **more: Any) -> Event:
    read, written, total = tokens_of(result.usage)
    return Event(
        author=author,
        invocation_id=invocation_id,
        content=types.Content(role="model", parts=[types.Part(text=answer_text(result))]),
        usage_metadata=types.GenerateContentResponseUsageMetadata(
            prompt_token_count=read, candidates_token_count=written, total_token_count=total
        ),
        custom_metadata={"jido": summary_of(result)},
        **more,
    )


def _text(content: Any) -> str:
    parts = (content.parts or []) if content is not None else []
    return "".join(part.text for part in parts if part.text and not part.thought)


def _prompt(node_input: Any) -> str:
    if isinstance(node_input, str):
        return node_input
    if isinstance(node_input, types.Content):
        return _text(node_input)
    return "" if node_input is None else json.dumps(node_input, ensure_ascii=False, default=str)


# -- out: their models and agents as components --------------------------------------------------------------


class AdkModel(FrameworkModel):
    """A `BaseLlm` as a `LanguageModel`. It retries nothing itself.

    Args:
        model: it belongs to the caller.

    Raises:
        ConfigurationError: it is not a model.
    """

    def __init__(self, model: Any) -> None:
        if not callable(getattr(model, "generate_content_async", None)):
            raise ConfigurationError(f"need a BaseLlm of ADK, got {describe(model)}")
        self._model = model
        self.provider = "google_adk"
        self.model = str(model.model)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. See `LanguageModel`."""
        last: Completion | None = None
        async with aclosing(self._responses(request, stream=False)) as pieces:
            async for piece in pieces:
                last = piece if isinstance(piece, Completion) else last
        assert last is not None
        return last

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[str | Completion]:
        """Yield the pieces of the text, and last the whole `Completion`. See `StreamingModel`."""
        async with aclosing(self._responses(request, stream=True)) as pieces:
            async for piece in pieces:
                yield piece

    async def _responses(self, request: CompletionRequest, *, stream: bool) -> AsyncGenerator[str | Completion]:
        asked = _request(self.model, request)
        told, whole, last = "", "", None
        with translated(self.provider, self.model):
            async with aclosing(self._model.generate_content_async(asked, stream=stream)) as responses:
                async for last in responses:
                    if last.error_code:
                        raise _Refused(last.error_code, last.error_message)
                    text = _text(last.content)
                    if last.partial:
                        told += text
                        yield text
                    else:
                        whole += text
        if last is None:
            raise ModelError("the model gave no response", provider=self.provider, model=self.model)
        if not told and whole:
            yield whole
        used = last.usage_metadata
        yield Completion(
            whole or told,
            model=self.model,
            usage=_usage(used),
            **ended_as(getattr(last.finish_reason, "name", None), provider=self.provider, model=self.model),
        )


class _Refused(Exception):
    """An error that a model returned instead of raising it, with the status that `translated` reads."""

    def __init__(self, code: str, message: str | None) -> None:
        super().__init__(f"{code}: {message or 'no message'}")
        self.status_code = int(code) if code.isdigit() else _STATUSES.get(code, 500)


class AgentGenerator(AgentGeneratorPart):
    """An agent as a generator. Each call is a session of its own.

    Args:
        agent: a `BaseAgent`; it belongs to the caller.

    Raises:
        ConfigurationError: it is not an agent.
    """

    def __init__(self, agent: Any) -> None:
        if not isinstance(agent, BaseAgent):
            raise ConfigurationError(f"need an agent of ADK, got {describe(agent)}")
        self._sessions = InMemorySessionService()
        self._runner = Runner(app_name="jido", agent=agent, session_service=self._sessions)

    async def _ask(self, prompt: str) -> Candidate:
        session_id = new_id("session")
        await self._sessions.create_session(app_name="jido", user_id="jido", session_id=session_id)
        message = types.Content(role="user", parts=[types.Part(text=prompt)])
        answer, usage = "", Usage()
        try:
            with translated("google_adk"):
                events = self._runner.run_async(user_id="jido", session_id=session_id, new_message=message)
                async with aclosing(events):
                    async for event in events:
                        if event.error_code:
                            raise _Refused(event.error_code, event.error_message)
                        if event.usage_metadata is not None and not event.partial:
                            usage += _usage(event.usage_metadata)
                        if event.is_final_response() and _text(event.content):
                            answer = _text(event.content)
        finally:
            await self._sessions.delete_session(app_name="jido", user_id="jido", session_id=session_id)
        return Candidate(answer, metadata={"usage": usage})


def _usage(used: Any) -> Usage:
    return usage_of(
        input_tokens=getattr(used, "prompt_token_count", None),
        output_tokens=getattr(used, "candidates_token_count", None),
        cached=getattr(used, "cached_content_token_count", None),
        reasoning=getattr(used, "thoughts_token_count", None),
    )


def _request(model: str, request: CompletionRequest) -> LlmRequest:
    messages = schema_instruction(request)
    told = "\n\n".join(message.content for message in messages if message.role == "system")
    return LlmRequest(
        model=model,
        contents=[
            types.Content(role="user" if message.role == "user" else "model", parts=[types.Part(text=message.content)])
            for message in messages
            if message.role != "system"
        ],
        config=types.GenerateContentConfig(
            system_instruction=told or None,
            temperature=request.temperature,
            top_p=request.top_p,
            max_output_tokens=request.max_tokens,
            seed=request.seed,
            stop_sequences=list(request.stop) or None,
            response_mime_type=None if request.schema is None else "application/json",
        ),
    )
