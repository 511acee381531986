"""Google ADK."""

from __future__ import annotations

from typing import Any

from frameworks.host import Host as Base
from frameworks.host import Turn
from google.adk.agents import LlmAgent
from google.adk.apps import App, ResumabilityConfig
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner, Runner
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.adk.tools.long_running_tool import LongRunningFunctionTool
from google.adk.workflow import START, Workflow
from google.genai import types
from integration_helpers import PROMPT

from jido_ai.integrations.google_adk import ReflectionAgent, ReflectionNode

SPENT = types.GenerateContentResponseUsageMetadata(prompt_token_count=7, candidates_token_count=2)


class Llm(BaseLlm):
    """A model without a provider."""

    text: str = "well then"
    error: Any = None
    call: Any = None
    calls: int = 0

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> Any:
        self.calls += 1
        if isinstance(self.error, Exception):
            raise self.error
        if self.error is not None:
            yield LlmResponse(error_code=self.error, error_message="no")
            return
        if self.call is not None:
            yield LlmResponse(content=types.Content(role="model", parts=[types.Part(function_call=self.call)]))
            return
        text = '{"score": 7, "verdict": "accept"}' if "JSON" in str(llm_request.contents[-1]) else self.text
        if stream:
            for piece in text.partition(" "):
                yield LlmResponse(content=said(piece, "model"), partial=True)
        yield LlmResponse(content=said(text, "model"), usage_metadata=SPENT)


def said(text: str, role: str = "user") -> types.Content:
    return types.Content(role=role, parts=[types.Part(text=text)])


def texts(events: list[Any]) -> list[str]:
    return [event.content.parts[0].text for event in events if event.content and event.content.parts[0].text]


async def asked(root: Any, message: Any = PROMPT, *, runner: Any = None, session: Any = None) -> list[Any]:
    runner = runner or InMemoryRunner(node=root)
    session = session or await runner.session_service.create_session(app_name=runner.app_name, user_id="u")
    content = said(message) if isinstance(message, str) else message
    return [event async for event in runner.run_async(user_id="u", session_id=session.id, new_message=content)]


class Host(Base):
    column = "Google ADK"

    async def open(self) -> None:
        service: Any = InMemorySessionService()
        if self.database.startswith("postgresql"):
            from google.adk.sessions.database_session_service import DatabaseSessionService

            service = DatabaseSessionService(self.database.replace("postgresql", "postgresql+asyncpg", 1))
            self.stack.push_async_callback(service.close)
        elif self.database:
            from google.adk.sessions.sqlite_session_service import SqliteSessionService

            service = SqliteSessionService(self.database)
        node = ReflectionNode(name="judge", pipeline=self.pipeline, approve=self.approve)
        root = Workflow(name="flow", edges=[(START, node)])
        app = App(name="app", root_agent=root, resumability_config=ResumabilityConfig(is_resumable=True))
        self.runner = Runner(app=app, session_service=service)

    async def ask(self, prompt: str = PROMPT) -> Turn:
        session = await self.runner.session_service.create_session(app_name="app", user_id="u")
        return await self._turn(said(prompt), session.id)

    async def answer(self, turn: Turn, decision: Any) -> Turn:
        session, call = turn.place
        answer = types.FunctionResponse(id=call[0], name=call[1], response={"result": decision})
        return await self._turn(types.Content(role="user", parts=[types.Part(function_response=answer)]), session)

    async def go_on(self, turn: Turn) -> Turn:
        session, call = turn.place
        return await self._turn(None, session, invocation_id=call[2])

    async def _turn(self, message: Any, session: str, **options: Any) -> Turn:
        run = self.runner.run_async(user_id="u", session_id=session, new_message=message, **options)
        events = [event async for event in run]
        for event in events:
            for call in event.get_function_calls():
                place = session, (call.id, call.name, event.invocation_id)
                return Turn(question=call.args["payload"], place=place)
        reports = [event.custom_metadata["jido"] for event in events if event.custom_metadata]
        return Turn((texts(events) or [None])[-1], report=reports[-1] if reports else {})

    async def both(self) -> list[str | None]:
        agents = [ReflectionAgent(name=side, pipeline=self.pipeline) for side in ("left", "right")]
        return texts(await asked(Workflow(name="team", edges=[(START, one) for one in agents])))

    async def streamed(self) -> tuple[int, str | None]:
        return 0, (await self.ask()).text

    async def after_messages(self) -> str | None:
        session = await self.runner.session_service.create_session(app_name="app", user_id="u")
        await self._turn(said("before"), session.id)
        return (await self._turn(said(PROMPT), session.id)).text

    async def pending(self) -> str | None:
        def look() -> None:
            """Look."""

        call = types.FunctionCall(id="1", name="look", args={})
        writer = LlmAgent(name="writer", model=Llm(model="fake", call=call), tools=[LongRunningFunctionTool(look)])
        judge = ReflectionAgent(name="judge", pipeline=self.pipeline, judges=True)
        events = await asked(Workflow(name="team", edges=[(START, writer, judge)]))
        return (texts(events) or [None])[-1]
