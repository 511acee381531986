"""Entries and lessons of a given age, for tests of the maintenance rules."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from jido_ai.learning.maintenance_report import MaintenanceConfig
from jido_ai.values import (
    MemoryEntry,
)

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
CONFIG = MaintenanceConfig()
DAY = timedelta(days=1)


def entry(text: str = "p", days: float = 0.0, **fields: Any) -> MemoryEntry:
    return MemoryEntry(text, **{"timestamp": NOW - days * DAY, **fields})


def lesson(text: str, **fields: Any) -> MemoryEntry:
    return entry(text, **{"mistake": f"mistake {text}", "correction": text, "kind": "semantic", **fields})
