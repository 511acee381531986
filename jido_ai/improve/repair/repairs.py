"""The failing tests of a project and their repairs, as values. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jido_ai.improve.repair.repair_choice import Measured


@dataclass(frozen=True, slots=True)
class FailingTest:
    """A test that fails: its id, why, and the place of the project where it came farthest in a failing run."""

    test: str
    message: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the edits to choose from.

    Attributes:
        path, line, before, after: the place, and the statement without and with the edit.
        text: the whole file with it.
        test: code of a test that only this one of the choices passes; empty if no input was found on which they differ.
        gives: in short, what the program does there: "raises NoSuchPage", "[21, 22]".
        input: the code of that input.
    """

    path: str
    line: int
    before: str
    after: str
    text: str
    test: str = ""
    input: str = ""
    gives: str = ""


@dataclass(frozen=True, slots=True)
class Repaired:
    """An edit that turns failing tests green and breaks none.

    Attributes:
        choices: up to three edits, the most probable first; several only if they differ on some input.
        fixed: the tests that it turns green.
        doubt: why it is not written; empty if all edits that pass do the same on everything tried.
        measured: how often such edits were right.
        tried, passed: edits tried, and those of them that pass.
        operator: how it was made: an operator, or "model".
    """

    choices: tuple[Choice, ...]
    fixed: tuple[str, ...]
    doubt: str
    measured: Measured
    tried: int
    passed: int
    operator: str

    @property
    def is_sure(self) -> bool:
        return not self.doubt


@dataclass(frozen=True, slots=True)
class RefusedRepair:
    """Tests of one cause that no edit repairs, and why."""

    tests: tuple[str, ...]
    why: str
    tried: int = 0


@dataclass(frozen=True, slots=True)
class TestRepairs:
    """The failing tests of a project, told once, and their repairs.

    Attributes:
        failing: the tests that fail in the project as it is.
        passing: number of tests that pass there.
        repairs, refusals: of each cause, in the order of the search.
        texts: new texts of the files, by path, with the edits of which the search is sure.
        sources: the texts that edits were proposed for, as they were read.
        left: tests that fail with these.
        why: why the tests could not be run or searched at all; empty if they could.
        missing: modules that test files could not import, as they are not of the project; nothing was searched then.
    """

    __test__ = False

    failing: tuple[FailingTest, ...] = ()
    passing: int = 0
    repairs: tuple[Repaired, ...] = ()
    refusals: tuple[RefusedRepair, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    sources: Mapping[str, str] = field(default_factory=dict[str, str])
    left: tuple[str, ...] = ()
    seconds: float = 0.0
    why: str = ""
    missing: tuple[str, ...] = ()
