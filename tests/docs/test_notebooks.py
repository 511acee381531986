"""The notebooks of the documentation have the outputs of today's code, and nothing of the machine that wrote them."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

import pytest
from notebooks import NOTEBOOKS, executed

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_outputs_of_a_notebook_are_those_of_an_execution(path: Path) -> None:
    kept = json.loads(path.read_text("utf-8"))
    assert executed(kept) == kept, "renew it: python tests/docs/notebooks.py"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_small_and_names_no_path_of_a_machine(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text) < 20_000
    assert not [place for place in (Path.home(), Path(tempfile.gettempdir()), ROOT) if f"{place}/" in text]
    assert not re.search(r"(?<![\w:<>./])/\w+/\w+", text)
    assert any(cell["cell_type"] == "code" and cell["outputs"] for cell in json.loads(text)["cells"])


def test_there_is_a_notebook_that_draws_three_strategies() -> None:
    (path,) = [path for path in NOTEBOOKS if path.stem == "strategies"]
    outputs = [out for cell in json.loads(path.read_text("utf-8"))["cells"] for out in cell.get("outputs", ())]
    (picture,) = ["".join(out["data"]["image/svg+xml"]) for out in outputs if "image/svg+xml" in out.get("data", ())]
    assert picture.count("<polyline") == 3
