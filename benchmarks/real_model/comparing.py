"""The tasks by `compare`: the strategies of `jido compare`, with a real small model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from jido_ai.comparing.run import AnyStrategy, Progress
from jido_ai.comparing.strategies import Critics, loop, self_refine
from jido_ai.learning import Check, Comparison, Task, best_of, compare, single
from jido_ai.models import Completion, CompletionRequest, LanguageModel
from real_model.cached_model import Caps
from real_model.judging import TaskJudge

__all__ = ["COMPARED", "CappedModel", "measure_strategies"]


COMPARED: Final[Mapping[str, Callable[[LanguageModel, int], AnyStrategy]]] = {
    "single": lambda model, _: single(model),
    "best-of": best_of,
    "self-refine": lambda model, _: self_refine(model),
    "loop": lambda model, _: loop(model),
    "loop+memory": lambda model, _: loop(model, memory=True),
    "oracle": lambda model, calls: best_of(model, calls, picks="checks"),
}
"""Strategies by name, of a model and a number of calls; "oracle" shows the most that picking could bring."""


@dataclass
class CappedModel:
    """A model whose answers are cut at the caps; a plain answer that reached its cap counts as it is."""

    inside: LanguageModel
    caps: Caps

    async def complete(self, request: CompletionRequest) -> Completion:
        cap = self.caps.text if request.schema is None else self.caps.structured
        done = await self.inside.complete(request.model_copy(update={"max_tokens": cap}))
        is_cap_fine = request.schema is None and self.caps.is_cut_whole and done.finish_reason == "length"
        return done.model_copy(update={"finish_reason": "stop"}) if is_cap_fine else done


async def measure_strategies(
    items: Sequence[Any],
    names: Sequence[str],
    model: LanguageModel,
    *,
    label: str,
    caps: Caps,
    out: Path,
    calls: int,
    workers: int,
    call_s: float,
    critics: Critics | None = None,
) -> Comparison:
    """Compare strategies on tasks of the benchmark. After a kill, the same call goes on.

    Args:
        label: name of the model.
        out: file for the result as JSON; answers are kept beside it.
        critics: "checks": the checks judge inside of the strategies, too.
    """
    tasks = [
        Task(one.prompt, [Check.function(TaskJudge(one).wrong)], id=one.id, metadata={"family": one.family})
        for one in items
    ]
    capped = CappedModel(model, caps)
    result = await compare(
        tasks,
        {name: COMPARED[name](capped, calls) for name in names},
        max_calls=calls,
        memory=out.with_suffix(".db"),
        run_id=" ".join(map(str, filter(None, (label, calls, caps.text, critics)))),
        critics=critics,
        max_concurrency=workers,
        timeout_s=calls * call_s,
        progress=_told,
    )
    out.write_text(result.to_json() + "\n", encoding="utf-8")
    return result


def _told(progress: Progress) -> None:
    if progress.case is not None:
        one = progress.case
        mark = "passed" if one.passed else "not passed"
        print(
            f"{progress.done}/{progress.total} {one.strategy} on {one.task_id}: {mark}, {one.calls} calls", flush=True
        )
