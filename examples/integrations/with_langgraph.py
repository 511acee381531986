"""Judge and revise the draft of a LangGraph node.

$ python examples/integrations/with_langgraph.py
0.2 Supervisors are a very good idea, really useful.
0.6 Supervisors are a good idea, really useful.
1.0 Supervisors are a good idea, useful.
answer: Supervisors are a good idea, useful.
"""

import asyncio
from typing import TypedDict

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langgraph.graph import START, StateGraph

from jido_ai import Candidate, CritiqueResult, Pipeline, RunContext
from jido_ai.integrations.langgraph import reflection_node


class State(TypedDict, total=False):
    prompt: str
    draft: str
    answer: str


chat = GenericFakeChatModel(messages=iter(["Supervisors are a very good idea, really useful."]))  # your own chat model


async def write(state: State) -> State:
    return {"draft": (await chat.ainvoke(state["prompt"])).text}


def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    issues = [f"{word!r} says nothing" for word in ("very", "really") if word in candidate.content]
    return CritiqueResult(severity=0.4 * len(issues), issues=issues)


def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
    word = "very " if "very" in candidate.content else "really "
    return candidate.content.replace(word, "")


async def main() -> None:
    async with Pipeline(None, judge, revise) as pipeline:
        graph = StateGraph(State)
        graph.add_node("write", write)
        graph.add_node("judge", reflection_node(pipeline))
        graph.add_edge(START, "write")
        graph.add_edge("write", "judge")
        app = graph.compile()
        async for mode, event in app.astream({"prompt": "Praise supervisors."}, stream_mode=["custom", "values"]):
            if mode == "custom" and event["type"] == "Critiqued":
                print(round(event["iteration"]["candidate"]["score"], 1), event["iteration"]["candidate"]["content"])
            elif mode == "values" and "answer" in event:
                print("answer:", event["answer"])


asyncio.run(main())
