"""The prompts: texts for a person to start with. Their arguments stand in marked blocks, as data. Pure."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import MCPServer

from jido_ai.models.prompts.template import DATA_NOTE, data_blocks

__all__ = ["add_prompts", "critique_this", "reflect_on"]


def critique_this(text: str, task: str = "") -> str:
    """Ask for a critique of a text, and for an improved version if it is worth it."""
    blocks = {"text": text, "task": task}
    return _with_blocks(
        "Call the tool critique for the text below, with the task if there is one. Show its score, its severity and "
        "its issues, the most severe first. If the severity is 0.3 or more, offer to call improve.",
        blocks,
    )


def reflect_on(attempt: str, outcome: str = "") -> str:
    """Ask for a reflection on an attempt, and store its lesson."""
    blocks = {"attempt": attempt, "outcome": outcome}
    return _with_blocks(
        "Call the tool reflect for the attempt below: describe the task in one sentence, give what happened as events "
        "in order, and say how it ended. Then show the lesson in one sentence.",
        blocks,
    )


def add_prompts(server: MCPServer[Any]) -> None:
    """Register the prompts with a server."""
    server.prompt(title="Critique this")(critique_this)
    server.prompt(title="Reflect on an attempt")(reflect_on)


def _with_blocks(instruction: str, blocks: dict[str, str]) -> str:
    texts = data_blocks([(name, text) for name, text in blocks.items() if text])
    return "\n\n".join([f"{instruction} {DATA_NOTE}", *texts])
