"""The options of `jido improve`, its jobs, and the outcome for each file and for the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from jido_ai.config import Settings
from jido_ai.improve.source_files import ProjectSource
from jido_ai.tools.reports.linters import RuffDiagnostic
from jido_ai.values import Issue, new_id

if TYPE_CHECKING:  # nothing of these is loaded when there is nothing to do
    from jido_ai.improve.repair.repairs import TestRepairs
    from jido_ai.protocols import Critiquer, LanguageModel, Reviser
    from jido_ai.revisers.edit_policy import CarefulEdits
    from jido_ai.revisers.targeted_reviser import TargetedReviser
    from jido_ai.values import ReflectionResult, Scope

Output = Literal["diff", "apply", "check"]
Lines = Literal["changed", "all"]


@dataclass(frozen=True, slots=True)
class ImproveOptions:
    """The arguments of the command line.

    Attributes:
        lines: "changed": only findings in lines that changed since `since`; None: that if `since` is given, else "all".
        baseline: a file with findings that are known and not told again.
        write_baseline: where to write the findings that are left.
        memory: None goes on without one.
        is_hook: nothing is printed when nothing is left.
    """

    files: Sequence[Path]
    memory: Path | str | None
    since: str | None = None
    tests: Path | None = None
    test_timeout_s: float | None = None
    python: Path | None = None
    root: Path | None = None
    max_iterations: int | None = None
    output: Output = "diff"
    format: bool = False
    as_json: bool = False
    sarif: Path | None = None
    unsafe: bool = False
    unsafe_fixes: bool = False
    select: str | None = None
    ignore: Sequence[str] = ()
    exclude: Sequence[str] = ()
    lines: Lines | None = None
    baseline: Path | None = None
    write_baseline: Path | None = None
    is_hook: bool = False
    max_severity: float | None = None
    verbosity: int = 0
    model: LanguageModel | str | None = None
    critic: LanguageModel | str | None = None
    settings: Settings = field(default_factory=Settings)
    scope: Scope | None = None


@dataclass(frozen=True, slots=True)
class FileJob:
    """One file with its critiquer and its reviser.

    Attributes:
        run_id: id of its run, also in the journal.
        root, replaces: its project, and its path there.
        tools: names of the tools that judge it.
        policy, targeted: the policy of edits and the reviser that follows it; None unless the file is Python.
        runs_in_batches: True if its tools run together with those of other files, and no model is asked.
    """

    source: ProjectSource
    critiquer: Critiquer
    reviser: Reviser | None
    root: Path
    replaces: str
    tools: tuple[str, ...]
    run_id: str = field(default_factory=lambda: new_id("improve"))
    policy: CarefulEdits | None = None
    targeted: TargetedReviser | None = None
    runs_in_batches: bool = False

    @property
    def name(self) -> str:
        return str(self.source.path)


@dataclass(frozen=True, slots=True)
class Improved:
    """The outcome for one file.

    Attributes:
        text: its new text; the old text if nothing may change.
        left, fixed: the findings in `text`, and the findings that are gone.
        diagnostics: ruff's findings in the file on disk, by rule, row and column; only for SARIF.
        trouble: what went wrong while it was judged, such as a model that cannot be reached.
        tests_fixed, tests_left: failing tests that the edits of this file fixed, and those that failed with them.
        why: for remaining findings, why they were not fixed, where it is known; those held back begin with "unsafe".
        taken_back: reverted edits, each with the reason.
    """

    job: FileJob
    result: ReflectionResult
    text: str
    left: tuple[Issue, ...]
    fixed: tuple[Issue, ...] = ()
    why: Mapping[Issue, str] = field(default_factory=dict[Issue, str])
    taken_back: tuple[str, ...] = ()
    trouble: tuple[str, ...] = ()
    tests_fixed: tuple[Issue, ...] = ()
    tests_left: tuple[Issue, ...] = ()
    diagnostics: Mapping[tuple[str, int, int], RuffDiagnostic] = field(
        default_factory=dict[tuple[str, int, int], RuffDiagnostic]
    )

    @property
    def is_changed(self) -> bool:
        """True when there is something to write."""
        return self.text != self.job.source.text

    @property
    def is_clean(self) -> bool:
        """True when nothing wrong is left."""
        return not (self.left or self.trouble) and self.result.error is None and bool(self.result.iterations)


@dataclass(frozen=True, slots=True)
class TestsOutcome:
    """The outcome of the tests of all projects of a call.

    Attributes:
        failing, fixed: tests that fail at the end, and those that failed before and pass now.
        problems: why tests could not be run.
        unreached: tests that need the network, which the sandbox does not have.
        repairs: of each project whose failing tests were searched for edits.
    """

    __test__ = False  # pytest collects classes of this name

    failing: tuple[Issue, ...] = ()
    fixed: tuple[Issue, ...] = ()
    problems: tuple[str, ...] = ()
    unreached: tuple[str, ...] = ()
    repairs: tuple[TestRepairs, ...] = ()
