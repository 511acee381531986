"""docs/actors/otp-beside.md: each row of its first table is run here, each of its second names a test."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from otp_outcomes import OUTCOMES

from jido_ai.actors.system import ActorSystem

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/actors/otp-beside.md").read_text(encoding="utf-8")
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split("|")) for line in PAGE.splitlines() if line.startswith("| ")
]
OUTCOME_ROWS = {case: (otp, ours) for case, otp, ours in (row for row in ROWS if len(row) == 3) if case in OUTCOMES}
TEST_ROWS = [row for row in ROWS if len(row) == 2 and row[1].startswith("`test_")]


def test_the_page_has_a_row_for_each_case_that_is_run() -> None:
    assert set(OUTCOME_ROWS) == set(OUTCOMES)


@pytest.mark.parametrize("case", OUTCOMES)
async def test_ours_does_what_the_page_says(case: str) -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        assert f"`{await OUTCOMES[case](system)}`" == OUTCOME_ROWS[case][1]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("elixir") is None, reason="needs elixir, which brings OTP")
def test_otp_does_what_the_page_says() -> None:
    program = ROOT / "benchmarks/actors/otp/outcomes.exs"
    done = subprocess.run(["elixir", str(program)], capture_output=True, text=True, timeout=120, check=True)
    assert {case: f"`{otp}`" for case, otp in json.loads(done.stdout).items()} == {
        case: otp for case, (otp, _) in OUTCOME_ROWS.items()
    }


def test_each_test_that_the_page_names_exists() -> None:
    tests = {
        name
        for file in Path(__file__).parent.glob("test_*.py")
        for name in re.findall(r"^(?:async )?def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert len(TEST_ROWS) >= 40
    assert {name for _, cell in TEST_ROWS for name in re.findall(r"test_\w+", cell)} <= tests
