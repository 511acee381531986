"""What the gate keeps of changes to twelve packages no test or bar has named: of two tools, and of 40 harmful edits.

    python benchmarks/bench_gate_corpus.py --python VENV [--work DIR] [--packages NAME ...] [--edits] [--seed 59]

It downloads the sdists with pip, so it needs a network; `ruff` and `pyupgrade` must be installed. VENV needs pytest and
what the packages import (`NEEDS`). For each package:

- the whole patches of ruff (all rules, unsafe fixes) and of pyupgrade, for the Python that it declares: hunks kept,
  unchecked and rejected, and the seconds beside those of the tool (the anchor);
- one patch of edits written by hand (`gate_edits.jsonl`), each shown here to do something else by a probe that is run
  before and after it, among a sample of the tools' hunks, judged without tests and with the package's own. Anchor: a
  gate that keeps every patch after which the modules are imported, and so nearly all of these edits.

A hunk of a tool counts as good if the package's tests pass with the whole patch of that tool and it needs no newer
Python than is declared.
"""

from __future__ import annotations

import argparse
import asyncio
import difflib
import json
import os
import random
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from bench_gate import fetched

from jido_ai.improve.declared_python import declared_python
from jido_ai.improve.hunks import LineEdit, joined, placed_edits
from jido_ai.improve.patch_gate import PatchGate
from jido_ai.improve.patch_sources import command_changes
from jido_ai.improve.patch_verdict import HunkVerdict, PatchVerdict
from jido_ai.improve.patches import FilePatch, parse_patch, patch_of_texts
from jido_ai.improve.project_files import ProjectFiles
from jido_ai.improve.project_python import project_python
from jido_ai.improve.project_tests import ProjectTests
from jido_ai.text.change import lines_of

PACKAGES = {
    "chevron==0.14.0": None,
    "dominate==2.9.1": "tests",
    "funcy==2.1": "tests",
    "hyperlink==21.0.0": "src/hyperlink/test",
    "inflection==0.5.1": "test_inflection.py",
    "munch==4.0.0": "tests",
    "parsimonious==0.11.0": "parsimonious/tests",
    "pystache==0.6.8": "test_pystache.py",
    "shortuuid==1.0.13": "shortuuid/test_shortuuid.py",
    "texttable==1.7.2": "tests.py",
    "transitions==0.9.3": "tests/test_core.py",
    "webencodings==0.6.1": "tests",
}
"""Each with its tests; chevron's are not in its sdist."""
NEEDS = ("pytest", "hypothesis", "idna", "regex", "setuptools", "six", "whatever")
GOOD = 160
EDITS = Path(__file__).with_name("gate_edits.jsonl")
_STATES = ("kept", "unchecked", "rejected")
_NEWER = "the project declares"


def commands(root: Path) -> dict[str, str]:
    """Return the commands of the tools, for the oldest Python that the package declares."""
    declared = declared_python(ProjectFiles.read(root).texts)
    minor = 8 if declared is None or declared.minimum < (3, 0) else declared.minimum[1]
    files = " ".join(sorted(path.relative_to(root).as_posix() for path in root.rglob("*.py")))
    return {
        "ruff": "ruff check --select ALL --fix --unsafe-fixes --exit-zero --no-cache --isolated --quiet"
        f" --target-version py3{max(minor, 7)} .",
        "pyupgrade": f"pyupgrade --py3{max(minor, 6)}-plus --exit-zero-even-if-changed {files}",
    }


def probed(root: Path, edit: dict[str, str], python: Path) -> list[str]:
    """Return what the probe of an edit prints before and after it."""
    found: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "package")
        shutil.copytree(root, place)
        environment = os.environ | {"PYTHONPATH": f"{place / 'src'}:{place}", "PYTHONHASHSEED": "1"}
        for _ in range(2):
            command = [str(python), "-B", "-c", edit["probe"]]
            run = subprocess.run(
                command, env=environment, cwd=folder, capture_output=True, text=True, check=False, timeout=60
            )
            found.append(run.stdout if run.returncode == 0 else "")
            file = place / edit["file"]
            file.write_text(file.read_text("utf-8").replace(edit["old"], edit["new"], 1), "utf-8")
    return found


def line_edits(before: str, after: str) -> list[LineEdit]:
    old, new = lines_of(before), lines_of(after)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [
        LineEdit(first, tuple(old[first:last]), tuple(new[start:end]))
        for kind, first, last, start, end in matcher.get_opcodes()
        if kind != "equal"
    ]


def state_of(verdict: PatchVerdict, path: str, first: int, last: int) -> str:
    """Return the state of an edit of these lines, from 1: of several hunks kept only if all are."""
    states = {
        hunk.state
        for hunk in verdict.hunks
        if hunk.path == path and hunk.line <= last and first <= hunk.line + max(hunk.removed - 1, 0)
    }
    if not states:  # a later edit of a hunk whose edits only parse together
        states = {[hunk.state for hunk in verdict.hunks if hunk.path == path and hunk.line <= first][-1]}
    return states.pop() if len(states) == 1 else "unchecked"


