"""The public surface: names, where they live, and how they are called."""

from __future__ import annotations

import ast
import enum
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import jido_ai
import jido_ai.actors

MODULES = [jido_ai, jido_ai.actors]
PINNED = Path(__file__).parent / "public_names.json"  # renewed, after thought, by: python tests/test_public_names.py


def signature_of(thing: object) -> str:
    """Return how a class or function is called; nothing for what is not called."""
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return "(exception)"
    if inspect.isclass(thing) and issubclass(thing, enum.Enum):
        return " | ".join(str(member.value) for member in thing)
    if getattr(thing, "_is_protocol", False):
        return "protocol of " + ", ".join(sorted(name for name in vars(thing) if not name.startswith("_")))
    try:
        signature = inspect.signature(thing)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty, default=_shown(parameter.default))
        for parameter in signature.parameters.values()
    ]
    return str(signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty))


def _shown(default: object) -> object:
    """Keep defaults that read the same everywhere; factories and sentinels are only shown to be there."""
    if default is inspect.Parameter.empty or default is None or isinstance(default, str | int | float | bool | tuple):
        return default
    return ...


def surface(module: object) -> dict[str, str]:
    names = sorted(name for name in module.__all__ if not name.startswith("__"))  # type: ignore[attr-defined]
    return {name: signature_of(getattr(module, name)) for name in names}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_public_names_and_signatures_are_pinned(module: object) -> None:
    assert surface(module) == json.loads(PINNED.read_text("utf-8"))[module.__name__]  # type: ignore[attr-defined]


def test_type_checkers_see_the_same_names_as_python() -> None:
    tree = ast.parse(Path(jido_ai.__file__).read_text("utf-8"))
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        f"{node.module}.{alias.name}"
        for node in guarded.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    homes = jido_ai._HOME_OF
    assert seen == {f"{module}.{name}" for name, module in homes.items()}
    assert set(homes) == set(jido_ai.__all__) - {"__version__"}


def test_importing_the_package_imports_no_library() -> None:
    code = "import sys; before = set(sys.modules); import jido_ai; print(*sorted(set(sys.modules) - before))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {name.partition(".")[0] for name in run.stdout.split()} - sys.stdlib_module_names == {"jido_ai"}


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        jido_ai.no_such_name  # noqa: B018


if __name__ == "__main__":
    PINNED.write_text(json.dumps({module.__name__: surface(module) for module in MODULES}, indent=2) + "\n")
