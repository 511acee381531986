"""Only what is new, the configurations of real projects, and the Python of tests."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.improve.baseline import baseline_of, write_baseline
from jido_ai.improve.declared_python import extended_config, pinned_python, ruff_target
from jido_ai.improve.only_new import ChangedLines
from jido_ai.improve.project import black_excludes
from jido_ai.improve.project_names import ProjectNames
from jido_ai.improve.project_python import project_python
from jido_ai.improve.test_problems import missing_package, needs_network
from jido_ai.values import Issue


def test_a_changed_line_is_known_in_later_versions_of_the_file() -> None:
    lines = ChangedLines("a\nb\nc\n", frozenset({3}))
    assert not lines.covers("a\nb\nc\n", 1, 2)
    assert lines.covers("a\nb\nc\n", 2, 3)
    assert lines.covers("b\nc\n", 2, 2)
    assert not lines.covers("b\nc\n", 1, 1)
    assert lines.covers("new\na\nb\nc\n", 1, 1)


def test_a_baseline_is_read_as_it_was_written(tmp_path: Path) -> None:
    issue = Issue("`os` imported but unused", rule="F401")
    write_baseline(tmp_path / "b.json", [("a.py", issue), ("a.py", issue)])
    assert baseline_of(tmp_path / "b.json") == {"a.py": Counter({issue.fingerprint: 2})}


@pytest.mark.parametrize("text", ["", "[]", '{"version": 9, "files": {}}'])
def test_a_file_that_is_no_baseline_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(ConfigurationError, match="--write-baseline"):
        baseline_of(tmp_path / "b.json")


def test_imports_of_an_open_package_are_no_findings_but_those_of_the_standard_library_are() -> None:
    names = ProjectNames({"pkg/__init__.py": "from .a import x\nimport os\n", "pkg/a.py": "x = 1\n"})
    assert names.is_reexport("pkg/__init__.py", "`.a.x` imported but unused; consider removing")
    assert not names.is_reexport("pkg/__init__.py", "`os` imported but unused")


def test_a_missing_package_is_named_and_one_of_the_project_is_not() -> None:
    said = "E   ModuleNotFoundError: No module named 'text_unidecode.x'"
    assert missing_package(said, ["app.py"]) == "text_unidecode.x"
    assert missing_package(said, ["src/text_unidecode/__init__.py"]) is None


@pytest.mark.parametrize("said", ["ConnectionRefusedError: [Errno 111]", "socket.gaierror: [Errno -3] x"])
def test_a_test_that_needs_the_network_is_recognised(said: str) -> None:
    assert needs_network(said)
    assert not needs_network("assert 1 == 2")


def test_versions_and_extended_configurations_are_read() -> None:
    assert pinned_python({".python-version": "3.14.0\n"}) == (3, 14)
    assert ruff_target({"pyproject.toml": '[tool.ruff]\ntarget-version = "py314"\n'}) == (3, 14)
    assert extended_config({"ruff.toml": 'extend = "../ruff.toml"\n'}) == "../ruff.toml"


def test_a_pattern_of_black_that_could_take_for_ever_is_left_out() -> None:
    assert len(black_excludes("[tool.black]\nexclude = '(a+)+b'\nextend-exclude = '/legacy/'\n")) == 1


def test_a_python_that_is_none_is_refused_and_a_broken_environment_is_passed_over(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no such Python"):
        project_python(tmp_path, tmp_path / "nothing", {})
    (tmp_path / ".venv").mkdir()
    found, note = project_python(tmp_path, None, {})
    assert found is None
    assert note is not None
