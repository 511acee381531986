"""Pipeline and ReflectionLoop: stop rules, policies, the floor, journal, resume, replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.loop.blocking_pipeline import BlockingPipeline as BlockingPipeline
    from jido_ai.loop.blocking_pipeline import BlockingRunHandle as BlockingRunHandle
    from jido_ai.loop.journal import RunJournal as RunJournal
    from jido_ai.loop.pipeline import Pipeline as Pipeline
    from jido_ai.loop.pipeline import reflect as reflect
    from jido_ai.loop.pipeline import reflect_sync as reflect_sync
    from jido_ai.loop.record import RecordedRun as RecordedRun
    from jido_ai.loop.replayed_run import Replay as Replay
    from jido_ai.loop.replayed_run import replay as replay
    from jido_ai.loop.self_refine import SelfRefine as SelfRefine
    from jido_ai.loop.self_refine import SelfRefineResult as SelfRefineResult
    from jido_ai.loop.settings import load_settings as load_settings
    from jido_ai.loop.settings import pipeline_options as pipeline_options
    from jido_ai.values.run import SUSPEND as SUSPEND
    from jido_ai.values.run import Budget as Budget
    from jido_ai.values.run import ErrorInfo as ErrorInfo
    from jido_ai.values.run import Iteration as Iteration
    from jido_ai.values.run import LoopConfig as LoopConfig
    from jido_ai.values.run import ReflectionResult as ReflectionResult
    from jido_ai.values.run import Regenerate as Regenerate
    from jido_ai.values.run import Revise as Revise
    from jido_ai.values.run import StopReason as StopReason
    from jido_ai.values.run import Verdict as Verdict
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
