"""The journal of a run: one line per step, and the run read back from its lines. Pure.

A line is written before the next step begins, so a reader knows the finished steps: a candidate was made, a candidate
was judged. Steps that were in flight are repeated. A line may occur twice: a write is repeated when its answer is lost.
A run that starts again under its old id starts over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any, Final, TypeVar, cast

from pydantic import TypeAdapter

from jido_ai.errors import ConfigurationError, StoreDamagedError, StoreVersionError
from jido_ai.loop.state import (
    Approved,
    Judged,
    LessonDrawn,
    Pending,
    Recalled,
    Refused,
    Resumed,
    RunState,
    Step,
    Stopped,
)
from jido_ai.runs.questions import REVISION, Question
from jido_ai.text.large_json import read_json
from jido_ai.text.plain_json import dumped, plain, written
from jido_ai.values import Candidate, LoopConfig, ReflectionResult, Scope, Usage
from jido_ai.values.result_text import html_of, lines_of

_VERSION: Final = 1

T = TypeVar("T")
Line = tuple[str, Mapping[str, Any]]
"""Kind and data of a journal line."""
_KINDS: Final[Mapping[str, type[Step]]] = {
    "resumed": Resumed,
    "lessons": Recalled,
    "candidate": Pending,
    "approved": Approved,
    "refused": Refused,
    "judged": Judged,
    "reflected": LessonDrawn,
    "stopped": Stopped,
}
"""Steps by the kind of their lines, which have the same fields. The end of a line by a rule is not journaled."""
_KIND_OF: Final[Mapping[type, str]] = {step: kind for kind, step in _KINDS.items()}


@dataclass(frozen=True, kw_only=True)
class RecordedRun(RunState):
    """A run as read from its journal.

    Attributes:
        config: of the run, as JSON, without custom stop rules.
        has_own_rules: the run had custom stop rules.
        rules: names of the stop rules.
        digests: of the prompt and the text of `initial`, as they were before secrets were masked.
        trace: ids of the newest trace that saw the run, if it was observed.
        spent: usage settled up to the newest line.
        were_seen: a component had looked at the lessons when the newest line was written; None if that is unknown.
        is_redacted: a secret in a candidate was masked when it was written, which changed the text.
    """

    run_id: str
    scope: Scope
    prompt: str
    initial: Candidate | None
    metadata: Mapping[str, Any]
    config: Mapping[str, Any]
    started_at: datetime
    has_own_rules: bool
    rules: tuple[str, ...]
    digests: tuple[str, str | None]
    spent: Usage
    trace: Mapping[str, str] | None
    were_seen: bool | None = None
    is_redacted: bool = False

    def __str__(self) -> str:
        """Return it in a few lines, as its result prints; of a run that has not ended, what was judged so far."""
        return "\n".join(lines_of(self.result() or self))

    def _repr_html_(self) -> str:
        return html_of(self.result() or self)

    def is_of(self, prompt: str, initial: Candidate | None) -> bool:
        """Tell whether this run has this prompt and this initial candidate."""
        return self.digests == (_digest(prompt), None if initial is None else _digest(initial.content))

    def question(self, path: str = REVISION) -> Question | None:
        """Return the question that the run waits for, None for none; with a path, as that of a node of a graph."""
        waiting = self.waiting
        if waiting is None:
            return None
        base = None if waiting.base is None else self.iterations[waiting.base]
        return Question(
            id=f"{path}:{waiting.candidate.id}",
            path=path,
            text=waiting.candidate.content,
            feedback="" if base is None else base.critique.as_feedback(),
        )

    @property
    def questions(self) -> tuple[Question, ...]:
        """The question that the run waits for, as of a graph, where there may be several."""
        asked = self.question()
        return () if asked is None else (asked,)

    def result(self) -> ReflectionResult | None:
        """Return the result of the run; None if it has not stopped."""
        return self.result_of(self.run_id, self.prompt, self.spent)


# -- writing ---------------------------------------------------------------------------------------


def started_line(
    prompt: str,
    initial: Candidate | None,
    metadata: Mapping[str, Any],
    config: LoopConfig,
    rules: Sequence[str],
    *,
    trace: Mapping[str, str] | None = None,
) -> Line:
    """Return the first line, with the request. Of stop rules only the names are written, of a trace only ids."""
    data: dict[str, Any] = {
        "version": _VERSION,
        "prompt": prompt,
        "prompt_sha256": _digest(prompt),
        "initial": None if initial is None else _candidate(initial),
        "metadata": plain(dict(metadata)),
        "config": config.model_dump(mode="json"),
        "own_rules": config.stop_rules is not None,
        "rules": list(rules),
    }
    return "started", data if trace is None else {**data, "trace": dict(trace)}


def line_of(step: Step, spent: Usage, *, were_seen: bool = False) -> Line:
    """Return the line of a step, as `written_line` does, read back."""
    kind, data = written_line(step, spent, were_seen=were_seen)
    return kind, read_json(data)


def written_line(step: Step, spent: Usage, *, were_seen: bool = False) -> tuple[str, bytes]:
    """Return the line of a step as JSON, with the usage settled so far, and whether a component has looked at the
    lessons."""
    data = written(_codec(type(step)).serializer, step)
    if isinstance(step, Pending | Approved):  # where the first candidate is the step's own
        data = data.replace(
            b'"candidate":{', b'"candidate":{"sha256":"%b",' % _digest(step.candidate.content).encode(), 1
        )
    spent_so_far, seen = written(_codec(Usage).serializer, spent), b"true" if were_seen else b"false"
    return _KIND_OF[type(step)], b'%b,"spent":%b,"seen":%b}' % (data[:-1], spent_so_far, seen)


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {**dumped(candidate), "sha256": _digest(candidate.content)}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# -- reading ---------------------------------------------------------------------------------------


def read_run(
    run_id: str, scope: Scope, started_at: datetime, lines: Sequence[Line], *, to_continue: bool = False
) -> RecordedRun:
    """Return the run from its lines, in the order of writing.

    Args:
        to_continue: what was judged enters the history only when all beside it is judged, as in a run that was not cut.

    Raises:
        ConfigurationError: it is the run of a graph, not of a pipeline.
        StoreVersionError: a newer version wrote it.
        StoreDamagedError: the lines cannot be read as a run.
    """
    if lines and lines[0][0] == "graph":
        raise ConfigurationError(f"run {run_id!r} is the run of a graph; resume it with its graph")
    try:
        lines = _since_the_last_start(lines)
        version = lines[0][1]["version"]
        if version != _VERSION:
            raise StoreVersionError(
                f"the journal of run {run_id!r} has version {version!r}, but this jido_ai reads version {_VERSION}"
            )
        run = _begun(run_id, scope, started_at, lines[0][1])
        spent: Mapping[str, Any] = {}
        were_seen: bool | None = None
        for kind, data in lines:
            spent, were_seen = data.get("spent", spent), data.get("seen", were_seen)
            step = step_of(kind, data)
            run = run if step is None else run.after(step)
        texts = [data["candidate"] for kind, data in lines if kind in ("candidate", "approved")]
        return replace(
            run if to_continue else run.settled(),
            were_seen=were_seen,
            spent=Usage.model_validate(spent),
            trace=next((trace for _, data in reversed(lines) if (trace := trace_of(data)) is not None), None),
            is_redacted=any(_digest(text["content"]) != text["sha256"] for text in texts),
        )
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise StoreDamagedError(f"the journal of run {run_id!r} cannot be read: {error!r}") from error


def _since_the_last_start(lines: Sequence[Line]) -> Sequence[Line]:
    starts = [index for index, (kind, _) in enumerate(lines) if kind == "started"]
    if not starts:
        raise ConfigurationError("it has no line that says how the run started")
    return lines[starts[-1] :]


def _begun(run_id: str, scope: Scope, started_at: datetime, first: Mapping[str, Any]) -> RecordedRun:
    """Return the run with its first line. Journals of older versions have no floor, and no digest of the prompt."""
    prompt, initial, config = _of(str, first["prompt"]), first["initial"], _mapping(first["config"])
    return RecordedRun(
        run_id=run_id,
        scope=scope,
        prompt=prompt,
        digests=(first.get("prompt_sha256") or _digest(prompt), None if initial is None else initial["sha256"]),
        initial=None if initial is None else _candidate_of(initial),
        metadata=_mapping(first["metadata"]),
        config=config,
        has_own_rules=bool(first["own_rules"]),
        rules=tuple(first["rules"]),
        started_at=started_at,
        has_initial=initial is not None,
        floor=config.get("floor", "none"),
        spent=Usage(),
        trace=None,
    )


def step_of(kind: str, data: Mapping[str, Any]) -> Step | None:
    """Return the step of a line; None for the first line and one of an unknown kind."""
    if kind not in _KINDS:
        return None
    if "candidate" in data:
        data = {**data, "candidate": {name: value for name, value in data["candidate"].items() if name != "sha256"}}
    return _codec(_KINDS[kind]).validate_python(data)


@cache
def _codec(step: type) -> TypeAdapter[Any]:
    return TypeAdapter(step)


def trace_of(data: Mapping[str, Any]) -> Mapping[str, str] | None:
    """Return the ids of the trace in a line; None if there are none, or nothing that could be ids."""
    trace: object = data.get("trace")
    if not isinstance(trace, Mapping):
        return None
    ids = cast("Mapping[object, object]", trace)
    return {str(name): value for name, value in ids.items() if isinstance(value, str)}


def _of(kind: type[T], value: object) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")
    return value


def _mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"expected an object, got {type(value).__name__}")
    return cast("Mapping[str, Any]", value)


def _candidate_of(data: Mapping[str, Any]) -> Candidate:
    return Candidate.model_validate({name: value for name, value in data.items() if name != "sha256"})
