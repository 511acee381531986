"""LangGraph."""

from __future__ import annotations

from itertools import count
from typing import Any

from frameworks.host import Host as Base
from frameworks.host import Turn
from integration_helpers import PROMPT
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

from jido_ai.integrations.langgraph import reflection_node, reflection_runnable


class State(TypedDict, total=False):
    prompt: str
    draft: str
    answer: str
    answer_report: dict[str, Any]


class Two(TypedDict, total=False):
    prompt: str
    left: str
    right: str


def built(node: Any, **options: Any) -> Any:
    graph = StateGraph(State)
    graph.add_node("judge", node)
    graph.add_edge(START, "judge")
    graph.add_edge("judge", END)
    return graph.compile(**options)


class Host(Base):
    column = "LangGraph"

    async def open(self) -> None:
        self.saver: Any = InMemorySaver()
        if self.database.startswith("postgresql"):
            from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

            self.saver = await self.stack.enter_async_context(AsyncPostgresSaver.from_conn_string(self.database))
        elif self.database:
            from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

            self.saver = await self.stack.enter_async_context(AsyncSqliteSaver.from_conn_string(self.database))
        if self.database:
            await self.saver.setup()
        self.app = built(reflection_node(self.pipeline, approve=self.approve), checkpointer=self.saver)
        self.threads = count()

    async def ask(self, prompt: str = PROMPT) -> Turn:
        return await self._turn({"prompt": prompt, "answer_report": {}}, f"t{next(self.threads)}")

    async def answer(self, turn: Turn, decision: Any) -> Turn:
        thread, name = turn.place
        return await self._turn(Command(resume={name: decision}), thread)

    async def go_on(self, turn: Turn) -> Turn:
        return await self._turn(None, turn.place[0])

    async def _turn(self, given: Any, thread: str) -> Turn:
        state = await self.app.ainvoke(given, {"configurable": {"thread_id": thread}})
        if asked := state.get("__interrupt__"):
            return Turn(question=asked[0].value, place=(thread, asked[0].id))
        return Turn(state["answer"], report=state["answer_report"])

    async def both(self) -> list[str | None]:
        graph: Any = StateGraph(Two)
        for side in ("left", "right"):
            graph.add_node(f"to the {side}", reflection_node(self.pipeline, output=side, approve=self.approve))
            graph.add_edge(START, f"to the {side}")
        app, thread = graph.compile(checkpointer=self.saver), {"configurable": {"thread_id": "two"}}
        state = await app.ainvoke({"prompt": PROMPT}, thread)
        while asked := state.get("__interrupt__"):
            state = await app.ainvoke(Command(resume={one.id: True for one in asked}), thread)
        return [state["left"], state["right"]]

    async def streamed(self) -> tuple[int, str | None]:
        thread, told, text = {"configurable": {"thread_id": "s"}}, 0, None
        async for mode, piece in self.app.astream({"prompt": PROMPT}, thread, stream_mode=["custom", "values"]):
            told += mode == "custom" and piece["type"] == "Critiqued"
            text = piece.get("answer") if mode == "values" else text
        return told, text

    async def after_messages(self) -> str | None:
        before = [HumanMessage("before"), AIMessage("so"), HumanMessage(PROMPT)]
        return (await reflection_runnable(self.pipeline).ainvoke(before)).content

    async def pending(self) -> str | None:
        call = AIMessage("", tool_calls=[{"name": "look", "args": {}, "id": "1"}])
        return (await reflection_runnable(self.pipeline).ainvoke([HumanMessage(PROMPT), call])).content
