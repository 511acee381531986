"""Critics: models, tools, tests, text checks and panels; the identity of findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.critics.criteria import DeterministicCritiquer as DeterministicCritiquer
    from jido_ai.critics.criteria import FallbackCritiquer as FallbackCritiquer
    from jido_ai.critics.criteria import ThresholdCritiquer as ThresholdCritiquer
    from jido_ai.critics.llm_critiquer import LLMCritiquer as LLMCritiquer
    from jido_ai.critics.panel import PanelCritiquer as PanelCritiquer
    from jido_ai.critics.pytest_critiquer import PytestCritiquer as PytestCritiquer
    from jido_ai.critics.pytest_critiquer import PytestResult as PytestResult
    from jido_ai.critics.pytest_critiquer import TestExecutor as TestExecutor
    from jido_ai.critics.pytest_critiquer import driven_by_tests as driven_by_tests
    from jido_ai.critics.pytest_executor import PytestExecutor as PytestExecutor
    from jido_ai.critics.scoring import critique_of_trace as critique_of_trace
    from jido_ai.critics.text_critiquer import TextCritiquer as TextCritiquer
    from jido_ai.critics.tool_critiquer import ToolCritiquer as ToolCritiquer
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
