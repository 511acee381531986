"""What an edit did to the imports of a project, read from the report of our script. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jido_ai.tools.reports.linters import Report, clean, read_report

__all__ = ["ImportReport", "parse_imports"]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an edit did to the imports of a project.

    Attributes:
        broken: modules that could be imported before the edit and cannot be after it, with the error; one that begins
            with "imported first: " is raised only where the module is the first of its project to be imported.
        lost_names: public names of modules that were there before the edit and are gone.
        unknown: modules that were not reached in time, or of which another file was imported.
        failing: modules that could not be imported before the edit, with the error.
        checked: how many modules are known before and after.
    """

    broken: Mapping[str, str]
    lost_names: Mapping[str, tuple[str, ...]]
    unknown: tuple[str, ...]
    failing: Mapping[str, str]
    checked: int


class _ImportReport(Report):
    broken: dict[str, str]
    lost: dict[str, tuple[str, ...]]
    unknown: tuple[str, ...]
    failing: dict[str, str]
    checked: int


def parse_imports(text: str) -> ImportReport:
    """Read what `imports_json.py` wrote.

    Raises:
        ToolError: it is something else.
    """
    report = read_report(_ImportReport, text)
    return ImportReport(
        {clean(module): clean(error) for module, error in report.broken.items()},
        {clean(module): tuple(clean(name) for name in names) for module, names in report.lost.items()},
        tuple(clean(module) for module in report.unknown),
        {clean(module): clean(error) for module, error in report.failing.items()},
        report.checked,
    )
