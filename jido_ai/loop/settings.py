"""Settings from arguments, the environment and the nearest `jido.toml` or `[tool.jido]`."""

from __future__ import annotations

import errno
import logging
import os
import stat
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

from jido_ai.config import GIVEN, Layer, Settings, from_environment, from_toml, resolve_settings
from jido_ai.errors import ConfigurationError
from jido_ai.files.relative_path import relative_path
from jido_ai.loop.options import LearningOptions
from jido_ai.loop.trusted import check_keys
from jido_ai.models.own_prompts import read_prompts, use_prompts
from jido_ai.models.own_providers import use_providers

_OWN: Final = "jido.toml"
_SHARED: Final = "pyproject.toml"
_TABLE: Final = ("tool", "jido")
_MOST_BYTES: Final = 1 << 20
_OF_MODE: Final = frozenset(("max_lessons", "max_lesson_tokens"))


def load_settings(
    start: Path | str | None = None, *, environ: Mapping[str, str] | None = None, trust: bool = False, **given: Any
) -> Settings:
    """Return the effective settings: arguments, else environment, else nearest file, else mode and defaults.

    Components that are made afterwards use the prompts of `prompts.dir`, models the providers and prices.

    Args:
        start: where the search for a file begins; None is the working directory.
        environ: None is the process's own.
        trust: the file may say where keys go: addresses of built-in providers, and `api_key_env`. Otherwise only a
            file in a directory that the user trusts, or in the home directory itself, may.
        given: fields of `Settings`; None means not given.

    Raises:
        ConfigurationError: a setting that can never work, a file that cannot be read, or one that says where a key goes
            without trust: it names file and setting.
    """
    explicit = Layer(GIVEN, {name: value for name, value in given.items() if value is not None})
    layers = [explicit, from_environment(os.environ if environ is None else environ)]
    found = find_settings(Path.cwd() if start is None else Path(start))
    settings = resolve_settings(*layers, *([] if found is None else [found[1]]))
    if not trust:
        check_keys(settings)
    directory = settings.prompts.dir
    use_prompts(None if directory is None else read_prompts(Path(directory)))
    use_providers(settings)
    return settings


def find_settings(start: Path) -> tuple[Path, Layer] | None:
    """Return the nearest settings file, from `start` up, and its settings; None if there is none.

    In one directory `jido.toml` comes before `pyproject.toml`, of which only `[tool.jido]` is read; one that nowhere
    speaks of it is not looked at any closer. A memory in a file is seen from the file's directory.

    A file that belongs to another user (neither root nor who runs this), or that anybody may write, is passed over
    with a warning in the log "jido_ai": in a directory that many share it may be anybody's.

    Raises:
        ConfigurationError: a file cannot be read, is longer than 1 MiB, or is not TOML.
    """
    for directory in (start.absolute(), *start.absolute().parents):
        for name, table in ((_OWN, ()), (_SHARED, _TABLE)):
            path = directory / name
            text = _text_of(path)
            if text is None:
                continue
            layer = from_toml(text, str(path), table)
            if layer is not None:
                return path, _seen_from(layer, directory)
    return None


def _text_of(path: Path) -> str | None:
    try:
        raw, doubt = _read(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if path.name == _SHARED:  # somebody else's business, as far as we know
            return None
        raise ConfigurationError(f"{path}: the settings cannot be read: {error.strerror}") from error
    if path.name == _SHARED and b"jido" not in raw:
        return None
    if doubt is not None:
        if path.name == _OWN or b"tool.jido" in raw:
            _warn(path, doubt)
        return None
    if len(raw) > _MOST_BYTES:
        raise ConfigurationError(f"{path}: the settings are longer than {_MOST_BYTES} bytes")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: the settings are not UTF-8: byte {error.start} cannot be decoded") from error


def _read(path: Path) -> tuple[bytes, str | None]:
    """Return how a file begins, and why it is not obeyed, if it is not. Raises `OSError`."""
    doubt = _doubt(path.lstat())
    if doubt is not None and path.name == _OWN:
        return b"", doubt
    with open(path, "rb", opener=_open_at_once) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "Not a regular file")
        return file.read(_MOST_BYTES + 1), doubt or _doubt(status)


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # a pipe would wait for who writes into it


