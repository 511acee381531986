"""Each kind of type is right at each kind of server, with the calls that the page on typed answers names."""

from __future__ import annotations

import json
from typing import Any

import pytest
from model_servers.typed_server import KINDS, Kind, TypedServer
from model_servers.wire import Form
from pydantic import TypeAdapter
from typed_table import PAGE, TYPES, cell, cell_in

from jido_ai import reflect
from jido_ai.models import AnthropicModel, OllamaModel
from jido_ai.text.output_type import output_type

CASES = [case for cases in TYPES.values() for case in cases]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TYPES)
async def test_a_type_is_right_at_a_server_with_the_calls_that_the_page_names(name: str, kind: Kind) -> None:
    told = cell_in(PAGE.read_text("utf-8"), name, kind)
    assert told in ("1", "2, then 1"), "more than one refused request is too much"
    assert await cell(kind, TYPES[name]) == told, "renew it: python tests/models/typed_table.py"


@pytest.mark.parametrize(
    ("form", "kind"), [("anthropic", "loose"), ("ollama", "loose"), ("ollama", "in thoughts"), ("ollama", "ignoring")]
)
async def test_each_type_takes_one_call_of_other_providers(form: Form, kind: Kind) -> None:
    wrong: list[str] = []
    for output, value in CASES:
        with TypedServer(kind, value) as server:
            at: Any = AnthropicModel if form == "anthropic" else OllamaModel
            async with at(
                "m", base_url=server.base_url(form), api_key="k", enforces_schema=kind != "ignoring"
            ) as model:
                result: Any = await reflect("Say what is there.", output=output, generator=model)
            wanted = value if isinstance(output, dict) else TypeAdapter(output).validate_python(value)
            if (result.output, len(server.requests), server.impossible) != (wanted, 1, []):
                wrong.append(f"{output}: {result.output}, {len(server.requests)} requests")
    assert wrong == []


@pytest.mark.parametrize("is_wrapped", [False, True])
@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "```json\n{}\n```",
        "~~~\n{}\n~~~\nDone.",
        "Here [1] it is, as you asked:\n{}\nAnything else?",
        "\ufeff{}\n",
    ],
)
def test_each_type_is_read_with_words_and_fences_around_it_wrapped_or_not(around: str, is_wrapped: bool) -> None:
    for output, value in CASES:
        if isinstance(value, str | int) and not is_wrapped:
            continue  # a word alone is what it is
        kind = output_type(output)
        has_wrapper = list(kind.schema.get("properties", ())) == ["value"]
        text = json.dumps({"value": value} if is_wrapped and has_wrapper else value)
        reading = kind.read(around.replace("{}", text), is_reply=True)
        wanted = value if isinstance(output, dict) else TypeAdapter(output).validate_python(value)
        assert (reading.value, reading.issues) == (wanted, ()), (output, around)
