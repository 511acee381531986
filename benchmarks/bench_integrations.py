"""What a framework with our part in it costs beyond the framework's own and beyond a direct run.

$ .venv-integrations-frameworks/bin/python benchmarks/bench_integrations.py langgraph a2a
$ .venv-integrations-dspy/bin/python benchmarks/bench_integrations.py dspy

A run has four candidates and no model. Overhead is the run inside of the framework, less the same framework with a part
that only answers, less the direct run: the median of rounds whose three kinds of runs alternate. It is time of the
processor, which other work on the machine does not change.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

os.environ |= {"OTEL_SDK_DISABLED": "true", "CREWAI_DISABLE_TELEMETRY": "true", "CREWAI_TESTING": "true"}

from jido_ai import Candidate, CritiqueResult, LoopConfig, Pipeline, RunContext

ROUNDS, RUNS = 7, 60
PROMPT = "how would you parse a date?"
CONFIG = LoopConfig(max_iterations=6, change_threshold=0.0, score_threshold=0.01, severity_threshold=0.1)
PACKAGES = {
    "a2a": ("a2a-sdk", "a2a.server.agent_execution, a2a.helpers.proto_helpers"),
    "ag_ui": ("ag-ui-protocol", "ag_ui.core, ag_ui.encoder, fastapi"),
    "agent_framework": ("agent-framework-core", "agent_framework"),
    "autogen": ("autogen-agentchat", "autogen_agentchat.agents, autogen_core.models"),
    "crewai": ("crewai", "crewai.tools"),
    "dspy": ("dspy", "dspy"),
    "google_adk": ("google-adk", "google.adk.agents, google.adk.runners, google.adk.workflow"),
    "langgraph": ("langgraph", "langgraph.graph, langchain_core.runnables"),
    "openai_agents": ("openai-agents", "agents"),
    "pydantic_ai": ("pydantic-ai-slim", "pydantic_ai, pydantic_ai.models"),
}
Run = Callable[[], Awaitable[Any]]


async def write(prompt: str, context: RunContext) -> str:
    return "v0"


async def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    number = int(candidate.content[-1])
    return CritiqueResult(severity=(0.9, 0.75, 0.6, 0.0)[number], issues=[] if number == 3 else ["not good enough"])


async def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
    return f"v{int(candidate.content[-1]) + 1}"


def langgraph(pipeline: Pipeline) -> tuple[Run, Run]:
    from langgraph.graph import START, StateGraph
    from typing_extensions import TypedDict

    from jido_ai.integrations.langgraph import reflection_node

    State = TypedDict("State", {"prompt": str, "answer": str}, total=False)  # noqa: UP013 - made where it is used

    async def answer(state: Any) -> Any:
        return {"answer": "v3"}

    def app(node: Any) -> Run:
        graph = StateGraph(State)
        graph.add_node("node", node)
        graph.add_edge(START, "node")
        built = graph.compile()
        return lambda: built.ainvoke({"prompt": PROMPT})

    return app(reflection_node(pipeline)), app(answer)


def pydantic_ai(pipeline: Pipeline) -> tuple[Run, Run]:
    from pydantic_ai import Agent
    from pydantic_ai.models.test import TestModel

    from jido_ai.integrations.pydantic_ai import Reflect

    model = TestModel(custom_output_text="v0")
    inside, alone = Agent(model, capabilities=[Reflect(pipeline)]), Agent(model)
    return lambda: inside.run(PROMPT), lambda: alone.run(PROMPT)


def autogen(pipeline: Pipeline) -> tuple[Run, Run]:
    from autogen_agentchat.agents import BaseChatAgent
    from autogen_agentchat.base import Response
    from autogen_agentchat.messages import TextMessage

    from jido_ai.integrations.autogen import ReflectionAgent

    class Answer(BaseChatAgent):
        produced_message_types = (TextMessage,)

        async def on_messages(self, messages: Any, cancellation_token: Any) -> Any:
            return Response(chat_message=TextMessage(content="v3", source=self.name))

        async def on_reset(self, cancellation_token: Any) -> None: ...

    inside, alone = ReflectionAgent("a", pipeline), Answer("a", "")
    return lambda: inside.run(task=PROMPT), lambda: alone.run(task=PROMPT)


def agent_framework(pipeline: Pipeline) -> tuple[Run, Run]:
    from agent_framework import Executor, WorkflowBuilder, handler

    from jido_ai.integrations.agent_framework import ReflectionExecutor

    class Answer(Executor):
        @handler(input=str, workflow_output=str)
        async def answer(self, prompt, ctx) -> None:
            await ctx.yield_output("v3")

    def run(make: Any) -> Run:
        def go() -> Any:
            executor = make()
            return WorkflowBuilder(start_executor=executor, output_from=[executor]).build().run(PROMPT)

        return go

    return run(lambda: ReflectionExecutor(pipeline)), run(lambda: Answer("answer"))


def openai_agents(pipeline: Pipeline) -> tuple[Run, Run]:
    from agents import Agent, FunctionTool, Runner, set_tracing_disabled
    from agents.testing import ScriptedModel, assistant_message, function_call

    from jido_ai.integrations.openai_agents import reflection_tool

    set_tracing_disabled(True)
    ours = reflection_tool(pipeline)

    async def invoke(ctx: Any, arguments: str) -> str:
        return "v3"

    theirs = FunctionTool("reflect", ours.description, ours.params_json_schema, invoke)

    def run(tool: Any) -> Any:
        steps = [[function_call("reflect", {"task": PROMPT}, call_id="1")], [assistant_message("done")]]
        return Runner.run(Agent("a", model=ScriptedModel(steps), tools=[tool]), "go")

    return lambda: run(ours), lambda: run(theirs)


def google_adk(pipeline: Pipeline) -> tuple[Run, Run]:
    from google.adk.agents import BaseAgent
    from google.adk.events.event import Event
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    from jido_ai.integrations.google_adk import ReflectionAgent

    class Answer(BaseAgent):
        async def _run_async_impl(self, ctx: Any) -> Any:
            yield Event(author=self.name, invocation_id=ctx.invocation_id, content=types.ModelContent("v3"))

    def run(agent: Any) -> Run:
        runner = InMemoryRunner(node=agent)

        async def go() -> None:
            session = await runner.session_service.create_session(app_name=runner.app_name, user_id="u")
            message = types.UserContent(PROMPT)
            async for _ in runner.run_async(user_id="u", session_id=session.id, new_message=message):
                pass

        return go

    return run(ReflectionAgent(name="a", pipeline=pipeline)), run(Answer(name="a"))


def dspy(pipeline: Pipeline) -> tuple[Run, Run]:
    """Four calls of a module are the framework's own."""
    import dspy as library

    from jido_ai.integrations.dspy import ReflectiveModule

    class Answer(library.Module):
        def __init__(self) -> None:
            super().__init__()
            self.count = [0]

        async def aforward(self, **inputs: Any) -> Any:
            self.count[0] += 1
            return library.Prediction(answer=f"v{(self.count[0] - 1) % 4}")

        def deepcopy(self) -> Any:
            return self

    inside, alone = ReflectiveModule(Answer(), critiquer=judge, config=CONFIG), Answer()

    async def four() -> None:
        for _ in range(4):
            await alone.acall(question=PROMPT)

    return lambda: inside.acall(question=PROMPT), four


