"""Repairs of real files with planted defects: no check gets worse, and nothing else changes.

The files are of the standard library and of installed packages, drawn by a seed. JIDO_FILES says how many (10), and
JIDO_SEED which (1). With JIDO_FILES=300 and the option -s it tells what came of three hundred.
"""

from __future__ import annotations

import ast
import asyncio
import difflib
import os
import random
import re
import sys
import sysconfig
import warnings
from collections import Counter
from pathlib import Path

import pytest

from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import Declined
from jido_ai.protocols import RunContext
from jido_ai.revisers.targeted_reviser import TargetedReviser
from jido_ai.text.python_tree import tree_of
from jido_ai.tools.sandbox.executor import ProcessExecutor
from jido_ai.values import Candidate, CritiqueResult

CONTEXT = RunContext(run_id="run", prompt="prompt")
FILES, SEED = int(os.environ.get("JIDO_FILES", "10")), int(os.environ.get("JIDO_SEED", "1"))
HEADER = re.compile(r"\s*(?:def|class|if|elif|for|while|with)\b.*:$|\s*(?:else|try|finally):$")
SNIPPETS = {
    "F401": "import string as _planted\n",
    "E711": "def _planted_none(value):\n    return value == None\n",
    "F541": 'PLANTED = f"nothing to fill in"\n',
    "E722": "def _planted_except(call):\n    try:\n        return call()\n    except:\n        return None\n",
    "B006": "def _planted_default(item, into=[]):\n    into.append(item)\n    return into\n",
}


def parses(text: str) -> bool:
    return tree(text) is not None


