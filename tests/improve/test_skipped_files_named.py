"""A folder that the user named is worked on, whatever it is called."""

from __future__ import annotations

import pytest

from jido_ai.improve.skipped_files import reason_left_alone, unused_sample


@pytest.mark.parametrize(
    ("path", "chosen"), [("vendor/lib/x.py", 1), ("vendor/lib/x.py", 2), ("tests/data/project/s.py", 3)]
)
def test_files_of_a_named_folder_are_not_skipped(path: str, chosen: int) -> None:
    assert reason_left_alone(path, "import os\n") is not None
    assert reason_left_alone(path, "import os\n", chosen=chosen) is None


@pytest.mark.parametrize(("path", "chosen"), [("a/vendor/x.py", 1), ("tests/data/x.py", 1), ("vendor/_vendor/x.py", 1)])
def test_vendored_folders_below_a_named_one_are_still_skipped(path: str, chosen: int) -> None:
    assert reason_left_alone(path, "import os\n", chosen=chosen) is not None


@pytest.mark.parametrize(
    ("path", "others", "is_left"),
    [
        ("testsuite/E40.py", {"testsuite/test_all.py": "glob('*.py')"}, True),
        ("tests/issue_files/E40.py", {"tests/test_it.py": "E401"}, True),
        ("tests/helpers.py", {"tests/test_it.py": "from tests import helpers"}, False),
        ("tests/helpers.py", {"docs/a.md": "helpers"}, True),
        ("tests/test_a.py", {}, False),
        ("tests/a_test.py", {}, False),
        ("tests/conftest.py", {}, False),
        ("tests/__init__.py", {}, False),
        ("pkg/E40.py", {}, False),
        ("contest/sample.py", {}, False),
        ("testimonials/sample.py", {}, False),
    ],
)
def test_an_unnamed_file_among_tests_is_test_data(path: str, others: dict[str, str], is_left: bool) -> None:
    assert (unused_sample(path, {path: "x = 1", **others}) is not None) is is_left


def test_a_sample_in_a_folder_that_the_user_named_is_worked_on() -> None:
    assert unused_sample("tests/samples/a.py", {"tests/samples/a.py": ""}, chosen=2) is None
