"""Does a loop help a real small model? Methods side by side with equal numbers of model calls, judged by programs.

    python benchmarks/real_model/run.py                               # 40 tasks, with a model of its own
    python benchmarks/real_model/run.py --url http://127.0.0.1:8080/v1 --model NAME
    python benchmarks/real_model/run.py --programs                    # 20 programs with a bug instead of the tasks
    python benchmarks/real_model/run.py --tasks FILE.py               # tasks of your own, in a list TASKS
    python benchmarks/real_model/run.py --lessons                     # lessons of the 40 tasks, offered in 40 others
    python benchmarks/real_model/run.py --compare                     # the strategies of `jido compare` on the tasks

Tasks: `single` is one answer; `best_of` samples, of which the checker picks; `retell` tells the task again with the
findings as last lines; `adaptive` and `documented` are `LLMReviser` under these policies, with the checker as critic.
Programs: `edits` and `text` revise by edits and by whole texts, `drafts` writes the module anew each time, `policy` is
the adaptive policy with both.
Lessons: the loops work on 40 tasks with a memory (`learning`), then on 40 others of the same kinds `without` lessons,
`with` those of the same kind, and with those of a `wrong` kind. `first` counts the first answers that pass.

Compare: nothing but the model judges inside of the strategies, unless with `--critics checks`; the checks decide in the
end. Prints what `jido compare` does, with pairs and their p.

Otherwise it prints a JSON line for each task and method, then a table with 95 % Wilson intervals, then the invariants.
Exit status 1 if an invariant does not hold, 2 if the model cannot be used. Answers and results are kept in files: after
a kill, the same command goes on. Figures of a small model are its own; see docs/how-to/local-model.md.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from jido_ai import ReflexionMemory
from jido_ai.errors import AuthenticationError, ModelNotFoundError, ModelUnavailableError
from jido_ai.memory.effect import wilson
from jido_ai.models import CompatibleModel, CompletionRequest, LanguageModel
from real_model.cached_model import CachedModel, Caps, lines_of
from real_model.comparing import COMPARED, measure_strategies
from real_model.judging import Judge, ProgramJudge, TaskJudge
from real_model.lessons import STRATEGIES, interleaved, lessons_in, offering, with_memory
from real_model.methods import PROGRAM_METHODS, REPAIR, TASK_METHODS, Method, Outcome, Trial
from real_model.programs import PROGRAMS, Program
from real_model.server import NAME, model_server
from real_model.tasks import OTHERS, TASKS

__all__ = ["Settings", "invariants", "load_tasks", "measure", "measure_lessons", "table"]

EXAMPLES: Final = ("384,400 km", "The moon is far away", "def total(prices)")
"""Texts of examples that requests of the package have, or had: none may come back as an answer."""
GRACE_S: Final = 5.0
_LONG: Final = ("texts", "best", "lessons")
_UNUSABLE: Final = (AuthenticationError, ModelNotFoundError, ModelUnavailableError)
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Settings:
    """What all methods have in common.

    Attributes:
        calls: model calls for a task at most.
        call_s: seconds for one of them.
        workers: how many tasks are worked on at once.
        end: no run begins after it; on the clock of `time.monotonic`.
        methods: by name; None: those for tasks or programs.
    """

    calls: int = 4
    call_s: float = 240.0
    workers: int = 2
    end: float = math.inf
    methods: Mapping[str, Method] | None = None


class _Watched:
    """The model; an error that would make every later result meaningless ends the benchmark."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.failure: BaseException | None = None

    async def complete(self, request: CompletionRequest) -> Any:
        try:
            return await self._model.complete(request)
        except _UNUSABLE as error:
            self.failure = error
            raise


