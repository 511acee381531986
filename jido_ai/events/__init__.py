"""Events of runs and of graphs, in the order in which `stream` yields them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.graph.events import GraphStarted as GraphStarted
    from jido_ai.graph.events import GraphStopped as GraphStopped
    from jido_ai.graph.events import NodeStarted as NodeStarted
    from jido_ai.graph.events import NodeStopped as NodeStopped
    from jido_ai.graph.events import NodeWarned as NodeWarned
    from jido_ai.loop.events import CandidateGenerated as CandidateGenerated
    from jido_ai.loop.events import ComponentRestarted as ComponentRestarted
    from jido_ai.loop.events import Critiqued as Critiqued
    from jido_ai.loop.events import LessonsRetrieved as LessonsRetrieved
    from jido_ai.loop.events import MemoryPaused as MemoryPaused
    from jido_ai.loop.events import ModelCalled as ModelCalled
    from jido_ai.loop.events import PartialOutput as PartialOutput
    from jido_ai.loop.events import Reflected as Reflected
    from jido_ai.loop.events import Revised as Revised
    from jido_ai.loop.events import RunEvent as RunEvent
    from jido_ai.loop.events import RunStarted as RunStarted
    from jido_ai.loop.events import RunStopped as RunStopped
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
