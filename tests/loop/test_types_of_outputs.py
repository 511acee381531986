"""What a type checker sees: the type of a pipeline's output, whatever its critics are."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """\
from typing import assert_type
from pydantic import BaseModel
from jido_ai import Candidate, CritiqueResult, Pipeline, RunContext, ReflectionResult, reflect

class Invoice(BaseModel):
    id: int

def write(prompt: str, context: RunContext) -> Candidate: ...
def judge(candidate: Candidate, context: RunContext) -> CritiqueResult: ...
async def ajudge(candidate: Candidate, context: RunContext) -> CritiqueResult: ...
def short(prompt: str) -> str: ...
def brief(candidate: Candidate) -> CritiqueResult: ...
def revise(candidate: Candidate, critique: CritiqueResult) -> str: ...
def vjudge(value: Invoice) -> CritiqueResult: ...

assert_type(Pipeline(write, judge, output=Invoice), Pipeline[Invoice])
assert_type(Pipeline(write, ajudge, output=Invoice), Pipeline[Invoice])
assert_type(Pipeline(write, [judge], output=Invoice), Pipeline[Invoice])
assert_type(Pipeline(write, vjudge, output=Invoice), Pipeline[Invoice])
assert_type(Pipeline(write, [vjudge, judge], output=Invoice), Pipeline[Invoice])
assert_type(Pipeline(write, "openai:x", output=Invoice), Pipeline[Invoice])
assert_type(Pipeline(write, output=Invoice), Pipeline[Invoice])
assert_type(Pipeline(write, judge), Pipeline[str])
assert_type(Pipeline(short, brief, revise), Pipeline[str])
assert_type(Pipeline(short, brief, output=Invoice), Pipeline[Invoice])
assert_type(Pipeline(write, output=Invoice, critiquer=judge), Pipeline[Invoice])
async def f() -> None:
    assert_type(await reflect("p", critiquer=judge, output=Invoice), ReflectionResult[Invoice])
    assert_type(await reflect("p", critiquer=[vjudge], output=Invoice), ReflectionResult[Invoice])
wrong: Pipeline[int] = Pipeline(write, judge, output=Invoice)  # line of the one error
"""


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_type_checker_knows_the_type_of_the_output(tmp_path: Path) -> None:
    checker = shutil.which("basedpyright", path=str(Path(sys.executable).parent)) or shutil.which("basedpyright")
    if checker is None:
        pytest.skip("basedpyright is not installed")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [checker, "--level", "error", "--pythonpath", sys.executable, str(program)]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    errors = [line for line in said.splitlines() if " - error: " in line]
    assert len(errors) == 1, said
    assert f"program.py:{len(PROGRAM.splitlines())}:" in errors[0]
