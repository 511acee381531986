"""A folder that the user named is worked on, whatever it is called."""

from __future__ import annotations

import pytest

from jido_ai.logic.left_alone import reason_left_alone


@pytest.mark.parametrize(
    ("path", "chosen"), [("vendor/lib/x.py", 1), ("vendor/lib/x.py", 2), ("tests/data/project/s.py", 3)]
)
def test_a_named_folder_is_no_reason_to_leave_its_files_alone(path: str, chosen: int) -> None:
    assert reason_left_alone(path, "import os\n") is not None
    assert reason_left_alone(path, "import os\n", chosen=chosen) is None


@pytest.mark.parametrize(("path", "chosen"), [("a/vendor/x.py", 1), ("tests/data/x.py", 1), ("vendor/_vendor/x.py", 1)])
def test_folders_below_a_named_one_are_left_alone_still(path: str, chosen: int) -> None:
    assert reason_left_alone(path, "import os\n", chosen=chosen) is not None