def tree(text: str) -> str | None:
    """Return a comparable form of what Python runs; None if it does not parse."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.dump(tree_of(text.removeprefix("\ufeff")))
        except (SyntaxError, ValueError):
            return None


def sample() -> list[tuple[Path, str]]:
    """Return unique files of a moderate size that parse; the same for the same seed and machine."""
    folders = [Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))]
    found = sorted(
        path
        for folder in folders
        for path in folder.rglob("*.py")
        if "jido" not in str(path) and 500 < path.stat().st_size < 40_000
    )
    random.Random(SEED).shuffle(found)
    chosen: list[tuple[Path, str]] = []
    for path in dict.fromkeys(found):
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        if parses(text) and "\f" not in text:
            chosen.append((path, text))
        if len(chosen) == FILES:
            break
    return chosen


# -- planting


def spoilt_style(text: str, rng: random.Random) -> str:
    """Plant defects of three kinds between statements or at the ends of rows."""
    lines = text.splitlines(keepends=True)
    end = "\r\n" if lines[0].endswith("\r\n") else "\n"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        body = ast.parse(text.removeprefix("\ufeff")).body
    spots = [
        0 if not body else max((node.end_lineno or 0 for node in body if isinstance(node, ast.ImportFrom)), default=0)
    ]
    spots += [node.end_lineno or 0 for node in body[1:]]
    for kind in rng.sample([*SNIPPETS, "blanks", "ending", "last"], 3):
        if kind in SNIPPETS:
            code = ("\n" + SNIPPETS[kind]).replace("\n", end)
            spot = rng.choice([one for one in spots if one >= spots[0]])
            if lines[spot - 1 : spot] and not lines[spot - 1].endswith(("\n", "\r")):
                code = end + code
            lines.insert(spot, code)
            lines = "".join(lines).splitlines(keepends=True)
            break  # rows have moved
        row = rng.randrange(len(lines))
        if kind == "blanks":
            lines[row] = lines[row].rstrip("\r\n") + "  " + end
        elif kind == "ending":
            lines[row] = lines[row].rstrip("\r\n") + ("\n" if end == "\r\n" else "\r\n")
        else:
            lines[-1] = lines[-1].rstrip("\r\n")
    return "".join(lines)


def spoilt_syntax(text: str, rng: random.Random) -> str:
    """Remove a colon, a bracket or a quote, or indent a row wrongly, so that the text does not parse."""
    lines = text.splitlines(keepends=True)
    kinds = [
        lambda code: code[:-1] if HEADER.fullmatch(code) else code,
        lambda code: re.sub(r"\)([^)]*)$", r"\1", code),
        lambda code: re.sub(r"(['\"])([^'\"]*)$", r"\2", code),
        lambda code: " " + code if code.startswith(" ") else code,
    ]
    for _ in range(60):
        row, kind = rng.randrange(len(lines)), rng.choice(kinds)
        code = lines[row].rstrip("\r\n")
        spoilt = "".join([*lines[:row], kind(code) + lines[row][len(code) :], *lines[row + 1 :]])
        if not parses(spoilt):
            return spoilt
    return text


# -- checking


def touched(before: str, after: str) -> set[int]:
    """Return the rows of `before` that are not unchanged in `after`, byte for byte."""
    split = (re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text) for text in (before, after))
    matcher = difflib.SequenceMatcher(None, *split, autojunk=False)
    return {row + 1 for tag, start, end, _, _ in matcher.get_opcodes() if tag != "equal" for row in range(start, end)}


def named(critique: CritiqueResult, result: Candidate) -> set[int]:
    """Return the rows of the fixed findings, and the blank ones that are removed with an import."""
    fixed = {(entry["rule"], entry["line"]) for entry in result.metadata["fixed"]}
    rows: set[int] = set()
    for issue in critique.issues:
        place = issue.location
        if place is not None and place.line is not None and (issue.rule, place.line) in fixed:
            rows.update(range(place.line - 1, (place.end_line or place.line) + 3))
    return rows


class Tally(Counter[str]):
    """The results for all files."""


async def check(path: Path, text: str, rng: random.Random, executor: ProcessExecutor, tally: Tally) -> None:
    is_style = rng.random() < 0.5
    spoilt = spoilt_style(text, rng) if is_style else spoilt_syntax(text, rng)
    critiquer = ToolCritiquer(["compile", "ruff"], executor=executor)
    before = await critiquer.critique(Candidate(spoilt), CONTEXT)
    kind = "style" if parses(spoilt) else "syntax"
    tally[f"{kind}: files"] += 1
    try:
        result = await TargetedReviser(executor=executor).revise(Candidate(spoilt), before, CONTEXT)
    except Declined:
        tally[f"{kind}: declined"] += 1
        return
    after = await critiquer.critique(result, CONTEXT)
    tally[f"{kind}: findings fixed"] += len(result.metadata["fixed"])
    assert parses(result.content), path
    assert result.content.startswith("\ufeff") == spoilt.startswith("\ufeff"), path
    if kind == "style":
        worse = Counter(one.rule for one in after.issues) - Counter(one.rule for one in before.issues)
        assert not worse, (path, worse)
        assert len(after.issues) < len(before.issues), path
        assert touched(spoilt, result.content) <= named(before, result), path
    else:
        assert len(touched(spoilt, result.content)) <= 30, path
        assert spoilt.count("\n") == result.content.count("\n"), path
        same = tree(result.content) == tree(text)
        tally["syntax: means what it meant" if same else "syntax: means something else"] += 1
        if not same:
            rows = sorted(touched(spoilt, result.content))
            tally[f"other meaning: {path.name} {rows[:3]}"] += 1


@pytest.mark.slow
@pytest.mark.timeout(3600)
async def test_real_files_never_get_worse_and_other_rows_stay() -> None:
    executor, tally, turns = ProcessExecutor(), Tally(), asyncio.Semaphore(3)
    files = await asyncio.to_thread(sample)
    assert len(files) == FILES

    async def one(number: int, path: Path, text: str) -> None:
        async with turns:
            await check(path, text, random.Random(f"{SEED} {number}"), executor, tally)

    async with asyncio.TaskGroup() as group:
        for number, (path, text) in enumerate(files):
            group.create_task(one(number, path, text))
    sys.stdout.write("".join(f"{line}: {count}\n" for line, count in sorted(tally.items())))
    assert tally["style: findings fixed"] + tally["syntax: findings fixed"] > 0
    assert tally["syntax: means something else"] * 10 <= tally["syntax: means what it meant"]
