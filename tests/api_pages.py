"""Reference pages of the public names, with signatures and docstrings: `python tests/reference.py` writes them."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

from api_names import described

import jido_ai

__all__ = ["api_pages", "listed"]

_PACKAGE = Path(jido_ai.__file__).parent
_PAGES = {
    "loop": ("The loop", ("loop", "runs", "events", "protocols", "config")),
    "components": ("Critics, revisers, tools", ("critics", "revisers", "reflection", "tools")),
    "models": ("Models", ("models",)),
    "memory": ("Memory and learning", ("memory", "learning")),
    "graphs": ("Graphs", ("graph",)),
    "values": ("Values", ("values",)),
    "errors": ("Errors", ("errors",)),
    "doors": ("Servers", ("serve", "mcp")),
    "actors": ("Actors", ("actors",)),
    "testing": ("For tests", ("testing",)),
}
"""The title of each page, and the rooms whose names are on it. A new room needs a place here."""


_TYPES = (
    "Types in signatures: `Unit` is a number in [0, 1], `Signed` in [-1, 1], `NotNegative` at least 0, `Positive` "
    "above 0; `Count` is a whole number of at least 0, `Line` of at least 1; `Texts` are strings, `Metadata` is a dict."
)


def listed(file: Path) -> dict[str, str]:
    """Return the public names that a package's `__init__.py` lists, each with the module it is imported from."""
    tree = ast.parse(file.read_text("utf-8"))
    guarded = [node for node in tree.body if isinstance(node, ast.If)]
    imports = [node for block in guarded for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module or "" for node in imports for alias in node.names}


def api_pages() -> dict[str, str]:
    """Return a page for each group of rooms."""
    front = listed(_PACKAGE / "__init__.py")
    lists = {path.parent.name: listed(path) for path in _PACKAGE.glob("*/__init__.py")}
    rooms = {room: names for room, names in lists.items() if names}
    for file in ("errors", "config"):
        rooms[file] = dict.fromkeys(import_module(f"jido_ai.{file}").__all__, f"jido_ai.{file}")
    rooms["protocols"] = {name: module for name, module in front.items() if module == "jido_ai.protocols"}
    elsewhere = {*front, *(name for room, names in rooms.items() if room != "values" for name in names)}
    rooms["values"] = {name: module for name, module in rooms["values"].items() if name in elsewhere}
    public = {name for names in rooms.values() for name in names}
    pages = {
        f"api-{page}": _api_page(title, {room: rooms.pop(room) for room in shown}, front, public)
        for page, (title, shown) in _PAGES.items()
    }
    assert not rooms, f"no page for {rooms}"
    return pages


def _api_page(title: str, rooms: dict[str, dict[str, str]], front: dict[str, str], public: set[str]) -> str:
    places: dict[str, set[str]] = {}
    homes: dict[str, str] = {}
    for room, names in rooms.items():
        for name, home in names.items():
            places.setdefault("jido_ai" if name in front else f"jido_ai.{room}", set()).add(name)
            if not home.startswith(("jido_ai.values", "jido_ai.errors")) or room in ("values", "errors"):
                homes[name] = home
    shown = {place: ", ".join(f"`{name}`" for name in _sorted(names)) for place, names in sorted(places.items())}
    lines = [f"- `{place}`: {names}" for place, names in shown.items()]
    parts = [described(name, homes[name], public) for name in _sorted(homes)]
    text = f"""# {title}

In Python, `help(NAME)` shows the same. {_TYPES}

Import

{chr(10).join(lines)}

{chr(10).join(parts)}"""
    return re.sub(r"\n{3,}", "\n\n", text)


def _sorted(names: set[str] | dict[str, str]) -> list[str]:
    return sorted(names, key=lambda name: (name.lower(), name))
