"""Lessons of repaired tests: the edit that did it, in general terms. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from jido_ai.improve.repair.repairs import TestRepairs
from jido_ai.loop.edit_lesson import failure_in_words, repair_in_words
from jido_ai.loop.lesson import recall_text
from jido_ai.reflection.failure_kind import failure_tags
from jido_ai.values import CritiqueResult, Issue, MemoryEntry, MemoryKind, Scope


def repair_lessons(found: TestRepairs, scope: Scope) -> Iterator[MemoryEntry]:
    """Yield a lesson for each repair that is sure and helps with other programs, when told in general terms."""
    messages = {one.test: one.message for one in found.failing}
    for repair in found.repairs:
        edit = repair.choices[0]
        issues = [Issue(message=messages.get(test, ""), kind="test", rule=test) for test in repair.fixed]
        tags = failure_tags(issues)
        kind = tags[0].partition(":")[2] if tags else "AssertionError"
        lesson = repair_in_words(kind, edit.before, edit.after)
        if not repair.is_sure or lesson is None:
            continue
        yield MemoryEntry(
            recall_text("", CritiqueResult(severity=1.0, issues=issues)),
            failure_in_words(kind),
            lesson,
            kind=MemoryKind.SEMANTIC,
            scope=scope,
            task_type="improve",
            severity=1.0,
            importance=0.8,
            tags=tags,
            source="tests",
        )
