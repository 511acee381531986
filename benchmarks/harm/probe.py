"""Prints which modules of a tree import and which public names they have, as JSON: python probe.py ROOT SOURCE.

Runs on every Python since 3.6, in each package's own environment. Each module is imported in a
process in which nothing but the packages that it is in was imported before.
"""

import importlib
import io
import json
import os
import signal
import sys
import types
from pathlib import Path

LIMIT_S = 20
SKIPPED = {"docs", "doc", "examples", "build", "dist", "setup", "__main__", "conftest"}
TESTS = {"tests", "test"}  # told by the outcomes of the tests


def modules_below(source):
    """Yield the dotted name of each module of a top-level package or module of `source`."""
    for folder, folders, files in os.walk(str(source)):
        parts = list(Path(folder).relative_to(source).parts)
        skipped = TESTS | (SKIPPED if not parts else set())
        folders[:] = sorted(name for name in folders if name.isidentifier() and name not in skipped)
        if parts and "__init__.py" not in files:
            folders[:] = []
            continue
        for name in sorted(files):
            stem = Path(name).stem
            if name.endswith(".py") and stem.isidentifier() and stem not in SKIPPED:
                yield ".".join(parts + ([] if stem == "__init__" and parts else [stem]))


def look(module):
    """Return the public names of a module without the modules of others that it imports, and these, in two lists."""
    found = vars(importlib.import_module(module))
    public = {name for name in found if not name.startswith("_")}
    foreign = {name for name in public if is_foreign(found[name], module)}
    listed = found.get("__all__", ())
    return [sorted((public - foreign) | {name for name in listed if isinstance(name, str)}), sorted(foreign)]


def is_foreign(value, module):
    """Tell whether a value is a module of another package."""
    return isinstance(value, types.ModuleType) and value.__name__.split(".")[0] != module.split(".")[0]


def apart(call, *arguments):
    """Call in a child process; returns what is returned there, or None when the child ends without an answer."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as pipe:
            pipe.write(json.dumps(call(*arguments)))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return json.loads(said) if said else None


def visit(module, modules):
    """Look at a module, then at each module in it, in children that have imported what Python imports first anyway."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1, 2):
        os.dup2(nothing, handle)
    os.close(nothing)
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(), io.StringIO(), io.StringIO()
    inside = [name for name in modules if name.startswith(module + ".")]
    signal.alarm(LIMIT_S)
    try:
        found = {module: look(module)}
    except BaseException as error:  # noqa: BLE001 - whatever a module does when it is imported
        text = "{}: {}".format(type(error).__name__, error)  # noqa: UP032 - for 3.6, too
        return dict.fromkeys([module, *inside], text)
    signal.alarm(0)
    found.update(visit_each(inside, module.count(".") + 1))
    return found


def visit_each(modules, depth):
    """Visit those of the modules that have `depth` dots in their names, and so what is in them, each in a child."""
    found = {}
    for module in modules:
        if module.count(".") == depth:
            told = apart(visit, module, modules)
            lost = [name for name in modules if name == module or name.startswith(module + ".")]
            found.update(told or dict.fromkeys(lost, "ended without an answer"))
    return found


def main():
    """Print what is found."""
    root, source = sys.argv[1:]
    os.chdir(root)
    sys.dont_write_bytecode = True
    place = Path(source).resolve()
    sys.path[0] = str(place)
    sys.argv[1:] = []
    sys.stdout.write(json.dumps(visit_each(list(modules_below(place)), 0), sort_keys=True))


if __name__ == "__main__":
    main()
