"""Changes in the imports of a project after an edit, as reported by `imports_json.py`. Pure."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

from jido_ai.tools.reports.linters import Report, clean, read_report

_Clean = Annotated[str, AfterValidator(clean)]


class ImportReport(Report):
    """Changes in the imports of a project after an edit.

    Attributes:
        broken: modules that could be imported before the edit and cannot be after it, with the error; one that begins
            with "imported first: " is raised only where the module is the first of its project to be imported.
        lost: public names of modules that were there before the edit and are gone.
        unknown: modules that were not reached in time, or of which another file was imported.
        failing: modules that could not be imported before the edit, with the error.
        checked: how many modules are known before and after.
    """

    broken: dict[_Clean, _Clean]
    lost: dict[_Clean, tuple[_Clean, ...]]
    unknown: tuple[_Clean, ...]
    failing: dict[_Clean, _Clean]
    checked: int


def parse_imports(text: str) -> ImportReport:
    """Parse the report.

    Raises:
        ToolError: it has another form.
    """
    return read_report(ImportReport, text)
