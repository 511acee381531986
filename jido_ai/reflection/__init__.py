"""Reflection: lessons from attempts; reflector, diagnosis, when to reflect."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.reflection.diagnosis import classify_error as classify_error
    from jido_ai.reflection.evaluation import needs_reflection as needs_reflection
    from jido_ai.reflection.reflector import Reflector as Reflector
    from jido_ai.values.critique import Outcome as Outcome
    from jido_ai.values.episode import Episode as Episode
    from jido_ai.values.episode import ErrorClass as ErrorClass
    from jido_ai.values.episode import Event as Event
    from jido_ai.values.episode import EventType as EventType
    from jido_ai.values.episode import Reflection as Reflection
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
