"""Equivalent lessons become one; contradicting ones are linked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_entries import CONFIG, NOW, entry, lesson

from jido_ai.learning.decay import decayed
from jido_ai.learning.merging import contradicting, find_duplicates, merge
from jido_ai.values import (
    Link,
    MemoryEntry,
    new_id,
)


@pytest.mark.rows("M46")
def test_the_older_of_two_equivalent_lessons_absorbs_the_newer() -> None:
    older = lesson("close the file", days=90, importance=0.8, use_count=2, success_count=0, evidence=["a"])
    newer = lesson("close the FILE!", days=1, importance=0.4, use_count=1, success_count=0, evidence=["b"])
    ((one, other),) = find_duplicates([newer, older])
    assert (one, other) == (older, newer)
    merged = merge(one, other, NOW, CONFIG)
    assert (merged.id, merged.use_count, merged.evidence) == (older.id, 3, ("a", "b"))
    assert Link(newer.id, "merged") in merged.links
    assert merged.importance == pytest.approx(0.8 * 0.5 ** (1 / 30))
    assert decayed(merged, NOW, CONFIG) is merged
    assert merge(merged, newer, NOW, CONFIG) is merged


def test_meta_entries_are_history_and_not_merged() -> None:
    assert not find_duplicates([entry("same", kind="meta"), entry("same", kind="meta")])


@pytest.mark.rows("M50")
def test_contradicting_lessons_are_linked_both_ways_once() -> None:
    good = lesson("use a lock", mistake="two threads write a file", use_count=4, success_count=4)
    bad = lesson("retry until it works", mistake="two threads write a file", use_count=4, success_count=0)
    assert contradicting([good, bad]) == [(good.id, bad.id), (bad.id, good.id)]
    half = good.replace(links=[Link(bad.id, "contradicts")])
    assert contradicting([half, bad]) == [(bad.id, good.id)]


entries_at_random = st.lists(
    st.builds(
        lambda words, days, importance, kind, uses, wins, tags: lesson(
            " ".join(words) or "x",
            days=days,
            importance=importance,
            kind=kind,
            use_count=uses + wins,
            success_count=wins,
            tags=tags,
            evidence=[new_id("e")],
        ),
        st.lists(st.sampled_from(["open", "close", "file", "lock"]), max_size=3),
        st.floats(0, 100),
        st.floats(0, 1),
        st.sampled_from(["episodic", "semantic", "procedural"]),
        st.integers(0, 3),
        st.integers(0, 2),
        st.lists(st.sampled_from(["io", "dream"]), max_size=1),
    ),
    max_size=14,
)


@settings(max_examples=60, deadline=None)
@given(entries_at_random)
def test_merging_keeps_all_counts_and_every_lesson_that_helped_and_ends(entries: list[MemoryEntry]) -> None:
    kept = {one.id: one for one in entries}
    for older, newer in find_duplicates(entries):
        kept[older.id] = merge(kept[older.id], kept.pop(newer.id), NOW, CONFIG)
    for name in ("use_count", "success_count", "frequency"):
        assert sum(getattr(one, name) for one in kept.values()) == sum(getattr(one, name) for one in entries)
    homes = set(kept) | {link.id for one in kept.values() for link in one.links if link.type == "merged"}
    assert homes == {one.id for one in entries}
    left = [kept[one.id] for one in entries if one.id in kept]
    assert find_duplicates(left) == []
    faded = [decayed(one, NOW, CONFIG) for one in left]
    assert [decayed(one, NOW, CONFIG) for one in faded] == faded
