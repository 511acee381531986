"""Trusted directories: the projects whose settings may choose where keys go.

A user trusts a directory with `jido improve --trust`, which is written down in the user's configuration, or with the
variable JIDO_TRUSTED. A settings file in the home directory itself is the user's own.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from jido_ai.config import Settings
from jido_ai.errors import ConfigurationError, describe
from jido_ai.models.own_providers import sends_key
from jido_ai.text.redaction import redact

_FILES: Final = ("jido.toml", "pyproject.toml")


def file_of(settings: Settings, name: str) -> Path | None:
    """Return the settings file that a setting is from; None for any other source."""
    path = Path(settings.origins.get(name, ""))
    return path if path.name in _FILES and path.is_absolute() else None


def keys_at_risk(settings: Settings) -> tuple[Path, str] | None:
    """Return the settings file that says where a key goes, and in words what it says; None if none does."""
    for name in ("model", "critic"):
        file, value = file_of(settings, name), getattr(settings, name)
        provider = (value or "").partition(":")[0].strip()
        if file is not None and "@" in value and sends_key(provider):
            said = f"{name}: a project may not choose where the key of {provider} goes, got {describe(redact(value))}"
            return file, f"{said}; give --{name} on the command line or JIDO_{name.upper()}"
    file = file_of(settings, "providers")
    for name, one in settings.providers.items() if file is not None else ():
        if one.api_key_env is not None:
            assert file is not None
            return file, (
                f"providers.{name}.api_key_env: a project may not choose a variable to be sent as a key, "
                f"got {describe(one.api_key_env)}"
            )
    return None


def check_keys(settings: Settings) -> None:
    """Raise `ConfigurationError` if a file in a directory that is not trusted says where a key goes."""
    found = keys_at_risk(settings)
    if found is not None and not is_trusted(found[0].parent):
        file, said = found
        raise ConfigurationError(
            f"{file}: {said}; or if you trust the project, run `jido improve` once with --trust, or put its directory "
            "into JIDO_TRUSTED"
        )


def is_trusted(directory: Path) -> bool:
    """Tell whether the user trusts the settings in a directory."""
    directory = directory.resolve()
    named = filter(None, os.environ.get("JIDO_TRUSTED", "").split(os.pathsep))
    own = {Path.home().resolve(), *(Path(one).expanduser().resolve() for one in named)}
    return directory in own or directory in remembered()


def trust_file() -> Path:
    """Return the file of the user's configuration that has the trusted directories."""
    from platformdirs import user_config_path  # noqa: PLC0415 - of the extra "cli", and rarely needed

    return Path(user_config_path("jido-ai", appauthor=False)) / "trusted"


def remembered() -> set[Path]:
    """Return the directories that the user trusted with --trust."""
    try:
        return {Path(line) for line in trust_file().read_text("utf-8").splitlines() if line}
    except (ImportError, OSError, ValueError):
        return set()
