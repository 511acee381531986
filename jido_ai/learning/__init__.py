"""Learning over many runs: maintenance, consolidation, progress, comparison of strategies."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.comparing.comparison import Comparison as Comparison
    from jido_ai.comparing.run import compare as compare
    from jido_ai.comparing.strategies import best_of as best_of
    from jido_ai.comparing.strategies import reflexion as reflexion
    from jido_ai.comparing.strategies import self_refine as self_refine
    from jido_ai.comparing.strategies import single as single
    from jido_ai.comparing.tasks import Check as Check
    from jido_ai.comparing.tasks import Task as Task
    from jido_ai.learning.history import learning_progress as learning_progress
    from jido_ai.learning.maintenance import Maintenance as Maintenance
    from jido_ai.learning.maintenance import maintain as maintain
    from jido_ai.learning.maintenance_report import MaintenanceConfig as MaintenanceConfig
    from jido_ai.learning.maintenance_report import MaintenanceReport as MaintenanceReport
    from jido_ai.memory.effect import Effect as Effect
    from jido_ai.memory.effect import effect as effect
    from jido_ai.values.episode import LearningProgress as LearningProgress
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
