"""Features of model servers, as docs/reference/servers.md tells them: each cell is seen here.

The text of the served model is noise: what a schema or a setting brings about is the server's doing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx
import pytest
from model_servers.llama_server import llama_server
from model_servers.stand_in import StandIn

from jido_ai.models.providers.anthropic import AnthropicModel
from jido_ai.models.providers.http import HttpModel
from jido_ai.models.providers.ollama import OllamaModel
from jido_ai.models.providers.openai import CompatibleModel
from jido_ai.values import CompletionRequest, Message

PAGE = Path(__file__).parents[2] / "docs/reference/servers.md"
KEY = "k-41cf7e"
SEEDS = range(12)
HELLO = {"role": "user", "content": "hi"}
TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
AB = "^[ab]{1,9}$"


def table(title: str) -> dict[tuple[str, str], str]:
    """Return the cells of the page's table under a heading, by row and column."""
    section = PAGE.read_text().split(f"## {title}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line[:1] == "|"]
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {(row[0], column): cell for row in rows for column, cell in zip(head[1:], row[1:], strict=True)}


class Llama:
    def __init__(self, url: str) -> None:
        self._http = httpx.Client(base_url=url, headers={"authorization": f"Bearer {KEY}"}, timeout=60.0)

        self.close = self._http.close

    def answer(self, **settings: Any) -> dict[str, Any]:
        body = {"model": "tiny", "messages": [HELLO], "max_tokens": 60, "seed": 1, **settings}
        return self._http.post("/v1/chat/completions", json=body).raise_for_status().json()

    def text(self, **settings: Any) -> str:
        return self.answer(**settings)["choices"][0]["message"]["content"]

    def typed(self, schema: dict[str, Any]) -> list[Any]:
        """Return what an answer of some seeds has as "s", whose schema is given."""
        whole = {"type": "object", "properties": {"s": schema}, "required": ["s"]}
        return [self.object(whole, seed)["s"] for seed in SEEDS]

    def object(self, schema: dict[str, Any], seed: int) -> dict[str, Any]:
        form = {"type": "json_schema", "json_schema": {"name": "r", "schema": schema}}
        return json.loads(self.text(response_format=form, seed=seed, max_tokens=3000))

    def stream(self, **settings: Any) -> list[dict[str, Any]]:
        body = {"model": "tiny", "messages": [HELLO], "max_tokens": 20, "stream": True, **settings}
        lines = self._http.post("/v1/chat/completions", json=body).text.splitlines()
        return [json.loads(line[6:]) for line in lines if line.startswith("data: {")]

    def busy_after_leaving(self) -> bool:
        """Leave a stream after its first piece, and tell whether its slot still works on it some time later."""
        body = {"model": "tiny", "messages": [HELLO], "max_tokens": 100_000, "stream": True, "ignore_eos": True}
        with self._http.stream("POST", "/v1/chat/completions", json=body) as response:
            next(response.iter_lines())
        looks = (any(slot["is_processing"] for slot in self._http.get("/slots").json()) for _ in range(1000))
        return all(looks)


def usage_in_streams(llama: Llama) -> str:
    assert not any("usage" in chunk for chunk in llama.stream())
    asked = [chunk["usage"] for chunk in llama.stream(stream_options={"include_usage": True}) if "usage" in chunk]
    assert len(asked) == 1
    return "in the last chunk, if `stream_options` ask"


def several(llama: Llama) -> str:
    answer = llama.answer(n=2)
    assert len(answer["choices"]) == 2
    one = llama.answer()
    assert answer["usage"]["completion_tokens"] == one["usage"]["completion_tokens"]
    usages = [chunk for chunk in llama.stream(n=2, stream_options={"include_usage": True}) if "usage" in chunk]
    assert len(usages) == 2
    return "two answers; the usage is that of one, in a stream each has its own"


def finish_reasons(llama: Llama) -> str:
    reasons = {llama.answer(max_tokens=limit)["choices"][0]["finish_reason"] for limit in (3, 400)}
    assert reasons == {"length", "stop"}
    return "stop, length"


def prefill(llama: Llama) -> str:
    answer = llama.answer(messages=[HELLO, {"role": "assistant", "content": "begin "}], max_tokens=5)
    assert answer["choices"][0]["message"]["content"].startswith("begin ")
    assert answer["usage"]["completion_tokens"] == 5
    return "continued; its text comes back in the answer, and is not in `completion_tokens`"


def optional_keys(llama: Llama) -> str:
    integer = {"type": "integer"}
    schema = {"type": "object", "properties": {"a": integer, "b": integer}, "additionalProperties": False}
    orders = {tuple(llama.object(schema, seed)) for seed in range(40)}
    assert ("a", "b") in orders
    assert ("b",) in orders
    assert ("b", "a") not in orders
    return "only in the order of the schema: after a later one, an earlier one cannot come"


def number_bounds(llama: Llama) -> str:
    assert all(3 <= value <= 5 for value in llama.typed({"type": "integer", "minimum": 3, "maximum": 5}))
    assert any(abs(value) > 1 for value in llama.typed({"type": "number", "minimum": 0, "maximum": 1}))
    return "kept of integers, ignored of other numbers"


def lengths(llama: Llama) -> str:
    assert all(len(value) <= 3 for value in llama.typed({"type": "string", "maxLength": 3}))
    return "kept"


def pattern(llama: Llama) -> str:
    assert all(re.search(AB, value) for value in llama.typed({"type": "string", "pattern": AB}))
    for ignored in (r"^\d{2}$", "[ab]{2}"):
        bounded = {"type": "string", "pattern": ignored, "maxLength": 30}
        assert not all(re.search(ignored, value) for value in llama.typed(bounded))
    return r"kept if it has both anchors and no `\d`, `\w`, `\s`; else ignored"


def pattern_with_lengths(llama: Llama) -> str:
    values = llama.typed({"type": "string", "pattern": AB, "maxLength": 2, "minLength": 2})
    assert all(re.search(AB, value) for value in values)
    assert {len(value) for value in values} - {2}
    return "the pattern is kept, the lengths are ignored"


def prefix_items(llama: Llama) -> str:
    first = {"prefixItems": [{"const": 1}, {"const": "x"}]}
    assert llama.typed({"type": "array", **first}) == [[1, "x"]] * len(SEEDS)
    mixed = llama.typed({"type": "array", **first, "items": {"type": "boolean"}, "maxItems": 3})
    assert all(type(item) is bool for items in mixed for item in items)
    return "kept alone; ignored beside `items`"


def all_three(llama: Llama) -> str:
    text = {"type": "string", "pattern": AB, "maxLength": 2}
    found = llama.typed({"type": "array", "prefixItems": [text], "minItems": 1, "maxItems": 2})
    assert all(re.search(AB, item) for items in found for item in items)
    assert any(len(item) > 2 for items in found for item in items)
    assert {len(items) for items in found} == {1}
    return "the pattern and `prefixItems` are kept, the lengths are ignored"


def seeds(llama: Llama) -> str:
    assert len({llama.text(seed=3) for _ in range(4)}) == 1
    assert len({llama.text(seed=seed) for seed in range(4)}) == 4
    return "the same text for the same seed"


def stop(llama: Llama) -> str:
    whole, cut = llama.text(), llama.answer(stop=["e"])["choices"][0]
    assert (cut["message"]["content"], cut["finish_reason"]) == (whole.partition("e")[0], "stop")
    return "the text ends before it; the reason is stop"


def logprobs(llama: Llama) -> str:
    told = llama.answer(logprobs=True, top_logprobs=2, max_tokens=3)["choices"][0]["logprobs"]["content"]
    assert [len(token["top_logprobs"]) for token in told] == [2, 2, 2]
    return "of each token, with as many others as asked"


def cancellation(llama: Llama) -> str:
    assert not llama.busy_after_leaving()
    return "a stream that is left ends its work"


def tool_calls(llama: Llama) -> str:
    for choice in ("auto", "required", {"type": "function", "function": {"name": "look"}}):
        message = llama.answer(tools=[TOOL], tool_choice=choice)["choices"][0]["message"]
        assert "tool_calls" not in message
        assert message["content"] == llama.text()
    return "`tools` and `tool_choice` are ignored if the model's template knows no tools"


LLAMA: dict[str, Callable[[Llama], str]] = {
    "usage in streams": usage_in_streams,
    "several answers (`n`)": several,
    "finish reasons": finish_reasons,
    "prefill": prefill,
    "schema: optional keys": optional_keys,
    "schema: bounds of numbers": number_bounds,
    "schema: lengths of strings": lengths,
    "schema: pattern": pattern,
    "schema: pattern with lengths": pattern_with_lengths,
    "schema: `prefixItems`": prefix_items,
    "schema: pattern, lengths and `prefixItems` together": all_three,
    "seed": seeds,
    "stop": stop,
    "logprobs": logprobs,
    "cancellation": cancellation,
    "tool calls": tool_calls,
}


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Generator[Llama]:
    pytest.importorskip("xllamacpp")
    pytest.importorskip("gguf")
    with llama_server(tmp_path_factory.mktemp("llama"), KEY) as url:
        client = Llama(url)
        yield client
        client.close()


@pytest.mark.parametrize("feature", LLAMA)
def test_a_feature_of_llama_cpp_is_as_the_page_says(llama: Llama, feature: str) -> None:
    column = f"llama.cpp's server (xllamacpp {version('xllamacpp')})"
    assert table("llama.cpp")[feature, column] == LLAMA[feature](llama)


FORMS: dict[str, type[HttpModel]] = {
    "OpenAI's form": CompatibleModel,
    "Anthropic's": AnthropicModel,
    "Ollama's": OllamaModel,
}
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}


