"""Lets an MCP client improve a text, ask a person about it, and find a lesson. Needs mcp; runs without a key.

$ python examples/integrations/with_mcp.py
tools: improve, critique, run, recall, remember, reflect
iteration 1: score 0.10, severity 0.90, 1 issue
person: Approve this text? Hello, World.
iteration 2: score 1.00, severity 0.00, 0 issues
completed: Hello, World.
lesson: write names with a capital letter
"""

import asyncio
from typing import Any

from mcp import Client
from mcp_types import ElicitResult

from jido_ai import SUSPEND, CritiqueResult, Pipeline
from jido_ai.mcp import create_server


def critique(candidate: Any, context: Any) -> CritiqueResult:
    if "World" in candidate.content:
        return CritiqueResult(severity=0.0)
    return CritiqueResult(severity=0.9, issues=["the name needs a capital letter"])


def revise(candidate: Any, judgement: CritiqueResult, context: Any) -> str:
    return candidate.content.title()


def ask_a_person(*_: Any) -> Any:
    return SUSPEND  # the client asks one, and calls again with the answer


async def person(context: Any, question: Any) -> ElicitResult:
    words = " ".join(question.message.partition("Approve")[2].partition("It was made")[0].split())
    print(f"person: Approve {words}")
    return ElicitResult(action="accept", content={"decision": "yes"})


async def progress(steps: float, total: float | None, message: str | None) -> None:
    print(message)


async def main() -> None:
    server = create_server({"polish": Pipeline(None, critique, revise, approve=ask_a_person)})
    async with Client(server, elicitation_callback=person) as client:
        tools = await client.list_tools()
        print("tools:", ", ".join(tool.name for tool in tools.tools))
        result: Any = await client.call_tool("improve", {"text": "hello, world."}, progress_callback=progress)
        print(f"{result.structured_content['status']}: {result.structured_content['best_candidate']}")
        lesson = {"prompt": "greet the world", "correction": "write names with a capital letter"}
        await client.call_tool("remember", lesson)
        found: Any = await client.call_tool("recall", {"query": "greet the world"})
        print("lesson:", found.structured_content["lessons"][0]["correction"])


asyncio.run(main())
