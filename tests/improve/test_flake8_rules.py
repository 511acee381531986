"""Which rules a project's configuration of flake8 turns on and off."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis.strategies import lists, sampled_from, text

from jido_ai.improve.flake8_rules import Flake8Rules, flake8_rules

RULES = ["E1", "E121", "E501", "W5", "W503", "F401", "F", "B006", "C901"]


def rules(*lines: str) -> Flake8Rules:
    found = flake8_rules({".flake8": "\n".join(["[flake8]", *lines])})
    assert found is not None
    return found


def test_a_configuration_is_read_with_all_its_forms() -> None:
    found = rules(
        "select = E,W , F",
        "extend-select = B9",
        "# a comment",
        "ignore =",
        "    E501,  # too long",
        "    # all of these",
        "    W503",
        "    E203 E266",
        "extend_ignore = D1",
        "per-file-ignores =",
        "    __init__.py: F401, F403",
        "    tests/*,docs/conf.py: E501",
        "    setup.py:E402 other.py:W6",
        "exclude = build,docs/_build/",
        "extend-exclude = vendor",
    )
    assert found.select == ("E", "W", "F")
    assert found.extend_select == ("B9",)
    assert found.ignore == ("E501", "W503", "E203", "E266")
    assert found.extend_ignore == ("D1",)
    assert found.per_file_ignores == (
        ("__init__.py", ("F401", "F403")),
        ("tests/*", ("E501",)),
        ("docs/conf.py", ("E501",)),
        ("setup.py", ("E402",)),
        ("other.py", ("W6",)),
    )
    assert found.exclude == ("build", "docs/_build/", "vendor")


def test_the_first_file_with_a_section_counts() -> None:
    one, two = "[flake8]\nignore = E1\n", "[flake8]\nignore = E2\n"
    assert flake8_rules({".flake8": two, "setup.cfg": one}) == flake8_rules({"setup.cfg": one})
    assert flake8_rules({"tox.ini": two, "setup.cfg": "[metadata]\nname = flake8\n"}) == flake8_rules({"tox.ini": two})
    assert flake8_rules({"pyproject.toml": "[tool.flake8]\n"}) is None
    assert flake8_rules({}) is None


@pytest.mark.parametrize("broken", ["[flake8\nignore = E1\n", "ignore = flake8\n", "flake8\n", "  [flake8]\n= x\n"])
def test_an_unreadable_configuration_has_no_rules(broken: str) -> None:
    assert flake8_rules({"setup.cfg": broken}) is None


@pytest.mark.parametrize(
    ("lines", "rule", "is_allowed"),
    [
        ([], "F401", True),
        ([], "W503", False),
        ([], "E241", False),
        ([], "E501", True),
        (["ignore ="], "W503", True),
        (["ignore = E501"], "W503", True),
        (["ignore = E501"], "E501", False),
        (["ignore = E5"], "E501", False),
        (["ignore = E"], "F401", True),
        (["extend-ignore = E501"], "E501", False),
        (["extend-ignore = E501"], "W503", False),
        (["select = E"], "F401", False),
        (["select = E"], "E501", True),
        (["select = E,W503"], "W503", True),
        (["select = E,W"], "W503", True),
        (["select = E", "ignore = E5"], "E501", False),
        (["select = E501", "ignore = E5"], "E501", True),
        (["select = E501", "ignore = E501"], "E501", False),
        (["select = E,F", "extend-select = B"], "B006", True),
        (["extend-select = W503"], "W503", True),
        (["extend-select = B"], "F401", True),
        (["extend-select = B006", "ignore = B"], "B006", True),
        (["select = E, F", "ignore = F401"], "F401", False),
        (["select ="], "F401", True),
    ],
)
def test_the_longest_prefix_decides(lines: list[str], rule: str, is_allowed: bool) -> None:
    assert rules(*lines).allows("a.py", rule) == is_allowed


@pytest.mark.parametrize(
    ("pattern", "path", "is_ignored"),
    [
        ("__init__.py", "pkg/__init__.py", True),
        ("__init__.py", "pkg/a.py", False),
        ("tests/*", "tests/unit/test_a.py", True),
        ("tests/*", "pkg/tests/test_a.py", False),
        ("*/tests/*", "pkg/tests/test_a.py", True),
        ("./tests/*", "tests/test_a.py", True),
        ("test_*.py", "tests/test_a.py", True),
        ("pkg/a.py", "pkg/a.py", True),
        ("pkg/a.py", "other/pkg/a.py", False),
        ("*", "a.py", True),
    ],
)
def test_rules_are_ignored_per_file(pattern: str, path: str, is_ignored: bool) -> None:
    found = rules(f"per-file-ignores = {pattern}: F401")
    assert found.allows(path, "F401") != is_ignored
    assert found.allows(path, "F402")


@pytest.mark.parametrize(
    ("pattern", "path", "is_excluded"),
    [
        ("build", "build/a.py", True),
        ("build", "pkg/build/a/b.py", True),
        ("build", "builds/a.py", False),
        ("docs/_build", "docs/_build/a.py", True),
        ("docs/*", "docs/a/b.py", True),
        ("./docs/", "docs/a.py", True),
        ("*_pb2.py", "pkg/a_pb2.py", True),
        ("pkg/a.py", "pkg/a.py", True),
        ("a.py", "pkg/b.py", False),
    ],
)
def test_files_and_folders_are_excluded(pattern: str, path: str, is_excluded: bool) -> None:
    assert rules(f"exclude = x,{pattern}").excludes(path) == is_excluded


def test_flake8_excludes_its_default_folders_unless_configured() -> None:
    assert rules().excludes(".tox/a.py")
    assert not rules("exclude = build").excludes(".tox/a.py")
    assert rules("extend-exclude = build").excludes(".tox/a.py")


@given(lists(sampled_from(RULES)), lists(sampled_from(RULES)), sampled_from(RULES))
def test_one_more_ignored_rule_never_allows_another(selected: list[str], ignored: list[str], more: str) -> None:
    lines = [f"select = {','.join(selected)}", f"extend-ignore = {','.join(ignored)}"]
    fewer = rules(*lines[:1], f"extend-ignore = {','.join([*ignored, more])}")
    assert all(rules(*lines).allows("a.py", rule) for rule in RULES if fewer.allows("a.py", rule))


@given(text(max_size=80))
def test_any_text_can_be_read(body: str) -> None:
    found = flake8_rules({"setup.cfg": f"[flake8]\n{body}"})
    assert found is None or found.allows("a.py", "F401") in (True, False)
