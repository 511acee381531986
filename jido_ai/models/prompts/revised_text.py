"""The text of a revision, read from a model's reply: whole and in the form of the candidate. Pure."""

from __future__ import annotations

import re
from typing import Final

from jido_ai.errors import ParseError
from jido_ai.text.comments import program_of
from jido_ai.text.file_form import BOM, in_form_of, without_fence, without_prose
from jido_ai.text.placeholders import new_placeholder

_FENCES: Final = ("```", "~~~")
_DIFF: Final = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*(?:diff|patch)\b", re.IGNORECASE | re.MULTILINE)
_PYTHON: Final = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*py", re.IGNORECASE | re.MULTILINE)
_HUNK: Final = re.compile(r"^@@ ", re.MULTILINE)
_TAGGED: Final = re.compile(r"\s*<(candidate(?:_\d+)?)>\n?(.*?)\n?</\1>\s*", re.DOTALL)


def as_revised(improved: str, candidate: str, *, is_file: bool) -> str:
    """Return the revised text of a candidate.

    The tag that the request has around the candidate goes, unless the candidate has such tags. A code fence around the
    whole text goes, unless the candidate begins with one; of a source file, prose around the only fence (or the only
    one in Python), and half a fence, go too, unless the candidate has fences. Line ends, byte order mark, shebang,
    coding line, licence header and the last line end are those of the candidate: see `in_form_of`.

    Args:
        is_file: the candidate is a source file, and no text for readers.

    Raises:
        ParseError: the text of a source file is a fenced diff; or it has a placeholder in place of what the candidate
            has: see `new_placeholder`.
    """
    echo = None if "<candidate" in candidate else _TAGGED.fullmatch(improved)
    text = improved if echo is None else echo[2]
    if not candidate.lstrip().startswith(_FENCES):
        reply = text.removeprefix(BOM).replace("\r\n", "\n")
        if is_file and "```" not in candidate:
            bare = without_prose(reply, is_python=reply.count("```") == 4 and program_of(candidate) is not None)
        else:
            bare = without_fence(reply)
        if bare is not reply:
            text = bare
            if is_file and _DIFF.search(reply) and not _PYTHON.search(reply) and not _HUNK.search(candidate):
                raise ParseError("the revised text is a diff; give the whole text, nothing left out", raw=improved)
    text = in_form_of(candidate, text, is_file=is_file)
    if (found := new_placeholder(candidate, text, is_file=is_file)) is not None:
        raise ParseError(f"the revised text has {found}; give the whole text, nothing left out", raw=improved)
    return text
