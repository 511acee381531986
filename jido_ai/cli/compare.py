"""The work of `jido compare`: strategies on a file of tasks, with progress, and the result as a table."""

from __future__ import annotations

import asyncio
import re
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, Final, TextIO, cast

from jido_ai.argument_hints import nearest
from jido_ai.cli.again import command
from jido_ai.cli.memory_place import existing, memory_address
from jido_ai.cli.output import check_place, write_file
from jido_ai.cli.pictures import console_for
from jido_ai.comparing.comparison import Comparison
from jido_ai.comparing.reckoning import ANSWER_TOKENS, reckoned
from jido_ai.comparing.recorded_tasks import tasks_from_runs
from jido_ai.comparing.run import AnyStrategy, Progress, compare
from jido_ai.comparing.strategies import Strategy, best_of, loop, reflexion, self_refine, single, strategy_of
from jido_ai.comparing.task_file import EXAMPLE, read_tasks, text_of_tasks
from jido_ai.comparing.tasks import Task
from jido_ai.config import Settings
from jido_ai.errors import AuthenticationError, ConfigurationError, NotFoundError
from jido_ai.graph.graph import Graph
from jido_ai.graph.served import Served, read_served
from jido_ai.loop.books import Books
from jido_ai.loop.settings import find_settings, load_settings, memory_options
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.names import split_model_name
from jido_ai.models.wrappers.ledger import persistent_ledger
from jido_ai.protocols import LanguageModel
from jido_ai.text.printable import printable
from jido_ai.text.wording import counted
from jido_ai.values import Completion, CompletionRequest, new_id

