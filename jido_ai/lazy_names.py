"""Public names that load their module on first use, so that `import jido_ai` costs next to nothing.

A package lists its public names once, as imports that only type checkers follow:

    if TYPE_CHECKING:
        from jido_ai.serve.app import create_app as create_app
    else:
        __getattr__, __dir__ = lazy_names()

Python compiles these imports although it never reaches them; `lazy_names` reads the list from the compiled package.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module

__all__ = ["lazy_names"]


def lazy_names() -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for the package that calls; `__all__` is made of the list, too."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage] - only the caller has the list
    package, code = frame.f_globals, frame.f_code

    @cache
    def homes() -> dict[str, str]:
        from dis import get_instructions  # noqa: PLC0415 - not needed by a program that imports from modules

        found: dict[str, str] = {}
        module = ""
        for step in get_instructions(code):
            if step.opname == "IMPORT_NAME":
                module = step.argval
            elif step.opname == "IMPORT_FROM" and module.startswith("jido_ai.") and module != __name__:
                found[step.argval] = module
        return found

    def get(name: str) -> object:
        if name == "__all__":
            value: object = sorted(homes())
        elif name not in homes():
            raise AttributeError(f"module {package['__name__']!r} has no attribute {name!r}", name=name)
        else:
            value = _with_hints(homes()[name], name)
        package[name] = value
        return value

    def names() -> list[str]:
        return sorted({*package, *homes()})

    return get, names


def _with_hints(home: str, name: str) -> object:
    """Return a public name of a module; it, and the classes beside it, tell the nearest name of an unknown argument."""
    from jido_ai.argument_hints import with_hints  # noqa: PLC0415 - `import jido_ai` loads nothing

    module = import_module(home)
    for one in list(vars(module).values()):
        if isinstance(one, type) and one.__module__ == home:
            with_hints(one)
    value = with_hints(getattr(module, name))
    setattr(module, name, value)
    return value
