"""The search for edits that make failing tests pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.repair.mutation_reviser import MutationReviser as MutationReviser
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
