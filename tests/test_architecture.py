"""The arrows of the house: a file imports only from its own folder and from rows below."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import jido_ai

PACKAGE = Path(jido_ai.__file__).parent
ROWS = {
    "errors": 1,
    "telemetry": 2,
    "values": 2,
    "actors": 3,
    "logic": 3,
    "protocols": 3,
    "registry": 3,
    "components": 4,
    "testing": 4,
    "config": 4,
    "adapters": 5,
    "__main__": 6,
}
ACTORS_MAY_SEE = {"errors", "telemetry"}
PYKKA_LIVES_IN = "actors/thread_actor.py"
IO_LIBRARIES = {"aiosqlite", "asyncpg", "httpx", "rich", "typer", "sqlite3", "platformdirs", "subprocess", "socket"}
ACTOR_FREE = {"values", "protocols", "logic", "errors"}


def source_files() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def place(path: Path) -> str:
    """Return the folder (or the file) of the package a source file belongs to."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported(path: Path) -> set[str]:
    """Return the full names of all modules a file imports, also inside functions and under TYPE_CHECKING."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            found.add(node.module)
            if node.module in ("jido_ai", *(f"jido_ai.{place}" for place in ROWS)):
                found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


@pytest.mark.parametrize("path", source_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down_only(path: Path) -> None:
    here = place(path)
    for name in imported(path):
        head, _, rest = name.partition(".")
        if head != "jido_ai":
            continue
        assert rest, f"{path} imports from the package root; import from the module that defines the name"
        there = rest.split(".")[0]
        if there == here or there not in ROWS:
            assert there == here, f"{path} imports {name}, which is on no row"
            continue
        assert ROWS[there] < ROWS[here], f"{path} (row {ROWS[here]}) imports {name} (row {ROWS[there]})"
        if here == "actors":
            assert there in ACTORS_MAY_SEE, f"the runtime has never heard of {name}"
        assert there != "testing", f"{path} imports testing"


@pytest.mark.parametrize("path", source_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_libraries_stay_in_their_places(path: Path) -> None:
    heads = {name.partition(".")[0] for name in imported(path)}
    relative = str(path.relative_to(PACKAGE))
    if "pykka" in heads:
        assert relative == PYKKA_LIVES_IN
    if place(path) != "adapters":
        assert not heads & IO_LIBRARIES, f"{relative} does I/O through {heads & IO_LIBRARIES}"


def test_the_adapters_package_imports_nothing() -> None:
    assert not imported(PACKAGE / "adapters" / "__init__.py")
