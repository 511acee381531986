"""Learning over many runs: maintenance, consolidation, progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.learning.history import learning_progress as learning_progress
    from jido_ai.learning.maintenance import Maintenance as Maintenance
    from jido_ai.learning.maintenance import maintain as maintain
    from jido_ai.learning.maintenance_report import MaintenanceConfig as MaintenanceConfig
    from jido_ai.learning.maintenance_report import MaintenanceReport as MaintenanceReport
    from jido_ai.values.episode import LearningProgress as LearningProgress
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