_TASKS: Final = Path("tasks.jsonl")
_COUNTED: Final = re.compile(r"(best-of|self-refine|reflexion)-([1-9][0-9]{0,2})")
_OWN: Final = ("single", "best-of-N", "self-refine", "self-refine-N", "reflexion", "reflexion-N", "loop", "loop+memory")
_MAKERS: Final[Mapping[str, Callable[[LanguageModel, LanguageModel | None], Strategy]]] = {
    "single": lambda model, _: single(model),
    "self-refine": lambda model, _: self_refine(model),
    "reflexion": lambda model, critic: reflexion(model, critic=critic),
    "loop": lambda model, critic: loop(model, critic=critic),
    "loop+memory": lambda model, critic: loop(model, critic=critic, memory=True),
}
_CLEAR: Final = "\r\x1b[K"
_STORE_S: Final = 600.0
_BETWEEN_LINES_S: Final = 10.0
_MINUTE_S: Final = 60
_HOUR_S: Final = 3_600
_USUAL: Final = {"strategies": ("single", "best-of-4", "self-refine", "loop"), "calls": 4, "repeats": 1, "seed": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareOptions:
    """The options of the command, as given."""

    tasks: Path | None
    models: tuple[str, ...]
    strategies: tuple[str, ...]
    calls: int = 4
    max_cost: float | None = None
    repeats: int = 1
    seed: int = 0
    baseline: str | None = None
    critic: str | None = None
    critics: str | None = None
    run_id: str | None = None
    concurrency: int = 4
    init: bool = False
    from_runs: bool = False
    dry_run: bool = False
    as_json: bool = False
    markdown: bool = False
    out: Path | None = None
    memory: str | None = None

    def again(self, run_id: str) -> str:
        """Return the command that continues a comparison."""
        given: dict[str, object] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name not in ("tasks", "models", "run_id") and value != _USUAL.get(field.name, field.default):
                given[field.name.removeprefix("as_")] = ",".join(value) if field.name == "strategies" else value
        words: list[object] = ["compare", *([] if self.tasks is None else [self.tasks])]
        for model in self.models:
            words += ["--model", model]
        return command(*words, **given, run_id=run_id)


def compare_tasks(options: CompareOptions, out: TextIO, err: TextIO) -> int:
    """Compare, and return the exit status.

    Raises:
        ConfigurationError: an option, the file of tasks or a model can never work.
        JidoError: a model cannot be used.
    """
    if options.as_json and options.markdown:
        raise ConfigurationError("--json and --markdown cannot be combined; give one of them")
    if options.critics not in (None, "checks"):
        raise ConfigurationError(f"--critics must be checks, got {options.critics!r}")
    check_place(options.out)
    settings = load_settings(memory=options.memory, critic=options.critic)
    models = tuple(dict.fromkeys(options.models or ([settings.model] if settings.model is not None else [])))
    if options.init and not options.from_runs:
        return _init(options, EXAMPLE, models, out)
    return asyncio.run(_compare(options, settings, models, out, err))


def _init(options: CompareOptions, text: str, models: Sequence[str], out: TextIO) -> int:
    path = options.tasks or _TASKS
    if path.exists():
        raise ConfigurationError(f"{path} exists; name another file, or remove it first")
    write_file(path, text, "TASKS.jsonl")
    model = models[0] if models else "openai:gpt-4o-mini"
    out.write(f"wrote {path}: {counted(text.count(chr(10)), 'task')}; write your own in their place\n")
    out.write(f"next: {command('compare', path, model=model, dry_run=True)}\n")
    return 0


async def _compare(
    options: CompareOptions, settings: Settings, models: tuple[str, ...], out: TextIO, err: TextIO
) -> int:
    address = memory_address(settings.memory)
    if options.from_runs and "://" not in address:
        existing(Path(address))
    async with AsyncExitStack() as stack:
        memory = ReflexionMemory(address, timeout_s=_STORE_S, **memory_options(settings))
        if options.from_runs:
            await stack.enter_async_context(memory)
        tasks = await _tasks(options, settings, models, memory)
        if options.init:
            return _init(options, text_of_tasks(tasks), models, out)
        books = Books(memory, settings, "compare")
        named = partial(_in_dry_run, books) if options.dry_run else books.model
        asked = {name: named(name) for name in models}
        critic = None if settings.critic is None else named(settings.critic)
        strategies = strategies_named(options.strategies, asked, critic)
        baseline = _baseline(options, strategies)
        if options.dry_run:
            await _tell_reckoning(options, tasks, strategies, out)
            return 0
        if not memory.is_open:
            await stack.enter_async_context(memory)
        await stack.enter_async_context(books)
        await books.ledger.require()
        await _open_graphs(stack, strategies)
        parts = {"compare": [part for name, one in strategies.items() for part in strategy_of(name, one).parts()]}
        await stack.enter_async_context(persistent_ledger(parts, memory, monthly_usd=settings.monthly_budget_usd))
        run_id = options.run_id or new_id("comparison")
        progress = _ProgressLine(err)
        total = len(tasks) * len(strategies) * options.repeats
        err.write(f"{run_id}: {counted(len(tasks), 'task')}, {counted(total, 'answer')}\n")
        try:
            result = await compare(
                tasks,
                strategies,
                max_calls=options.calls,
                max_cost_usd=options.max_cost,
                seed=options.seed,
                repeats=options.repeats,
                memory=memory,
                baseline=baseline,
                run_id=run_id,
                critics=cast("Any", options.critics),
                max_concurrency=options.concurrency,
                progress=progress.show,
            )
        except ConfigurationError:
            raise
        except BaseException:  # ^C, too
            progress.end()
            err.write(f"continue with: {options.again(run_id)}\n")
            raise
        progress.end()
        _show(options, result, out)
        if result.stopped is not None:
            err.write(f"stopped: {result.stopped}; raise --max-cost to continue with: {options.again(run_id)}\n")
        return 0 if result.stopped is None and not any(row.failed or row.unjudged for row in result.rows) else 1


async def _tasks(
    options: CompareOptions, settings: Settings, models: Sequence[str], memory: ReflexionMemory
) -> tuple[Task, ...]:
    if options.from_runs:
        judge = settings.critic or (models[0] if models else None)
        if judge is None:
            raise ConfigurationError("--from-runs needs a model that judges: give --critic NAME, or --model NAME")
        tasks = await tasks_from_runs(memory, judge=judge)
        if not tasks:
            raise NotFoundError("the memory has no recorded runs that can be tasks")
        return tasks
    if options.tasks is None:
        told = command("compare", "--init")
        raise ConfigurationError(f"no tasks: name a file, or write an example with `{told}`")
    return read_tasks(options.tasks)


def strategies_named(
    names: Sequence[str], models: Mapping[str, LanguageModel], critic: LanguageModel | None
) -> dict[str, AnyStrategy]:
    """Return the strategies of these names; of several models, each by model.

    Pipelines and graphs have the names of the nearest settings file.

    Args:
        models: by name.
        critic: model that judges in loops; None is the one that answers.

    Raises:
        ConfigurationError: a name is unknown or given twice, or there is no model.
    """
    served: Mapping[str, Served] = {}
    if not all(name in _MAKERS or _COUNTED.fullmatch(name) for name in names):
        found = find_settings(Path.cwd())
        if found is not None:
            path, layer = found
            served = read_served(path, layer.pipelines, layer.graphs, model=next(iter(models.values()), None))
    made: dict[str, AnyStrategy] = {}
    for name in names:
        if name not in served and name not in _MAKERS and not _COUNTED.fullmatch(name):
            raise ConfigurationError(f"--strategies: {name!r} is unknown; {nearest(name, (*_OWN, *served))}")
        if name in served:
            shown = [(name, cast("AnyStrategy", served[name]))]
        elif not models:
            raise ConfigurationError(
                "no model to answer with: give --model NAME, e.g. openai:gpt-4o-mini, or set JIDO_MODEL, or model in "
                "jido.toml"
            )
        else:
            labels = [name] if len(models) == 1 else [f"{name} {model}" for model in models]
            ones = [_named(name, model, critic) for model in models.values()]
            shown = list(zip(labels, ones, strict=True))
        for label, one in shown:
            if label in made:
                raise ConfigurationError(f"--strategies: {name} is given twice")
            made[label] = one
    if not made:
        raise ConfigurationError(f"--strategies needs at least one of {', '.join(_OWN)}")
    return made


def _named(name: str, model: LanguageModel, critic: LanguageModel | None) -> AnyStrategy:
    counted_one = _COUNTED.fullmatch(name)
    if counted_one is None:
        return _MAKERS[name](model, critic)
    kind, count = counted_one[1], int(counted_one[2])
    if kind == "reflexion":
        return reflexion(model, count, critic=critic)
    return best_of(model, count) if kind == "best-of" else self_refine(model, count)


def _in_dry_run(books: Books, name: str) -> LanguageModel:
    """Return the model of this name; without its key, one that only has the name."""
    try:
        return books.model(name)
    except AuthenticationError:
        return _Unasked(*split_model_name(name))


@dataclass(frozen=True, slots=True)
class _Unasked:
    """A model that is never asked."""

    provider: str
    model: str
    base_url: str | None

    async def complete(self, request: CompletionRequest) -> Completion:
        del request
        raise AssertionError("a dry run asks no model")


def _baseline(options: CompareOptions, strategies: Mapping[str, AnyStrategy]) -> str:
    first = next(iter(strategies))
    if options.baseline is None:
        return first
    for name in strategies:
        if name == options.baseline or name.startswith(f"{options.baseline} "):
            return name
    raise ConfigurationError(f"--baseline must be one of {', '.join(strategies)}, got {options.baseline!r}")


async def _open_graphs(stack: AsyncExitStack, strategies: Mapping[str, AnyStrategy]) -> None:
    """Open the graphs, which have their models only then."""
    for strategy in strategies.values():
        if isinstance(strategy, Graph):
            await stack.enter_async_context(cast("Graph[Any]", strategy))


async def _tell_reckoning(
    options: CompareOptions, tasks: Sequence[Task], strategies: Mapping[str, AnyStrategy], out: TextIO
) -> None:
    made = {name: strategy_of(name, one) for name, one in strategies.items()}
    async with AsyncExitStack() as stack:
        await _open_graphs(stack, strategies)
        most = await reckoned(tasks, made, max_calls=options.calls, repeats=options.repeats)
    answers = len(tasks) * len(made) * options.repeats
    ways = f"{len(made)} {'strategy' if len(made) == 1 else 'strategies'}"
    out.write(
        f"{counted(len(tasks), 'task')}, {ways}, {counted(answers, 'answer')}: at most {most.calls:,} model calls\n"
    )
    if most.judge_calls:
        out.write(f"and at most {most.judge_calls:,} calls of judges among the checks\n")
    if most.cost_usd is None:
        unknown = ", ".join(most.unpriced)
        table = next((f'[prices."{one}"]' for one in most.unpriced if ":" in one), None)
        message = "" if table is None else f"; set it in jido.toml: {table} with input_usd and output_usd"
        out.write(f"cost: unknown, because the price of {unknown} is unknown{message}\n")
    else:
        out.write(f"cost: at most about ${most.cost_usd:.2f}, at {ANSWER_TOKENS:,} tokens an answer\n")


# -- telling -----------------------------------------------------------------------------------------


class _ProgressLine:
    """One line on a terminal; elsewhere a line every ten seconds."""

    def __init__(self, err: TextIO) -> None:
        self._err = err
        self._is_terminal = err.isatty()
        self._told = time.monotonic()

    def show(self, progress: Progress) -> None:
        if progress.case is None and progress.done:
            self._err.write(f"{progress.done} of {counted(progress.total, 'answer')} are there already\n")
            return
        now = time.monotonic()
        if not self._is_terminal and now - self._told < _BETWEEN_LINES_S:
            return
        self._told = now
        text = printable(_in_words(progress))
        if self._is_terminal:
            width = max(20, shutil.get_terminal_size().columns - 1)
            self._err.write(_CLEAR + text[:width])
        else:
            self._err.write(text + "\n")
        self._err.flush()

    def end(self) -> None:
        if self._is_terminal:
            self._err.write(_CLEAR)
            self._err.flush()


def _in_words(progress: Progress) -> str:
    parts = [f"{progress.done} of {counted(progress.total, 'answer')}", counted(progress.calls, "call")]
    if progress.cost_usd is None or progress.cost_usd > 0.0:
        parts.append("cost unknown" if progress.cost_usd is None else f"${progress.cost_usd:.4f}")
    if progress.left_s is not None and progress.done < progress.total:
        parts.append(f"about {_duration(progress.left_s)} left")
    if progress.case is not None:
        result = "passed" if progress.case.passed else "not passed"
        parts.append(f"{progress.case.strategy} on {progress.case.task_id}: {result}")
    return ", ".join(parts)


def _duration(seconds: float) -> str:
    if seconds < _MINUTE_S:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE_S:.0f} min" if seconds < _HOUR_S else f"{seconds / _HOUR_S:.1f} h"


def _show(options: CompareOptions, result: Comparison, out: TextIO) -> None:
    if options.out is not None:
        is_json = options.as_json or options.out.suffix == ".json"
        write_file(options.out, result.to_json() + "\n" if is_json else result.to_markdown())
        if options.as_json:
            return
    if options.as_json:
        out.write(result.to_json() + "\n")
    elif options.markdown or not out.isatty():
        out.write(result.to_markdown())
    else:
        from rich.markdown import Markdown  # noqa: PLC0415 - only for terminals

        console_for(out).print(Markdown(result.to_markdown()))
