"""Values become JSON that reads back as the same value."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from math import inf, nan

import pytest

from jido_ai.text.plain_json import dumped, plain
from jido_ai.values import Candidate, Episode, Event, EventType


class Colour(StrEnum):
    RED = "red"


@pytest.mark.parametrize(
    ("metadata", "written"),
    [
        ({}, {}),
        ({"a": [1, 2.5, None, True], "b": {"c": "d"}}, {"a": [1, 2.5, None, True], "b": {"c": "d"}}),
        ({"pair": (1, 2), "colour": Colour.RED}, {"pair": [1, 2], "colour": "red"}),
        ({"least": -inf, "deep": [{"none": nan}]}, {"least": None, "deep": [{"none": None}]}),
    ],
)
def test_metadata_is_written_as_json(metadata: Mapping[str, object], written: Mapping[str, object]) -> None:
    fields = dumped(Candidate("x", metadata=metadata))
    assert fields["metadata"] == written
    assert json.loads(json.dumps(fields, allow_nan=False)) == fields


def test_a_dumped_value_reads_back_as_the_same_value() -> None:
    episode = Episode("p", events=(Event(EventType.TOOL_CALL, "x", metadata={"n": 1}),))
    assert Episode.model_validate(dumped(episode)) == episode


def test_an_object_becomes_a_description() -> None:
    assert "object" in str(plain({"a": object()}))
    assert "object" in str(dumped(Candidate("x", metadata={"a": object()}))["metadata"])
