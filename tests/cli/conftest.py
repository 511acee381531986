"""The files in `workshop` are data: a project with defects."""

from __future__ import annotations

collect_ignore = ["workshop"]
