"""Revisers: models, targeted repairs, mutation, chains; the rules for safe edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.revisers.chain_reviser import ChainReviser as ChainReviser
    from jido_ai.revisers.llm_reviser import LLMReviser as LLMReviser
    from jido_ai.revisers.targeted_reviser import TargetedReviser as TargetedReviser
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
