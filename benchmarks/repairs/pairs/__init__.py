"""Lists of functions and classes with one slip each, by people who had seen neither this project nor its operators."""

from __future__ import annotations

from importlib import import_module
from typing import Final

__all__ = ["PAIRS"]

PAIRS: Final = {name: import_module(f"repairs.pairs.{name}").PAIRS for name in ("first", "second", "third", "fourth")}
"""By list: tuples of a name, the code with the slip, a text that occurs once in it, and what should stand there."""
