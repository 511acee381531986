"""Rules for worked examples in memory: one per prompt, and which of them go when there are too many. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from jido_ai.values import MemoryEntry

SCHEMA: Final = "schema"
"""Key in the metadata of an example: the digest of the type of its answer."""


def normal_prompt(prompt: str) -> str:
    """Return a prompt in the form in which two prompts are compared: without case, character width and layout."""
    return " ".join(unicodedata.normalize("NFKC", prompt).casefold().split())


def surplus(examples: Sequence[MemoryEntry], most: int) -> list[MemoryEntry]:
    """Return the examples that have to go so that `most` are left: those shown without success first, then the oldest.

    Args:
        examples: of one task type and scope, newest first.
    """
    failed = [one for one in examples if one.use_count and not one.success_count]
    first = [*reversed(failed), *(one for one in reversed(examples) if one not in failed)]
    return first[: max(0, len(examples) - most)]
