"""`jido ask`: its options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jido_ai.cli.commands.options import JsonOption, MemoryOption, new_app
from jido_ai.errors import ConfigurationError

app = new_app()


@app.command("ask")
def ask_command(  # noqa: PLR0917 - typer reads options from parameters
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The question, or - to read it from standard input.")],
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Model that writes: openai:NAME, anthropic:NAME, ollama:NAME or compatible:NAME@URL. "
            "Default: the one in the settings.",
        ),
    ] = None,
    critic: Annotated[
        str | None, typer.Option(metavar="NAME", help="Model that judges. Default: the one that writes.")
    ] = None,
    max_iterations: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=100, help="Maximum number of answers to judge. Default: 3.")
    ] = None,
    approve: Annotated[
        bool,
        typer.Option(
            "--approve", help="Stop at every revision for your decision; `jido runs resume RUN --decide` continues."
        ),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show each model call: what was sent and what came back.")
    ] = False,
    schema: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="JSON Schema for the answer, which is then JSON that conforms to it."),
    ] = None,
    learn_from: Annotated[
        str | None,
        typer.Option(
            metavar="known|accepted|nothing",
            help="Which accepted answers become examples for later questions: those that a person or a program "
            "accepted, all, or none.",
        ),
    ] = None,
    max_examples_shown: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Maximum number of examples to show. Default: 2.")
    ] = None,
    holdout: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            min=0.0,
            max=1.0,
            help="Share of the questions that are answered without the memory, to tell whether it helps.",
        ),
    ] = None,
    as_json: JsonOption = False,
    memory: MemoryOption = None,
) -> None:
    """Answer a question: a model writes and revises; it or another one judges.

    After each verdict the policy "adaptive" chooses another draft that is told what was wrong, a revision, or the end.
    Drafts come first, since a revision carries old faults along. The run ends when another answer is not worth its
    calls. With --approve, answers are only revised.

    API keys come from OPENAI_API_KEY, ANTHROPIC_API_KEY or COMPATIBLE_API_KEY; Ollama needs none.

    With --schema the answer is JSON: each part that does not conform is a finding with its place, and is revised there.
    If no answer conforms, the best text is printed.

    Only the answer goes to standard output. Exit status: 0 the answer is good enough, 1 it has issues or was not
    judged, 2 there is no answer, 130 interrupted.
    """
    from jido_ai.cli.ask import AskOptions, ask, question, read_schema  # noqa: PLC0415 - each command loads what it needs
    from jido_ai.cli.memory_place import memory_address  # noqa: PLC0415
    from jido_ai.cli.trust import trusted_settings  # noqa: PLC0415

    learning = {"learn_from": learn_from, "max_examples_shown": max_examples_shown, "holdout": holdout}
    settings = trusted_settings(memory=memory, model=model, critic=critic, **learning)
    if settings.model is None:
        raise ConfigurationError(
            "no model to answer with: give --model NAME, e.g. openai:gpt-4o-mini, or set JIDO_MODEL, or model in "
            "jido.toml"
        )
    options = AskOptions(
        text=question(text, sys.stdin),
        model=settings.model,
        critic=settings.critic,
        memory=memory_address(settings.memory),
        max_iterations=max_iterations,
        approve=approve,
        verbose=verbose,
        as_json=as_json,
        schema=None if schema is None else read_schema(schema),
        settings=settings,
    )
    raise typer.Exit(ask(options, sys.stdout, sys.stderr))
