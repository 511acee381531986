"""Compile files and write their problems as JSON. A script: it is run, never imported.

    python -I -S compile_json.py FILE...

For one file it writes {"problems": [{"rule", "message", "line", "column", "end_line", "end_column"}]} and exits with 0,
or with 1 if the file does not compile. For several it writes {"files": {FILE: {"problems": [...]}}}, with at most 50
problems each, and exits with 1 if any does not compile or cannot be read. Nothing of the files is executed.

It runs on Python 2.7 (with -E -s -S there) and on 3.6 or newer, to check whether an old interpreter accepts a file.
"""
# Python 2.7 has no annotations.
# pyright: reportTypeCommentUsage=false

import json
import sys
import warnings

_MOST_PROBLEMS = 50  # per file, if there are several


def _read(path):
    # type: (str) -> bytes
    with open(path, "rb") as file:  # noqa: PTH123 - Python 2.7 has no pathlib
        return file.read()


def _compile(text, path):
    # type: (bytes, str) -> tuple[list[dict[str, object]], int]
    problems = []  # type: list[dict[str, object]]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            compile(text, path, "exec", 0, True)
        except SyntaxError as error:
            start = {"line": error.lineno, "column": error.offset}
            end = {"end_line": getattr(error, "end_lineno", None), "end_column": getattr(error, "end_offset", None)}
            problem = {"rule": type(error).__name__, "message": error.msg}  # type: dict[str, object]
            problem.update(start)
            problem.update(end)
            problems.append(problem)
        # a NUL, or nested too deeply; RecursionError is a RuntimeError
        except (ValueError, TypeError, MemoryError, RuntimeError, OverflowError) as error:
            problems.append({"rule": type(error).__name__, "message": str(error) or "too complex to compile"})
    status = 1 if problems else 0
    for warning in caught:
        rule, message = warning.category.__name__, str(warning.message)
        problems.append({"rule": rule, "message": message, "line": warning.lineno})
    return problems, status


def _main(paths):
    # type: (list[str]) -> int
    if len(paths) == 1:
        problems, status = _compile(_read(paths[0]), paths[0])
        json.dump({"problems": problems}, sys.stdout)
        return status
    files = {}  # type: dict[str, object]
    worst = 0
    for path in paths:
        try:
            problems, status = _compile(_read(path), path)
        except EnvironmentError as error:  # noqa: UP024 - Python 2.7 raises other errors than OSError
            problems, status = [{"rule": type(error).__name__, "message": str(error)}], 1
        files[path] = {"problems": problems[:_MOST_PROBLEMS]}
        worst = max(worst, status)
    json.dump({"files": files}, sys.stdout)
    return worst


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