class Mixed:
    """A patch of harmful edits among hunks of tools."""

    def __init__(self, root: Path, bad: list[dict[str, str]]) -> None:
        self.root = root
        self.edits: dict[str, list[tuple[LineEdit, str]]] = {}
        for edit in bad:
            text = (root / edit["file"]).read_text("utf-8")
            assert edit["old"] in text, f"{edit['file']} has no {edit['old']!r}"
            (changed,) = line_edits(text, text.replace(edit["old"], edit["new"], 1))
            self.edits.setdefault(edit["file"], []).append((changed, "bad"))

    def add(self, verdict: PatchVerdict, patch: str, chosen: random.Random, wanted: int) -> None:
        """Add `wanted` hunks of a tool, whole groups of them, none of which is beside another edit."""
        groups: dict[int, list[tuple[str, LineEdit]]] = {}
        spoiled: set[int] = set()
        for hunk, mine in edits_by_hunk(self.root, verdict, patch):
            if not mine or (hunk.reason is not None and _NEWER in hunk.reason):
                spoiled.add(hunk.group)
            groups.setdefault(hunk.group, []).extend((hunk.path, edit) for edit in mine)
        numbers = sorted(groups.keys() - spoiled)
        chosen.shuffle(numbers)
        for number in numbers:
            if wanted <= 0:
                return
            group = groups[number]
            if not any(self._is_beside(path, edit) for path, edit in group):
                wanted -= len(group)
                for path, edit in group:
                    self.edits.setdefault(path, []).append((edit, "good"))

    def _is_beside(self, path: str, edit: LineEdit) -> bool:
        return any(edit.start <= other.end and other.start <= edit.end for other, _ in self.edits.get(path, ()))

    @property
    def good(self) -> int:
        return sum(kind == "good" for edits in self.edits.values() for _, kind in edits)

    def patch(self) -> str:
        found = ""
        for path, edits in sorted(self.edits.items()):
            text = (self.root / path).read_bytes().decode("utf-8", "surrogateescape")
            ordered = sorted((edit for edit, _ in edits), key=lambda edit: edit.start)
            found += patch_of_texts(path, text, joined(text, ordered))
        return found

    def counted(self, verdict: PatchVerdict) -> Counter[str]:
        found: Counter[str] = Counter()
        for path, edits in self.edits.items():
            for edit, kind in edits:
                state = state_of(verdict, path, edit.start + 1, max(edit.end, edit.start + 1))
                found[f"{kind} {state}"] += 1
                if state == ("kept" if kind == "bad" else "rejected"):
                    place = (path, edit.start + 1)
                    why = next((hunk.reason for hunk in verdict.hunks if (hunk.path, hunk.line) == place), None)
                    print(f"    {kind}, {state}: {path}:{place[1]} {''.join(edit.removed).strip()[:80]}: {why or ''}")
        return found


async def judged(root: Path, patch: str, tests: str | None, runs: ProjectTests) -> tuple[PatchVerdict, float]:
    began = time.perf_counter()
    verdict = await PatchGate(root, tests=tests, runs=runs).judge(patch)
    return verdict, time.perf_counter() - began


def shown(states: Counter[str], kind: str) -> str:
    return f"{kind}: " + ", ".join(f"{states[f'{kind} {state}']} {state}" for state in _STATES)


def passes(root: Path, texts: Mapping[str, str], tests: str, python: Path, what: str) -> bool:
    """Tell whether the package's tests that passed before pass with these texts."""

    def failures(place: Path) -> set[str]:
        environment = os.environ | {"PYTHONPATH": f"{place / 'src'}:{place}", "PYTHONHASHSEED": "1"}
        command = [str(python), "-B", "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", tests]
        run = subprocess.run(
            command, env=environment, cwd=place, capture_output=True, text=True, check=False, timeout=600
        )
        if run.returncode not in (0, 1):
            return {run.stdout[-300:]}
        said = [line.split(" - ")[0] for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return set(said)

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "package")
        shutil.copytree(root, place)
        before = failures(place)
        for path, text in texts.items():
            (place / path).write_bytes(text.encode("utf-8", "surrogateescape"))
        new = failures(place) - before
    if new:
        print(f"    fails with {what}: {sorted(new)[:3]}")
    return not new


def edits_of(root: Path, patch: FilePatch) -> list[LineEdit]:
    lines = lines_of((root / patch.path).read_bytes().decode("utf-8", "surrogateescape"))
    edits: list[LineEdit] = []
    for hunk in patch.hunks:
        edits += placed_edits(hunk, lines, edits[-1].end if edits else 0)
    return edits


