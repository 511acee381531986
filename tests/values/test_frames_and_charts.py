"""Results, comparisons and recorded runs as tables and as charts."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jido_ai import ConfigurationError, CritiqueResult, Pipeline, ReflectionResult, ReflexionMemory
from jido_ai.comparing.cases import Case, Verdict
from jido_ai.comparing.comparison import Comparison
from jido_ai.comparing.tasks import Check, Task
from jido_ai.values import frames
from jido_ai.values.chart import LineChart
from jido_ai.values.frames import COLUMNS


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a table be the columns that pandas would get."""
    monkeypatch.setattr(frames, "find_spec", lambda name: name == "pandas" or None)
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=lambda columns: columns))  # type: ignore[arg-type]


def judge(candidate: Any, _: object) -> CritiqueResult:
    bad = candidate.content.count("very")
    return CritiqueResult(severity=0.4 * bad, issues=["very"] * bad)


async def run(memory: ReflexionMemory | None = None) -> ReflectionResult:
    async with Pipeline(None, judge, lambda c, *_: c.content.replace("very ", "", 1), memory=memory) as pipeline:
        return await pipeline.run("Praise it.", "It is very very good.")


@pytest.mark.usefixtures("tables")
async def test_a_frame_has_a_row_for_each_judged_candidate() -> None:
    frame = (await run()).to_frame()
    assert tuple(frame) == COLUMNS
    assert frame["iteration"] == [1, 2, 3]
    assert frame["severity"] == [0.8, 0.4, 0.0]
    assert frame["issues"] == [2, 1, 0]
    assert frame["is_best"] == [False, False, True]
    assert set(frame["stop_reason"]) == {"accepted"}


@pytest.mark.usefixtures("tables")
async def test_the_frame_of_a_memory_has_the_rows_that_the_results_of_its_runs_have() -> None:
    async with ReflexionMemory() as memory:
        results = [await run(memory), await run(memory)]
        frame = await memory.runs_frame()
        assert {name: frame[name] for name in COLUMNS} == {
            name: [value for result in results for value in result.to_frame()[name]] for name in COLUMNS
        }


async def test_without_pandas_and_polars_a_frame_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "find_spec", lambda _: None)
    result = await run()
    with pytest.raises(ConfigurationError, match="pip install pandas"):
        result.to_frame()


async def test_a_plot_is_svg_with_a_point_for_each_iteration_and_can_be_saved(tmp_path: Path) -> None:
    chart = (await run()).plot()
    chart.save(tmp_path / "run.svg")
    root = ET.fromstring((tmp_path / "run.svg").read_text("utf-8"))
    assert len(root.findall(".//{*}circle")) == 3
    assert "severity" in chart._repr_svg_()


async def test_a_plot_into_axes_of_matplotlib_returns_them() -> None:
    drawn: list[Any] = []
    axes = SimpleNamespace(plot=lambda x, y, **_: drawn.append((list(x), y)), set=lambda **_: None)
    assert (await run()).plot(ax=axes) is axes
    assert drawn == [([1, 2, 3], [0.8, 0.4, 0.0])]


def test_names_in_a_chart_are_escaped() -> None:
    svg = LineChart([("<a>", [0.1]), ("b", [0.2, 0.3])], "x", "y", threshold=0.3).svg
    assert ET.fromstring(svg) is not None
    assert "&lt;a&gt;" in svg


def compared() -> Comparison:
    tasks = [Task("a", [Check.exact("a")], id="a"), Task("b", [Check.exact("b")], id="b")]
    cases = [
        Case(task.key, name, 0, Verdict(name == "loop", by="program"), "a", 1, 1, 1, 0.0, 1.0)
        for task in tasks
        for name in ("single", "loop")
    ]
    return Comparison.of(cases, tasks=tasks, names=("single", "loop"), baseline="single")


@pytest.mark.usefixtures("tables")
def test_a_comparison_has_a_chart_a_table_and_a_frame_with_a_row_for_each_case() -> None:
    comparison = compared()
    assert len(ET.fromstring(comparison.plot().svg).findall(".//{*}rect")) == 3  # two bars on paper
    assert "<td>2 of 2</td>" in comparison._repr_html_()
    assert comparison.to_frame()["passed"] == [False, True, False, True]
    assert str(comparison) == comparison.to_markdown()
