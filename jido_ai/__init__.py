"""Supervised reflection for language-model work: critique, revise, remember, under OTP supervision on asyncio.

Names are loaded on first use, so that `import jido_ai` costs next to nothing. The actor runtime is `jido_ai.actors`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jido_ai.cli.settings import load_settings, pipeline_options
    from jido_ai.config import Settings
    from jido_ai.critics.criteria import DeterministicCritiquer, FallbackCritiquer, ThresholdCritiquer
    from jido_ai.critics.llm_critiquer import LLMCritiquer
    from jido_ai.critics.panel import PanelCritiquer
    from jido_ai.critics.pytest_critiquer import PytestCritiquer, PytestResult, TestExecutor, driven_by_tests
    from jido_ai.critics.pytest_executor import PytestExecutor
    from jido_ai.critics.scoring import critique_of_trace
    from jido_ai.critics.text_critiquer import TextCritiquer
    from jido_ai.critics.tool_critiquer import ToolCritiquer
    from jido_ai.errors import (
        ActorDeadError,
        ActorError,
        AskTimeoutError,
        AuthenticationError,
        BadRequestError,
        BudgetExceededError,
        CallError,
        CircuitOpenError,
        ComponentError,
        ConfigurationError,
        ContextLengthError,
        Declined,
        EmbeddingError,
        JidoError,
        ModelError,
        ModelNotFoundError,
        ModelTimeoutError,
        ModelUnavailableError,
        NotFoundError,
        ParseError,
        QuotaError,
        RateLimitError,
        RefusalError,
        ReplyError,
        RunClaimedError,
        StoreDamagedError,
        StoreError,
        StoreFullError,
        StoreUnavailableError,
        StoreVersionError,
        ToolError,
        ToolNotFoundError,
        TruncatedError,
    )
    from jido_ai.graph.case import Case
    from jido_ai.graph.config import GraphConfig
    from jido_ai.graph.events import GraphStarted, GraphStopped, NodeStarted, NodeStopped, NodeWarned
    from jido_ai.graph.graph import Graph
    from jido_ai.graph.nodes import ApprovalNode, CheckNode, ChoiceNode, GraphNode, LoopNode, MapNode, StepNode
    from jido_ai.graph.results import GraphResult, NodeResult
    from jido_ai.learning.history import learning_progress
    from jido_ai.learning.maintenance import Maintenance, maintain
    from jido_ai.learning.maintenance_rules import MaintenanceConfig, MaintenanceReport
    from jido_ai.loop.blocking_pipeline import BlockingPipeline, BlockingRunHandle
    from jido_ai.loop.events import (
        CandidateGenerated,
        ComponentRestarted,
        Critiqued,
        LessonsRetrieved,
        Reflected,
        Revised,
        RunEvent,
        RunStarted,
        RunStopped,
    )
    from jido_ai.loop.handle import RunHandle
    from jido_ai.loop.journal import RunJournal, RunSummary
    from jido_ai.loop.pipeline import Pipeline, reflect, reflect_sync
    from jido_ai.loop.record import RecordedRun
    from jido_ai.loop.replay import Replay, replay
    from jido_ai.loop.self_refine import SelfRefine, SelfRefineResult
    from jido_ai.memory.exchange import turn_row
    from jido_ai.memory.index.similarity import jaccard
    from jido_ai.memory.reflexion_memory import ReflexionMemory
    from jido_ai.memory.store import MemoryStore
    from jido_ai.models.breaker import BreakerRules
    from jido_ai.models.llm_generator import LLMGenerator
    from jido_ai.models.prompts.lessons import format_for_prompt
    from jido_ai.models.providers.anthropic import AnthropicModel
    from jido_ai.models.providers.ollama import OllamaModel
    from jido_ai.models.providers.openai import CompatibleModel, OpenAIModel
    from jido_ai.models.retry import RetryPolicy
    from jido_ai.models.wrappers.cache import CompletionCache
    from jido_ai.models.wrappers.ledger import CostLedger, LedgerRow
    from jido_ai.models.wrappers.replay import RecordingModel, ReplayModel
    from jido_ai.models.wrappers.wrapped import wrapped
    from jido_ai.protocols import Critiquer, Embedder, Generator, LanguageModel, Reviser, RunContext, ToolExecutor
    from jido_ai.reflection.diagnosis import classify_error
    from jido_ai.reflection.evaluation import needs_reflection
    from jido_ai.reflection.reflector import Reflector
    from jido_ai.repair.mutation_reviser import MutationReviser
    from jido_ai.revisers.chain_reviser import ChainReviser
    from jido_ai.revisers.llm_reviser import LLMReviser
    from jido_ai.revisers.targeted_reviser import TargetedReviser
    from jido_ai.tools.rules import has_length, json_schema_tool, must_match, must_not_match, rules_tool
    from jido_ai.tools.tool import Tool
    from jido_ai.values import (
        SUSPEND,
        Budget,
        Candidate,
        Completion,
        CompletionRequest,
        CritiqueResult,
        Episode,
        ErrorClass,
        ErrorInfo,
        Event,
        EventType,
        Finding,
        Issue,
        Iteration,
        LearningProgress,
        Link,
        Location,
        LoopConfig,
        MemoryEntry,
        MemoryKind,
        MemoryQuery,
        Message,
        Outcome,
        Reflection,
        ReflectionResult,
        Regenerate,
        Revise,
        Scope,
        Scored,
        StopReason,
        Usage,
        Verdict,
        extract_keywords,
    )

__version__ = "0.1.0"

_HOMES: Final = {
    "jido_ai.models.providers.anthropic": "AnthropicModel",
    "jido_ai.models.wrappers.cache": "CompletionCache",
    "jido_ai.models.wrappers.ledger": "CostLedger LedgerRow",
    "jido_ai.models.providers.ollama": "OllamaModel",
    "jido_ai.models.providers.openai": "CompatibleModel OpenAIModel",
    "jido_ai.models.wrappers.replay": "RecordingModel ReplayModel",
    "jido_ai.models.wrappers.wrapped": "wrapped",
    "jido_ai.cli.settings": "load_settings pipeline_options",
    "jido_ai.revisers.chain_reviser": "ChainReviser",
    "jido_ai.critics.criteria": "DeterministicCritiquer FallbackCritiquer ThresholdCritiquer",
    "jido_ai.graph.case": "Case",
    "jido_ai.graph.config": "GraphConfig",
    "jido_ai.graph.events": "GraphStarted GraphStopped NodeStarted NodeStopped NodeWarned",
    "jido_ai.graph.graph": "Graph",
    "jido_ai.graph.nodes": "ApprovalNode CheckNode ChoiceNode GraphNode LoopNode MapNode StepNode",
    "jido_ai.graph.results": "GraphResult NodeResult",
    "jido_ai.learning.history": "learning_progress",
    "jido_ai.critics.llm_critiquer": "LLMCritiquer",
    "jido_ai.models.llm_generator": "LLMGenerator",
    "jido_ai.revisers.llm_reviser": "LLMReviser",
    "jido_ai.learning.maintenance": "Maintenance maintain",
    "jido_ai.repair.mutation_reviser": "MutationReviser",
    "jido_ai.critics.panel": "PanelCritiquer",
    "jido_ai.loop.pipeline": "Pipeline reflect reflect_sync",
    "jido_ai.critics.pytest_executor": "PytestExecutor",
    "jido_ai.reflection.reflector": "Reflector",
    "jido_ai.memory.reflexion_memory": "ReflexionMemory",
    "jido_ai.tools.rules": "has_length json_schema_tool must_match must_not_match rules_tool",
    "jido_ai.loop.events": """
        CandidateGenerated ComponentRestarted Critiqued LessonsRetrieved Reflected Revised RunEvent
        RunStarted RunStopped
    """,
    "jido_ai.loop.blocking_pipeline": "BlockingPipeline BlockingRunHandle",
    "jido_ai.loop.handle": "RunHandle",
    "jido_ai.loop.journal": "RunJournal RunSummary",
    "jido_ai.loop.replay": "Replay replay",
    "jido_ai.loop.self_refine": "SelfRefine SelfRefineResult",
    "jido_ai.revisers.targeted_reviser": "TargetedReviser",
    "jido_ai.critics.pytest_critiquer": "PytestCritiquer TestExecutor PytestResult driven_by_tests",
    "jido_ai.critics.text_critiquer": "TextCritiquer",
    "jido_ai.critics.tool_critiquer": "ToolCritiquer",
    "jido_ai.tools.tool": "Tool",
    "jido_ai.config": "Settings",
    "jido_ai.errors": """
        ActorDeadError ActorError AskTimeoutError AuthenticationError BadRequestError BudgetExceededError
        CallError CircuitOpenError ComponentError ConfigurationError ContextLengthError Declined
        EmbeddingError JidoError ModelError ModelNotFoundError ModelTimeoutError ModelUnavailableError
        NotFoundError ParseError QuotaError RateLimitError RefusalError ReplyError RunClaimedError
        StoreDamagedError StoreError StoreFullError StoreUnavailableError StoreVersionError ToolError ToolNotFoundError
        TruncatedError
    """,
    "jido_ai.models.breaker": "BreakerRules",
    "jido_ai.reflection.diagnosis": "classify_error",
    "jido_ai.critics.scoring": "critique_of_trace",
    "jido_ai.reflection.evaluation": "needs_reflection",
    "jido_ai.memory.exchange": "turn_row",
    "jido_ai.learning.maintenance_rules": "MaintenanceConfig MaintenanceReport",
    "jido_ai.models.prompts.lessons": "format_for_prompt",
    "jido_ai.models.retry": "RetryPolicy",
    "jido_ai.loop.record": "RecordedRun",
    "jido_ai.memory.index.similarity": "jaccard",
    "jido_ai.memory.store": "MemoryStore",
    "jido_ai.protocols": "Critiquer Embedder Generator LanguageModel Reviser RunContext ToolExecutor",
    "jido_ai.values": """
        Budget Candidate Completion CompletionRequest CritiqueResult Episode ErrorClass ErrorInfo Event
        EventType Finding Issue Iteration LearningProgress Link Location LoopConfig MemoryEntry MemoryKind
        MemoryQuery Message Outcome Reflection ReflectionResult Regenerate Revise SUSPEND Scope Scored StopReason
        Usage Verdict extract_keywords
    """,
}
_HOME_OF: Final = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "SUSPEND",
    "ActorDeadError",
    "ActorError",
    "AnthropicModel",
    "ApprovalNode",
    "AskTimeoutError",
    "AuthenticationError",
    "BadRequestError",
    "BlockingPipeline",
    "BlockingRunHandle",
    "BreakerRules",
    "Budget",
    "BudgetExceededError",
    "CallError",
    "Candidate",
    "CandidateGenerated",
    "Case",
    "ChainReviser",
    "CheckNode",
    "ChoiceNode",
    "CircuitOpenError",
    "CompatibleModel",
    "Completion",
    "CompletionCache",
    "CompletionRequest",
    "ComponentError",
    "ComponentRestarted",
    "ConfigurationError",
    "ContextLengthError",
    "CostLedger",
    "CritiqueResult",
    "Critiqued",
    "Critiquer",
    "Declined",
    "DeterministicCritiquer",
    "Embedder",
    "EmbeddingError",
    "Episode",
    "ErrorClass",
    "ErrorInfo",
    "Event",
    "EventType",
    "FallbackCritiquer",
    "Finding",
    "Generator",
    "Graph",
    "GraphConfig",
    "GraphNode",
    "GraphResult",
    "GraphStarted",
    "GraphStopped",
    "Issue",
    "Iteration",
    "JidoError",
    "LLMCritiquer",
    "LLMGenerator",
    "LLMReviser",
    "LanguageModel",
    "LearningProgress",
    "LedgerRow",
    "LessonsRetrieved",
    "Link",
    "Location",
    "LoopConfig",
    "LoopNode",
    "Maintenance",
    "MaintenanceConfig",
    "MaintenanceReport",
    "MapNode",
    "MemoryEntry",
    "MemoryKind",
    "MemoryQuery",
    "MemoryStore",
    "Message",
    "ModelError",
    "ModelNotFoundError",
    "ModelTimeoutError",
    "ModelUnavailableError",
    "MutationReviser",
    "NodeResult",
    "NodeStarted",
    "NodeStopped",
    "NodeWarned",
    "NotFoundError",
    "OllamaModel",
    "OpenAIModel",
    "Outcome",
    "PanelCritiquer",
    "ParseError",
    "Pipeline",
    "PytestCritiquer",
    "PytestExecutor",
    "PytestResult",
    "QuotaError",
    "RateLimitError",
    "RecordedRun",
    "RecordingModel",
    "Reflected",
    "Reflection",
    "ReflectionResult",
    "Reflector",
    "ReflexionMemory",
    "RefusalError",
    "Regenerate",
    "Replay",
    "ReplayModel",
    "ReplyError",
    "RetryPolicy",
    "Revise",
    "Revised",
    "Reviser",
    "RunClaimedError",
    "RunContext",
    "RunEvent",
    "RunHandle",
    "RunJournal",
    "RunStarted",
    "RunStopped",
    "RunSummary",
    "Scope",
    "Scored",
    "SelfRefine",
    "SelfRefineResult",
    "Settings",
    "StepNode",
    "StopReason",
    "StoreDamagedError",
    "StoreError",
    "StoreFullError",
    "StoreUnavailableError",
    "StoreVersionError",
    "TargetedReviser",
    "TestExecutor",
    "TextCritiquer",
    "ThresholdCritiquer",
    "Tool",
    "ToolCritiquer",
    "ToolError",
    "ToolExecutor",
    "ToolNotFoundError",
    "TruncatedError",
    "Usage",
    "Verdict",
    "__version__",
    "classify_error",
    "critique_of_trace",
    "driven_by_tests",
    "extract_keywords",
    "format_for_prompt",
    "has_length",
    "jaccard",
    "json_schema_tool",
    "learning_progress",
    "load_settings",
    "maintain",
    "must_match",
    "must_not_match",
    "needs_reflection",
    "pipeline_options",
    "reflect",
    "reflect_sync",
    "replay",
    "rules_tool",
    "turn_row",
    "wrapped",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'jido_ai' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
