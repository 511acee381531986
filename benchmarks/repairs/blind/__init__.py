"""Programs with one wrong line each, written by people who had seen neither this project nor its operators."""

from __future__ import annotations

from typing import Final

from repairs.blind import first, second, third

__all__ = ["BLIND"]

BLIND: Final = {"first": first.PROGRAMS, "second": second.PROGRAMS, "third": third.PROGRAMS}
