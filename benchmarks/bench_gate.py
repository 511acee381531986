"""What the gate keeps of the changes that two tools make of ten packages that no test or bar has named.

    python benchmarks/bench_gate.py [--work DIR] [--seed 41] [--packages NAME ...] [--python VENV]

It downloads the sdists with pip, so it needs a network; `ruff` and `pyupgrade` must be installed. For each package and
tool it prints the hunks proposed, kept and rejected, the seconds of the gate, and whether the package is worse
afterwards: a module that cannot be imported any more, or a test that fails; the tests run with the Python of VENV,
which should have pytest and whatever they need. A sample of kept and of rejected hunks is
written into DIR, to be read. Anchor: the package as it came.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from pathlib import Path

from jido_ai.improve.gate import Gate
from jido_ai.improve.patch_gate import PatchGate
from jido_ai.improve.patch_report import rule_of
from jido_ai.improve.patch_sources import command_changes
from jido_ai.improve.patch_verdict import PatchVerdict
from jido_ai.improve.project_files import ProjectFiles
from jido_ai.improve.project_python import project_python
from jido_ai.improve.project_tests import ProjectTests

PACKAGES = (
    "anytree==2.13.0", "blinker==1.9.0", "isodate==0.7.2", "natsort==8.4.0", "polib==1.2.0",
    "simpleeval==1.0.8", "sqlparse==0.6.1", "tinydb==4.9.0", "voluptuous==0.16.0", "xmltodict==1.0.4",
)  # fmt: skip
KEPT_TO_READ = 50
REJECTED_TO_READ = 30


def fetched(name: str, work: Path) -> Path:
    """Return the unpacked sdist of a package."""
    place = work / name.partition("==")[0]
    if not place.exists():
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:"]
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([*command, "-d", folder, name], check=True, timeout=300)
            (archive,) = Path(folder).glob("*.tar.gz")
            with tarfile.open(archive) as tar:
                tar.extractall(folder, filter="data")
            (root,) = (one for one in Path(folder).iterdir() if one.is_dir())
            shutil.move(root, place)
    return place


def commands(root: Path) -> dict[str, str]:
    files = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.py"))
    upgrade = Path(sys.executable).parent / "pyupgrade"
    return {
        "ruff": "ruff check --fix --unsafe-fixes --exit-zero --no-cache --quiet .",
        "pyupgrade": f"{upgrade} --py38-plus " + " ".join(f"'{path}'" for path in files),
    }


async def worse(root: Path, verdict: PatchVerdict, tests: str | None, runs: ProjectTests) -> list[str]:
    """Return what is broken in a copy of the project with the kept hunks, by another run of all checks."""
    files = ProjectFiles.read(root)
    gate = Gate(files, runs.executor(), keeps_names=False)
    found = [one.text for one in await gate.damage(verdict.before, verdict.texts)]
    if tests is not None:
        tool = runs.tool(tests).in_project(root, next(path for path in files.texts if path.endswith(".py")))
        try:
            before, after = [await gate.tested(tool, texts) for texts in ({}, verdict.texts)]
        except Exception as error:  # noqa: BLE001 - tests that cannot be run here are told
            return [*found, f"(tests do not run: {str(error)[:100]})"]
        passed = [test for test, end in before.items() if end == "passed"]
        found += [f"{test} fails" for test in passed if after.get(test) != "passed"]
        print(f"    {len(passed)} tests passed before")
    return found


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=Path, default=Path("build/gate"))
    parser.add_argument("--seed", type=int, default=41)
    parser.add_argument("--packages", nargs="*", default=PACKAGES)
    parser.add_argument("--python", type=Path)
    given = parser.parse_args()
    runs = ProjectTests(project_python(given.work, given.python, {})[0], timeout_s=300.0)
    given.work.mkdir(parents=True, exist_ok=True)
    total: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    sample: dict[bool, list[str]] = {True: [], False: []}
    for name in given.packages:
        root = fetched(name, given.work)
        tests = next((one for one in ("tests", "test") if (root / one).is_dir()), None)
        for tool, command in commands(root).items():
            patch = command_changes(root, [command], timeout_s=300.0)
            began = time.perf_counter()
            verdict = await PatchGate(root, runs=runs).judge(patch)
            seconds = time.perf_counter() - began
            kept = sum(hunk.is_kept for hunk in verdict.hunks)
            told = await worse(root, verdict, tests, runs)
            damage = [one for one in told if not one.startswith("(")]
            count = len(verdict.hunks)
            print(
                f"{name:24} {tool:10} {count:4} proposed {kept:4} kept {count - kept:4} rejected"
                f" {verdict.checks:3} checks {seconds:6.1f} s, worse: {'; '.join(told) or 'no'}",
                flush=True,
            )
            total += Counter(
                {"proposed": count, "kept": kept, "rejected": count - kept, "worse": bool(damage), "runs": 1}
            )
            total["checks"] += verdict.checks
            for hunk in verdict.hunks:
                place = f"{name} {tool} {hunk.path}:{hunk.line}"
                if hunk.reason is not None:
                    reasons[rule_of(hunk.reason)] += 1
                sample[hunk.is_kept].append(f"{place} {hunk.reason or ''}")
            (given.work / f"{root.name}.{tool}.kept.patch").write_text(verdict.kept, errors="surrogateescape")
            (given.work / f"{root.name}.{tool}.rejected.patch").write_text(verdict.rejected, errors="surrogateescape")
    chosen = random.Random(given.seed)
    for is_kept, most in ((True, KEPT_TO_READ), (False, REJECTED_TO_READ)):
        picked = chosen.sample(sample[is_kept], min(most, len(sample[is_kept])))
        (given.work / f"{'kept' if is_kept else 'rejected'}.txt").write_text("\n".join(sorted(picked)) + "\n")
    print(f"all: {json.dumps(total)}, rejected by: {json.dumps(reasons)}")


if __name__ == "__main__":
    asyncio.run(main())
