"""What the gate keeps of changes to twelve packages no test or bar has named: of two tools, and of 40 harmful edits.

    python benchmarks/bench_gate_corpus.py --python VENV [--work DIR] [--packages NAME ...] [--seed 59]
        [--edits] [--whole] [--without-tests]

It downloads the sdists with pip, so it needs a network; `ruff` and `pyupgrade` must be installed. VENV needs pytest and
what the packages import (`NEEDS`). For each package, one patch is judged without tests and with the package's own:

- edits written by hand (`gate_edits.jsonl`), each shown here to do something else by a probe that is run before and
  after it;
- among a sample, evenly spread by a seed, of the hunks of ruff (all rules, unsafe fixes) and of pyupgrade, for the
  Python that the package declares. They count as good if the package's tests pass with all of them, and if none needs
  a newer Python than is declared. With `--edits` there are none.

Anchors: a gate that keeps every patch after which the modules are imported, and so nearly all of the edits by hand; the
seconds of the tools on the whole package. `--whole` judges the whole patches of the tools as well, which takes minutes
for each large package: half of it is importing each changed module on its own, before and after.
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
_SAMPLES = 3  # of hunks, if the tests fail with one
_LARGEST = 10  # edits that need each other


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


def whole_groups(root: Path, patch: str, chosen: random.Random) -> Iterator[list[tuple[str, LineEdit]]]:
    """Yield the edits of a patch by chance, each with all that it needs, without those that need a newer Python.

    All imports of a file are together, as a tool may merge and move them.
    """
    gate = PatchGate(root)
    gate._project = ProjectFiles.read(root)
    declared = declared_python(gate._project.texts)
    gate._minimum = None if declared is None else declared.minimum
    rejected: dict[int, str] = {}
    gate._read(parse_patch(patch), rejected)
    units = [unit for unit in gate._units if unit.number not in rejected and unit.kind == "edit"]
    gate._groups(units)
    imports: dict[str, set[int]] = {}
    for unit in units:
        lines = [line.strip() for edit in unit.edits for line in (*edit.removed, *edit.added)]
        if any(line.startswith(("import ", "from ")) for line in lines):
            imports.setdefault(unit.path, set()).add(unit.number)
    chosen.shuffle(units)
    for unit in units:
        group, waiting = {unit.number}, [unit]
        while waiting:
            near = waiting.pop()
            more = set(gate._needs_of_units.get(near.number, ())) - group
            more |= imports.get(near.path, set()) - group if near.number in imports.get(near.path, ()) else set()
            group |= more
            waiting += [gate._units[number] for number in more]
        if len(group) <= _LARGEST and _NEWER not in str(gate._static_damage(gate._texts(group))):
            yield [(gate._units[number].path, edit) for number in group for edit in gate._units[number].edits]


def text_of(root: Path, path: str) -> str:
    return (root / path).read_bytes().decode("utf-8", "surrogateescape")


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

    def add(self, patch: str, chosen: random.Random, wanted: int) -> None:
        """Add `wanted` hunks of a tool, whole groups of them, none of which is beside another edit."""
        for group in whole_groups(self.root, patch, chosen):
            if wanted <= 0:
                return
            new = [(path, edit) for path, edit in group if (edit, "good") not in self.edits.get(path, ())]
            if not any(self._is_beside(path, edit) for path, edit in new):
                wanted -= len(new)
                for path, edit in new:
                    self.edits.setdefault(path, []).append((edit, "good"))

    def drop_good(self) -> None:
        for edits in self.edits.values():
            edits[:] = [(edit, kind) for edit, kind in edits if kind == "bad"]

    def _is_beside(self, path: str, edit: LineEdit) -> bool:
        return any(edit.start <= other.end and other.start <= edit.end for other, _ in self.edits.get(path, ()))

    @property
    def good(self) -> int:
        return sum(kind == "good" for edits in self.edits.values() for _, kind in edits)

    def texts(self, kinds: Collection[str] = ("good", "bad")) -> dict[str, str]:
        """Return the files with the edits of these kinds."""
        found: dict[str, str] = {}
        for path, edits in sorted(self.edits.items()):
            ordered = sorted((edit for edit, kind in edits if kind in kinds), key=lambda edit: edit.start)
            if ordered:
                found[path] = joined(text_of(self.root, path), ordered)
        return found

    def patch(self) -> str:
        return "".join(patch_of_texts(path, text_of(self.root, path), text) for path, text in self.texts().items())

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


def passes(root: Path, texts: Mapping[str, str], tests: str, what: str) -> bool:
    """Tell whether the package's tests that passed before pass with these texts."""

    def failures(place: Path) -> set[str]:
        environment = os.environ | {"PYTHONPATH": f"{place / 'src'}:{place}", "PYTHONHASHSEED": "1"}
        command = ["python", "-B", "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", tests]
        run = subprocess.run(
            command, env=environment, cwd=place, capture_output=True, text=True, check=False, timeout=600
        )
        if run.returncode not in (0, 1):  # no test ran, and so none tells
            return {f"status {run.returncode}"}
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


