"""Small programs with one wrong place each, from `repair_programs.jsonl.gz`: ten sets, 360 programs of six kinds.

Each line of the file is a JSON object with `set` and the attributes of a `Program`. The kinds are structures,
recursion, strings, arithmetic, graphs and state. `tune` and `report`, 20 programs each, are ours: the operators of
`improve.repair` may be tuned at the first. `a` to `h`, 40 programs each, are by eight writers who had seen neither this
project nor its operators; no operator was made for them (docs/planning/archive/0043 calls them `twenty_seventh` to
`thirty_fourth`). `app` is 30 programs as applications have them, of 10 to 30 lines with 3 visible tests, written before
the search over a project was tuned (`app_programs.jsonl`, docs/planning/archive/0052). `kinds` is ten bugs of the kinds
that people write, one of each, in the same file.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["SETS", "Program"]

_FILE: Final = Path(__file__).with_suffix(".jsonl.gz")
_APP: Final = _FILE.with_name("app_programs.jsonl")
_HEAD: Final = "import pytest\n\nfrom program import *\n\n"


@dataclass(frozen=True, slots=True)
class Program:
    """A module with one wrong line, its visible tests and its hidden ones.

    Attributes:
        name: unique in its set.
        code: the module, with the wrong line.
        wrong, right: a text that occurs once in `code`, and the text that its author should have written there.
        visible: test functions that a search may run; some pass and some fail.
        hidden: test functions that judge a repair; no search sees them.
        beside: another module, `beside`, with the wrong line in place of `code`; empty: there is none.
    """

    name: str
    code: str
    wrong: str
    right: str
    visible: str
    hidden: str
    beside: str = ""

    @property
    def fixed(self) -> str:
        """The module without the bug."""
        return self.code.replace(self.wrong, self.right, 1)

    @property
    def visible_tests(self) -> str:
        return _HEAD + self.visible

    @property
    def hidden_tests(self) -> str:
        return _HEAD + self.hidden


def _sets() -> dict[str, tuple[Program, ...]]:
    found: dict[str, tuple[Program, ...]] = {}
    rows = gzip.decompress(_FILE.read_bytes()).decode() + _APP.read_text("utf-8")
    for row in rows.splitlines():
        fields = json.loads(row)
        name = fields.pop("set", "app")
        found[name] = (*found.get(name, ()), Program(**fields))
    return found


SETS: Final = _sets()
"""The programs by set."""
