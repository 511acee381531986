"""Programs with one wrong line each, written by people who had seen neither this project nor its operators."""

from __future__ import annotations

from importlib import import_module
from typing import Final

__all__ = ["BLIND"]

_NAMES: Final = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twenty_first",
    "twenty_second",
    "twenty_third",
    "twenty_fourth",
    "twenty_fifth",
    "twenty_sixth",
    "twenty_seventh",
    "twenty_eighth",
    "twenty_ninth",
    "thirtieth",
    "thirty_first",
    "thirty_second",
    "thirty_third",
    "thirty_fourth",
)

BLIND: Final = {name: import_module(f"repairs.blind.{name}").PROGRAMS for name in _NAMES}
"""The sets in the order in which they were written: each was measured once before it was used to find operators."""