async def whole_patch(root: Path, tool: str, patch: str, tests: str | None, runs: ProjectTests) -> None:
    """Judge all hunks of a tool, and run the package's tests with all of them and with what is kept."""
    verdict, judging = await judged(root, patch, None, runs)
    states = Counter(hunk.state for hunk in verdict.hunks)
    newer = sum(hunk.reason is not None and _NEWER in hunk.reason for hunk in verdict.hunks)
    said = ", ".join(f"{states[state]} {state}" for state in _STATES)
    print(
        f"{root.name:16} {tool:10} {len(verdict.hunks):4} hunks: {said} ({newer} for a newer Python),"
        f" gate {judging:5.1f} s",
        flush=True,
    )
    for what, some in {"all": _STATES, "kept": _STATES[:1]}.items() if tests is not None else ():
        passes(root, texts_after(root, verdict, patch, some), str(tests), f"{what} hunks of {tool}")


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=Path, default=Path("build/gate"))
    parser.add_argument("--python", type=Path, required=True)
    parser.add_argument("--packages", nargs="*")
    parser.add_argument("--edits", action="store_true", help="the edits by hand alone, without hunks of tools")
    parser.add_argument("--whole", action="store_true", help="the whole patches of the tools, too")
    parser.add_argument("--without-tests", action="store_true", help="do not judge with the packages' tests")
    parser.add_argument("--seed", type=int, default=59)
    given = parser.parse_args()
    os.environ["PATH"] = f"{given.python.absolute()}/bin:{os.environ['PATH']}"
    python = given.python.absolute() / "bin/python"
    given.work.mkdir(parents=True, exist_ok=True)
    runs = ProjectTests(project_python(given.work, given.python, {})[0], timeout_s=300.0)
    rows = [json.loads(line) for line in EDITS.read_text("utf-8").splitlines()]
    seconds: Counter[str] = Counter()
    whole = {False: Counter[str](), True: Counter[str]()}
    left, began = GOOD, time.perf_counter()
    names = {name: PACKAGES[name] for name in given.packages or PACKAGES}
    for place, (name, tests) in enumerate(names.items()):
        root = fetched(name, given.work)
        bad = [row for row in rows if row["package"] == root.name]
        for row in bad:
            before, after = probed(root, row, python)
            assert before not in ("", after), f"the probe of {row['old']!r} shows nothing: {before!r}"
        mixed = Mixed(root, bad)
        share = -(-left // (len(names) - place))
        patches: dict[str, str] = {}
        for tool, command in commands(root).items() if not given.edits else ():
            started = time.perf_counter()
            patches[tool] = command_changes(root, [command], timeout_s=300.0)
            seconds[tool] += time.perf_counter() - started
            if given.whole:
                await whole_patch(root, tool, patches[tool], tests, runs)
        for seed in range(given.seed, given.seed + _SAMPLES):
            for tool, patch in patches.items():
                mixed.add(patch, random.Random(seed), share - mixed.good if tool == "pyupgrade" else share * 2 // 3)
            if tests is None or not mixed.good or passes(root, mixed.texts(["good"]), tests, "good hunks"):
                break
            mixed.drop_good()
        left -= mixed.good
        for with_tests in (False, True) if tests is not None and not given.without_tests else (False,):
            verdict, judging = await judged(root, mixed.patch(), tests if with_tests else None, runs)
            states = mixed.counted(verdict)
            whole[with_tests] += states
            how = "with tests" if with_tests else "without   "
            seconds[how] += judging
            notes = f" {verdict.unchecked}" if verdict.unchecked else ""
            print(
                f"{name:22} {how} {shown(states, 'bad')}; {shown(states, 'good')}; {judging:.1f} s{notes}", flush=True
            )
    for with_tests, states in whole.items():
        print(f"all, {'with' if with_tests else 'without'} tests: {shown(states, 'bad')}; {shown(states, 'good')}")
    said = ", ".join(f"{what.strip()} {took:.0f} s" for what, took in seconds.items())
    print(
        f"seconds, the tools on whole packages and the gate on these patches: {said}; of everything:"
        f" {time.perf_counter() - began:.0f} s; load {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    asyncio.run(main())