def load_tasks(place: str) -> list[Any]:
    """Return our tasks for "ours", else the list `TASKS` of a Python file.

    Each has `id`, `family`, `prompt`, `n_checks`, and `check` (text -> messages) or `tests` (pairs of call and value).
    """
    if place == "ours":
        return list(TASKS)
    path = Path(place).resolve()
    spec = importlib.util.spec_from_file_location(f"tasks_of_{path.stem}", path)
    if spec is None or spec.loader is None:
        sys.exit(f"cannot load {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return list(module.TASKS)


# -- measuring -------------------------------------------------------------------------------------


async def measure(
    items: Sequence[Any], names: Sequence[str], cache: CachedModel, out: Path, settings: Settings
) -> list[Row]:
    """Run the methods on tasks or programs, and return one row for each pair, those of earlier runs included.

    Pairs that had not begun at `settings.end` have no row.

    Raises:
        ModelError: the model cannot be used; what was measured before is kept.
    """
    watched = cache.model = _Watched(cache.model)
    key = {"model": cache.name, "max_calls": settings.calls}
    wanted = {(item_id(item), name) for item in items for name in names}
    rows = {
        (row["task"], row["method"]): row
        for row in lines_of(out)
        if all(row.get(name) == value for name, value in key.items()) and (row["task"], row["method"]) in wanted
    }
    waiting = iter(items)

    async def work() -> None:
        for item in waiting:
            with ExitStack() as stack:
                judge = stack.enter_context(ProgramJudge(item)) if isinstance(item, Program) else TaskJudge(item)
                for name in names:
                    if (item_id(item), name) in rows or watched.failure or time.monotonic() > settings.end:
                        continue
                    row = key | await _row(item, name, judge, cache, settings)
                    if watched.failure:  # this result says nothing about the method
                        continue
                    with out.open("a", encoding="utf-8") as lines:
                        lines.write(json.dumps(row) + "\n")
                    rows[item_id(item), name] = row
                    print(json.dumps({part: row[part] for part in row if part not in _LONG}), flush=True)

    async with asyncio.TaskGroup() as group:
        for _ in range(settings.workers):
            group.create_task(work())
    if watched.failure:
        raise watched.failure
    return [rows[pair] for item in items for name in names if (pair := (item_id(item), name)) in rows]


async def measure_lessons(
    names: Sequence[str], cache: CachedModel, out: Path, settings: Settings, limit: int | None = None
) -> list[Row]:
    """Learn from the tasks, then work on the others without lessons, with theirs, and with those of another kind.

    The second part begins when the first one is complete.

    Args:
        names: of the strategies.
        limit: only so many of the tasks, and of the others.
    """
    tasks, others = (interleaved(those)[:limit] for those in (TASKS, OTHERS))
    rows: list[Row] = []
    for name in names:
        kept = [row for row in lines_of(out) if row["method"] == f"{name} learning"]
        async with ReflexionMemory(similarity="weighted") as memory:
            for lesson in lessons_in(kept):
                await memory.store(lesson)
            methods = {f"{name} learning": with_memory(name, memory)}
            rows += await measure(tasks, list(methods), cache, out, replace(settings, methods=methods))
    if len(rows) < len(tasks) * len(names):
        return rows
    learned = {name: lessons_in([row for row in rows if row["method"] == f"{name} learning"]) for name in names}
    for name, lessons in learned.items():
        print(json.dumps({"strategy": name, "lessons": Counter(lesson.task_type for lesson in lessons)}), flush=True)
    methods = offering(learned)
    return rows + await measure(others, list(methods), cache, out, replace(settings, methods=methods))


def item_id(item: Any) -> str:
    return str(item.name if isinstance(item, Program) else item.id)


async def _row(item: Any, name: str, judge: Judge, cache: CachedModel, settings: Settings) -> Row:
    is_program = isinstance(item, Program)
    run = cache.for_run()
    trial = Trial(
        prompt=REPAIR if is_program else item.prompt,
        judge=judge,
        model=run,
        calls=settings.calls,
        call_s=settings.call_s,
        initial=item.code if is_program else None,
        family="program" if is_program else item.family,
    )
    method = (settings.methods or (PROGRAM_METHODS if is_program else TASK_METHODS))[name]
    began = time.monotonic()
    try:
        outcome = await method(trial)
    except Exception as error:  # noqa: BLE001 - a method that raises is a result: the invariants tell it
        outcome = Outcome((), None, "crash", f"{type(error).__name__}: {error}"[:300])
    duration_s = time.monotonic() - began
    first = item.code if is_program else next(iter(outcome.texts), None)
    best = outcome.best
    row: Row = {
        "task": item_id(item),
        "family": trial.family,
        "method": name,
        "passed": best is not None and await judge.passes(best),
        "first_passed": first is not None and await judge.passes(first),
        "worse": None not in (first, best) and await _score(judge, best) < await _score(judge, first) - 1e-9,
        "calls": run.calls,
        "input_tokens": run.input_tokens,
        "output_tokens": run.output_tokens,
        "stop": outcome.stop,
        "error": outcome.error,
        "duration_s": round(duration_s, 1),
        "limit_s": trial.limit_s,
        "lost": best is None and bool(run.whole),
        "example": any(one in text and one not in trial.prompt for one in EXAMPLES for text in outcome.texts),
        "offered": outcome.offered,
        "lessons": [lesson.model_dump(mode="json") for lesson in outcome.lessons],
        "best": best,
        "texts": outcome.texts,
    }
    if isinstance(judge, ProgramJudge):
        row["held_back"] = row["passed"] and await judge.passes_held_back(str(best))
    return row


async def _score(judge: Judge, text: str | None) -> float:
    return (await judge.of(text or "")).score


# -- telling ---------------------------------------------------------------------------------------


def table(rows: Sequence[Row]) -> str:
    """Return one line for each method: passes with their interval, by family, calls and tokens a task, stop reasons."""
    families = list(dict.fromkeys(row["family"] for row in rows))
    header = ["method", "passed", "95 %", *families, "calls", "tokens in", "out", "worse", "first", "stopped by"]
    if families == ["program"]:
        header[3:4] = ["held back too"]
    lines = [header]
    for name in dict.fromkeys(row["method"] for row in rows):
        mine = [row for row in rows if row["method"] == name]
        low, high = wilson(_count(mine, "passed"), len(mine))
        shares = [
            f"{_count(those, 'held_back' if family == 'program' else 'passed')}/{len(those)}"
            for family in families
            for those in [[row for row in mine if row["family"] == family]]
        ]
        stops = Counter(row["stop"] for row in mine).most_common()
        lines.append(
            [
                name,
                f"{_count(mine, 'passed')}/{len(mine)} = {_count(mine, 'passed') / len(mine):.0%}",
                f"[{low:.0%}, {high:.0%}]",
                *shares,
                f"{_mean(mine, 'calls'):.2f}",
                f"{_mean(mine, 'input_tokens'):.0f}",
                f"{_mean(mine, 'output_tokens'):.0f}",
                str(_count(mine, "worse")),
                str(_count(mine, "first_passed")),
                ", ".join(f"{stop} {count}" for stop, count in stops),
            ]
        )
    widths = [max(len(line[place]) for line in lines) for place in range(len(header))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def _count(rows: Iterable[Row], name: str) -> int:
    return sum(bool(row.get(name)) for row in rows)


def _mean(rows: Sequence[Row], name: str) -> float:
    return sum(row[name] for row in rows) / len(rows)


def invariants(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """Return what must hold for every run, each with the runs in which it does not."""
    return [
        ("no run takes more model calls than it may", [row for row in rows if row["calls"] > row["max_calls"]]),
        ("time limits hold", [row for row in rows if row["duration_s"] > row["limit_s"] + GRACE_S]),
        ("no answer has a text of an example in our requests", [row for row in rows if row["example"]]),
        ("no result is worse than the first answer by the checker", [row for row in rows if row["worse"]]),
        ("no whole answer of the model is lost", [row for row in rows if row["lost"]]),
        ("no method raises an error", [row for row in rows if row["stop"] == "crash"]),
    ]


def tell(rows: Sequence[Row]) -> int:
    """Print the table and the invariants; return the exit status."""
    print(f"\n{table(rows)}\n")
    status = 0
    for text, broken in invariants(rows):
        print(f"{'BROKEN' if broken else 'holds '}  {text}")
        for row in broken[:10]:
            print(
                f"        {row['method']} on {row['task']}: {row['stop']}, {row['calls']} calls, {row['error'] or ''}"
            )
        status = 1 if broken else status
    return status


def main(arguments: Sequence[str] | None = None) -> int:
    told = _arguments(arguments)
    items: list[Any] = list(PROGRAMS) if told.programs else load_tasks(told.tasks)
    items = (interleaved(items) if told.compare else items)[: told.limit]
    methods = PROGRAM_METHODS if told.programs else TASK_METHODS
    methods = {name: methods[name] for name in STRATEGIES} if told.lessons else methods
    known: Mapping[str, object] = COMPARED if told.compare else methods
    names = told.methods.split(",") if told.methods else list(known)
    unknown = sorted(set(names) - set(known))
    if unknown:
        sys.exit(f"there is no method {', '.join(unknown)}; there are {', '.join(known)}")
    kind = (
        "lessons"
        if told.lessons
        else "compare"
        if told.compare
        else "programs"
        if told.programs
        else "tasks"
        if told.tasks == "ours"
        else Path(told.tasks).stem
    )
    out: Path = told.out or Path("build") / "real_model" / f"{kind}.json{'' if told.compare else 'l'}"
    out.parent.mkdir(parents=True, exist_ok=True)
    default = Caps(2_000, 3_000, is_cut_whole=False) if told.programs else Caps()
    caps = Caps(
        told.max_tokens or default.text,
        2 * told.max_tokens if told.max_tokens else default.structured,
        not told.programs,
    )
    end = math.inf if told.minutes is None else time.monotonic() + 60 * told.minutes
    settings = Settings(told.calls, told.call_s, told.workers, end)
    with ExitStack() as stack:
        url = told.url or stack.enter_context(model_server(cache=told.cache, slots=told.workers))
        model = CompatibleModel(told.model, base_url=url, timeout_s=told.call_s)
        cache = CachedModel(model, told.model, out.with_suffix(".answers.jsonl"), caps)
        if told.compare:
            options: dict[str, Any] = {"calls": told.calls, "workers": told.workers, "call_s": told.call_s}
            options["critics"] = told.critics
            compared = measure_strategies(items, names, model, label=told.model, caps=caps, out=out, **options)
            try:
                print(f"\n{asyncio.run(compared).to_markdown()}")
            except _UNUSABLE as error:
                print(f"the model cannot be used: {error}", file=sys.stderr)
                return 2
            return 0
        if told.lessons:
            work = measure_lessons(names, cache, out, settings, told.limit)
        else:
            work = measure(items, names, cache, out, settings)
        try:
            rows = asyncio.run(work)
        except _UNUSABLE as error:
            print(f"the model cannot be used: {error}", file=sys.stderr)
            return 2
    return tell(rows)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--url", help="base address of an OpenAI-compatible server; else one is started")
    parser.add_argument("--model", default=NAME, help="name of the model on the server")
    parser.add_argument("--tasks", default="ours", metavar="ours|FILE.py")
    parser.add_argument("--programs", action="store_true", help="measure the repair of programs instead of tasks")
    parser.add_argument("--lessons", action="store_true", help="measure whether lessons of tasks help with others")
    parser.add_argument("--compare", action="store_true", help="measure the strategies of jido compare")
    parser.add_argument("--critics", choices=["checks"], help="with --compare: the checks judge inside, too")
    parser.add_argument("--methods", help="some of the methods, separated by commas")
    parser.add_argument("--calls", type=int, default=4, help="model calls for a task at most")
    parser.add_argument("--call-s", type=float, default=240.0, help="seconds for one model call")
    parser.add_argument("--max-tokens", type=int, help="of a plain answer; one with a schema may have twice as many")
    parser.add_argument("--workers", type=int, default=2, help="tasks at once")
    parser.add_argument("--minutes", type=float, help="begin nothing after so many; the same command goes on")
    parser.add_argument("--limit", type=int, help="only the first tasks")
    parser.add_argument("--out", type=Path, help="results; answers are kept beside it; default: build/real_model/")
    parser.add_argument("--cache", type=Path, help="folder of the model's data; default: the user's cache")
    told = parser.parse_args(arguments)
    if told.lessons and (told.programs or told.tasks != "ours"):
        parser.error("--lessons has its own tasks: leave out --programs and --tasks")
    if told.compare and (told.programs or told.lessons or told.minutes):
        parser.error("--compare goes without --programs, --lessons and --minutes")
    return told


if __name__ == "__main__":
    sys.exit(main())
