"""The model that judges files beside the tools, whose findings decide: a severity alone is one."""

from __future__ import annotations

from typing import Any

from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.protocols import AnyModel, RunContext
from jido_ai.values import Candidate, CritiqueResult, Issue


class ModelCritic(LLMCritiquer):
    """Judges a file. A verdict that names no issue, but is not below the threshold, is itself one.

    Args:
        threshold: a severity, in [0, 1].
        options: see `LLMCritiquer`.
    """

    def __init__(self, model: AnyModel, domain: str, *, threshold: float, **options: Any) -> None:
        super().__init__(model, domain, **options)
        self._threshold = threshold

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Ask for a critique. Raises as `LLMCritiquer.critique` does."""
        found = await super().critique(candidate, context)
        if found.has_issues or found.severity < self._threshold:
            return found
        said = found.feedback or f"the model gives severity {found.severity:g} and names no issue"
        issue = Issue(said, severity=found.severity, source=self.name)
        return found.model_copy(update={"issues": (issue,)})
