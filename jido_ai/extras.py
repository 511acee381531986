"""Libraries of the extras: one error says which extra to install."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Generator
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from typing import Final

from jido_ai.errors import ConfigurationError, message_of

_REQUIREMENT: Final = re.compile(r"""([\w.-]+)(?:\[[^]]*\])?\s*\(?([^;()]*)\)?\s*;.*\bextra\s*==\s*['"]([\w.-]+)['"]""")


def missing(package: str, extra: str, error: ImportError | None = None) -> ConfigurationError:
    """Return the error for a package that is not installed, not in a version of the extra, or cannot be imported.

    Args:
        error: of the import.
    """
    wrong = _wrong_version(extra)
    if wrong is None and error is not None and (installed := _version(package)) is not None:
        wrong = f"{package} {installed} is installed but cannot be imported ({message_of(error)})"
    return ConfigurationError(f"{wrong or f'{package} is not installed'}: pip install 'jido-ai[{extra}]'")


def check_versions(extra: str) -> None:
    """Raise `ConfigurationError` if a package of an extra is installed in a version below the extra's floor."""
    if _wrong_version(extra, floor_only=True) is not None:
        raise missing("", extra)


def _wrong_version(extra: str, *, floor_only: bool = False) -> str | None:
    """Return a phrase about the first package of an extra that is installed in a version that the extra excludes."""
    for name, wanted in _requirements().get(extra, {}).items():
        found = _version(name)
        if found is None:
            continue
        for sign, bound in re.findall(r"(>=|<)\s*([\w.]+)", wanted):
            is_below = _release(found) < _release(bound)
            if is_below == (sign == ">=") and not (floor_only and sign == "<"):
                return f"{name} {found} is installed, and jido_ai needs {wanted}"
    return None


@cache
def _requirements() -> dict[str, dict[str, str]]:
    """Return the packages of each extra with their versions; none where jido_ai itself is not installed."""
    found: dict[str, dict[str, str]] = {}
    with contextlib.suppress(PackageNotFoundError):
        for line in requires("jido-ai") or ():
            if told := _REQUIREMENT.match(line):
                name, versions, extra = told.groups()
                bounds = sorted((one.strip() for one in versions.split(",")), reverse=True)
                found.setdefault(extra, {})[name] = ",".join(bounds)
    return found


def _version(package: str) -> str | None:
    try:
        return version(package)
    except (PackageNotFoundError, ValueError):
        return None


def _release(told: str) -> tuple[int, ...]:
    """Return the numbers of a version before any letter; a release candidate counts as its release."""
    plain = re.match(r"[\d.]*", told)
    numbers = [int(one) for one in (plain.group() if plain else "").split(".") if one]
    return tuple([*numbers, 0, 0, 0][:4])


@contextlib.contextmanager
def needs_extra(name: str) -> Generator[None]:
    """Raise an ImportError of the block as a `ConfigurationError` that names the extra; see also `check_versions`."""
    check_versions(name)
    try:
        yield
    except ImportError as error:
        raise missing(error.name or str(error), name, error) from error


@cache  # of success only
def require(extra: str, *modules: str) -> None:
    """Raise `ConfigurationError` if one of the modules cannot be found; none is imported."""
    for module in modules:
        try:
            found = find_spec(module)
        except ImportError:  # its parent is not there
            found = None
        if found is None:
            raise missing(module, extra)
