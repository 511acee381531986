"""The prompts: texts for a person to start with. Their arguments stand in marked blocks, as data. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from mcp.server.mcpserver import MCPServer
from mcp_types import Prompt

from jido_ai.errors import describe
from jido_ai.models.prompts.template import DATA_NOTE, data_blocks


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


def fault_of_prompt(params: Mapping[str, Any], prompts: Sequence[Prompt]) -> str | None:
    """Return the fault of a request for one of the prompts; None without one."""
    name: object = params.get("name")
    given: object = params.get("arguments") or {}
    prompt = next((one for one in prompts if one.name == name), None)
    if prompt is None:
        return f"there is no prompt {describe(name)}; known: {', '.join(one.name for one in prompts)}"
    if not isinstance(given, Mapping):
        return None  # the protocol's check refuses it
    values = cast("Mapping[str, Any]", given)
    arguments = prompt.arguments or []
    known = [one.name for one in arguments]
    for argument in values:
        if argument not in known:
            return f"the prompt {name!r} takes no argument {argument!r}; known: {', '.join(known) or 'none'}"
    for one in arguments:
        value: object = values.get(one.name)
        if one.required and not (isinstance(value, str) and value.strip()):
            return f"the prompt {name!r} needs the argument {one.name!r}, not blank"
    return None


def _with_blocks(instruction: str, blocks: dict[str, str]) -> str:
    texts = data_blocks([(name, text) for name, text in blocks.items() if text])
    return "\n\n".join([f"{instruction} {DATA_NOTE}", *texts])
