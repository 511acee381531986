"""Tools for other languages: the example's parsers, and its tools where they are installed."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.protocols import RunContext
from jido_ai.tools.sandbox.executor import SandboxExecutor
from jido_ai.tools.sandbox.layers import LAYERS, Layer
from jido_ai.tools.sandbox.selftest import escapes
from jido_ai.values import Candidate, Issue, Location

EXAMPLE = Path(__file__).parent.parent / "examples" / "other_languages.py"
CONTEXT = RunContext(run_id="run", prompt="prompt")
BROKEN = {"gcc": "int g( { }\n", "node": "const a = ;\n", "shellcheck": "if [ x\n"}
FLAWED = {
    "gcc": "int f(void) { int x; return 1; }\n",
    "node": None,
    "shellcheck": "#!/bin/sh\necho $1\n",
}
CLEAN = {"gcc": "int f(void) { return 1; }\n", "node": "const a = 1;\n", "shellcheck": '#!/bin/sh\necho "$1"\n'}


def load() -> Any:
    spec = importlib.util.spec_from_file_location("other_languages", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


example = load()
TOOLS = {tool.name: tool for tool in (example.GCC, example.NODE, example.SHELLCHECK)}


@pytest.fixture(params=LAYERS)
def layer(request: pytest.FixtureRequest) -> Layer:
    why = escapes(request.param)
    if why is not None:
        pytest.skip(f"{request.param} does not hold here: {why}")
    return request.param


async def judge(name: str, content: str, layer: Layer) -> tuple[Issue, ...]:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    critiquer = ToolCritiquer([TOOLS[name]], executor=SandboxExecutor(layers=(layer,)))
    return (await critiquer.critique(Candidate(content), CONTEXT)).issues


@pytest.mark.parametrize("name", TOOLS)
async def test_a_correct_text_passes_and_an_unparsable_one_does_not(name: str, layer: Layer) -> None:
    assert await judge(name, CLEAN[name], layer) == ()
    issues = await judge(name, BROKEN[name], layer)
    assert issues[0].severity is not None
    assert max(issue.severity or 0.0 for issue in issues) >= 0.7
    assert "cannot-run" not in {issue.kind for issue in issues}


@pytest.mark.parametrize("name", [name for name, flawed in FLAWED.items() if flawed is not None])
async def test_a_flaw_is_reported_with_rule_and_place(name: str, layer: Layer) -> None:
    (issue,) = await judge(name, FLAWED[name] or "", layer)
    expected = {
        "gcc": ("warning", "-Wunused-variable", Location("candidate.c", 1, 19)),
        "shellcheck": ("style", "SC2086", Location("candidate.sh", 2, 6, 2, 8)),
    }
    assert (issue.kind, issue.rule, issue.location) == expected[name]


async def test_a_compiler_does_not_read_files_from_outside(layer: Layer, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("sk-canary\n")
    issues = await judge("gcc", f'#include "{secret}"\n', layer)
    assert issues
    assert not any("canary" in issue.message for issue in issues)


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize("garbage", ["Segmentation fault", "[1]", '{"comments": [{}]}', "\0"])
def test_an_output_that_changed_its_format_is_an_error(name: str, garbage: str) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        TOOLS[name].parser(garbage)


def test_the_example_prints_the_output_in_its_docstring() -> None:
    if any(shutil.which(name) is None for name in TOOLS) or SandboxExecutor().refusal() is not None:
        pytest.skip("gcc, node, shellcheck or a sandbox is missing")
    run = subprocess.run([sys.executable, EXAMPLE], capture_output=True, text=True, timeout=150, check=True)
    assert run.stdout.strip() in (example.__doc__ or "")
