"""What an entry looks like in a row: all of it comes back, whichever way it was written."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from jido_ai.memory.stores import rows as module
from jido_ai.memory.stores.rows import decode_entry, encode_entry
from jido_ai.values import Link, MemoryEntry, MemoryKind

NOON = datetime(2026, 5, 4, 12, 0, 0, 7, tzinfo=UTC)
IN_DELHI = NOON.astimezone(timezone(timedelta(hours=5, minutes=30)))
texts = some.text(some.characters(), max_size=8)  # surrogates too
units = some.floats(0.0, 1.0)
times = some.sampled_from([NOON, NOON.replace(microsecond=0), IN_DELHI])

entries = some.builds(
    MemoryEntry,
    texts,
    texts,
    texts,
    id=texts.filter(bool),
    kind=some.sampled_from(MemoryKind),
    severity=units,
    importance=units,
    confidence=some.none() | units,
    reward=some.none() | some.floats(-1.0, 1.0),
    tags=some.tuples() | some.tuples(texts, texts),
    domain=some.none() | texts,
    session_id=some.none() | texts,
    timestamp=times,
    expires_at=some.none() | times,
    last_used=some.none() | times,
    use_count=some.integers(3, 10**30),
    success_count=some.integers(0, 3),
    evidence=some.tuples() | some.tuples(texts),
    links=some.sampled_from([(), (Link("x", "similar"),)]),
    source=texts,
    metadata=some.sampled_from([{}, {"a": [1, None, "\ud800"]}]),
)


@settings(max_examples=150, deadline=None)
@given(entries)
def test_an_entry_is_read_back_as_it_was(entry: MemoryEntry) -> None:
    back = decode_entry(1, "default", "default", entry.prompt, encode_entry(entry)).entry
    assert back == entry


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"tags": ('b"\n',), "source": "s", "metadata": {"a": 1}},
        {"tags": ("a", 'b"\n'), "evidence": ("e1", "e2"), "metadata": {"a": 1}},
        {"domain": "d", "task_type": "t", "agent_id": "a", "session_id": "s"},
        {"confidence": 0.1, "reward": -1e-7, "expires_at": NOON, "last_used": NOON, "use_count": 2, "success_count": 1},
        {"kind": "procedural", "severity": 1, "importance": 0, "frequency": 10**20, "impact": 0.25},
    ],
)
def test_an_entry_encoded_field_by_field_equals_the_serialiser_of_the_class(facts: dict[str, Any]) -> None:
    entry = MemoryEntry("prompt", "mistake é", "correction \t", timestamp=NOON, **facts)
    assert facts_in(encode_entry(entry)) == facts_in(module._encode_any(entry))


def facts_in(body: bytes) -> dict[str, Any]:
    facts = json.loads(body.decode("utf-8", "surrogatepass"))
    for name in ("timestamp", "expires_at", "last_used"):
        if name in facts:
            facts[name] = datetime.fromisoformat(facts[name])
    assert facts.pop("links") == [] if "links" in facts else True
    return facts


@settings(max_examples=150, deadline=None)
@given(entries.filter(lambda entry: not entry.links), some.datetimes(timezones=some.just(UTC)), units | some.just(-0.0))
def test_both_ways_of_encoding_an_entry_agree(entry: MemoryEntry, time: datetime, impact: float) -> None:
    changed = entry.replace(timestamp=time, expires_at=entry.expires_at and time, impact=impact)
    assert facts_in(encode_entry(changed)) == facts_in(module._encode_any(changed))


@pytest.mark.parametrize("copied", [False, True])
@pytest.mark.parametrize(
    "facts",
    [
        *({name: "x"} for name in ("domain", "task_type", "agent_id", "session_id", "source")),
        *({name: 1.0} for name in ("severity", "importance", "confidence", "reward", "impact")),
        *({name: 7} for name in ("frequency", "use_count")),
        *({name: NOON} for name in ("expires_at", "last_used")),
        {"use_count": 3, "success_count": 2},
        {"kind": MemoryKind.SEMANTIC},
        {"tags": ("a",)},
        {"tags": ("a", "b")},
        {"evidence": ("a",)},
        {"links": (Link("x", "similar"),)},
        {"metadata": {"a": 1}},
    ],
)
def test_no_field_of_a_sparse_entry_is_lost(facts: dict[str, Any], copied: bool) -> None:
    entry = MemoryEntry("prompt").model_copy(update=facts) if copied else MemoryEntry("prompt", **facts)
    assert decode_entry(1, "default", "default", "prompt", encode_entry(entry)).entry == entry


def test_metadata_that_was_changed_in_place_is_kept() -> None:
    entry = MemoryEntry("prompt")
    entry.metadata["a"] = 1
    assert decode_entry(1, "default", "default", "prompt", encode_entry(entry)).entry.metadata == {"a": 1}
