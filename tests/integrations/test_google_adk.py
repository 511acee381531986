"""A pipeline inside of Google ADK's agents and workflows, and its models and agents inside of a pipeline."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from integration_helpers import CONFIG, PROMPT, USAGE, Parts, check_survival, graphed, lone, piped

pytest.importorskip("google.adk", reason="google-adk is not installed: make test-integrations")

from frameworks.google_adk import Llm, asked, said, texts
from google.adk.agents import LlmAgent, SequentialAgent
from google.adk.apps import App, ResumabilityConfig
from google.adk.events.event import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.runners import Runner
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from google.adk.workflow import START, Workflow
from model_contract import *  # noqa: F403 - the suite

from jido_ai.errors import AuthenticationError, ComponentError, ConfigurationError, ModelError, RateLimitError
from jido_ai.integrations.google_adk import (
    AdkModel,
    AgentGenerator,
    LessonsMemoryService,
    ReflectionAgent,
    ReflectionNode,
)
from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.values import CompletionRequest, Message, Scope
from jido_ai.values import MemoryEntry as OurEntry

# -- in ----------------------------------------------------------------------------------------------


async def test_direct_and_inside_give_the_same_text_reason_count_and_usage() -> None:
    async with piped() as pipeline:
        direct = await pipeline.run(PROMPT)
        inside = (await asked(ReflectionAgent(name="judge", pipeline=pipeline)))[-1]
        node = await asked(Workflow(name="flow", edges=[(START, ReflectionNode(name="n", pipeline=pipeline))]))
    assert direct.best_candidate is not None
    assert texts([inside]) == texts(node)[-1:] == [direct.best_candidate.content] == ["v3"]
    told = inside.custom_metadata["jido"]
    assert (told["stop_reason"], told["iterations"]) == (direct.stop_reason.value, direct.total_iterations)
    assert inside.usage_metadata.prompt_token_count == 4 * USAGE.input_tokens
    assert inside.usage_metadata.candidates_token_count == 4 * USAGE.output_tokens


async def test_in_a_sequence_it_judges_the_answer_of_the_agent_before_it() -> None:
    parts = Parts()
    judge = ReflectionAgent(name="judge", pipeline=piped(parts), judges=True)
    writer = LlmAgent(name="writer", model=Llm(model="fake", text="v2"))
    events = await asked(SequentialAgent(name="team", sub_agents=[writer, judge]))
    await judge.close()
    assert texts(events) == ["v2", "v3"]
    assert parts.calls[0] == "critique v2"
    assert set(parts.seen) == {PROMPT}


@pytest.mark.parametrize("kind", [ReflectionAgent, ReflectionNode])
async def test_a_cancelled_invocation_leaves_nothing_in_flight(kind: Any) -> None:
    parts = Parts(hold=asyncio.Event())
    async with piped(parts) as pipeline:
        part = kind(name="judge", pipeline=pipeline)
        root = part if kind is ReflectionAgent else Workflow(name="flow", edges=[(START, part)])
        run = asyncio.create_task(asked(root))
        await parts.begun.wait()
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        async with asyncio.timeout(60):
            while parts.in_flight or pipeline.runs_in_flight():
                await asyncio.sleep(0)


@pytest.mark.parametrize("kind", [ReflectionAgent, ReflectionNode])
async def test_a_failing_component_is_the_error_of_the_invocation(kind: Any) -> None:
    async with piped(Parts(fail=ComponentError("broken", component="critiquer"))) as pipeline:
        part = kind(name="judge", pipeline=pipeline)
        root = part if kind is ReflectionAgent else Workflow(name="flow", edges=[(START, part)])
        with pytest.raises(Exception, match="broken"):
            await asked(root)


async def survive(pipeline: Pipeline, saved: str, kind: Any = ReflectionNode) -> str:
    part = kind(name="judge", pipeline=pipeline)
    root = part if kind is ReflectionAgent else Workflow(name="flow", edges=[(START, part)])
    app = App(name="app", root_agent=root, resumability_config=ResumabilityConfig(is_resumable=True))
    runner = Runner(app=app, session_service=SqliteSessionService(saved))
    session = await runner.session_service.get_session(app_name="app", user_id="u", session_id="s")
    if session is None:
        await runner.session_service.create_session(app_name="app", user_id="u", session_id="s")
        given: dict[str, Any] = {"new_message": said(PROMPT)}
    else:
        given = {"invocation_id": session.events[-1].invocation_id}
    return texts([event async for event in runner.run_async(user_id="u", session_id="s", **given)])[-1]


async def survive_as_an_agent(pipeline: Pipeline, saved: str) -> str:
    return await survive(pipeline, saved, ReflectionAgent)


@pytest.mark.parametrize("step", ["critique v0", "revise v1", "critique v3"])
def test_after_a_kill_only_the_step_in_flight_of_a_node_is_repeated(tmp_path: Path, step: str) -> None:
    check_survival("test_google_adk", step, tmp_path)


def test_after_a_kill_only_the_step_in_flight_of_an_agent_is_repeated(tmp_path: Path) -> None:
    check_survival("test_google_adk", "revise v1", tmp_path, "survive_as_an_agent")


@pytest.mark.parametrize("kind", [ReflectionAgent, ReflectionNode])
async def test_a_component_visited_twice_by_a_workflow_answers_twice(kind: Any) -> None:
    parts, visits = Parts(), []

    def again(node_input: Any) -> Any:
        visits.append(node_input)
        return Event(route="again" if len(visits) == 1 else "done")

    def over() -> None: ...

    async with piped(parts, memory=ReflexionMemory(store=InProcessStore())) as pipeline:
        judge = kind(name="judge", pipeline=pipeline)
        edges = [(START, judge, again), (again, {"again": judge, "done": over})]
        events = await asked(Workflow(name="flow", edges=edges))
    assert texts(events).count("v3") == 2
    assert parts.calls.count("generate") == 2


async def test_lessons_are_the_memory_of_a_runner_and_users_do_not_share_them() -> None:
    async with ReflexionMemory(store=InProcessStore()) as memory:
        service = LessonsMemoryService(memory)
        lesson = MemoryEntry(content=said("ask for the format"), custom_metadata={"prompt": PROMPT})
        await service.add_memory(app_name="a", user_id="u", memories=[lesson])
        found = await service.search_memory(app_name="a", user_id="u", query=PROMPT)
        other = await service.search_memory(app_name="a", user_id="someone else", query=PROMPT)
    assert [entry.content.parts[0].text for entry in found.memories] == ["ask for the format"]
    assert other.memories == []


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("how would you parse a date?", "date formats"),  # the words of the prompt
        ("", "which format?"),  # those of the lesson
        ("how would you parse a date?", "which format?"),
    ],
)
async def test_the_memory_of_a_runner_finds_what_was_stored_by_words(prompt: str, query: str) -> None:
    async with ReflexionMemory(store=InProcessStore()) as memory:
        service = LessonsMemoryService(memory)
        lessons = [MemoryEntry(content=said(text)) for text in ("ask for the format", "count from zero")]
        await service.add_memory(app_name="a", user_id="u", memories=lessons, custom_metadata={"prompt": prompt})
        found = await service.search_memory(app_name="a", user_id="u", query=query)
        nothing = await service.search_memory(app_name="a", user_id="u", query="unheard of")
    assert found.memories[-1 if "date" in query else 0].content.parts[0].text == "ask for the format"
    assert len(found.memories) == (2 if "date" in query else 1)
    assert nothing.memories == []


async def test_the_memory_of_a_runner_finds_what_a_pipeline_learned_in_the_default_scope() -> None:
    async with ReflexionMemory(store=InProcessStore()) as memory:
        await memory.store(OurEntry(PROMPT, "guessed", "ask for the format"))
        everywhere, mine = LessonsMemoryService(memory), LessonsMemoryService(memory, scope=Scope(tenant="x"))
        found = [await one.search_memory(app_name="a", user_id="u", query=PROMPT) for one in (everywhere, mine)]
    assert [len(one.memories) for one in found] == [1, 0]


async def test_a_blocking_pipeline_can_replace_a_pipeline() -> None:
    with BlockingPipeline(piped()) as blocking:
        events = await asked(ReflectionAgent(name="answer", pipeline=blocking))
    assert texts(events) == ["v3"]


async def test_a_graph_can_replace_a_pipeline() -> None:
    parts = Parts()
    async with graphed() as graph, graphed(parts, judges=True) as judge:
        (event,) = await asked(ReflectionAgent(name="answer", pipeline=graph))
        writer = LlmAgent(name="writer", model=Llm(model="fake", text="v2"))
        editor = ReflectionAgent(name="editor", pipeline=judge, judges=True)
        events = await asked(Workflow(name="flow", edges=[(START, writer, editor)]))
    assert texts([event]) == ["v3"]
    assert event.custom_metadata["jido"]["stop_reason"] == "completed"
    assert event.usage_metadata.prompt_token_count == 4 * USAGE.input_tokens
    assert (texts(events), parts.calls[0]) == (["v2", "v3"], "critique v2")
    parts = Parts()
    editor = ReflectionAgent(name="editor", pipeline=lone(parts), judges=True)
    writer = LlmAgent(name="writer", model=Llm(model="fake", text="v2"))
    events = await asked(Workflow(name="flow", edges=[(START, writer, editor)]))
    assert (texts(events), parts.calls[0]) == (["v2", "v3"], "critique v2"), "its only input is what it judges"
    with pytest.raises(ConfigurationError, match="needs a journal"):
        ReflectionNode(name="judge", pipeline=piped(), approve=True)


# -- out ---------------------------------------------------------------------------------------------


@pytest.fixture(params=["google_adk"])
def model(request: pytest.FixtureRequest) -> AdkModel:
    return AdkModel(Llm(model="fake"))


def _raised(status: int) -> Exception:
    error = RuntimeError("no")
    error.code = status  # type: ignore[attr-defined]
    return error


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (_raised(429), RateLimitError),
        (_raised(401), AuthenticationError),
        ("RESOURCE_EXHAUSTED", RateLimitError),
        ("UNAUTHENTICATED", AuthenticationError),
        ("UNKNOWN", ModelError),
        (_raised(418), ModelError),
    ],
)
async def test_a_refusal_of_the_model_is_a_refusal_error_after_one_call(error: Any, kind: type[Exception]) -> None:
    llm = Llm(model="fake", error=error)
    with pytest.raises(kind):
        await AdkModel(llm).complete(CompletionRequest((Message("user", "hi"),)))
    assert llm.calls == 1


async def test_an_agent_can_generate_and_keeps_no_session() -> None:
    parts = Parts()
    generator = AgentGenerator(LlmAgent(name="writer", model=Llm(model="fake", text="v2")))
    async with Pipeline(generator, parts, parts, config=CONFIG) as pipeline:
        result = await pipeline.run(PROMPT)
    assert result.best_candidate is not None
    assert result.best_candidate.content == "v3"
    assert result.usage.input_tokens == 7 + USAGE.input_tokens
    assert (await generator._sessions.list_sessions(app_name="jido", user_id="jido")).sessions == []
