"""`jido prompts`: shows the prompts that models are sent, and writes them to files."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from jido_ai.errors import ConfigurationError
from jido_ai.files.relative_path import relative_path
from jido_ai.loop.settings import load_settings
from jido_ai.models.own_prompts import SUFFIX, prompts_in_use
from jido_ai.models.prompts.catalogue import PROMPTS, PromptText, named_prompt, prompt_as_text


def show_prompts(name: str | None, out: TextIO) -> None:
    """Print one prompt, or a line for each.

    Raises:
        ConfigurationError: there is no such prompt, or the settings cannot be used.
    """
    settings = load_settings()
    own = prompts_in_use()
    origin = "" if settings.prompts.dir is None else f" (from {settings.prompts.dir})"
    if name is None:
        for known, prompt in PROMPTS.items():
            out.write(f"{known:<12}{prompt.about}{origin if known in own else ''}\n")
        out.write("\n`jido prompts show NAME` prints one, `jido prompts export DIR` writes all to files.\n")
        return
    prompt = named_prompt(name)
    text = own.get(name, prompt.text)
    out.write(f"# {name}{origin if name in own else ''}: {prompt.about}\n")
    for field, meaning in prompt.fields.items():
        out.write(f"# ${field}{f': {meaning}' if meaning else ''}\n")
    if prompt.system_end:
        out.write(f"# Every system message ends with: {prompt.system_end}\n")
    if prompt.added:
        out.write("# Every request ends with:\n" + "".join(f"#   {line}\n" for line in prompt.added.splitlines()))
    out.write("\n")
    out.write(prompt_as_text(PromptText(text.system or prompt.text.system, text.template)))


def export_prompts(directory: Path, out: TextIO) -> None:
    """Write every built-in prompt to a file; those that are there are not touched.

    Raises:
        ConfigurationError: the directory cannot be written.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, prompt in PROMPTS.items():
            path = directory / f"{name}{SUFFIX}"
            try:
                with path.open("x", encoding="utf-8") as file:
                    file.write(prompt_as_text(prompt.text))
            except FileExistsError:
                out.write(f"kept     {path}: it is there already\n")
            else:
                out.write(f"wrote    {path}\n")
    except OSError as error:
        raise ConfigurationError(f"{directory}: prompts cannot be written there: {error.strerror}") from error
    place, name = _settings_for(directory)
    out.write(f'\nUse them with these lines in {place}:\n\n[prompts]\ndir = "{name}"\n')


def _settings_for(directory: Path) -> tuple[Path, str]:
    """Return the settings file that can name the directory, and how: it must lie below the file."""
    try:
        return Path("jido.toml"), relative_path(str(directory))
    except ConfigurationError:
        whole = directory.resolve()
        return whole.parent / "jido.toml", whole.name
