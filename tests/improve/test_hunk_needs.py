"""Edits that need each other are found by the names that they bind and use."""

from __future__ import annotations

from jido_ai.improve.hunk_needs import grouped, names_of_edits, names_of_file, needs_of, parse_groups
from jido_ai.improve.hunks import placed_edits
from jido_ai.improve.patches import parse_patch, patch_of_texts
from jido_ai.text.change import lines_of


def needs(old: str, new: str) -> dict[int, set[int]]:
    (patch,) = parse_patch(patch_of_texts("m.py", old, new))
    edits = [edit for hunk in patch.hunks for edit in placed_edits(hunk, lines_of(old))]
    names = dict(enumerate(names_of_edits(old, new, edits)))
    return needs_of(names, dict.fromkeys(names, "m.py"))


def test_the_use_of_a_new_import_needs_the_import_and_not_the_reverse() -> None:
    old = "import os\n\nA = 1\nB = 2\n"
    assert needs(old, "import os\nimport re\n\nA = 1\nB = re.I\n") == {0: set(), 1: {0}}


def test_the_removal_of_an_import_needs_the_removal_of_its_uses() -> None:
    old = "from typing import List\n\nA = 1\nB: List = []\nC = 1\nD: List = []\n"
    new = "\nA = 1\nB: list = []\nC = 1\nD: list = []\n"
    assert needs(old, new) == {0: {1, 2}, 1: set(), 2: set()}


def test_a_renamed_function_and_its_calls_need_each_other() -> None:
    old = "def _old():\n    pass\n\n\nA = 1\nB = _old()\n"
    assert needs(old, old.replace("_old", "_new")) == {0: {1}, 1: {0}}


def test_a_new_parameter_and_the_calls_that_pass_it_need_each_other_as_the_call_needs_it() -> None:
    old = "def f(a):\n    return a\n\n\nA = 1\nB = f(1)\n"
    new = "def f(a, b=2):\n    return a\n\n\nA = 1\nB = f(1, b=3)\n"
    assert needs(old, new) == {0: set(), 1: {0}}


def test_edits_of_names_that_were_there_before_need_nothing() -> None:
    old = "import os\n\nA = 1\nB = os.sep\n"
    assert needs(old, "import os\nimport re\n\nA = 1\nB = os.linesep\n") == {0: set(), 1: set()}


def test_a_rename_over_files_is_one_group() -> None:
    old, new = "def _old():\n    pass\n", "def _new():\n    pass\n"
    user, used = "from m import _old\n\nA = _old()\n", "from m import _new\n\nA = _new()\n"
    names = {"def": names_of_file(old, new, "m.py", "m.py"), "use": names_of_file(user, used, "n.py", "n.py")}
    found = needs_of(names, {"def": "m.py", "use": "n.py"})
    assert [sorted(group) for group in grouped(["use", "def"], found)] == [["def", "use"]]


def test_an_import_that_goes_in_two_files_makes_no_group_of_them() -> None:
    old, new = "from typing import List\nA: List = []\n", "A: list = []\n"
    names = {path: names_of_file(old, new, path, path) for path in ("m.py", "n.py")}
    assert needs_of(names, {path: path for path in names}) == {"m.py": set(), "n.py": set()}


def test_a_new_module_is_needed_by_its_import() -> None:
    names = {
        "new": names_of_file(None, "X = 1\n", None, "pkg/extra.py"),
        "use": names_of_file("", "from pkg.extra import X\n", "pkg/a.py", "pkg/a.py"),
    }
    assert needs_of(names, {"new": "pkg/extra.py", "use": "pkg/a.py"}) == {"new": set(), "use": {"new"}}


def test_groups_come_after_those_that_they_need() -> None:
    found = grouped("abcde", {"a": "b", "b": "c", "c": "b", "e": "a"})
    assert found == [["b", "c"], ["a"], ["d"], ["e"]]


def test_a_bracket_that_opens_in_one_edit_and_closes_in_another_makes_them_one_group() -> None:
    old, new = "f(1)\ng = [\n    2,\n]\nh()\n", "f(2)\ng = (\n    2,\n)\nh(1)\n"
    old, new = old.replace("h()", "i()\nh()"), new.replace("h(1)", "i()\nh(1)")
    (patch,) = parse_patch(patch_of_texts("m.py", f"a()\n{old}", f"a()\n{new}"))
    edits = [edit for hunk in patch.hunks for edit in placed_edits(hunk, lines_of(f"a()\n{old}"))]
    assert parse_groups(f"a()\n{old}", edits) == [[0, 1], [2]]


def test_a_block_that_is_indented_in_parts_is_one_group() -> None:
    old = "def f():\n    a()\n\n    b()\n"
    new = "def f():\n    if x:\n        a()\n\n        b()\n"
    (patch,) = parse_patch(patch_of_texts("m.py", old, new))
    edits = [edit for hunk in patch.hunks for edit in placed_edits(hunk, lines_of(old))]
    assert parse_groups(old, edits) == [[0, 1]]