@pytest.mark.parametrize("form", FORMS)
async def test_the_settings_that_reach_a_server_are_those_of_the_page(form: str) -> None:
    request = CompletionRequest(
        (Message("user", "hi"), Message("assistant", "be")), max_tokens=12, seed=5, temperature=0.5, stop=("x",)
    )
    path = "/v1" if form == "OpenAI's form" else ""
    with StandIn(KEY) as server:
        model = FORMS[form]("m", api_key=KEY, base_url=server.url + path)  # type: ignore[call-arg]
        completion = await model.complete(request)
        await model.complete(request.model_copy(update={"schema": SCHEMA}))
        await model.aclose()
    plain, typed = ({**body, **body.get("options", {})} for body in server.asked)

    def sent(*names: str, body: dict[str, Any] = plain) -> str:
        return next((f"`{name}`" for name in names if name in body), "not sent")

    told = {
        "usage in streams": "read" if plain["stream"] and completion.usage.output_tokens else "not read",
        "several answers (`n`)": sent("n"),
        "finish reasons": completion.finish_reason,
        "prefill": "sent" if plain["messages"][-1]["role"] == "assistant" else "not sent",
        "schema": sent("response_format", "format", "tools", body=typed),
        "seed": sent("seed"),
        "stop": sent("stop", "stop_sequences"),
        "logprobs": sent("logprobs", "top_logprobs"),
        "tool calls": "one, for a schema" if "tools" in typed and "tools" not in plain else "not sent",
    }
    page = table("What our providers ask for")
    assert told == {row: cell for (row, column), cell in page.items() if column == form}
