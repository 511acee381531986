"""Check a JSON text against a JSON Schema and write its problems as JSON. A script: it is run, never imported.

    python -P -s schema_json.py SCHEMA FILE

Writes {"problems": [{"rule", "message", "kind", "severity", "line", "column"}]}, at most 1,000. The rule is "schema-"
and the violated keyword; the message begins with the JSON pointer of the invalid value, and the location is its start.
All references of the schema must be inside it. It needs jsonschema.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

_MOST_PROBLEMS = 1_000
_MESSAGE_CHARS = 500
_TOKEN = re.compile(r'("(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+)', re.DOTALL)


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _offsets(text: str) -> dict[tuple[str | int, ...], int]:
    """Return the offset of each value of a valid JSON text, by its path."""
    found: dict[tuple[str | int, ...], int] = {}
    path: list[str | int] = []  # of the next value
    open_lists: list[bool] = []
    awaits_key = False
    for match in _TOKEN.finditer(text):
        token, start = match[1], match.start(1)
        if token in ("]", "}"):
            if open_lists.pop() or not awaits_key:
                path.pop()
            awaits_key = False
        elif token == ",":
            if open_lists[-1]:
                last = path.pop()
                path.append(int(last) + 1)
            else:
                path.pop()
                awaits_key = True
        elif token == ":":
            awaits_key = False
        elif awaits_key:
            path.append(json.loads(token))
        else:
            found[tuple(path)] = start  # the last of duplicate keys counts
            if token == "[":
                open_lists.append(True)
                path.append(0)
            elif token == "{":
                open_lists.append(False)
                awaits_key = True
    return found


def _pointer(path: Iterable[str | int]) -> str:
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path) or "/"


def _problem(rule: str, message: str, kind: str, text: str, offset: int) -> dict[str, Any]:
    line = text.count("\n", 0, offset) + 1
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    return {"rule": rule, "message": message, "kind": kind, "severity": None, "line": line, "column": column}


def _problems(schema: Any, text: str) -> list[dict[str, Any]]:
    try:
        value = json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        return [_problem("json", error.msg, "syntax", text, error.pos)]
    except (ValueError, RecursionError) as error:  # NaN, a number with too many digits, or nested too deeply
        return [_problem("json", str(error), "syntax", text, 0)]
    from jsonschema.validators import validator_for  # noqa: PLC0415 - takes longer to load than to refuse such a text
    from referencing import Registry  # noqa: PLC0415

    validator = validator_for(schema)(schema, registry=Registry())  # fetches nothing
    found = list(islice(validator.iter_errors(value), _MOST_PROBLEMS))
    places = _offsets(text) if found else {}
    return [
        _problem(
            f"schema-{error.validator}",
            f"{_pointer(error.absolute_path)}: {error.message[:_MESSAGE_CHARS]}",
            "error",
            text,
            places.get(tuple(error.absolute_path), 0),
        )
        for error in found
    ]


def _main(schema: str, file: str) -> None:
    text = Path(file).read_bytes().decode("utf-8", "surrogatepass").removeprefix("\ufeff")
    json.dump({"problems": _problems(json.loads(Path(schema).read_text("utf-8")), text)}, sys.stdout)


if __name__ == "__main__":
    _main(*sys.argv[1:])
