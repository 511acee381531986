"""What is written for others, and read back."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pytest
from hostile_texts import HOSTILE
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.memory.exchange import ReadEntries, as_markdown, file_name, index_row, read_entries, snapshot, turn_row
from jido_ai.values import Candidate, Episode, Event, MemoryEntry, Reflection, Scope


@pytest.mark.rows("H13", "H63")
def test_a_snapshot_is_read_back_equal() -> None:
    entries = [MemoryEntry("a", metadata={"n": [1]}), MemoryEntry("b", kind="semantic")]
    assert read_entries(json.dumps(snapshot(entries))) == ReadEntries(entries)


@pytest.mark.rows("H13")
def test_the_newest_entries_of_a_large_snapshot_are_imported_and_the_others_counted() -> None:
    entries = [MemoryEntry(str(number)) for number in range(5)]
    assert read_entries(json.dumps(snapshot(entries, 2))) == ReadEntries(entries[3:], left_out=3)
    assert read_entries(json.dumps(snapshot(entries, 5))) == ReadEntries(entries, left_out=0)
    many = [MemoryEntry(str(number)) for number in range(1_001)]
    for size in (0, -3):  # are 1000
        read = read_entries(json.dumps(snapshot(many, size)))
        assert (len(read.entries), read.entries[0].prompt, read.left_out) == (1_000, "1", 1)


def test_a_line_ends_where_json_lines_end() -> None:
    entries = [MemoryEntry(f"a{end}b") for end in ("\u2028", "\x85", "\x0b")]
    lines = "\r\n".join(json.dumps(entry.model_dump(mode="json"), ensure_ascii=False) for entry in entries)
    assert read_entries(lines, lines=True) == ReadEntries(entries)


@pytest.mark.rows("H13")
def test_null_is_empty_and_truncated_is_refused() -> None:
    assert read_entries('{"episodes": null, "max_size": 3}') == ReadEntries([])
    for text in ('{"episodes": [', "", '{"episodes": [null]}', '{"episodes": [], "max_size": "x"}', "7", "[" * 100_000):
        with pytest.raises(ConfigurationError):
            read_entries(text)


@pytest.mark.rows("H1")
def test_an_episode_of_the_older_form_is_an_entry() -> None:
    episode = {"id": "e", "agent_id": "me", "task_description": "sort", "failure_analysis": "f", "improvement": "i"}
    (entry,) = read_entries(json.dumps({"episodes": [episode]})).entries
    assert (entry.prompt, entry.mistake, entry.correction, entry.agent_id) == ("sort", "f", "i", "me")


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=30) | st.sampled_from(["../../etc/passwd", "/abs", "a\0b", "C:\\x", ".hidden", "..", "a/b"]))
def test_a_file_is_never_named_after_a_path(id: str) -> None:
    name = file_name(MemoryEntry("p", id=id))
    assert name
    assert not set(name) & set("/\\\0:.")


def test_an_id_in_two_scopes_names_two_files() -> None:
    scopes = [Scope(), Scope("a", "bc"), Scope("ab", "c"), Scope("a/../x", "\ud800")]
    assert len({file_name(MemoryEntry("p", id="x", scope=scope)) for scope in scopes}) == 4
    assert file_name(MemoryEntry("p", id="x")) == "x"


def test_stored_text_cannot_leave_its_block_in_markdown() -> None:
    shown = as_markdown([MemoryEntry("```\n# Not a heading\n````\nx\x1b[2J")])
    assert "`````text" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize("text", HOSTILE)
def test_the_structure_of_a_summary_is_the_same_whatever_was_stored(text: str) -> None:
    plain = MemoryEntry("harmless", "harmless", "harmless", id="plain")
    shown = as_markdown([plain, MemoryEntry(f"a{text}", f"b{text}", f"c{text}", id="other"), plain])
    outside: list[str] = []
    fence = ""
    for line in shown.split("\n"):
        if not fence and (opening := re.match("(```+)text$", line)):
            fence = opening[1]
        elif fence and line == fence:
            fence = ""
        elif not fence:
            outside.append(line)
    assert fence == ""
    headings = [line for line in outside if line.startswith("#")]
    assert headings == ["# Lessons and episodes", "## episodic", "### plain", "### other", "### plain"]
    assert [line for line in outside if line.endswith(":")] == ["Question:", "Mistake:", "Correction:"] * 3


@pytest.mark.rows("M43")
def test_an_index_row_contains_the_facts_needed_to_choose_an_entry() -> None:
    when = datetime(2026, 1, 1, tzinfo=UTC)
    entry = MemoryEntry(
        "p", id="a", kind="semantic", domain="code", importance=0.9, tags=("t",), timestamp=when, use_count=4,
        success_count=1, last_used=when, expires_at=when,
    )  # fmt: skip
    at = "2026-01-01T00:00:00+00:00"
    assert index_row(entry) == {
        "id": "a", "path": "semantic/a.json", "kind": "semantic", "category": "code", "importance": "critical",
        "quality": 0.25, "created": at, "expires": at, "tags": ["t"], "uses": 4, "last_used": at,
    }  # fmt: skip
    assert index_row(MemoryEntry("p"))["quality"] is None


# -- turns -----------------------------------------------------------------------------------------


@pytest.mark.rows("H15")
def test_an_episode_is_a_row_of_debate_turns() -> None:
    call = Event("tool_call", "ls", tool_name="shell")
    episode = Episode(
        "p", Candidate("x", score=0.123456, model="m"), id="e", session_id="s", agent_id="me", attempt=2,
        events=(call, Event("tool_response", "a")), metrics={"duration_s": 1.2345},
        metadata={"agent_role": "critic", "provider": "us", "test_results": {"t": {"passed": True}}},
    )  # fmt: skip
    row = turn_row(episode, phase="review")
    json.dumps(row)
    assert [row.pop(name) for name in ("id", "session_id", "round", "phase", "agent_id", "agent_role")] == [
        "e", "s", 2, "review", "me", "critic",
    ]  # fmt: skip
    assert (row["provider"], row["model"], row["content"], row["confidence"]) == ("us", "m", "x", 0.1235)
    assert [called["content"] for called in row["tool_calls"]] == ["ls"]
    assert (row["test_results"], row["response_time_ms"]) == ({"t": {"passed": True}}, 1235)
    assert row["created_at"].startswith(episode.timestamp.isoformat()[:19])
    bare = turn_row(Episode("p"), round=7)
    assert (bare["round"], bare["content"], bare["confidence"], bare["response_time_ms"]) == (7, "", None, None)


@pytest.mark.rows("H14")
def test_the_reflections_of_a_turn_are_an_array() -> None:
    assert turn_row(Episode("p"))["reflections"] == []
    (reflection,) = turn_row(Episode("p", reflection=Reflection("do it", root_cause="c")))["reflections"]
    assert (reflection["lesson"], reflection["root_cause"]) == ("do it", "c")


def test_an_invalid_phase_or_round_is_refused() -> None:
    for bad in ({"phase": "lunch"}, {"round": 0}):
        with pytest.raises(ConfigurationError):
            turn_row(Episode("p"), **bad)
    with pytest.raises(ConfigurationError, match="turn_row needs an Episode"):
        turn_row(None)  # type: ignore[arg-type]
