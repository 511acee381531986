"""Executes the notebooks of the documentation: `python tests/docs/notebooks.py` writes their outputs anew.

The code of all cells is one program, whose cells may await. An output is what a cell prints, and the value of its last
expression: its SVG, its HTML, or its text.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import inspect
import io
import json
import os
import tempfile
from pathlib import Path
from typing import Any

__all__ = ["NOTEBOOKS", "executed"]

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs").rglob("*.ipynb"))


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return the notebook with the outputs of an execution, from top to bottom, in an empty folder."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return asyncio.run(_executed(notebook))
        finally:
            os.chdir(before)


async def _executed(notebook: dict[str, Any]) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "__main__"}
    cells: list[dict[str, Any]] = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                value = await _value_of("".join(cell["source"]), names)
            number = 1 + sum(one["cell_type"] == "code" for one in cells)
            cells.append({**cell, "execution_count": number, "outputs": _outputs(printed.getvalue(), value, number)})
        else:
            cells.append(cell)
    return {**notebook, "cells": cells}


async def _value_of(source: str, names: dict[str, Any]) -> Any:
    """Run the code of a cell; return the value of its last line if that is an expression."""
    tree = ast.parse(source)
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        tree.body[-1] = ast.copy_location(
            ast.Assign([ast.Name("_", ast.Store(), lineno=1, col_offset=0)], tree.body[-1].value), tree.body[-1]
        )
    else:
        names["_"] = None
    waits = eval(compile(ast.fix_missing_locations(tree), "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)
    if inspect.isawaitable(waits):
        await waits
    return names["_"]


def _outputs(printed: str, value: Any, number: int) -> list[dict[str, Any]]:
    outputs: list[dict[str, Any]] = []
    if printed:
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.splitlines(keepends=True)})
    if value is not None:
        kinds = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}
        data = {
            kind: getattr(value, name)().splitlines(keepends=True)
            for kind, name in kinds.items()
            if hasattr(value, name)
        }
        data = data or {"text/plain": str(value).splitlines(keepends=True)}
        outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


if __name__ == "__main__":
    for path in NOTEBOOKS:
        text = json.dumps(executed(json.loads(path.read_text("utf-8"))), indent=1, ensure_ascii=False)
        path.write_text(f"{text}\n", "utf-8")
