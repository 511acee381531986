"""Prompts of the user's own, from a directory: which ones are in use, for components that are given none."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jido_ai.errors import ConfigurationError
from jido_ai.files.bounded_read import NoFileError, read_at_most

if TYPE_CHECKING:
    from jido_ai.models.prompts.catalogue import PromptText

SUFFIX: Final = ".txt"
_MOST_BYTES: Final = 64 * 1024
_in_use: ContextVar[Mapping[str, PromptText] | None] = ContextVar("prompts_in_use", default=None)


def read_prompts(directory: Path) -> dict[str, PromptText]:
    """Return the prompts in the files NAME.txt of a directory, by name.

    Raises:
        ConfigurationError: no such directory; a file that no prompt has the name of, that is a link to another
            directory, cannot be read, is longer than 64 KiB, or cannot be used. The message names the file.
    """
    from jido_ai.models.prompts.catalogue import named_prompt, read_prompt  # noqa: PLC0415 - slow, and rarely needed

    if not directory.is_dir():
        raise ConfigurationError(
            f"{directory}: there is no such directory of prompts; `jido prompts export {directory}` makes one"
        )
    prompts: dict[str, PromptText] = {}
    home = directory.resolve()
    for path in sorted(directory.glob(f"*{SUFFIX}")):
        try:
            named_prompt(path.stem)
            if not path.resolve().is_relative_to(home):
                raise ConfigurationError("it is a link to another directory")
            raw = read_at_most(path, _MOST_BYTES)
            if raw is None:
                raise ConfigurationError(f"longer than {_MOST_BYTES} bytes")
            prompts[path.stem] = read_prompt(path.stem, raw.decode("utf-8-sig"))
        except (NoFileError, OSError, UnicodeDecodeError, ConfigurationError) as error:
            said = error.strerror if isinstance(error, OSError) else error
            raise ConfigurationError(f"{path}: {said}") from error
    return prompts


def use_prompts(prompts: Mapping[str, PromptText] | None) -> None:
    """Use these prompts in components made from now on in this context, and the defaults for other names."""
    _in_use.set(prompts)


def prompts_in_use() -> Mapping[str, PromptText]:
    """Return the user's own prompts, by name."""
    return _in_use.get() or {}


def own_prompt(name: str, template: str | None, system: str | None) -> tuple[str | None, str | None]:
    """Return template and system message of a component: its own, else the ones in use; None for the defaults."""
    prompt = prompts_in_use().get(name)
    if prompt is None:
        return template, system
    return template if template is not None else prompt.template, system if system is not None else prompt.system
