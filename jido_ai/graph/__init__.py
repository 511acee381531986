"""Graphs: loops and plain steps as one supervised, resumable run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.graph.graph import Graph as Graph
    from jido_ai.graph.nodes import ApprovalNode as ApprovalNode
    from jido_ai.graph.nodes import Case as Case
    from jido_ai.graph.nodes import CheckNode as CheckNode
    from jido_ai.graph.nodes import ChoiceNode as ChoiceNode
    from jido_ai.graph.nodes import GraphConfig as GraphConfig
    from jido_ai.graph.nodes import GraphNode as GraphNode
    from jido_ai.graph.nodes import LoopNode as LoopNode
    from jido_ai.graph.nodes import MapNode as MapNode
    from jido_ai.graph.nodes import StepNode as StepNode
    from jido_ai.graph.results import GraphResult as GraphResult
    from jido_ai.graph.results import NodeResult as NodeResult
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
