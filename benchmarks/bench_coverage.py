"""Coverage of the repair operators: for how many slips the right edit is among those proposed, and how early.

The lines of the function around the slip count as equally suspicious. An edit is right if it gives the same syntax tree
as the right code, but for the order of terms, factors and arguments of min and max and for copies: dict(x), list(x) and
set(x) are x.copy(). Others may mean the same and are not counted.

    python benchmarks/bench_coverage.py [SET ...]

The sets are those of `repair_programs`; by default all. Prints a JSON line per set: edits proposed of all slips, those
among the first 500 and 2,000, and the median place.
"""

from __future__ import annotations

import argparse
import ast
import json
import statistics
import warnings
from typing import Final

from repair_programs import SETS

from jido_ai.improve.repair.mutation import mutations

_MOST: Final = 4_000


def place_of(code: str, wrong: str, right: str) -> int | None:
    """Return the place of the right edit, from 1; None if it is not among the first 4,000."""
    goal = _shape(code.replace(wrong, right, 1))
    row = code[: code.index(wrong)].count("\n") + 1
    around = [
        node
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.lineno <= row <= (node.end_lineno or row)
    ]
    inner = max(around, key=lambda node: node.lineno, default=None)
    rows = range(1, code.count("\n") + 2) if inner is None else range(inner.lineno, (inner.end_lineno or row) + 1)
    edits = mutations(code, dict.fromkeys(rows, 0.7), max_results=_MOST)
    return next((place for place, edit in enumerate(edits, 1) if _shape(edit.apply(code)) == goal), None)


def _shape(code: str) -> str:
    return ast.dump(_InOrder().visit(ast.parse(code)))


class _InOrder(ast.NodeTransformer):
    """Gives what means the same one form."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Add | ast.Mult) and not _is_text(node.left) and not _is_text(node.right):
            node.left, node.right = sorted((node.left, node.right), key=ast.dump)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="min" | "max"), keywords=[]):
                node.args = sorted(node.args, key=ast.dump)
            case ast.Call(func=ast.Name(id="dict" | "list" | "set"), args=[one], keywords=[]):
                return ast.Call(func=ast.Attribute(value=one, attr="copy", ctx=ast.Load()), args=[], keywords=[])
            case _:
                pass
        return node


def _is_text(node: ast.expr) -> bool:
    """Tell whether a term is surely a text or a list: the order of such terms matters."""
    return isinstance(node, ast.JoinedStr | ast.List | ast.Tuple) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", default=list(SETS), help=", ".join(SETS))
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # what Python warns of in code as its authors wrote it
    for name in options.sets:
        places = [place_of(one.code, one.wrong, one.right) for one in SETS[name]]
        found = sorted(one for one in places if one is not None)
        early = {f"within_{most}": sum(one <= most for one in found) for most in (500, 2_000)}
        median = statistics.median(found) if found else None
        print(json.dumps({"set": name, "slips": len(places), "proposed": len(found), **early, "median": median}))
