"""The life of a run, whatever it carries out: admission, claim, turn, journal, handle and end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.runs.handle import RunHandle as RunHandle
    from jido_ai.runs.questions import Question as Question
    from jido_ai.runs.summary import RunSummary as RunSummary
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
