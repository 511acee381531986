"""The tools that use the memory: recall, remember and reflect."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context
from pydantic import AliasChoices, AwareDatetime, BaseModel, ConfigDict, Field

from jido_ai.learning.lesson_counts import counts_of
from jido_ai.loop.memory import remember as remember_episodes
from jido_ai.loop.pipeline import Pipeline
from jido_ai.mcp.limits import LARGEST_LESSON, NEEDED, NOT_BLANK, Caller, CallerOf, as_tool_error, permitted
from jido_ai.mcp.replies import RecallReply, ReflectReply, RememberReply, lesson_reply
from jido_ai.mcp.runs import Runner
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.reflection.reflector import Reflector
from jido_ai.values import Episode, Event, EventType, MemoryEntry, MemoryKind, Outcome, Reflection

Words = Annotated[str, Field(max_length=LARGEST_LESSON), NOT_BLANK]
Task = Annotated[str, NEEDED, Field(max_length=LARGEST_LESSON), NOT_BLANK]
_AGENT = "mcp"


class EventArgument(BaseModel):
    """One event of an attempt, as a caller describes it."""

    model_config = ConfigDict(extra="forbid")

    type: Literal[
        "tool_call", "tool_response", "llm_call", "llm_response", "user_input", "system_event", "error_event"
    ] = Field(default="system_event", validation_alias=AliasChoices("type", "event_type"))
    content: Annotated[str, Field(max_length=LARGEST_LESSON)] = ""
    tool_name: Annotated[str, Field(max_length=255)] | None = None
    error: Annotated[str, Field(max_length=LARGEST_LESSON)] | None = None
    timestamp: AwareDatetime | None = None
    event_id: Annotated[str, Field(max_length=255)] | None = None
    metadata: dict[str, Any] | None = None


class MemoryTools:
    """The tools recall, remember and reflect.

    Args:
        runner: a pipeline that it serves reflects, if it is the only one or is named "default".
    """

    def __init__(self, runner: Runner, memory: ReflexionMemory, caller_of: CallerOf) -> None:
        self._runner = runner
        self._memory = memory
        self._caller_of = caller_of
        pipelines = [name for name, one in runner.served.items() if isinstance(one, Pipeline)]
        only = pipelines[0] if len(pipelines) == 1 else ""
        self._name = "default" if "default" in pipelines else only

    async def recall(
        self,
        context: Context[Any, Any],
        query: Annotated[Task, Field(description="The task at hand.")],
        max_results: Annotated[int, Field(ge=1, le=20, strict=True)] = 5,
    ) -> RecallReply:
        """Find lessons from earlier attempts at similar tasks."""
        with as_tool_error():
            caller = permitted(self._caller_of, context, "memory")
            found = await self._memory.retrieve_similar(query, max_results, scope=caller.scope)
            counts = await counts_of(self._memory, [one.entry for one in found])
            return RecallReply(lessons=[lesson_reply(one, counts[one.entry.scope, one.entry.id]) for one in found])

    async def remember(
        self,
        context: Context[Any, Any],
        prompt: Annotated[Task, Field(description="The task at which the mistake was made.")],
        mistake: Annotated[Words, Field(description="What went wrong.")] = "",
        correction: Annotated[Words, Field(description="What to do instead.")] = "",
        reward: Annotated[
            float | None, Field(ge=-1.0, le=1.0, description="How good the attempt was, from -1 to 1.")
        ] = None,
    ) -> RememberReply:
        """Store a lesson, so that later attempts at similar tasks find it."""
        with as_tool_error():
            caller = permitted(self._caller_of, context, "memory")
            entry = MemoryEntry(
                prompt,
                mistake,
                correction,
                reward=reward,
                kind=MemoryKind.SEMANTIC,
                scope=caller.scope,
                agent_id=_AGENT,
                source=_AGENT,
            )
            kept = await self._memory.store(entry)
            return RememberReply(id=kept.id, frequency=kept.frequency)

    async def reflect(
        self,
        context: Context[Any, Any],
        description: Annotated[Task, Field(description="The task of the attempt.")],
        events: Annotated[
            list[EventArgument | Task], Field(min_length=1, max_length=1000, description="What happened, in order.")
        ],
        outcome: Annotated[
            Literal["success", "failure", "partial", "timeout", "error", "cancelled", "unknown"],
            Field(description="How it ended."),
        ],
    ) -> ReflectReply:
        """Learn from an attempt that you made yourself: return what went wrong, and store the lesson."""
        with as_tool_error():
            caller = permitted(self._caller_of, context, "memory")
            episode = Episode(
                description,
                scope=caller.scope,
                agent_id=_AGENT,
                events=tuple(_event(event) for event in events),
                outcome=Outcome(outcome),
                error=_error_in(events),
            )
            reflection = await self._reflected(episode, caller)
            stored = await remember_episodes(self._memory, [episode.replace(reflection=reflection)])
            return _reply(episode, reflection, stored[0].id if stored else None)

    async def _reflected(self, episode: Episode, caller: Caller) -> Reflection:
        pipeline = self._runner.served.get(self._name)
        if isinstance(pipeline, Pipeline) and pipeline.memory is self._memory:
            return await self._runner.beside(self._name, caller, partial(pipeline.reflection_on, episode))
        return await self._runner.beside("reflections", caller, partial(Reflector().reflect, episode))


def _event(given: EventArgument | str) -> Event:
    if isinstance(given, str):
        return Event(EventType.SYSTEM_EVENT, given)
    told = {"id": given.event_id, "timestamp": given.timestamp, "metadata": given.metadata}
    more: dict[str, Any] = {name: one for name, one in told.items() if one is not None}
    return Event(EventType(given.type), given.content, tool_name=given.tool_name, error=given.error, **more)


def _error_in(events: list[EventArgument | str]) -> str | None:
    errors = [event.error for event in events if isinstance(event, EventArgument) and event.error]
    return errors[-1] if errors else None


def _reply(episode: Episode, reflection: Reflection, lesson_id: str | None) -> ReflectReply:
    return ReflectReply(
        reflection_id=episode.id,
        lesson_id=lesson_id,
        reflection=reflection.lesson,
        root_cause=reflection.root_cause,
        strategy=reflection.strategy,
        importance=reflection.importance,
        confidence=reflection.confidence,
        tags=list(reflection.tags),
    )
