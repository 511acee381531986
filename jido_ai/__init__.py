"""Supervised reflection for language-model work: critique, revise, remember, under OTP supervision on asyncio.

These are the names that most programs need. The others are public in their rooms, such as `jido_ai.errors`,
`jido_ai.memory` and `jido_ai.models`; the actor runtime is `jido_ai.actors`. Each name is loaded on first use, so that
`import jido_ai` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.critics import LLMCritiquer as LLMCritiquer
    from jido_ai.critics import PanelCritiquer as PanelCritiquer
    from jido_ai.critics import PytestCritiquer as PytestCritiquer
    from jido_ai.critics import ToolCritiquer as ToolCritiquer
    from jido_ai.errors import ConfigurationError as ConfigurationError
    from jido_ai.errors import Declined as Declined
    from jido_ai.errors import JidoError as JidoError
    from jido_ai.errors import ModelError as ModelError
    from jido_ai.errors import NotFoundError as NotFoundError
    from jido_ai.errors import RunClaimedError as RunClaimedError
    from jido_ai.errors import StoreError as StoreError
    from jido_ai.events import CandidateGenerated as CandidateGenerated
    from jido_ai.events import ComponentRestarted as ComponentRestarted
    from jido_ai.events import Critiqued as Critiqued
    from jido_ai.events import LessonsRetrieved as LessonsRetrieved
    from jido_ai.events import Revised as Revised
    from jido_ai.events import RunStarted as RunStarted
    from jido_ai.events import RunStopped as RunStopped
    from jido_ai.graph import ApprovalNode as ApprovalNode
    from jido_ai.graph import CheckNode as CheckNode
    from jido_ai.graph import ChoiceNode as ChoiceNode
    from jido_ai.graph import Graph as Graph
    from jido_ai.graph import GraphConfig as GraphConfig
    from jido_ai.graph import GraphNode as GraphNode
    from jido_ai.graph import GraphResult as GraphResult
    from jido_ai.graph import LoopNode as LoopNode
    from jido_ai.graph import MapNode as MapNode
    from jido_ai.graph import NodeResult as NodeResult
    from jido_ai.graph import StepNode as StepNode
    from jido_ai.loop import BlockingPipeline as BlockingPipeline
    from jido_ai.loop import Pipeline as Pipeline
    from jido_ai.loop import reflect as reflect
    from jido_ai.loop import reflect_sync as reflect_sync
    from jido_ai.memory import ReflexionMemory as ReflexionMemory
    from jido_ai.models import LLMGenerator as LLMGenerator
    from jido_ai.models import format_for_prompt as format_for_prompt
    from jido_ai.protocols import Critiquer as Critiquer
    from jido_ai.protocols import Generator as Generator
    from jido_ai.protocols import Reviser as Reviser
    from jido_ai.protocols import RunContext as RunContext
    from jido_ai.reflection import Reflector as Reflector
    from jido_ai.revisers import ChainReviser as ChainReviser
    from jido_ai.revisers import LLMReviser as LLMReviser
    from jido_ai.revisers import TargetedReviser as TargetedReviser
    from jido_ai.runs import RunHandle as RunHandle
    from jido_ai.tools import Tool as Tool
    from jido_ai.values import SUSPEND as SUSPEND
    from jido_ai.values import Budget as Budget
    from jido_ai.values import Candidate as Candidate
    from jido_ai.values import CritiqueResult as CritiqueResult
    from jido_ai.values import Episode as Episode
    from jido_ai.values import Finding as Finding
    from jido_ai.values import Issue as Issue
    from jido_ai.values import Iteration as Iteration
    from jido_ai.values import Location as Location
    from jido_ai.values import LoopConfig as LoopConfig
    from jido_ai.values import MemoryEntry as MemoryEntry
    from jido_ai.values import Reflection as Reflection
    from jido_ai.values import ReflectionResult as ReflectionResult
    from jido_ai.values import Scope as Scope
    from jido_ai.values import StopReason as StopReason
    from jido_ai.values import Usage as Usage
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()

__version__ = "0.2.0"
