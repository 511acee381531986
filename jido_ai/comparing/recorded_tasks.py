"""Tasks made of the runs of a journal, with people's thumbs as labels."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, cast

from jido_ai.comparing.tasks import Check, Task
from jido_ai.errors import ConfigurationError, describe
from jido_ai.loop.record import read_run
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.runs.summary import LOG, NOTES
from jido_ai.text.plain_prompt import asked_of
from jido_ai.text.printable import clip
from jido_ai.values import Scope
from jido_ai.values.record import Record

_COMPARISONS: Final = "comparison"
"""The tenant of the runs that comparisons make."""
_SHOWN_CHARS: Final = 4_000
_NOTE_CHARS: Final = 500
_PAGE: Final = 100
_THUMBS: Final = ("up", "down", None)
_FAMILY: Final[Mapping[str | None, str]] = {"up": "thumb up", "down": "thumb down", None: "no thumb"}


async def tasks_from_runs(
    memory: ReflexionMemory,
    *,
    judge: str,
    scope: Scope | None = None,
    limit: int = 100,
    thumbs: Collection[str | None] = _THUMBS,
) -> tuple[Task, ...]:
    """Return a task for each prompt of the runs in a journal, from the newest to the oldest.

    Each has one check, by the judge: that the answer is as good as one with a thumb up, avoids what is wrong with one
    with a thumb down, or, without a thumb, does all that the prompt asks. The thumb and the note of a person are in the
    criterion and, with the run's id, in the metadata; "family" is "thumb up", "thumb down" or "no thumb". Of runs with
    the same prompt the newest one with a thumb counts. Runs of graphs, of files (`jido improve`) and without a prompt
    are left out. `text_of_tasks` makes the text of a file of them, to be edited: a check by a program is worth more.

    Args:
        memory: must be open.
        judge: the model of the checks, as "PROVIDER:NAME".
        scope: None is all.
        limit: of the tasks, at least 1.
        thumbs: the runs to take, by their thumbs.

    Raises:
        ConfigurationError: an argument is out of range.
    """
    if type(limit) is not int or limit < 1:
        raise ConfigurationError(f"limit must be a whole number of at least 1, got {describe(limit)}")
    if not thumbs or not set(thumbs) <= set(_THUMBS):
        raise ConfigurationError(f'thumbs must be some of "up", "down" and None, got {describe(thumbs)}')
    notes = await _notes(memory, scope)
    labelled: dict[str, Task] = {}
    others: dict[str, Task] = {}
    offset = 0
    while logs := await memory.summaries(LOG, scope=scope, limit=_PAGE, offset=offset):
        offset += len(logs)
        for log in logs:
            note = notes.get((log.scope, log.key), {})
            thumb = note.get("thumb") if note.get("thumb") in ("up", "down") else None
            prompt = _prompt_of(log.first)
            if thumb not in thumbs or prompt is None or log.scope.tenant == _COMPARISONS:
                continue
            if prompt in labelled or (thumb is None and prompt in others):
                continue
            answer = None if thumb is None else await _answer_of(memory, log.key, log.scope)
            noted = str(note.get("note") or "").strip()
            check = Check.judge(judge, _criterion(thumb, noted, answer))
            metadata = {"family": _FAMILY[thumb], "run_id": log.key, "thumb": thumb, "note": noted}
            task = Task(prompt, [check], id=f"run-{log.key}", metadata=metadata)
            (others if thumb is None else labelled)[prompt] = task
        if len(labelled) >= limit:
            break
    found = [*labelled.values(), *(task for prompt, task in others.items() if prompt not in labelled)]
    return tuple(found[:limit])


async def _notes(memory: ReflexionMemory, scope: Scope | None) -> dict[tuple[Scope, str], Mapping[str, Any]]:
    """Return the newest note on each run."""
    found: dict[tuple[Scope, str], Mapping[str, Any]] = {}
    after = 0
    while records := await memory.records(NOTES, scope=scope, after=after, limit=_PAGE):
        after = records[-1].row
        found |= {(record.scope, record.key): record.data for record in records}
    return found


def _prompt_of(first: Record) -> str | None:
    metadata: object = first.data.get("metadata")
    known = cast("Mapping[str, Any]", metadata) if isinstance(metadata, Mapping) else dict[str, Any]()
    prompt: object = first.data.get("prompt")
    if first.kind != "started" or not isinstance(prompt, str) or known.get("command") == "improve":
        return None
    return asked_of(prompt, known).strip() or None


async def _answer_of(memory: ReflexionMemory, run_id: str, scope: Scope) -> str | None:
    """Return the best answer of a run; None if it is still in flight or has none."""
    records: Sequence[Record] = await memory.records(LOG, scope=scope, key=run_id)
    if not records:
        return None
    lines = [(one.kind, one.data) for one in records]
    result = read_run(run_id, scope, records[0].timestamp, lines).result()
    return None if result is None or result.best_candidate is None else result.best_candidate.content


def _criterion(thumb: str | None, note: str, answer: str | None) -> str:
    if thumb is None:
        return "It does all that the task asks, and what it says is correct."
    noted = f" Their note: {clip(note, _NOTE_CHARS)}" if note else ""
    shown = "" if answer is None else f" That answer:\n{clip(answer, _SHOWN_CHARS)}"
    wanted = "at least as well as an answer that a person approved"
    if thumb == "down":
        wanted = "without the faults of an answer that a person rejected"
    return f"It does what the task asks, {wanted}.{noted}{shown}"
