"""Trust in a project's own settings: they may choose nothing outside its directory and no model without it.

A downloaded project has a `jido.toml` of its own. The directories that a user trusts are in the user's configuration.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jido_ai.config import Settings
from jido_ai.errors import ConfigurationError
from jido_ai.files.private import make_private_directory
from jido_ai.files.replacement import write_whole
from jido_ai.loop.settings import load_settings
from jido_ai.loop.trusted import file_of, is_trusted, keys_at_risk, remembered, trust_file


def trusted_settings(*names: str, **given: Any) -> Settings:
    """Return the settings of a command; see `load_settings`. The memory, and other settings by name, are checked.

    Raises:
        ConfigurationError: as `load_settings` and `check_trust`.
    """
    settings = load_settings(**given)
    check_trust(settings, asked=False, names=("memory", *names))
    return settings


def check_trust(
    settings: Settings, *, asked: bool, names: Sequence[str] = ("model", "critic", "memory", "python")
) -> None:
    """Refuse what a settings file may not choose on its own.

    Args:
        asked: the user trusts the project, which is remembered.
        names: the settings that the command uses.

    Raises:
        ConfigurationError: the file names a model, a memory or a Python outside of its directory, or a Python that is a
            file in it, and its directory is not trusted.
    """
    chosen = [(name, origin) for name in names if (origin := file_of(settings, name))]
    doubtful = [one for one in chosen if one[0] in ("model", "critic") or not _is_inside(settings, *one)]
    if asked and not doubtful and (keys := keys_at_risk(settings)) is not None:
        remember_trust(keys[0].parent)
    if not doubtful:
        return
    name, file = doubtful[0]
    directory = file.parent.resolve()
    if asked:
        remember_trust(directory)
        return
    if is_trusted(directory):
        return
    what = {"memory": "a memory outside of its directory", "python": "a Python outside of its directory or of its own"}
    option = "" if name == "python" else f", or as JIDO_{name.upper()}"
    raise ConfigurationError(
        f"{file}: {name}: a project may not choose {what.get(name, 'a model')} by itself; if you trust it, run "
        f"`jido improve` once with --trust, or give --{name} on the command line{option}"
    )


def _is_inside(settings: Settings, name: str, file: Path) -> bool:
    value: str = getattr(settings, name) or ""
    if "://" in value:
        return False
    place = Path(value)
    top = file.parent.resolve()
    if name != "python":
        return place.resolve().is_relative_to(top)
    # an environment in the project, whose interpreter is a link to the outside
    program = place / "bin" / "python" if place.is_dir() else place
    return program.parent.resolve().is_relative_to(top) and not program.resolve().is_relative_to(top)


def remember_trust(directory: Path) -> None:
    """Trust a directory from now on. Raises `ConfigurationError` if that cannot be written down."""
    directory = directory.resolve()
    known = remembered()
    if directory in known:
        return
    place = trust_file()
    try:
        make_private_directory(place.parent)
        write_whole(place, "".join(f"{one}\n" for one in sorted({*known, directory})).encode())
    except OSError as error:
        raise ConfigurationError(f"--trust: {place} cannot be written: {error.strerror}") from error
