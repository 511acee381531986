"""A loop that reflects on its attempts, records them, and learns from those of others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from scripted import PROMPT, Scripted, text

from jido_ai.errors import ComponentError, ConfigurationError, ModelUnavailableError
from jido_ai.learning.history import learning_progress
from jido_ai.learning.maintenance import maintain
from jido_ai.learning.maintenance_report import MaintenanceConfig
from jido_ai.learning.progress_report import progress_report, report_map
from jido_ai.loop.events import Reflected
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.reflection.reflector import Reflector
from jido_ai.telemetry import TelemetryEvent
from jido_ai.testing import ScriptedModel
from jido_ai.values import Budget, Candidate, CritiqueResult, Episode, LoopConfig, MemoryEntry, Reflection, Scope

SEVERITIES = (0.9, 0.7, 0.5, 0.1)
CONFIG = LoopConfig(max_iterations=4)


class Wise:
    """A reflector whose lessons are numbered."""

    def __init__(self, fails: int = 0, strategy: str | None = None) -> None:
        self.fails = fails
        self.strategy = strategy
        self.asked: list[tuple[Episode, tuple[Reflection, ...]]] = []

    async def reflect(self, episode: Episode, priors: Any = (), context: RunContext | None = None) -> Reflection:
        self.asked.append((episode, tuple(priors)))
        if self.fails:
            self.fails -= 1
            raise RuntimeError("not now")
        return Reflection(f"lesson {len(self.asked)}", root_cause="cause", strategy=self.strategy, importance=0.95)


@pytest.fixture
async def memory() -> AsyncIterator[ReflexionMemory]:
    async with ReflexionMemory() as memory:
        yield memory


async def run(script: Any, reflector: Any, memory: ReflexionMemory | None = None, **options: Any) -> Any:
    config = options.pop("config", CONFIG)
    request = {name: options.pop(name) for name in ("metadata", "scope") if name in options}
    async with Pipeline(script, script, script, memory, config, reflector=reflector, **options) as pipeline:
        return await pipeline.run(PROMPT, run_id="r", **request)


# -- reflecting in the loop ------------------------------------------------------------------------


@pytest.mark.rows("H47", "C1")
async def test_every_attempt_that_needs_it_is_reflected_on() -> None:
    wise = Wise()
    result = await run(Scripted(*SEVERITIES), wise)
    assert [episode.attempt for episode, _ in wise.asked] == [1, 2, 3]  # the fourth is good enough
    assert [reflection.lesson for reflection in result.reflections] == ["lesson 1", "lesson 2", "lesson 3"]


def _by_contract(episode: Episode, priors: Any = ()) -> Reflection:
    return Reflection(f"after {len(priors)}")


async def _awaited(episode: Episode, priors: Any) -> Reflection:
    return _by_contract(episode, priors)


class _WithMethod:
    async def reflect(self, episode: Episode, priors: Any = ()) -> Reflection:
        return _by_contract(episode, priors)


@pytest.mark.rows("R60")
@pytest.mark.parametrize("reflector", [_by_contract, _awaited, _WithMethod()])
async def test_a_reflector_of_the_contract_takes_an_episode_and_priors(reflector: Any, memory: ReflexionMemory) -> None:
    script = Scripted(*SEVERITIES)
    async with Pipeline(script, script, script, memory, CONFIG, reflector=reflector) as pipeline:
        result = await pipeline.run(PROMPT)
        assert [reflection.lesson for reflection in result.reflections] == ["after 0", "after 1", "after 2"]
        assert (await pipeline.observe(Episode(PROMPT))).lesson == "after 0"
    assert (await maintain(memory, MaintenanceConfig(mode="full", dream_importance=0.0), reflector=reflector)).dreams


@pytest.mark.rows("H47")
async def test_a_reflector_may_take_the_episode_alone() -> None:
    result = await run(Scripted(*SEVERITIES), lambda episode: Reflection(f"of {episode.attempt}"))
    assert [reflection.lesson for reflection in result.reflections] == ["of 1", "of 2", "of 3"]


@pytest.mark.rows("H47")
async def test_earlier_reflections_of_the_run_are_given_as_priors() -> None:
    wise = Wise()
    await run(Scripted(*SEVERITIES), wise)
    assert [[prior.lesson for prior in priors] for _, priors in wise.asked] == [
        [],
        ["lesson 1"],
        ["lesson 1", "lesson 2"],
    ]


@pytest.mark.rows("H47", "H66")
async def test_lessons_of_an_attempt_reach_the_reviser_of_the_same_run() -> None:
    script = Scripted(*SEVERITIES)
    await run(script, Wise())
    offered = {
        call: [lesson.correction for lesson in context.lessons]
        for call, context in zip(script.calls, script.contexts, strict=True)
    }
    assert offered["critique 0"] == []
    assert offered["revise 0"] == ["lesson 1"]
    assert offered["revise 2"] == ["lesson 1", "lesson 2", "lesson 3"]


@pytest.mark.rows("R36", "R37", "R38")
async def test_in_mode_full_a_success_is_reflected_on_too() -> None:
    def critic(candidate: Candidate, context: object) -> CritiqueResult:
        return CritiqueResult(severity=0.0, outcome="success")

    for mode, reflections in (("lite", 0), ("full", 1)):
        async with Pipeline(critiquer=critic, reflector=True, mode=mode) as pipeline:
            result = await pipeline.run("p", "text")
        assert len(result.reflections) == reflections
    with pytest.raises(ConfigurationError, match="mode"):
        Pipeline(critiquer=critic, mode="dreamy")


@pytest.mark.rows("C33", "C38")
async def test_a_reflector_that_fails_is_passed_over_and_counted() -> None:
    result = await run(Scripted(*SEVERITIES), Wise(fails=1), config=CONFIG.replace(step_retries=0))
    assert result.accepted
    assert result.error is None
    assert (len(result.reflections), result.reflections_skipped) == (2, 1)


async def test_a_reflector_that_answers_nonsense_breaks_no_run() -> None:
    result = await run(Scripted(*SEVERITIES), lambda episode, priors, context: "be better")
    assert result.accepted
    assert result.reflections_skipped == 3


@pytest.mark.rows("C38")
async def test_a_spent_budget_stops_reflection_before_it_stops_answers() -> None:
    class Paying(Wise):
        async def reflect(self, episode: Episode, priors: Any = (), context: RunContext | None = None) -> Reflection:
            assert context is not None
            assert context.meter is not None
            context.meter.reserve(calls=5)
            return Reflection("x")

    result = await run(Scripted(*SEVERITIES), Paying(), config=CONFIG.replace(budget=Budget(max_calls=4)))
    assert result.accepted
    assert result.reflections_skipped == 3


async def test_reflections_are_events_of_their_run() -> None:
    script = Scripted(*SEVERITIES)
    async with Pipeline(script, script, script, config=CONFIG, reflector=Wise()) as pipeline:
        events = [event async for event in pipeline.stream(PROMPT)]
    assert [(event.index, event.reflection.lesson) for event in events if isinstance(event, Reflected)] == [
        (0, "lesson 1"),
        (1, "lesson 2"),
        (2, "lesson 3"),
    ]


async def test_a_resumed_run_does_not_repeat_its_reflections(memory: ReflexionMemory) -> None:
    first = Wise()
    await run(Scripted(*SEVERITIES), first, memory, config=CONFIG.replace(budget=Budget(max_calls=1), max_iterations=2))
    recorded = await RunJournal(memory).load("r")
    assert len(recorded.reflections) == 2
    assert recorded.result().reflections == tuple(one for one in recorded.reflections.values() if one)


@pytest.mark.rows("R50")
async def test_reflections_are_events_of_the_system_with_figures_and_no_texts(memory: ReflexionMemory) -> None:
    told: list[TelemetryEvent] = []

    def events() -> list[str]:
        return [event.name for event in told if event.name.partition(".")[0] in ("reflection", "strategy")]

    script, wise = Scripted(*SEVERITIES), Wise(fails=1, strategy="look first")
    config = CONFIG.replace(step_retries=0)
    async with Pipeline(script, script, script, memory, config, reflector=wise, sink=told.append) as pipeline:
        await pipeline.run(PROMPT, scope=Scope("t"))
        seen = events()
        assert seen[:2] == ["reflection.started", "reflection.failed"]
        assert seen[2:6] == ["reflection.started", "reflection.made"] * 2
        assert seen[6:] == ["reflection.stored", "strategy.stored"] * 2
        told.clear()
        await pipeline.observe(FOREIGN)
        assert events() == ["reflection.started", "reflection.made", "reflection.stored", "strategy.stored"]
        (made,) = [event.data for event in told if event.name == "reflection.made"]
        assert {"tenant": "t", "outcome": "error", "events": 0, "importance": 0.95, "has_strategy": True}.items() <= (
            made.items()
        )
        assert "look first" not in repr(told)
        wise.fails = 1
        with pytest.raises(RuntimeError):
            await pipeline.observe(FOREIGN.replace(id="another"))
        assert events()[-2:] == ["reflection.started", "reflection.failed"]


# -- what is remembered ----------------------------------------------------------------------------


@pytest.mark.rows("H1", "H47", "M22")
async def test_a_run_of_four_attempts_leaves_four_episodes(memory: ReflexionMemory) -> None:
    about = {"task_type": "dates", "agent_id": "me", "goal": "be right", "session_id": "s"}
    await run(Scripted(*SEVERITIES), None, memory, metadata=about, scope=Scope("a"))
    records = await memory.records("episodes", scope=Scope("a"))
    episodes = [Episode.model_validate(record.data) for record in records]
    assert [episode.attempt for episode in episodes] == [1, 2, 3, 4]
    assert {(one.task_type, one.agent_id, one.goal, one.session_id) for one in episodes} == {
        ("dates", "me", "be right", "s")
    }
    assert [episode.critique.severity for episode in episodes] == list(SEVERITIES)
    assert {record.kind for record in records} == {"dates"}


@pytest.mark.rows("H49", "R23", "R24")
async def test_attempts_with_reflections_are_stored_and_strategies_separately(memory: ReflexionMemory) -> None:
    result = await run(Scripted(*SEVERITIES), Wise(strategy="look first"), memory)
    entries = await memory.list_entries()
    episodic = [entry for entry in entries if entry.kind == "episodic"]
    assert sorted(entry.correction for entry in episodic) == ["lesson 1", "lesson 2", "lesson 3"]
    (strategy,) = [entry for entry in entries if entry.kind == "procedural" and not entry.is_example]
    assert (strategy.correction, strategy.importance, strategy.frequency) == ("look first", 1.0, 3)
    assert "strategy" in strategy.tags
    assert {entry.id for entry in result.lessons_stored} >= {entry.id for entry in episodic}


@pytest.mark.rows("H48")
async def test_without_a_reviser_an_attempt_is_reflected_on_and_kept_before_the_run_ends(
    memory: ReflexionMemory,
) -> None:
    async with Pipeline(None, Scripted(0.9), None, memory, CONFIG, reflector=Wise()) as pipeline:
        result = await pipeline.run(PROMPT, text(0))
    assert result.stop_reason == "declined"
    assert [one.lesson for one in result.reflections] == ["lesson 1"]
    assert [entry.correction for entry in await memory.list_entries()] == ["lesson 1"]
    assert len(await memory.records("episodes")) == 1


@pytest.mark.rows("H65")
async def test_a_run_is_offered_five_lessons_at_most(memory: ReflexionMemory) -> None:
    for number in range(8):
        await memory.store(MemoryEntry(f"{PROMPT} {number}", "m", f"lesson {number}", kind="semantic"))
    result = await run(Scripted(*SEVERITIES), None, memory)
    assert 1 <= len(result.lessons_used) <= 5


# -- observe ---------------------------------------------------------------------------------------

FOREIGN = Episode("deploy it", outcome="error", error="PermissionError: denied", agent_id="other", scope=Scope("t"))


@pytest.mark.rows("R1")
async def test_a_trace_of_another_agent_is_reflected_on_and_kept(memory: ReflexionMemory) -> None:
    async with Pipeline(critiquer=Scripted(), memory=memory) as pipeline:
        reflection = await pipeline.observe(FOREIGN)
    assert reflection.error_class == "permission"
    (entry,) = await memory.list_entries(Scope("t"))
    assert (entry.agent_id, entry.correction, entry.evidence) == ("other", reflection.lesson, (FOREIGN.id,))
    (record,) = await memory.records("episodes")
    assert Episode.model_validate(record.data).reflection == reflection


async def test_the_pipelines_own_reflector_is_asked() -> None:
    wise = Wise()
    async with Pipeline(critiquer=Scripted(), reflector=wise) as pipeline:
        assert (await pipeline.observe(FOREIGN)).lesson == "lesson 1"


async def test_a_reflection_in_the_episode_is_kept_unchanged(memory: ReflexionMemory) -> None:
    mine = Reflection("my own words")
    async with Pipeline(critiquer=Scripted(), memory=memory, reflector=Wise()) as pipeline:
        assert await pipeline.observe(FOREIGN.replace(reflection=mine)) == mine
    assert [entry.correction for entry in await memory.list_entries()] == ["my own words"]


async def _never(episode: Episode, priors: Any = ()) -> Reflection:
    await asyncio.Event().wait()
    raise AssertionError


@pytest.mark.rows("R1")
@pytest.mark.virtual_clock
async def test_an_observation_ends_with_the_time_of_a_run(memory: ReflexionMemory) -> None:
    config = LoopConfig(timeout_s=30.0)
    async with Pipeline(critiquer=Scripted(), memory=memory, reflector=_never, config=config) as pipeline:
        with pytest.raises(ComponentError, match="reflector did not answer within 30 s"):
            await pipeline.observe(FOREIGN)
    assert await memory.count() == 0


@pytest.mark.virtual_clock
async def test_an_observation_ends_with_its_pipeline() -> None:
    async with Pipeline(critiquer=Scripted(), reflector=_never) as pipeline:
        observing = asyncio.ensure_future(pipeline.observe(FOREIGN))
        await asyncio.sleep(1.0)
    with pytest.raises(ComponentError, match="before the pipeline closed"):
        await observing


@pytest.mark.virtual_clock
async def test_a_pipeline_closes_while_an_observation_that_took_too_long_is_cleaned_up_after() -> None:
    async def slow_to_end(episode: Episode, priors: Any = ()) -> Reflection:
        try:
            return await _never(episode)
        finally:
            await asyncio.sleep(5.0)

    pipeline = Pipeline(critiquer=Scripted(), reflector=slow_to_end, config=LoopConfig(timeout_s=30.0))
    async with pipeline:
        observing = asyncio.ensure_future(pipeline.observe(FOREIGN))
        await asyncio.sleep(31.0)
    assert [node.name for node in pipeline.tree().walk() if node.name.startswith(pipeline.name)] == [pipeline.name]
    with pytest.raises(ComponentError, match="reflector did not answer"):
        await observing


async def test_a_timeout_raised_by_the_reflector_is_its_error() -> None:
    def fails(episode: Episode, priors: Any = ()) -> Reflection:
        raise TimeoutError("of its own")

    async with Pipeline(critiquer=Scripted(), reflector=fails) as pipeline:
        with pytest.raises(TimeoutError, match="of its own"):
            await pipeline.observe(FOREIGN)


@pytest.mark.rows("C12", "C33")
async def test_a_pipeline_warns_when_diagnosis_stands_in_for_a_model(caplog: pytest.LogCaptureFixture) -> None:
    reflector = Reflector(ScriptedModel([ModelUnavailableError("the key is k-1", provider="p")]))
    async with Pipeline(critiquer=Scripted(), reflector=reflector) as pipeline:
        assert (await pipeline.observe(FOREIGN)).source == "fallback"
    warnings = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert len(warnings) == 1
    assert "reflection.fell_back" in warnings[0]
    assert "error='ModelUnavailableError'" in warnings[0]
    assert "k-1" not in warnings[0]


@pytest.mark.rows("H4", "C9", "C15")
@pytest.mark.parametrize("junk", [None, {"prompt": "p"}, FOREIGN.replace(agent_id=" "), FOREIGN.replace(prompt=" \n")])
async def test_an_invalid_observation_is_refused_and_nothing_is_stored(junk: Any, memory: ReflexionMemory) -> None:
    wise = Wise()
    async with Pipeline(critiquer=Scripted(), memory=memory, reflector=wise) as pipeline:
        with pytest.raises(ConfigurationError):
            await pipeline.observe(junk)
    assert wise.asked == []
    assert await memory.count() == 0
    assert await memory.records("episodes") == []


@pytest.mark.rows("H38")
async def test_a_reflector_works_without_a_model() -> None:
    result = await run(Scripted(*SEVERITIES), True)
    assert {reflection.source for reflection in result.reflections} == {"fallback"}
    assert isinstance(Reflector(), Reflector)


@pytest.mark.rows("M33")
async def test_progress_has_the_same_figures_wherever_it_is_asked(memory: ReflexionMemory) -> None:
    script = Scripted(0.9, 0.1)
    async with Pipeline(None, script, script, memory, CONFIG) as pipeline:
        for number in range(3):
            script.severities = (0.9, 0.1)
            await pipeline.run(f"{PROMPT} {number}", text(0), metadata={"task_type": "dates"})
    progress = await learning_progress(memory, "dates")
    (told,) = report_map(await progress_report(memory))["task_types"]
    assert {name: told[name] for name in type(progress).model_fields} == progress.model_dump(mode="json")
    assert (progress.total_attempts, progress.success_rate) == (3, 1.0)
