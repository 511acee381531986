"""Weight of the package: its lines by kind, class names that exist twice, and circles of files.

    python benchmarks/bench_weight.py [FOLDER]

Prints one JSON line per figure, beside the figure of 28 November 2026 and the goal. Logic: lines that are neither
blank, comment, import nor docstring. A circle is a set of files that import each other, types included.
"""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "jido_ai"
ANCHORS = {  # November 2026, goal
    "lines": (105_072, 97_000),
    "logic": (64_556, 58_000),
    "without improve": (93_074, 80_000),
    "public class names that exist twice": (38, 15),
    "class names that exist twice": (88, 40),
    "circles of files": (3, 0),
}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def kinds(text: str, tree: ast.Module) -> Counter[str]:
    """Return the number of lines of each kind."""
    lines = text.splitlines()
    kind = ["blank" if not line.strip() else "comment" if line.lstrip().startswith("#") else "logic" for line in lines]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            marked, name = node, "import"
        elif isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            marked, name = node.body[0], "docstring"
        else:
            continue
        for row in range(marked.lineno - 1, marked.end_lineno or marked.lineno):
            kind[row] = name
    return Counter(kind)


def imports(tree: ast.Module, modules: dict[str, Path]) -> Iterator[Path]:
    """Yield the files of the package that a file imports, also under TYPE_CHECKING."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (modules[name] for name in (*names, node.module) if name in modules)


def weigh(package: Path) -> tuple[dict[str, int], dict[str, Counter[str]]]:
    """Return the figures of a package, and the lines of each room by kind."""
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(package.rglob("*.py"))}
    names = {path: ".".join(path.relative_to(package.parent).with_suffix("").parts) for path in trees}
    modules = {name: path for path, name in names.items() if path.name != "__init__.py"}
    rooms: dict[str, Counter[str]] = defaultdict(Counter)
    classes: Counter[str] = Counter()
    sorter: TopologicalSorter[Path] = TopologicalSorter()
    for path, tree in trees.items():
        room = path.relative_to(package).parts[0].removesuffix(".py")
        rooms[room] += kinds(path.read_text("utf-8"), tree)
        classes.update(node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
        sorter.add(path, *imports(tree, modules))
    try:
        sorter.prepare()
        circles = 0
    except CycleError:
        circles = 1
    twice = [name for name, count in classes.items() if count > 1]
    total = sum((Counter(room) for room in rooms.values()), Counter[str]())
    figures = {
        "lines": total.total(),
        "logic": total["logic"],
        "without improve": total.total() - rooms["improve"].total(),
        "public class names that exist twice": sum(not name.startswith("_") for name in twice),
        "class names that exist twice": len(twice),
        "circles of files": circles,
    }
    return figures, rooms


def main() -> None:
    figures, rooms = weigh(Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE)
    for name, figure in figures.items():
        before, goal = ANCHORS[name]
        print(json.dumps({"figure": name, "now": figure, "november": before, "goal": goal}))
    for room, kind in sorted(rooms.items(), key=lambda row: -row[1].total()):
        print(json.dumps({"room": room, "lines": kind.total(), **kind}))


if __name__ == "__main__":
    main()
