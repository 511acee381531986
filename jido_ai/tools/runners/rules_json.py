"""Check a text against rules and write its problems as JSON. A script: it is run, never imported.

    python -I -S rules_json.py RULES FILE

RULES is a file with [{"rule", "message", "kind", "severity", and "must" or "must_not" (a regular expression) or "of"
("characters", "words" or "lines") with "at_least" and "at_most"}]. Writes {"problems": [{"rule", "message", "kind",
"severity", "line", "column", "end_line", "end_column"}]}; a pattern that must not match is reported at most 100 times.
A pattern may take forever on some texts, so the caller must set a time limit.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

_MOST_MATCHES = 100
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def _place(text: str, start: int, end: int) -> dict[str, int]:
    def at(offset: int) -> tuple[int, int]:
        return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1

    (line, column), (end_line, end_column) = at(start), at(end)
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}


def _problems(rule: dict[str, Any], text: str) -> list[dict[str, Any]]:
    said = {key: rule[key] for key in ("rule", "message", "kind", "severity")}
    if "must" in rule:
        return [] if re.search(rule["must"], text) else [said]
    if "must_not" in rule:
        found: list[dict[str, Any]] = []
        for match in re.finditer(rule["must_not"], text):
            if len(found) == _MOST_MATCHES:
                break
            found.append({**said, **_place(text, *match.span())})
        return found
    sizes = {"characters": len(text), "words": len(text.split()), "lines": len(_LINE.findall(text))}
    size, least, most = sizes[rule["of"]], rule["at_least"], rule["at_most"]
    if (least is None or size >= least) and (most is None or size <= most):
        return []
    return [{**said, "message": f"{said['message'].rstrip(' .')}, and there are {size}"}]


def _main(rules: str, file: str) -> None:
    text = Path(file).read_bytes().decode("utf-8", "surrogatepass")
    told = json.loads(Path(rules).read_text("utf-8"))
    json.dump({"problems": [problem for rule in told for problem in _problems(rule, text)]}, sys.stdout)


if __name__ == "__main__":
    _main(*sys.argv[1:])
