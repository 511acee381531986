"""The text of a revision, from what a model wrote: in the form of the candidate, and whole. Pure."""

from __future__ import annotations

import re
from typing import Final

from jido_ai.errors import ParseError
from jido_ai.text.file_form import in_form_of, without_prose
from jido_ai.text.placeholders import new_placeholder

__all__ = ["as_revised"]

_FENCE: Final = re.compile(r"\s*```[^\n`]*\n(.*?)\n?```\s*", re.DOTALL)


def as_revised(improved: str, candidate: str, *, is_file: bool) -> str:
    """Return the revised text of a candidate.

    A code fence around the whole text goes, unless the candidate has one; of a source file, prose around the only fence
    goes, too. Line ends, byte order mark, shebang, coding line, licence header and the last line end are those of the
    candidate: see `in_form_of`.

    Args:
        is_file: the candidate is a source file, and no text for readers.

    Raises:
        ParseError: the text has a placeholder in place of what the candidate has: see `new_placeholder`.
    """
    text = improved
    if not candidate.lstrip().startswith("```"):
        fenced = _FENCE.fullmatch(text)
        if fenced and "```" not in fenced[1]:
            text = fenced[1]
        elif is_file and "```" not in candidate:
            text = without_prose(text)
    text = in_form_of(candidate, text, is_file=is_file)
    if (found := new_placeholder(candidate, text, is_file=is_file)) is not None:
        raise ParseError(f"the revised text has {found}; give the whole text, nothing left out", raw=improved)
    return text