def edits_by_hunk(root: Path, verdict: PatchVerdict, patch: str) -> Iterator[tuple[HunkVerdict, list[LineEdit]]]:
    """Yield the hunks with their edits, which are several where they only parse together; without new files."""
    placed = {one.path: edits_of(root, one) for one in parse_patch(patch) if one.old == one.new}
    firsts = {(hunk.path, hunk.line) for hunk in verdict.hunks}
    for hunk in verdict.hunks:
        edits = placed.get(hunk.path, [])
        place = next((place for place, edit in enumerate(edits) if edit.start + 1 == hunk.line), len(edits))
        mine = edits[place : place + 1]
        for edit in edits[place + 1 :]:
            if (hunk.path, edit.start + 1) in firsts:
                break
            mine.append(edit)
        yield hunk, mine


def texts_after(root: Path, verdict: PatchVerdict, patch: str, states: Collection[str]) -> dict[str, str]:
    """Return the files with the hunks of these states."""
    found: dict[str, list[LineEdit]] = {}
    for hunk, edits in edits_by_hunk(root, verdict, patch):
        if hunk.state in states:
            found.setdefault(hunk.path, []).extend(edits)
    return {
        path: joined((root / path).read_bytes().decode("utf-8", "surrogateescape"), edits)
        for path, edits in found.items()
    }


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=Path, default=Path("build/gate"))
    parser.add_argument("--python", type=Path, required=True)
    parser.add_argument("--packages", nargs="*")
    parser.add_argument("--edits", action="store_true", help="the edits by hand alone, without hunks of tools")
    parser.add_argument("--seed", type=int, default=59)
    given = parser.parse_args()
    os.environ["PATH"] = f"{given.python}/bin:{os.environ['PATH']}"
    python = given.python.absolute() / "bin/python"
    given.work.mkdir(parents=True, exist_ok=True)
    runs = ProjectTests(project_python(given.work, given.python, {})[0], timeout_s=300.0)
    rows = [json.loads(line) for line in EDITS.read_text("utf-8").splitlines()]
    chosen = random.Random(given.seed)
    tools: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    whole = {False: Counter[str](), True: Counter[str]()}
    left, harmed = GOOD, 0
    names = {name: PACKAGES[name] for name in given.packages or PACKAGES}
    for place, (name, tests) in enumerate(names.items()):
        root = fetched(name, given.work)
        bad = [row for row in rows if row["package"] == name.partition("==")[0]]
        for row in bad:
            before, after = probed(root, row, python)
            assert before not in ("", after), f"the probe of {row['old']!r} shows nothing: {before!r}"
        mixed = Mixed(root, bad)
        share = left // (len(names) - place)
        for tool, command in commands(root).items() if not given.edits else ():
            began = time.perf_counter()
            patch = command_changes(root, [command], timeout_s=300.0)
            took = time.perf_counter() - began
            verdict, judging = await judged(root, patch, None, runs)
            states = Counter(hunk.state for hunk in verdict.hunks)
            newer = sum(hunk.reason is not None and _NEWER in hunk.reason for hunk in verdict.hunks)
            said = ", ".join(f"{states[state]} {state}" for state in _STATES)
            print(
                f"{name:22} {tool:10} {len(verdict.hunks):4} hunks: {said} ({newer} for a newer Python),"
                f" gate {judging:5.1f} s, tool {took:4.1f} s",
                flush=True,
            )
            tools += Counter({f"{tool} {state}": count for state, count in states.items()})
            seconds += Counter({f"{tool} gate": judging, tool: took})
            (given.work / f"{root.name}.{tool}.kept.patch").write_text(verdict.kept, errors="surrogateescape")
            ends = {
                what: tests is None
                or passes(root, texts_after(root, verdict, patch, some), tests, python, f"{what} hunks")
                for what, some in {"all": _STATES, "kept": _STATES[:1]}.items()
            }
            harmed += not ends["kept"]
            if ends["all"]:
                mixed.add(verdict, patch, chosen, share - mixed.good if tool == "pyupgrade" else share * 2 // 3)
        left -= mixed.good
        for with_tests in (False, True) if tests is not None else (False,):
            verdict, judging = await judged(root, mixed.patch(), tests if with_tests else None, runs)
            states = mixed.counted(verdict)
            whole[with_tests] += states
            how = "with tests" if with_tests else "without   "
            notes = f" {verdict.unchecked}" if verdict.unchecked else ""
            print(
                f"{name:22} {how} {shown(states, 'bad')}; {shown(states, 'good')}; {judging:.1f} s{notes}", flush=True
            )
    print(f"packages and tools whose tests fail with the kept hunks alone: {harmed}; all hunks: see above")
    for tool in ("ruff", "pyupgrade"):
        said = ", ".join(f"{tools[f'{tool} {state}']} {state}" for state in _STATES)
        print(f"all {tool}: {said}; gate {seconds[f'{tool} gate']:.0f} s, tool {seconds[tool]:.0f} s")
    for with_tests, states in whole.items():
        print(f"all, {'with' if with_tests else 'without'} tests: {shown(states, 'bad')}; {shown(states, 'good')}")


if __name__ == "__main__":
    asyncio.run(main())
