"""The Python that a project's tests run with: its own environment, which need not be the one that jido lives in."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jido_ai.errors import ConfigurationError

_OLDEST: Final = (3, 11)
_LIBRARY: Final = re.compile(r"python(\d+)\.(\d+)t?")


@dataclass(frozen=True, slots=True)
class ProjectPython:
    """An interpreter for tests.

    Attributes:
        executable: its absolute path, links not followed: in an environment it is a link.
        readable: the files and directories that it needs.
    """

    executable: Path
    readable: tuple[Path, ...]


def project_python(
    root: Path, chosen: Path | None, environ: Mapping[str, str]
) -> tuple[ProjectPython | None, str | None]:
    """Return the interpreter for the tests of a project, None for the running one; and a note about one passed over.

    The first of: the chosen one, the active environment (VIRTUAL_ENV), `.venv` in the project or in a directory above
    it in the same repository, which is also where uv puts it. Nothing is executed to find out.

    Args:
        chosen: an interpreter or the directory of an environment, from the command line or the settings.

    Raises:
        ConfigurationError: the chosen one is no Python, or older than 3.11, or has no pytest.
    """
    if chosen is not None:
        return _read(chosen), None
    active = environ.get("VIRTUAL_ENV", "").strip()
    if active:
        place = Path(active)
        if place.resolve() in _ours():
            return None, None
        return _tried(place)
    folders = _up_to_the_repository(root.absolute())
    for folder in folders:
        place = folder / ".venv"
        if place.is_dir():
            if place.resolve() in _ours():
                return None, None
            if place.is_symlink():
                return None, f"{place} is a link, and not used; name it with --python to run the tests with it"
            return _tried(place, folders[-1])
    return None, None


def _ours() -> set[Path]:
    return {Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()}


def _up_to_the_repository(root: Path) -> list[Path]:
    """Return the project's directory and those above it up to the top of its repository."""
    folders = [root, *root.parents]
    top = next((place for place, folder in enumerate(folders) if (folder / ".git").exists()), 0)
    return folders[: top + 1]


def _tried(place: Path, project: Path | None = None) -> tuple[ProjectPython | None, str | None]:
    try:
        return _read(place, project), None
    except ConfigurationError as error:
        return None, f"the tests run with {sys.executable}: {error}"


def _read(place: Path, project: Path | None = None) -> ProjectPython:
    path = place.expanduser().absolute()
    executable = path / "bin" / "python" if path.is_dir() else path
    executable = executable.parent.resolve() / executable.name
    try:
        real = executable.resolve(strict=True)
    except (OSError, RuntimeError):
        raise ConfigurationError(f"{place}: no such Python; give an interpreter or the directory of a .venv") from None
    if not real.is_file() or not os.access(real, os.X_OK):
        raise ConfigurationError(f"{place}: not a Python that can be run")
    if project is not None and real.is_relative_to(project.resolve()):
        raise ConfigurationError(f"{place}: its interpreter is a file of the project; name it with --python to use it")
    base = real.parent.parent
    environment = executable.parent.parent
    if not (environment / "pyvenv.cfg").is_file():  # a link in any folder, such as ~/bin, which is not to be read
        executable, environment = real, base
    is_copy = (environment / "pyvenv.cfg").is_file() and real.is_relative_to(environment)
    if is_copy:
        base = Path(_settings(environment / "pyvenv.cfg").get("home", "")).parent
    library = _library(base, real.name)
    if library is None:
        raise ConfigurationError(f"{place}: no Python standard library was found beside it; give another --python")
    found = _LIBRARY.fullmatch(library.name)
    assert found is not None
    version = (int(found[1]), int(found[2]))
    if version < _OLDEST:
        raise ConfigurationError(f"{place}: Python {version[0]}.{version[1]}; tests need 3.11 or newer")
    packages = environment / "lib" / library.name / "site-packages"
    sees_the_system = environment == base or _settings(environment / "pyvenv.cfg").get(
        "include-system-site-packages", "false"
    ) in ("true", "True")
    if not sees_the_system and not any((packages / name).exists() for name in ("pytest", "pytest.py")):
        raise ConfigurationError(
            f"{place}: it has no pytest; install it there with: {executable} -m pip install pytest"
        )
    own = () if environment == base else (environment,)
    shared = (one for one in (base / "lib").glob("libpython*") if one.is_file())
    inside = base.resolve()  # a link that leads out of the interpreter's own directory opens nothing
    needed = (one.resolve() for one in (real, library, *shared))
    return ProjectPython(executable, (*own, *(one for one in needed if one.is_relative_to(inside) or one == real)))


def _library(base: Path, name: str) -> Path | None:
    """Return the directory of the standard library for an interpreter of this name, such as "python3.12"."""
    if not name.startswith("python") or not base.is_absolute():
        return None
    known = [folder for folder in (base / "lib").glob("python3.*") if (folder / "os.py").is_file()]
    exact = [folder for folder in known if folder.name == name]
    return exact[0] if exact else known[0] if len(known) == 1 else None


def _settings(file: Path) -> dict[str, str]:
    """Return the lines `key = value` of a small file; none if it cannot be read."""
    try:
        with file.open(encoding="utf-8") as opened:
            text = opened.read(10_000)
    except (OSError, ValueError):
        return {}
    pairs = (line.partition("=") for line in text.splitlines())
    return {key.strip().lower(): value.strip() for key, _, value in pairs}
