"""`jido init`: find out about a project, and write its settings file."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final, TextIO

from jido_ai.cli.init_text import Findings, next_command, settings_text
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
