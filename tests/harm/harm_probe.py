"""Tells of a project what works in it, as one JSON document. Run in a process of its own: python harm_probe.py DIR.

It looks at every module below DIR that is not a test (does it import, which public names has it), in a process each,
and calls every test of the files that are named after DIR. It needs nothing but the interpreter, and writes nothing.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import signal
import sys
import types
from pathlib import Path
from typing import Any

_LIMIT_S = 5


def main() -> None:
    root, *tests = sys.argv[1:]
    os.chdir(root)
    sys.path.insert(0, str(Path.cwd()))
    sys.dont_write_bytecode = True
    names = [path for path in sorted(Path().rglob("*.py")) if _is_module(path)]
    modules = {_dotted(path): _apart(names_of, _dotted(path)) for path in names if str(path) not in tests}
    outcomes = {test: _apart(outcomes_of, test) for test in tests}
    sys.stdout.write(json.dumps({"modules": modules, "tests": outcomes}))


def _is_module(path: Path) -> bool:
    with contextlib.suppress(OSError):
        return path.is_file() and all(part.isidentifier() for part in path.with_suffix("").parts)
    return False


def _dotted(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def names_of(module: str) -> list[str]:
    """Return the public names of a module: all that a `from module import name` finds but the modules it has."""
    found = vars(importlib.import_module(module))
    public = {name for name, value in found.items() if name[:1] != "_" and not isinstance(value, types.ModuleType)}
    return sorted(public | set(found.get("__all__", ())))


def outcomes_of(test: str) -> dict[str, str]:
    """Call every test function of a file; returns "passed" or the error for each."""
    sys.path.insert(0, str(Path(test).resolve().parent))
    module = importlib.import_module(Path(test).stem)
    outcomes: dict[str, str] = {}
    for name, function in list(vars(module).items()):
        if name.startswith("test_") and isinstance(function, types.FunctionType):
            try:
                function()
            except BaseException as error:
                outcomes[name] = f"{type(error).__name__}: {error}"
            else:
                outcomes[name] = "passed"
    return outcomes


def _apart(call: Any, argument: str) -> Any:
    """Call in a process of its own; returns what it returns, or a text that says why there is nothing."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(_LIMIT_S)
        os.close(reading)
        devnull = os.open(os.devnull, os.O_RDWR)
        for handle in (0, 1, 2):
            os.dup2(devnull, handle)
        sys.stdin, sys.stdout, sys.stderr = io.StringIO(), io.StringIO(), io.StringIO()
        try:
            answer = call(argument)
        except BaseException as error:
            answer = f"{type(error).__name__}: {error}"
        with os.fdopen(writing, "w") as pipe:
            pipe.write(json.dumps(answer))
            pipe.flush()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return json.loads(said) if said else "ended without an answer"


if __name__ == "__main__":
    main()
