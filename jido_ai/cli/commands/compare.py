"""`jido compare`: its options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jido_ai.cli.commands.options import JsonOption, new_app

app = new_app()


@app.command("compare")
def compare_command(  # noqa: PLR0917 - typer reads options from parameters
    tasks: Annotated[
        Path | None,
        typer.Argument(metavar="TASKS.jsonl", help="The tasks: JSON lines, each with a prompt and checks."),
    ] = None,
    models: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="NAME",
            help="Model that answers, e.g. openai:NAME. May be repeated. Default: the one in the settings.",
            show_default=False,
        ),
    ] = None,
    strategies: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="single, best-of-N, self-refine, reflexion (both also with -N), loop, loop+memory, "
            "and pipelines and graphs in the settings.",
        ),
    ] = "single,best-of-4,self-refine,loop",
    calls: Annotated[int, typer.Option(metavar="N", min=1, max=100, help="Maximum model calls per answer.")] = 4,
    max_cost: Annotated[
        float | None,
        typer.Option(
            metavar="USD", help="Stop before the comparison costs more than this, and keep the answers so far."
        ),
    ] = None,
    repeats: Annotated[int, typer.Option(metavar="N", min=1, max=100, help="Answers per task.")] = 1,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed for the order of the tasks and for the requests.")] = 0,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Strategy that the others are compared with. Default: the first."),
    ] = None,
    critic: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Model that judges in loops, and with --from-runs. Default: the one above."),
    ] = None,
    critics: Annotated[
        str | None,
        typer.Option(metavar="checks", help="Let the checks judge in all strategies, in place of critics."),
    ] = None,
    run_id: Annotated[
        str | None, typer.Option(metavar="ID", help="Continue a comparison; only missing answers are requested.")
    ] = None,
    concurrency: Annotated[
        int, typer.Option(metavar="N", min=1, max=256, help="Answers requested at the same time.")
    ] = 4,
    init: Annotated[
        bool, typer.Option("--init", help="Write example tasks to TASKS.jsonl, or with --from-runs, tasks to edit.")
    ] = False,
    from_runs: Annotated[
        bool,
        typer.Option("--from-runs", help="Use the runs recorded in the memory as tasks, with your thumbs up and down."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only print the most calls that it can take, and what they cost.")
    ] = False,
    as_json: JsonOption = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown, also on a terminal.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the result to a file; JSON if its name ends in .json."),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            "--memory",
            "--store",
            metavar="PATH",
            help="Where answers are kept: a file, or postgresql://HOST/NAME for several machines. Default: your own.",
        ),
    ] = None,
) -> None:
    """Compare strategies on your own tasks: does a loop pay off, or is one call enough?

    Each strategy answers each task within the same number of model calls; the task's checks decide whether an answer
    passes. Strategies that begin with the same request share its answer.

    Answers are kept in the memory as they come: after an interruption, the same command with --run-id continues.
    Several machines share the work if each is given the same command with the same --run-id and --store.

    The result goes to standard output. Exit status: 0 complete, 1 stopped by --max-cost or some answers did not come, 2
    wrong usage or a model that cannot be used, 130 interrupted.
    """
    from jido_ai.cli.compare import CompareOptions, compare_tasks  # noqa: PLC0415 - each command loads what it needs

    options = CompareOptions(
        tasks=tasks,
        models=tuple(models or ()),
        strategies=tuple(name.strip() for name in strategies.split(",") if name.strip()),
        calls=calls,
        max_cost=max_cost,
        repeats=repeats,
        seed=seed,
        baseline=baseline,
        critic=critic,
        critics=critics,
        run_id=run_id,
        concurrency=concurrency,
        init=init,
        from_runs=from_runs,
        dry_run=dry_run,
        as_json=as_json,
        markdown=markdown,
        out=out,
        memory=memory,
    )
    raise typer.Exit(compare_tasks(options, sys.stdout, sys.stderr))
