"""`jido init`: find out about a project, and write its settings file."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final, TextIO

from jido_ai.cli.trust import remember_trust
from jido_ai.config import from_toml, resolve_settings
from jido_ai.errors import ConfigurationError
from jido_ai.loop.settings import find_settings
from jido_ai.models.names import split_model_name

_NAME: Final = "jido.toml"
_TESTS: Final = ("tests", "test")
_NOT_SOURCES: Final = frozenset({*_TESTS, "docs", "doc", "examples", "build", "dist", "node_modules", "venv"})
_MOST_NAMES: Final = 5
_KEYS: Final = {"OPENAI_API_KEY": "openai:gpt-4o-mini", "ANTHROPIC_API_KEY": "anthropic:claude-sonnet-4-5"}


def init(directory: Path, out: TextIO, *, model: str | None = None) -> None:
    """Write a `jido.toml`, and print what was found and the next command.

    Args:
        model: "PROVIDER:NAME" for the file; None leaves it commented out.

    Raises:
        ConfigurationError: there are settings already, the directory does not exist or cannot be written, or `model`
            is malformed.
    """
    if model is not None:
        split_model_name(model)
    path = directory / _NAME
    if not directory.is_dir():
        raise ConfigurationError(f"{directory}: no such directory; make it first, or name another one")
    above = _settings_above(path)
    found = find_out(directory, os.environ)
    text = settings_text(found, model)
    given = from_toml(text, f"--model {model}")
    resolve_settings(*([] if given is None else [given]))
    _write(path, text)
    if model is not None:
        remember_trust(directory)  # the user chose it, not the project
    out.write(f"wrote {path}: every setting with its default, commented out\n")
    for name, reason in found.models:
        out.write(f"{reason}: to let commands ask a model, set model, as in {name}\n" if model is None else "")
    if above is not None:
        out.write(f"the settings in {above} no longer apply here: copy what you need\n")
    step = next_command(found)
    inside = "" if directory.resolve() == Path.cwd() else f"cd {shlex.quote(str(directory))} && "
    shown = "shows a small project of its own" if step == "jido demo" else "shows a diff and writes nothing"
    out.write(f"next: {inside}{step}    # {shown}\n")


def find_out(directory: Path, environ: Mapping[str, str]) -> Findings:
    """Look for sources, tests and usable models. Nothing is executed and nothing is sent."""
    try:
        names = sorted(entry for entry in directory.iterdir() if not entry.name.startswith("."))
    except OSError as error:
        raise ConfigurationError(f"{directory}: cannot be read: {error.strerror}") from error
    tests = next((name for name in _TESTS if (directory / name).is_dir()), None)
    models = [(name, f"{key} is set") for key, name in _KEYS.items() if environ.get(key, "").strip()]
    if environ.get("OLLAMA_HOST", "").strip() or shutil.which("ollama"):
        models.append(("ollama:llama3.2", "Ollama is installed"))
    return Findings(
        sources=_sources(names), tests=tests if find_spec("pytest") is not None else None, models=tuple(models)
    )


def _sources(names: list[Path]) -> tuple[str, ...]:
    packages = [path.name for path in names if _is_package(path)]
    scripts = [path.name for path in names if path.suffix == ".py" and path.is_file()]
    texts = [path.name for path in names if path.suffix == ".md" and path.is_file()]
    return tuple((packages or scripts or texts)[:_MOST_NAMES])


def _is_package(path: Path) -> bool:
    if path.name in _NOT_SOURCES or not path.is_dir():
        return False
    return (path / "__init__.py").is_file() or (path.name == "src" and next(path.rglob("*.py"), None) is not None)


def _settings_above(path: Path) -> Path | None:
    """Return the settings file that holds here until now. Raises `ConfigurationError` if it is in this directory."""
    if os.path.lexists(path):
        raise ConfigurationError(f"{path}: exists already; edit it, or remove it first")
    try:
        found = find_settings(path.parent)
    except ConfigurationError:  # a broken file further up: the new one ends the search before it
        return None
    if found is None:
        return None
    if found[0].parent == path.parent.absolute():
        raise ConfigurationError(f"{found[0]}: has [tool.jido] already, and a {_NAME} beside it would hide it; edit it")
    return found[0]


def _write(path: Path, text: str) -> None:
    try:
        with open(path, "x", encoding="utf-8", opener=_open_private_to_writers) as file:
            file.write(text)
    except FileExistsError as error:
        raise ConfigurationError(f"{path}: exists already; edit it, or remove it first") from error
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be written: {error.strerror}") from error


def _open_private_to_writers(path: str, flags: int) -> int:
    return os.open(path, flags, 0o644)  # a file that anybody may write would not be obeyed


# -- init text -------------------------------------------------------------------------------------


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
