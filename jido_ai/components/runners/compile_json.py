"""Compile one file and write what is wrong with it as JSON. A script: it is run, never imported.

    python -I -S compile_json.py FILE

Writes {"problems": [{"rule", "message", "line", "column", "end_line", "end_column"}]} and ends with 0, or with 1
when the file does not compile. Nothing of the file is executed.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path


def _compile(path: str) -> tuple[list[dict[str, object]], int]:
    problems: list[dict[str, object]] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            compile(Path(path).read_bytes(), path, "exec", dont_inherit=True)
        except SyntaxError as error:
            start = {"line": error.lineno, "column": error.offset}
            end = {"end_line": error.end_lineno, "end_column": error.end_offset}
            problems.append({"rule": type(error).__name__, "message": error.msg, **start, **end})
        except (ValueError, MemoryError, RecursionError, OverflowError) as error:  # a NUL, or too deeply nested
            problems.append({"rule": type(error).__name__, "message": str(error) or "too complex to compile"})
    status = 1 if problems else 0
    for warning in caught:
        rule, message = warning.category.__name__, str(warning.message)
        problems.append({"rule": rule, "message": message, "line": warning.lineno})
    return problems, status


if __name__ == "__main__":
    found, exit_status = _compile(sys.argv[1])
    json.dump({"problems": found}, sys.stdout)
    sys.exit(exit_status)
