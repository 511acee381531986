"""The examples of integrations, and the programs that their pages end with, print what they say."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
LIBRARIES = {
    "a2a": "a2a",
    "ag_ui": "ag_ui",
    "agent_framework": "agent_framework",
    "autogen": "autogen_agentchat",
    "crewai": "crewai",
    "dspy": "dspy",
    "google_adk": "google.adk",
    "langgraph": "langgraph",
    "mcp": "mcp.server.mcpserver",
    "openai_agents": "agents",
    "pydantic_ai": "pydantic_ai",
}
EXAMPLES = sorted((ROOT / "examples" / "integrations").glob("with_*.py"))
PAGES = sorted(page for page in (ROOT / "docs" / "integrations").glob("*.md") if page.stem in LIBRARIES)


def output_of(command: list[str], tmp_path: Path) -> str:
    environment = {**os.environ, "HOME": str(tmp_path), "CREWAI_TESTING": "true"}  # no banner of a first use
    run = subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        timeout=150,
        env=environment,
        cwd=tmp_path,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def need(name: str) -> None:
    pytest.importorskip(LIBRARIES[name], reason=f"{name} is not installed: make test-integrations")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_prints_the_output_in_its_docstring(example: Path, tmp_path: Path) -> None:
    need(example.stem.removeprefix("with_"))
    docstring = ast.get_docstring(ast.parse(example.read_text("utf-8")))
    assert docstring is not None
    expected = docstring.split(f"$ python examples/integrations/{example.name}\n")[1]
    assert output_of([str(example)], tmp_path).split("\n")[:-1] == [line.strip() for line in expected.splitlines()]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_the_program_of_a_page_prints_the_output_on_the_page(page: Path, tmp_path: Path) -> None:
    need(page.stem)
    text = page.read_text("utf-8")
    code = text.split("```python\n")[-1].split("```")[0]
    assert output_of(["-c", code], tmp_path) == text.split("```text\n")[-1].split("```")[0]


def test_every_framework_with_a_page_has_an_example() -> None:
    pages = {page.stem for page in PAGES} | {"mcp"}  # its page is docs/mcp.md
    assert pages == {example.stem.removeprefix("with_") for example in EXAMPLES} == set(LIBRARIES)
