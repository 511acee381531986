"""Worked examples of runs: which answers become one, which samples get them, and answers that copy one. Pure.

An accepted answer, shown as an earlier turn before a similar task, teaches a model more than advice does. Samples with
and without examples take turns, because variety pays (docs/planning/archive/0080).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from jido_ai.critics.acceptance import is_accepted
from jido_ai.loop.moves import COPY_OF, SAMPLES, Move
from jido_ai.loop.state import Pending, RunState
from jido_ai.memory.evidence import learned_id
from jido_ai.memory.examples import SCHEMA, normal_prompt
from jido_ai.values import Candidate, CritiqueResult, Iteration, LoopConfig, MemoryEntry, Scope

WITH: Final[Move] = "sample with examples"
WITHOUT: Final[Move] = "sample without"
_LONGEST_ANSWER: Final = 4_000
_LONGEST_PROMPT: Final = 20_000
_CHARS_PER_TOKEN: Final = 4


def knows(critique: CritiqueResult) -> bool:
    """True if a program judged: a tool, tests, rules, a type, a function. A model's own verdict is no knowledge.

    Of a panel, one member that is a program is enough. A critic that skipped all its checks judged nothing.
    """
    if critique.parts:
        return any(map(knows, critique.parts))
    ends = set(critique.checks.values())
    return not critique.source.startswith("model:") and ends != {"skipped"}


def example_of(
    prompt: str,
    sent: str,
    best: Iteration,
    *,
    run_id: str,
    scope: Scope,
    task_type: str | None,
    schema: str | None,
) -> MemoryEntry | None:
    """Return the example that an accepted answer makes; None if the answer or the prompt is too long, or blank.

    Args:
        prompt: what the user asked.
        sent: the whole prompt as it went to the generator, with its blocks of data.
        schema: digest of the type of the answer; None for a text.
    """
    answer = best.candidate.content
    if not prompt.strip() or not answer.strip() or len(answer) > _LONGEST_ANSWER or len(sent) > _LONGEST_PROMPT:
        return None
    about = {SCHEMA: schema, "sent": sent if sent != prompt else None, "model": best.candidate.model}
    return MemoryEntry(
        prompt,
        answer=answer,
        id=learned_id(run_id, "example"),
        scope=scope,
        severity=best.critique.severity,
        reward=best.critique.reward,
        task_type=task_type,
        evidence=(run_id,),
        source="run",
        metadata={name: value for name, value in about.items() if value is not None},
    )


def schema_digest(schema: Mapping[str, Any]) -> str:
    """Return a digest of a JSON Schema; the order of its keys does not matter."""
    return hashlib.sha256(json.dumps(schema, sort_keys=True, default=str).encode()).hexdigest()[:16]


def is_of_type(example: MemoryEntry, schema: str | None) -> bool:
    """Tell whether the answer of an example has the type of a run's answers."""
    return example.metadata.get(SCHEMA) == schema


def shown(found: Iterable[MemoryEntry], *, most: int, tokens: int | None) -> tuple[MemoryEntry, ...]:
    """Return the examples to show, the nearest last: at most `most`, within the limit.

    An example that does not fit into `tokens` tokens, at four characters per token, is left out, not cut.

    Args:
        found: most similar first.
    """
    chosen: list[MemoryEntry] = []
    room = None if tokens is None else _CHARS_PER_TOKEN * tokens
    for example in found:
        if len(chosen) >= most:
            break
        chars = len(example.sent_prompt) + len(example.answer)
        if room is not None:
            if chars > room:
                continue
            room -= chars
        chosen.append(example)
    return tuple(reversed(chosen))


# -- samples -----------------------------------------------------------------------------------------


def goes_with_examples(state: RunState, *, slot: int | None = None, wanted: bool | None = None) -> bool:
    """Tell whether the next sample of a run is made with the examples: every second one is, the first one included.

    Args:
        slot: of a first candidate. These are made side by side, so only their places count.
        wanted: what a policy chose. After a copy of an example the next sample goes without all the same.
    """
    if not state.examples:
        return False
    if slot is not None:
        return (slot - state.has_initial) % 2 == 0
    samples = _samples((*state.origins, *state.pending))
    if samples and COPY_OF in samples[-1].metadata:
        return False
    return len(samples) % 2 == 0 if wanted is None else wanted


def _samples(made: Sequence[Pending]) -> list[Candidate]:
    in_order = sorted(made, key=lambda one: one.slot)
    return [one.candidate for one in in_order if one.candidate.metadata.get("move") in SAMPLES]


def marked(candidate: Candidate, prompt: str, examples: Sequence[MemoryEntry], *, with_them: bool) -> Candidate:
    """Return a sample with a note of how it was made, and of the example that it copies.

    It is a copy if its text is the answer of an example to another prompt.

    Args:
        prompt: in the user's words.
        examples: those of the run; without any, the candidate stays as it is.
        with_them: its generator looked at them.
    """
    if not examples:
        return candidate
    notes: dict[str, Any] = {"move": WITH if with_them else WITHOUT}
    text, asked = candidate.content.strip(), normal_prompt(prompt)
    for example in examples if with_them else ():
        if example.answer.strip() == text and normal_prompt(example.prompt) != asked:
            notes[COPY_OF] = example.id
    return candidate.model_copy(update={"metadata": {**candidate.metadata, **notes}})


def is_with_examples(candidate: Candidate) -> bool:
    """Tell whether the generator of a sample looked at the examples."""
    return candidate.metadata.get("move") == WITH


def were_shown(state: RunState) -> bool:
    """Tell whether a generator of the run looked at the examples."""
    return any(is_with_examples(one.candidate) for one in (*state.origins, *state.pending))


def helped(history: Sequence[Iteration], config: LoopConfig) -> bool:
    """Tell whether a sample that was made with the examples was good enough."""
    return any(is_with_examples(one.candidate) and is_accepted(one, config) for one in history)
