"""What is written for others, and read back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.logic.exchange import as_markdown, file_name, read_entries, snapshot
from jido_ai.values import MemoryEntry


def test_a_snapshot_is_read_back_equal() -> None:
    entries = [MemoryEntry("a", metadata={"n": [1]}), MemoryEntry("b", kind="semantic")]
    assert read_entries(json.dumps(snapshot(entries))) == entries


def test_of_an_over_full_snapshot_the_newest_are_taken() -> None:
    entries = [MemoryEntry(str(number)) for number in range(5)]
    assert [entry.prompt for entry in read_entries(json.dumps(snapshot(entries, 2)))] == ["3", "4"]
    assert len(read_entries(json.dumps(snapshot(entries, 0)))) == 5  # 0 or less is 1000


def test_null_is_empty_and_truncated_is_refused() -> None:
    assert read_entries('{"episodes": null, "max_size": 3}') == []
    for text in ('{"episodes": [', "", '{"episodes": [null]}', '{"episodes": [], "max_size": "x"}', "7", "[" * 100_000):
        with pytest.raises(ConfigurationError):
            read_entries(text)


def test_an_episode_of_the_older_form_is_an_entry() -> None:
    episode = {"id": "e", "agent_id": "me", "task_description": "sort", "failure_analysis": "f", "improvement": "i"}
    (entry,) = read_entries(json.dumps({"episodes": [episode]}))
    assert (entry.prompt, entry.mistake, entry.correction, entry.agent_id) == ("sort", "f", "i", "me")


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=30) | st.sampled_from(["../../etc/passwd", "/abs", "a\0b", "C:\\x", ".hidden", "..", "a/b"]))
def test_a_file_is_never_named_after_a_path(id: str) -> None:
    name = file_name(MemoryEntry("p", id=id))
    assert name
    assert not set(name) & set("/\\\0:.")


def test_stored_text_cannot_leave_its_block_in_markdown() -> None:
    shown = as_markdown([MemoryEntry("```\n# Not a heading\n````\nx\x1b[2J")])
    assert "`````text" in shown
    assert "\x1b" not in shown