def crewai(pipeline: Pipeline) -> tuple[Run, Run]:
    """A tool is called as CrewAI does: without an event loop, in a thread."""
    from crewai.tools import BaseTool

    from jido_ai.integrations.crewai import reflection_tool

    class Answer(BaseTool):
        name: str = "reflect"
        description: str = "answers"

        def _run(self, prompt: str) -> str:
            return "v3"

    inside, alone = reflection_tool(pipeline), Answer()
    return (
        lambda: asyncio.to_thread(inside.run, prompt=PROMPT),
        lambda: asyncio.to_thread(alone.run, prompt=PROMPT),
    )


def a2a(pipeline: Pipeline) -> tuple[Run, Run]:
    import httpx
    from a2a.client import ClientConfig, ClientFactory
    from a2a.helpers.proto_helpers import new_task, new_text_message, new_text_part
    from a2a.server.agent_execution import AgentExecutor
    from a2a.server.request_handlers import DefaultRequestHandler
    from a2a.server.routes import create_jsonrpc_routes
    from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
    from a2a.types import Role, SendMessageRequest, TaskState
    from starlette.applications import Starlette

    from jido_ai.integrations.a2a import ReflectionExecutor, agent_card

    class Answer(AgentExecutor):
        """Sends the same number of events."""

        async def execute(self, context: Any, event_queue: Any) -> None:
            submitted = TaskState.TASK_STATE_SUBMITTED
            task = new_task(context.task_id, context.context_id, submitted, history=[context.message])
            await event_queue.enqueue_event(task)
            updater = TaskUpdater(event_queue, context.task_id, context.context_id)
            for _ in range(5):
                await updater.start_work(updater.new_agent_message([new_text_part("{}", "application/json")]))
            await updater.add_artifact([new_text_part("v3")], name="answer")
            await updater.complete()

        async def cancel(self, context: Any, event_queue: Any) -> None: ...

    def run(executor: Any) -> Run:
        card = agent_card(url="http://test/", name="judge")
        handler = DefaultRequestHandler(executor, InMemoryTaskStore(), card)
        app = Starlette(routes=create_jsonrpc_routes(handler, "/"))
        http = httpx.AsyncClient(transport=httpx.ASGITransport(app))
        client = ClientFactory(ClientConfig(httpx_client=http)).create(card)

        async def go() -> None:
            message = new_text_message(PROMPT, role=Role.ROLE_USER)
            async for _ in client.send_message(SendMessageRequest(message=message)):
                pass

        return go

    return run(ReflectionExecutor(pipeline)), run(Answer())


