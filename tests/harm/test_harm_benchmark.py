"""The benchmark that improves real packages sees what is lost in them; nothing is fetched here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HARM = Path(__file__).parents[2] / "benchmarks" / "harm"

COMPARED = """
import json, sys
sys.path.insert(0, sys.argv[1])
from packages import PACKAGES
from run import Row, State, compare

before = State(json.loads(sys.argv[2]), {"a::t": "passed", "a::u": "failure"}, {"3.8": ["a.py", "b.py"]})
after = State(json.loads(sys.argv[3]), {"a::t": "error", "a::u": "failure"}, {"3.8": ["a.py"]})
row = Row("thing-1", "alone")
compare(before, after, row)
names = {package.name for package in PACKAGES}
print(json.dumps([row.tests_worse, row.modules_gone, row.names_gone, row.foreign_gone, row.compile_failures,
                  row.harm, sum(map(bool, (package.tests for package in PACKAGES))), len(names) == len(PACKAGES)]))
"""


def probed(tree: Path) -> str:
    command = [sys.executable, str(HARM / "probe.py"), str(tree), "."]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout


def test_the_probe_tells_names_and_foreign_modules_of_each_module(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text("import os\nfrom pkg import inner\nVALUE = 1\n_own = 2\n")
    (tmp_path / "pkg" / "inner.py").write_text("def f(): pass\n")
    (tmp_path / "pkg" / "broken.py").write_text("import module_that_nobody_has\n")
    (tmp_path / "ends.py").write_text("raise SystemExit(3)\n")
    assert json.loads(probed(tmp_path)) == {
        "ends": "SystemExit: 3",
        "pkg": [["VALUE", "inner"], ["os"]],
        "pkg.broken": "ModuleNotFoundError: No module named 'module_that_nobody_has'",
        "pkg.inner": [["f"], []],
    }


def test_a_loss_is_reported_in_the_row() -> None:
    before = {"m": [["a", "b"], ["os"]], "n": [["c"], []], "o": "ImportError: x"}
    after = {"m": [["a"], []], "n": "ImportError: y", "o": "ImportError: x"}
    command = [sys.executable, "-c", COMPARED, str(HARM), json.dumps(before), json.dumps(after)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    *lost, harm, with_tests, unique = json.loads(done.stdout)
    assert lost == [["a::t"], ["n: ImportError: y"], ["m.b"], ["m.os"], ["3.8: b.py"]]
    assert harm == 4
    assert with_tests >= 20
    assert unique
