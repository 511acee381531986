"""Reference pages of the public names, with a place for each docstring that the site fills in.

`python tests/reference.py` writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

import jido_ai
from jido_ai import actors, testing

__all__ = ["api_pages"]

_API = {
    "loop": ("The loop", ("loop", "config", "cli", "protocols")),
    "values": ("Values", ("values",)),
    "components": ("Critics, revisers, tools", ("critics", "revisers", "repair", "reflection", "tools")),
    "models": ("Models", ("models",)),
    "memory": ("Memory and learning", ("memory", "learning")),
    "graphs": ("Graphs", ("graph",)),
    "errors": ("Errors", ("errors",)),
}


STORES = (
    *(f"jido_ai.memory.store.{name}" for name in ("BatchStore", "ClaimStore")),
    *(f"jido_ai.values.record.{name}" for name in ("Changes", "Claim", "Cursor")),
    *(f"jido_ai.values.record.{name}" for name in ("LogSummary", "Record", "StoredEntry")),
    *(f"jido_ai.memory.lessons.{name}" for name in ("lesson_key", "matches", "merge_lessons")),
    "jido_ai.memory.stores.rows.prepared_records",
)
"""What a store of one's own needs besides `MemoryStore`."""


def api_pages() -> dict[str, str]:
    """Return a page for each group of public names; the site puts their docstrings in."""
    places: dict[str, list[str]] = {}
    for name in jido_ai.__all__:
        place = jido_ai._HOME_OF.get(name)
        if place is not None:
            places.setdefault(place.split(".")[1], []).append(f"{place}.{name}")
    pages = {
        f"api-{page}": _api_page(title, "`jido_ai`", [path for room in rooms for path in places.pop(room, [])])
        for page, (title, rooms) in _API.items()
    }
    assert not places, f"no page for {places}"
    for page, title, module in (("actors", "Actors", actors), ("testing", "For tests", testing)):
        found = [(getattr(module, name).__module__, name) for name in module.__all__ if _is_defined(module, name)]
        pages[f"api-{page}"] = _api_page(title, f"`{module.__name__}`", [f"{place}.{name}" for place, name in found])
    pages["api-stores"] = _api_page("For stores", _modules_of(STORES), list(STORES))
    return pages


def _is_defined(module: ModuleType, name: str) -> bool:
    return getattr(getattr(module, name), "__module__", "").startswith("jido_ai")


def _modules_of(paths: Sequence[str]) -> str:
    names: dict[str, list[str]] = {}
    for path in paths:
        module, _, name = path.rpartition(".")
        names.setdefault(module, []).append(name)
    return ", ".join(f"`{module}` ({', '.join(found)})" for module, found in names.items())


def _api_page(title: str, module: str, paths: list[str]) -> str:
    names = [path.rpartition(".")[2] for path in paths]
    parts = [f"::: {path}" for path in sorted(paths, key=lambda path: path.rpartition(".")[2].lower())]
    return f"""# {title}

Import these from {module}. The site (`make docs`) has their signatures and docstrings here; in Python, `help(NAME)`
shows them. The names: {", ".join(f"`{name}`" for name in sorted(names, key=str.lower))}.

{chr(10).join(f"{part}{chr(10)}" for part in parts)}"""
