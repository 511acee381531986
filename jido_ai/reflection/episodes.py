"""Episodes: an iteration of a run as the record of an attempt. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from jido_ai.text.plain_prompt import asked_of
from jido_ai.values import CritiqueResult, Episode, Iteration, MemoryEntry, Reflection, Scope

_LEAST_QUOTED: Final = 20


def episode_of(
    iteration: Iteration,
    *,
    prompt: str,
    run_id: str,
    scope: Scope,
    metadata: Mapping[str, Any],
    reflection: Reflection | None = None,
    lessons: Sequence[MemoryEntry] = (),
    examples: Mapping[str, bool] | None = None,
    were_seen: bool = True,
    is_given: bool = False,
    critique: CritiqueResult | None = None,
) -> Episode:
    """Return an iteration of a run as an episode: the run is its session, attempts count from 1.

    A candidate that the caller gave (`is_given`) was made without lessons; its episode's metadata has `given`: true.
    The metadata has `seen`: false if no component has looked at the lessons, and the ids of those that were `applied`;
    and the `examples` of the run by id: whether this candidate was made with them.

    `critique` stands in for that of the iteration. The metrics hold time, cost and, for a revision, the gain over its
    base. The run's metadata may give `task_type`, `agent_id`, `session_id` and `goal`, as texts, and with `asked` the
    prompt in the user's own words.
    """
    usage = iteration.usage
    metrics = {
        "duration_s": iteration.duration_s,
        "calls": float(usage.calls),
        "tokens": float(usage.input_tokens + usage.output_tokens),
        "cost_usd": usage.cost_usd,
    }
    if iteration.gain is not None:
        metrics["gain"] = iteration.gain
    noted: dict[str, Any] = {"given": True} if is_given else {}
    if lessons and not is_given:
        cited_here = [lesson.id for number, lesson in enumerate(lessons, 1) if cited(lesson, number, iteration)]
        noted |= {} if were_seen else {"seen": False}
        noted |= {"applied": cited_here} if were_seen and cited_here else {}
    noted |= {"examples": dict(examples)} if examples and not is_given else {}
    critique = critique or iteration.critique
    return Episode(
        prompt=asked_of(prompt, metadata),
        candidate=iteration.candidate,
        id=f"episode_{run_id}_{iteration.index}",
        scope=scope,
        agent_id=_named(metadata, "agent_id") or "jido",
        session_id=_named(metadata, "session_id") or run_id,
        turn_id=f"{run_id}:{iteration.index}",
        task_type=task_type_of(metadata),
        goal=_named(metadata, "goal"),
        attempt=iteration.index + 1,
        critique=critique,
        reflection=reflection,
        outcome=critique.outcome,
        memories_used=() if is_given else (*(lesson.id for lesson in lessons), *(examples or ())),
        metrics=metrics,
        metadata={"run_id": run_id, **noted},
    )


def cited(lesson: MemoryEntry, number: int, iteration: Iteration) -> bool:
    """Tell whether an attempt used a lesson: applied an operator that it names, or cited it.

    A citation is the lesson's id, its text, or "lesson 2" for the second one, in the reasoning or in the feedback.

    Args:
        number: of the lesson in the prompts of the run, from 1.
    """
    candidate = iteration.candidate
    tags: object = candidate.metadata.get("tags")
    if isinstance(tags, list | tuple) and any(
        tag in lesson.tags for tag in cast("Sequence[object]", tags) if str(tag).startswith("mutation:")
    ):
        return True
    text = f"{candidate.reasoning or ''}\n{iteration.critique.feedback}"
    words = (lesson.id, lesson.correction)
    if any(len(word) >= _LEAST_QUOTED and word in text for word in words):
        return True
    return re.search(rf"\blesson (?:no\. ?|#)?{number}\b", text, re.IGNORECASE) is not None


def task_type_of(metadata: Mapping[str, Any]) -> str | None:
    """Return the kind of a run's task; None if it has none."""
    return _named(metadata, "task_type")


def _named(metadata: Mapping[str, Any], name: str) -> str | None:
    if not metadata:
        return None
    value = metadata.get(name)
    return value if isinstance(value, str) and value.strip() else None
