"""`jido improve --hook FILE...` on clean files: one run of ruff, without what only findings need.

Only what is certain is answered here; anything else is left to the command itself, which then begins anew.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from jido_ai.files.bounded_read import NoFileError, read_at_most
from jido_ai.improve.declared_python import CONFIGS_OF_RUFF, declared_python
from jido_ai.revisers.edit_policy import COMPILER, SELECTED

_HEAD: Final = ["improve", "--hook"]
_MOST_FILES: Final = 100
_LIMIT_S: Final = 20.0
_CONFIGURATION_BYTES: Final = 1 << 20
_OTHERS: Final = ("jido.toml", "setup.cfg", "setup.py", "tox.ini", ".flake8", ".python-version")
_TO_BE_READ: Final = re.compile(r"jido|\[tool\.flake8|^\s*extend\s*=|ruff\.extend\b", re.MULTILINE)
_OLDEST_OF_RUFF: Final = (3, 7)


def are_clean(arguments: Sequence[str], environ: Mapping[str, str]) -> bool:
    """Tell whether these arguments are a hook's, and ruff finds nothing in its files; False if it is not certain.

    More rules are asked for than the command would ask for.
    """
    files = list(arguments[2:])
    if list(arguments[:2]) != _HEAD or not 0 < len(files) <= _MOST_FILES or any(n.startswith("JIDO_") for n in environ):
        return False
    ruff = Path(sys.executable).with_name("ruff")
    if not ruff.is_file() or not all(map(_is_plain, files)):
        return False
    configured = [_configuration(folder) for folder in {Path(file).absolute().parent for file in files}]
    options = configured[0]
    if options is None or any(one != options for one in configured):
        return False
    selected, _ = SELECTED
    rules = ("--isolated", "--select") if options else ("--extend-select",)
    argv = [
        *(str(ruff), "check", "--no-cache", "--no-fix", "--quiet"),
        *(*rules, f"{','.join(selected)},{COMPILER}"),
        *(*options, "--", *files),
    ]
    kept = {name: value for name, value in environ.items() if not name.startswith("RUFF_")}
    try:
        ended = subprocess.run(
            argv, env=kept, stdin=subprocess.DEVNULL, capture_output=True, timeout=_LIMIT_S, check=False
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return False
    return ended.returncode == 0 and not ended.stderr


def _is_plain(file: str) -> bool:
    path = Path(file)
    return (
        file.endswith(".py")
        and not file.startswith("-")
        and file.isprintable()
        and not path.is_absolute()
        and ".." not in path.parts
        and path.is_file()
        and not path.is_symlink()
    )


def _configuration(folder: Path) -> tuple[str, ...] | None:
    """Return ruff's options for a folder of a repository: none where its configuration says it all.

    None: its project is not as simple as that.
    """
    found: dict[Path, dict[str, str]] = {}
    for place in (folder, *folder.parents):
        texts = _texts(place, (*CONFIGS_OF_RUFF, *_OTHERS))
        if texts is None or any(name in texts for name in _OTHERS):
            return None
        if texts:
            found[place] = texts
        if (place / ".git").exists():
            break
    else:
        return None
    if len(found) > 1 or any(_texts(place, ("jido.toml", "pyproject.toml")) != {} for place in place.parents):
        return None
    texts = next(iter(found.values())) if found else {}
    if any(_TO_BE_READ.search(text) for text in texts.values()):
        return None
    pyproject = texts.get("pyproject.toml", "")
    if texts.keys() - {"pyproject.toml"} or "[tool.ruff" in pyproject:
        return ()
    declared = declared_python(texts)
    version = sys.version_info[:2] if declared is None else max(declared.minimum, _OLDEST_OF_RUFF)
    return None if version > (3, 13) else ("--target-version", "py{}{}".format(*version))


def _texts(folder: Path, names: Iterable[str]) -> dict[str, str] | None:
    """Return the texts of the files with these names; None if one cannot be read."""
    texts: dict[str, str] = {}
    for name in names:
        try:
            raw = read_at_most(folder / name, _CONFIGURATION_BYTES)
        except FileNotFoundError:
            continue
        except (OSError, NoFileError):
            return None
        if raw is None:
            return None
        texts[name] = os.fsdecode(raw)
    return texts
