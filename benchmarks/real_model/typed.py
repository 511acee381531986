"""Does `output=` bring more valid objects than the model's own JSON modes, with equal numbers of calls?

    python benchmarks/real_model/typed.py --url http://127.0.0.1:8080/v1 --model NAME [--calls 4] [--seed 0]

24 short texts to turn into objects of four kinds of types: a pydantic model with a validator, a dataclass, a TypedDict
and a list. `json_object` and `json_schema` send the schema in the prompt with that `response_format`, as often as calls
allow, until an answer validates; `output` is `reflect(..., output=TYPE)` with the type as the only judge. `valid`
counts objects of the type, `right` those that also equal the facts of the text, `calls` all calls.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import httpx
from pydantic import BaseModel, Field, TypeAdapter, model_validator
from typing_extensions import TypedDict

from jido_ai import LoopConfig, reflect
from jido_ai.memory.effect import wilson
from jido_ai.models import CompatibleModel
from jido_ai.values import Budget

_MAX_TOKENS: Final = 300


class Item(BaseModel):
    name: str
    price: float


class Invoice(BaseModel):
    number: str = Field(pattern=r"^[A-Z]-\d+$")
    items: list[Item]
    total: float

    @model_validator(mode="after")
    def adds_up(self) -> Invoice:
        found = sum(item.price for item in self.items)
        if abs(found - self.total) > 0.005:
            raise ValueError(f"total is {self.total}, but the prices add up to {found}")
        return self


@dataclass
class Meeting:
    day: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    begins: Annotated[str, Field(pattern=r"^\d{2}:\d{2}$")]
    people: Annotated[list[str], Field(min_length=1)]


class Weather(TypedDict):
    city: str
    celsius: int
    sky: Literal["clear", "cloudy", "rain", "snow"]


class Row(TypedDict):
    name: str
    age: Annotated[int, Field(ge=0, le=130)]


_INVOICES: Final = [
    ("A-{n}", [("pen", 2.0), ("ink", 7.5)]),
    ("B-{n}", [("lamp", 30.0), ("bulb", 4.25), ("cable", 5.0)]),
]
_NAMES: Final = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")
_SKIES: Final = ("clear", "cloudy", "rain", "snow", "rain", "clear")


def tasks() -> list[tuple[str, Any, Any]]:
    """Return a prompt, the type and the right value of each task."""
    made: list[tuple[str, Any, Any]] = []
    for n in range(6):
        number, items = _INVOICES[n % 2][0].format(n=n + 10), _INVOICES[n % 2][1]
        named = ", ".join(f"{name} for {price:.2f}" for name, price in items)
        total = sum(price for _, price in items)
        invoice = {"number": number, "items": [{"name": a, "price": b} for a, b in items], "total": total}
        made.append((f"Extract the invoice: invoice {number}: {named}. Everything is paid.", Invoice, invoice))
        one, two = _NAMES[n], _NAMES[(n + 1) % 6]
        meeting = {"day": f"2026-12-{n + 10}", "begins": f"{n + 9:02}:30", "people": [one, two]}
        text = f"{one} meets {two} on December {n + 10}, 2026, at half past {n + 9} in the morning"
        made.append((f"Extract the meeting, days as YYYY-MM-DD and times as HH:MM: {text}.", Meeting, meeting))
        weather = {"city": ("Oslo", "Rome", "Lima")[n % 3], "celsius": 3 * n - 4, "sky": _SKIES[n]}
        said = {"clear": "not a cloud", "cloudy": "clouds everywhere", "rain": "it rains", "snow": "it snows"}
        text = f"{weather['city']} today: {weather['celsius']} degrees, {said[_SKIES[n]]}"
        made.append((f"Extract the weather: {text}.", Weather, weather))
        rows = [{"name": one, "age": 20 + n}, {"name": two, "age": 41 - n}]
        text = f"{one} is {20 + n} years old, {two} is {41 - n}"
        made.append((f"List the people with their ages: {text}.", list[Row], rows))
    return made


# -- the ways --------------------------------------------------------------------------------------

Way = Callable[[str, Any], Awaitable[tuple[Any, int]]]
"""Returns the value as JSON data, None without one, and the number of calls."""


def json_mode(client: httpx.AsyncClient, model: str, form: str, calls: int, seed: int) -> Way:
    async def ask(prompt: str, kind: Any) -> tuple[Any, int]:
        adapter: TypeAdapter[Any] = TypeAdapter(kind)
        schema = adapter.json_schema()
        body: dict[str, Any] = {
            "model": model,
            "messages": [
                {"role": "user", "content": f"{prompt}\nAnswer with JSON of this schema:\n{json.dumps(schema)}"}
            ],
            "max_tokens": _MAX_TOKENS,
            "temperature": 0.7,
            "response_format": {"type": "json_object"}
            if form == "json_object"
            else {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}},
        }
        for call in range(calls):
            answer = await client.post("chat/completions", json={**body, "seed": seed + call})
            answer.raise_for_status()
            try:
                value = adapter.validate_json(answer.json()["choices"][0]["message"]["content"])
            except ValueError:
                continue
            return adapter.dump_python(value, mode="json"), call + 1
        return None, calls

    return ask


def typed(model: CompatibleModel, calls: int) -> Way:
    async def ask(prompt: str, kind: Any) -> tuple[Any, int]:
        config = LoopConfig(max_iterations=calls, budget=Budget(max_calls=calls), timeout_s=900.0)
        result: Any = await reflect(prompt, output=kind, generator=model, config=config)
        value = None if result.output is None else TypeAdapter(kind).dump_python(result.output, mode="json")
        return value, result.usage.calls

    return ask


def share(passed: int, of: int) -> str:
    low, high = wilson(passed, of)
    return f"{passed}/{of} [{low:.0%}, {high:.0%}]"


async def measure(url: str, model: str, calls: int, seed: int) -> None:
    every = tasks()
    async with (
        httpx.AsyncClient(base_url=f"{url.rstrip('/')}/", timeout=300.0) as client,
        CompatibleModel(model, base_url=url) as ours,
    ):
        ways = {
            "json_object": json_mode(client, model, "json_object", calls, seed),
            "json_schema": json_mode(client, model, "json_schema", calls, seed),
            "output": typed(ours, calls),
        }
        print(f"{'way':<12} {'valid':<22} {'right':<22} calls  seconds")
        for name, ask in ways.items():
            began = time.monotonic()
            found = [await ask(prompt, kind) for prompt, kind, _ in every]
            valid = sum(value is not None for value, _ in found)
            right = sum(value == wanted for (value, _), (_, _, wanted) in zip(found, every, strict=True))
            print(
                f"{name:<12} {share(valid, len(every)):<22} {share(right, len(every)):<22} "
                f"{sum(made for _, made in found):<6} {time.monotonic() - began:.0f}",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True, help="base address of an OpenAI-compatible server")
    parser.add_argument("--model", required=True, help="name of the model on the server")
    parser.add_argument("--calls", type=int, default=4, help="model calls for an object at most")
    parser.add_argument("--seed", type=int, default=0, help="of the JSON modes")
    given = parser.parse_args()
    asyncio.run(measure(given.url, given.model, given.calls, given.seed))


if __name__ == "__main__":
    main()
