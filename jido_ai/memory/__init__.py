"""Memory: handle and actor, validation and redaction of entries, lessons, indexes, stores, import and export."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.memory.index.similarity import jaccard as jaccard
    from jido_ai.memory.lessons import lesson_key as lesson_key
    from jido_ai.memory.lessons import matches as matches
    from jido_ai.memory.lessons import merge_lessons as merge_lessons
    from jido_ai.memory.reflexion_memory import ReflexionMemory as ReflexionMemory
    from jido_ai.memory.store import BatchStore as BatchStore
    from jido_ai.memory.store import ClaimStore as ClaimStore
    from jido_ai.memory.store import MemoryStore as MemoryStore
    from jido_ai.memory.stores.rows import prepared_records as prepared_records
    from jido_ai.protocols import Embedder as Embedder
    from jido_ai.values.memory import Link as Link
    from jido_ai.values.memory import MemoryEntry as MemoryEntry
    from jido_ai.values.memory import MemoryKind as MemoryKind
    from jido_ai.values.memory import MemoryQuery as MemoryQuery
    from jido_ai.values.memory import Scored as Scored
    from jido_ai.values.record import Changes as Changes
    from jido_ai.values.record import Claim as Claim
    from jido_ai.values.record import Cursor as Cursor
    from jido_ai.values.record import LogSummary as LogSummary
    from jido_ai.values.record import Record as Record
    from jido_ai.values.record import StoredEntry as StoredEntry
    from jido_ai.values.words import extract_keywords as extract_keywords
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
