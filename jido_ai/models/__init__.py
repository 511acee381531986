"""Language models: names, calls, limits, retries."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.models.limits import BreakerRules as BreakerRules
    from jido_ai.models.llm_generator import LLMGenerator as LLMGenerator
    from jido_ai.models.prompts.lessons import format_for_prompt as format_for_prompt
    from jido_ai.models.providers.anthropic import AnthropicModel as AnthropicModel
    from jido_ai.models.providers.ollama import OllamaModel as OllamaModel
    from jido_ai.models.providers.openai import CompatibleModel as CompatibleModel
    from jido_ai.models.providers.openai import OpenAIModel as OpenAIModel
    from jido_ai.models.retry import RetryPolicy as RetryPolicy
    from jido_ai.models.scripted_answers import ScriptedAnswers as ScriptedAnswers
    from jido_ai.models.wrappers.cache import CompletionCache as CompletionCache
    from jido_ai.models.wrappers.ledger import CostLedger as CostLedger
    from jido_ai.models.wrappers.ledger import LedgerRow as LedgerRow
    from jido_ai.models.wrappers.replay import RecordingModel as RecordingModel
    from jido_ai.models.wrappers.replay import ReplayModel as ReplayModel
    from jido_ai.models.wrappers.with_limits import with_limits as with_limits
    from jido_ai.protocols import LanguageModel as LanguageModel
    from jido_ai.values.model import Completion as Completion
    from jido_ai.values.model import CompletionRequest as CompletionRequest
    from jido_ai.values.model import Message as Message
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
