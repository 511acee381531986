"""Tools for other languages are defined like those for Python: a command, and a parser for its output.

$ python examples/other_languages.py
gcc: error error at candidate.c:1:29: 'y' undeclared (first use in this function)
gcc: warning -Wunused-variable at candidate.c:1:19: unused variable 'x'
node: syntax SyntaxError at candidate.js:2:11: Unexpected token ';'
shellcheck: style SC2086 at candidate.sh:2:6: Double quote to prevent globbing and word splitting.

Programs that are not installed are reported. All of them run in the sandbox, which is the default: none of them
executes the candidate, but a C compiler reads and quotes any file that the candidate includes.
"""

from __future__ import annotations

import asyncio
import json
import re

from jido_ai import Candidate, Issue, Location, RunContext, Tool, ToolCritiquer
from jido_ai.errors import ToolNotFoundError

_QUOTES = str.maketrans("‘’", "''")
_LEVELS = {"error": "error", "warning": "warning", "info": "style", "style": "style"}
_NODE = re.compile(r"^(?P<file>[^\n]*):(?P<line>\d+)\n[^\n]*\n(?P<gap> *)\^+\n\n(?P<rule>\w+): (?P<what>[^\n]*)", re.M)


def read_gcc(text: str) -> list[Issue]:
    """Read `gcc -fdiagnostics-format=json`; a note belongs to the finding before it and is left out."""
    found: list[Issue] = []
    for one in json.loads(text):
        if one["kind"] not in ("error", "fatal error", "warning"):
            continue
        at = one["locations"][0]["caret"]
        kind = "warning" if one["kind"] == "warning" else "error"
        message = one["message"].translate(_QUOTES)
        found.append(
            Issue(
                message,
                kind=kind,
                rule=one.get("option", kind),
                location=Location(at["file"], at["line"], at["column"]),
            )
        )
    return found


def read_node(text: str) -> list[Issue]:
    """Read `node --check`, which writes nothing when the file parses."""
    if not text.strip():
        return []
    match = _NODE.search(text)
    if match is None:
        raise ValueError(f"unexpected output of node: {text[:200]}")
    place = Location(match["file"], int(match["line"]), len(match["gap"]) + 1)
    return [Issue(match["what"], kind="syntax", rule=match["rule"], location=place)]


def read_shellcheck(text: str) -> list[Issue]:
    """Read `shellcheck --format=json1`. From 1000 to 1999 its codes are about what does not parse."""
    return [
        Issue(
            one["message"],
            kind="syntax" if one["level"] == "error" and one["code"] < 2000 else _LEVELS[one["level"]],
            rule=f"SC{one['code']}",
            location=Location(one["file"], one["line"], one["column"], one["endLine"], one["endColumn"]),
        )
        for one in json.loads(text)["comments"]
    ]


GCC = Tool(
    "gcc",
    ("gcc", "-fsyntax-only", "-Wall", "-Wextra", "-fdiagnostics-format=json", "{file}"),
    filename="candidate.c",
    parser=read_gcc,
    output="stderr",
    ran=frozenset({0, 1}),
)
NODE = Tool(
    "node",
    ("node", "--check", "{file}"),
    filename="candidate.js",
    parser=read_node,
    output="stderr",
    ran=frozenset({0, 1}),
)
SHELLCHECK = Tool(
    "shellcheck",
    ("shellcheck", "--norc", "--format=json1", "--", "{file}"),
    filename="candidate.sh",
    parser=read_shellcheck,
    ran=frozenset({0, 1}),
)

CANDIDATES = (
    (GCC, "int f(void) { int x; return y; }\n"),
    (NODE, "let b = 1;\nconst a = ;\n"),
    (SHELLCHECK, "#!/bin/sh\necho $1\n"),
)


async def main() -> None:
    for tool, content in CANDIDATES:
        try:
            critiquer = ToolCritiquer([tool])
        except ToolNotFoundError:
            print(f"{tool.name}: not installed")
            continue
        context = RunContext(run_id="example", prompt="judge it")
        for issue in (await critiquer.critique(Candidate(content), context)).issues:
            print(f"{tool.name}: {issue.kind} {issue.rule} at {issue.location}: {issue.message}")


if __name__ == "__main__":
    asyncio.run(main())
