"""A graph improves a real package, iniconfig: tools tidy each module, tests judge the whole, a model writes notes.

The modules are those of the installed package (a part of pytest), copied to a temporary directory. A function stands in
for the model, so no key and no network is needed.

$ python examples/10_graph_of_a_package.py
tidy: done, score 0.83
save: done
tests: done, score 1.00
notes: done
__init__.py: changed
_parse.py: changed
_version.py: as it was
exceptions.py: as it was
completed: Tidied 2 modules; behaviour as before, by the tests.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

import iniconfig

from jido_ai import CheckNode, Graph, LoopConfig, LoopNode, MapNode, StepNode, TargetedReviser, ToolCritiquer
from jido_ai.models import Completion, CompletionRequest

TESTS = """
from iniconfig import IniConfig

def test_sections_and_values_are_read(tmp_path):
    path = tmp_path / "a.ini"
    path.write_text("[one]\\nx = 1\\ny = two  # kept\\n")
    ini = IniConfig(path)
    assert ini["one"]["x"] == "1"
    assert ini.get("one", "y") == "two  # kept"
    assert ini.lineof("one", "x") == 2
"""


def write_notes(request: CompletionRequest) -> Completion:
    """Stand in for a model."""
    changed = request.messages[-1].content.count("changed")
    return Completion(f"Tidied {changed} modules; behaviour as before, by the tests.")


def project(folder: Path) -> list[Path]:
    """Copy the package, and tests for it, into a folder; return its modules."""
    shutil.copytree(Path(iniconfig.__file__).parent, folder / "iniconfig", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "test_iniconfig.py").write_text(TESTS)
    return sorted((folder / "iniconfig").glob("*.py"))


async def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        modules = project(folder)

        def save(texts: list[str]) -> str:
            """Write what was tidied, and tell which modules changed."""
            told: list[str] = []
            for path, text in zip(modules, texts, strict=True):
                told.append(f"{path.name}: {'changed' if path.read_text() != text else 'as it was'}")
                path.write_text(text)
            return "\n".join(told)

        tidy = LoopNode(
            "Tidy this module.",
            initial="{item}",
            critiquer=ToolCritiquer(["ruff"], root=folder, replaces="iniconfig/_tidied.py"),
            reviser=TargetedReviser(root=folder, replaces="iniconfig/_tidied.py"),
            config=LoopConfig(max_iterations=4, policy="adaptive", accept="clean"),
        )
        graph = Graph(
            {
                "tidy": MapNode("{modules}", tidy, max_concurrency=2),
                "save": StepNode(save, inputs={"texts": "{tidy.texts}"}),
                "tests": CheckNode(
                    TESTS,
                    critiquer=ToolCritiquer(["pytest"], root=folder, replaces="test_iniconfig.py"),
                    when="fail",
                    after=["save"],
                ),
                "notes": StepNode(write_notes, prompt="Write a note on these changes:\n{save}", after=["tests"]),
            },
            inputs=["modules"],
            output="notes",
        )
        async with graph:
            result = await graph.run({"modules": [path.read_text() for path in modules]})
        for name, node in result.nodes.items():
            score = "" if node.score is None else f", score {node.score:.2f}"
            print(f"{name}: {node.status}{score}")
        print(result.nodes["save"].output)
        print(f"{result.status}: {result.output}")


if __name__ == "__main__":
    asyncio.run(main())