def ag_ui(pipeline: Pipeline) -> tuple[Run, Run]:
    import httpx
    from ag_ui.core import RunAgentInput, StateDeltaEvent
    from ag_ui.encoder import EventEncoder
    from fastapi import APIRouter, FastAPI
    from fastapi.responses import StreamingResponse

    from jido_ai.integrations.ag_ui import router

    answering = APIRouter()

    @answering.post("/")
    async def answer(asked: dict[str, Any]) -> StreamingResponse:
        RunAgentInput.model_validate(asked)

        async def lines() -> Any:
            for _ in range(11):  # as many events
                yield EventEncoder().encode(StateDeltaEvent(delta=[{"op": "add", "path": "/x", "value": "v3"}]))

        return StreamingResponse(lines(), media_type="text/event-stream")

    def run(routes: Any) -> Run:
        app = FastAPI()
        app.include_router(routes)
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test")
        message = {"id": "1", "role": "user", "content": PROMPT}
        rest: dict[str, Any] = {"state": {}, "tools": [], "context": [], "forwardedProps": {}}
        given = {"threadId": "t", "runId": "r", "messages": [message], **rest}
        return lambda: client.post("/", json=given)

    return run(router(pipeline)), run(answering)


async def measured(name: str) -> list[float]:
    """Return the overhead of each round, in ms of the processor, after a first round that is left out."""
    found: list[float] = []
    async with Pipeline(write, judge, revise, config=CONFIG) as pipeline:
        inside, alone = globals()[name](pipeline)
        for _ in range(ROUNDS + 1):
            spent: dict[str, list[float]] = {"inside": [], "alone": [], "direct": []}
            for _ in range(RUNS):
                for kind, run in (("inside", inside), ("alone", alone), ("direct", lambda: pipeline.run(PROMPT))):
                    began = time.process_time()
                    await run()
                    spent[kind].append(time.process_time() - began)
            middle = {kind: statistics.median(times) for kind, times in spent.items()}
            found.append(1000 * (middle["inside"] - middle["alone"] - middle["direct"]))
    return found[1:]


def import_ms(code: str) -> float:
    """Return the median time of a fresh process that does this, in ms."""
    times: list[float] = []
    for _ in range(5):
        timed = f"import time; began = time.perf_counter(); {code}; print(time.perf_counter() - began)"
        times.append(float(subprocess.run([sys.executable, "-c", timed], capture_output=True, check=True).stdout))
    return 1000 * statistics.median(times)


def main(names: list[str]) -> None:
    heads = f"{'overhead ms':>13}{'(rounds)':>18}{'import ms':>11}{'of theirs':>11}{'lines':>7}"
    print(f"{'framework':16}{'version':>9}{heads}")
    for name in names:
        package, modules = PACKAGES[name]
        found = asyncio.run(measured(name))
        whole, theirs = import_ms(f"import jido_ai.integrations.{name}"), import_ms(f"import {modules}")
        path = Path(str(importlib.import_module(f"jido_ai.integrations.{name}").__file__))
        lines = len(path.read_text("utf-8").splitlines())
        spread = f"{min(found):.2f} to {max(found):.2f}"
        print(
            f"{name:16}{version(package):>9}{statistics.median(found):13.2f}{spread:>18}"
            f"{whole:11.0f}{theirs:11.0f}{lines:7}"
        )


if __name__ == "__main__":
    main(sys.argv[1:] or sorted(PACKAGES))