def _doubt(status: os.stat_result) -> str | None:
    """Return why a file of this owner and mode may be somebody else's trap; None where there are no such owners."""
    if not hasattr(os, "geteuid"):
        return None
    if status.st_uid not in (0, os.geteuid()):
        return f"it belongs to another user (uid {status.st_uid}); take ownership of it with chown"
    if status.st_mode & stat.S_IWOTH and not stat.S_ISLNK(status.st_mode):  # of a link the mode says nothing
        return "anybody may write it; fix it with chmod o-w"
    return None


@lru_cache(maxsize=64)
def _warn(path: Path, doubt: str) -> None:
    """Warn about a skipped file, once per process."""
    logging.getLogger("jido_ai").warning("%s: these settings are ignored: %s", path, doubt)


def _seen_from(layer: Layer, directory: Path) -> Layer:
    values = dict(layer.values)
    memory, prompts = values.get("memory"), values.get("prompts")
    if isinstance(memory, str) and "://" not in memory and memory.strip():
        values["memory"] = str(directory / Path(memory).expanduser())
    python = values.get("python")
    if isinstance(python, str) and python.strip():
        values["python"] = str(directory / Path(python).expanduser())
    if isinstance(prompts, dict) and isinstance(inside := cast("dict[str, object]", prompts).get("dir"), str):
        try:
            below = directory / relative_path(inside.removeprefix("./").rstrip("/"))
            if not below.resolve().is_relative_to(directory.resolve()):
                raise ConfigurationError(f"{inside} is a link to another directory")
            values["prompts"] = {**cast("dict[str, object]", prompts), "dir": str(below)}
        except ConfigurationError as error:
            raise ConfigurationError(f"{layer.source}: prompts.dir: {error}") from error
    return replace(layer, values=values)


# -- arguments ---------------------------------------------------------------------------------------


def memory_options(settings: Settings) -> dict[str, Any]:
    """Return the arguments of a `ReflexionMemory`, but for its path."""
    return {
        "similarity": "auto",
        "max_entries": settings.max_entries,
        "retention_days": settings.retention_days,
        "audit": settings.audit,
    }


def learning_options(settings: Settings, *, only_given: bool = True) -> dict[str, Any]:
    """Return the arguments of a `Pipeline` about learning, such as `learn_from` and `holdout`.

    Args:
        only_given: those that a layer gives, itself or by its mode; False: all.
    """
    of_mode = _OF_MODE if "mode" in settings.origins else frozenset[str]()
    names = [one.name for one in fields(LearningOptions)]
    return {
        name: getattr(settings, name) for name in names if not only_given or name in settings.origins or name in of_mode
    }


def pipeline_options(settings: Settings, task_type: str | None = None) -> dict[str, Any]:
    """Return arguments of a `Pipeline` as the settings say: memory, config, reflector, mode, and how it learns.

        Pipeline(generator, critiquer, reviser, **pipeline_options(load_settings()))

    Without `enabled` there is neither memory nor reflector. The reflector asks `model`, and diagnoses without one.

    Args:
        task_type: whose overrides of the loop hold.

    Raises:
        ConfigurationError, AuthenticationError: the model or the memory cannot be used.
    """
    from jido_ai.memory.reflexion_memory import ReflexionMemory  # noqa: PLC0415 - reading settings needs neither
    from jido_ai.reflection.reflector import Reflector  # noqa: PLC0415

    options: dict[str, Any] = {"config": settings.loop_config(task_type)}
    if settings.enabled:
        if settings.memory is not None:
            options["memory"] = ReflexionMemory(settings.memory, **memory_options(settings))
        options["reflector"] = Reflector(settings.model, depth=settings.depth)
        options["mode"] = "full" if settings.reflect_on_success else "lite"
        options |= learning_options(settings, only_given=False)
    return options
