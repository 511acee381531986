"""The table of frameworks by situations is whole; tests/integrations/test_framework_contract.py runs its cells."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs/integrations/situations.md"


def test_each_cell_of_the_table_of_frameworks_has_an_outcome_and_each_note_a_cell() -> None:
    page = PAGE.read_text()
    head, _, *rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line[:1] == "|"]
    cells = [cell for row in rows for cell in row[1:]]
    assert {len(row) for row in rows} == {len(head) + 1}  # the first cell of the head is empty
    assert [cell for cell in cells if not re.fullmatch(r"does( \d+)?|(refuses|none) \d+", cell)] == []
    assert {cell.partition(" ")[2] for cell in cells} - {""} == set(re.findall(r"^(\d+)\. ", page, re.MULTILINE))
