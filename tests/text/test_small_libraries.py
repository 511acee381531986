"""Small libraries below us that differ from what one would guess, or from their own other versions, change no answer.

`make test-floor` runs this with json-repair 0.30.0, genai-prices 0.0.21, jsonschema 4.23.0 and pydantic 2.12.0,
`make test-ceiling` with the newest.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated

import genai_prices
import json_repair
import jsonschema
import pytest
from pydantic import Field, TypeAdapter

from jido_ai.models.pricing import Prices
from jido_ai.text.json_slips import repair_json
from jido_ai.text.output_type import output_type
from jido_ai.values import Usage

MILLION = Usage(1, 1_000_000, 0)


@pytest.mark.parametrize(
    "text",
    ['{"a": 1}\n{"a": 2}', '{"a": 1,}\n{"a": 2,}', '{"a": 1} {"b": 2}', '[{"a": 1}]\n[{"a": 2}]', '{"a": 1}\n{"a": 1}'],
)
def test_no_object_is_chosen_of_several_whichever_one_json_repair_0_30_to_0_64_takes(text: str) -> None:
    assert json_repair.repair_json(text) != ""
    assert repair_json(text) is None
    assert output_type({"type": "object"}).issues(text)


@pytest.mark.parametrize("word", ["fals", "tru", "nul", "1_000", "None"])
def test_no_word_is_completed_whatever_json_repair_0_30_to_0_64_makes_of_it(word: str) -> None:
    repaired = repair_json(f'{{"a": {word},}}')
    assert repaired is None or json.loads(repaired) == {"a": None if word == "None" else word}
    assert word == "None" or repaired is None


@pytest.mark.parametrize("price", [19.99, 0.07, 4.35])
def test_a_price_of_cents_is_valid_to_pydantic_2_12_and_to_us_and_not_to_jsonschema_4_23(price: float) -> None:
    cents = TypeAdapter(Annotated[float, Field(multiple_of=0.01)])
    schema = cents.json_schema()
    assert cents.validate_python(price) == price
    assert not jsonschema.Draft202012Validator(schema).is_valid(price)
    assert not output_type(schema).issues(json.dumps(price))
    assert output_type(schema).issues(json.dumps(price + 0.001))


async def test_a_price_of_genai_prices_0_0_21_that_depends_on_the_hour_is_that_of_the_hour_of_the_call() -> None:
    def listed(at: datetime | None) -> float:
        tokens = genai_prices.Usage(input_tokens=1_000_000)
        model = {"model_ref": "deepseek-chat", "provider_id": "deepseek"}
        return float(genai_prices.calc_price(tokens, **model, genai_request_timestamp=at).total_price)  # type: ignore[arg-type]

    hours = {listed(datetime(2026, 11, 2, hour, tzinfo=UTC)) for hour in range(24)}
    assert len(hours) == 2
    before, cost, after = (
        listed(None),
        await Prices("list").cost("deepseek", "", "deepseek-chat", MILLION),
        listed(None),
    )
    assert cost in (before, after)
    assert cost in hours
