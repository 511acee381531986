"""Text of a new settings file, and the next command for a project. Pure."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Facts about a project that `jido init` found.

    Attributes:
        sources: paths for `jido improve`, relative to the project; none if there is nothing to improve.
        tests: the directory of the tests; None if there is none, or if pytest is not installed.
        models: name and reason of the models that can be used, as in ("openai:gpt-4o-mini", "OPENAI_API_KEY is set").
    """

    sources: tuple[str, ...] = ()
    tests: str | None = None
    models: tuple[tuple[str, str], ...] = ()


def settings_text(found: Findings, model: str | None = None) -> str:
    """Return a settings file in which everything but a given model is commented out."""
    if model is not None:
        chosen = f"model = {json.dumps(model, ensure_ascii=False)}"
    else:
        chosen = "\n".join(
            f'# model = "{name}"  # {reason}'
            for name, reason in found.models or (("openai:gpt-4o-mini", "needs OPENAI_API_KEY"),)
        )
    return _TEXT.replace("MODELS", chosen)


def next_command(found: Findings) -> str:
    """Return the command to try next; it writes nothing."""
    if not found.sources:
        return "jido demo"
    tests = ["--tests", found.tests] if found.tests else []
    return shlex.join(["jido", "improve", *found.sources, *tests])


_TEXT = """\
# Settings of jido for this directory and those below it. Settings behind "# " are off and show the defaults. Options
# and environment variables (JIDO_MODEL, JIDO_MEMORY ...) override this file; `jido doctor` shows the values in use.

# The model that writes and fixes what the built-in fixers cannot, and the one that judges. Without them none is asked.
# With them, commands send the texts that they work on to the provider.
MODELS
# critic = "ollama:llama3.2"

# Where lessons are kept: a file, relative to this one, or postgresql://localhost/NAME. Without it: your own memory,
# which all your projects share.
# memory = "jido-memory.db"

# "lite": few lessons are offered, only failures are reflected on; "full": more of both. Sets the four lines below it.
# mode = "lite"
# max_lessons = 3
# max_lesson_tokens = 512
# dreaming = false
# reflect_on_success = false
# reward_threshold = 0.3       # attempts with a lower reward are reflected on; -1 to 1

# Accepted answers become worked examples for later runs: those that a program or a person accepted ("known"), all of
# them ("accepted") or none ("nothing").
# learn_from = "known"
# max_examples = 50            # kept for each type of task
# max_examples_shown = 2       # to a run
# holdout = 0.1                # share of the runs that are shown nothing, to tell whether the memory helps; without it
#                              # a tenth, once 20 runs have ended

# enabled = true               # false: no lessons are stored or used
# depth = "detailed"           # of reflections: "basic", "detailed" or "comprehensive"
# criteria = []                # checklist for a model that judges, e.g. ["It names its sources"]
# retention_days = 90          # lessons older than this are removed; without it they are kept
# max_entries = 1000           # of one kind
# audit = "none"               # which reads and writes of the memory are recorded: "none", "writes" or "all"
# record_calls = "redacted"    # what runs keep of each call of a model: "off", "redacted" (no secrets) or "full"
# monthly_budget_usd = 10.0    # model calls stop at this; without it there is no limit
# allowed_origins = []         # websites whose pages may ask `jido serve` with a token, e.g. ["https://app.example"]
# exclude = []                 # files and folders that `jido improve` leaves alone, e.g. ["docs/*"]
# python = ".venv"             # runs the tests of the project; without it: the one in VIRTUAL_ENV or .venv

# Limits of every run; [task.NAME] overrides them for one type of task.
# [loop]
# max_iterations = 3           # versions to judge, the first included; without it `jido improve` judges 5
# timeout_s = 300.0            # for a run
# step_timeout_s = 60.0        # for one step of it
# candidates = 1               # first drafts; the best is revised

# Prompts of your own; `jido prompts export prompts` writes the built-in ones to start from.
# [prompts]
# dir = "prompts"              # relative to this file

# Servers of your own, on this machine; models are named "gpu:NAME". Prices are in USD per million tokens.
# [providers.gpu]
# kind = "compatible"
# base_url = "http://127.0.0.1:8001/v1"
# [prices."gpu:mistral"]
# input_usd = 0.1
# output_usd = 0.3

# What `jido serve` and `jido mcp` offer to callers.
# [pipelines.answer]
# model = "openai:gpt-4o-mini"
# critics = ["model:openai:gpt-4o-mini"]
#
# [graphs.talk]
# file = "talk.toml"
"""
