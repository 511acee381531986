"""The contracts that ship: a sound store of somebody else passes them, and each fault is found."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

STORE = """
import pytest
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.testing.contracts import ClaimContract, MemoryStoreContract

class TheirStore(InProcessStore):
    {fault}

class TestTheirStore(MemoryStoreContract, ClaimContract):
    @pytest.fixture
    def store(self):
        return TheirStore()
"""
FAULTS = {
    "test_at_the_limit_the_oldest": "async def add(self, entry, *, max_entries): "
    "return await super().add(entry, max_entries=10**9)",
    "test_an_unknown_id_is_not_found": "async def update(self, id, change, *, scope=None): return None",
    "test_select_pages": "async def select(self, *a, offset=0, **k): return await super().select(*a, **k)",
    "test_clear_empties_one_scope": "async def clear(self, scope=None): return 0",
    "test_of_two_claims_of_a_run": "async def claim(self, claim, is_void): return claim",
}


def outcome_of(folder: Path, fault: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_theirs.py").write_text(STORE.format(fault=fault))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:asyncio", "-p", "no:xdist", "--strict-markers", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=150, check=False)


@pytest.mark.slow
def test_a_sound_store_passes_with_pytest_alone(tmp_path: Path) -> None:
    run = outcome_of(tmp_path, "pass", "-W", "error")
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize(("test", "fault"), FAULTS.items(), ids=list(FAULTS))
@pytest.mark.slow
def test_a_fault_fails_the_test_that_names_it(tmp_path: Path, test: str, fault: str) -> None:
    run = outcome_of(tmp_path, fault, "-k", test)
    assert run.returncode == 1, run.stdout
    assert "1 failed" in run.stdout


def test_a_suite_without_a_store_says_what_to_override(tmp_path: Path) -> None:
    (tmp_path / "test_theirs.py").write_text(
        "from jido_ai.testing.contracts import LogContract\nclass TestTheirs(LogContract): pass\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:asyncio"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=150, check=False)
    assert "override the fixture `store`" in run.stdout
