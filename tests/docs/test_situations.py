"""The table of frameworks by situations names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_tests_that_the_table_of_frameworks_names_exist() -> None:
    page = (ROOT / "docs/integrations/situations.md").read_text()
    named = re.findall(r"^(\d+)\. `(test_\w+\.py)`: `(test_\w+)`$", page, re.MULTILINE)
    rows = [line for line in page.splitlines() if line.startswith("| ")][1:]
    assert {number for number, _, _ in named} == set(re.findall(r"\| (\d+)(?= \|)", "\n".join(rows)))
    for _, file, name in named:
        assert f"def {name}(" in (ROOT / "tests/integrations" / file).read_text(), name
