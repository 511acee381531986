"""The edit of a file that a model makes for failing tests that the search could not repair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jido_ai.errors import Declined
from jido_ai.protocols import LanguageModel, RunContext
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.values import Candidate, CritiqueResult, Issue, Location, new_id

_MAX_CHARS: Final = 60_000
_SEVERITY: Final = 0.9


async def model_edit(
    model: LanguageModel | str, path: str, text: str, lines: Sequence[int], failing: Sequence[tuple[str, str]]
) -> str | None:
    """Return the file as the model would have it; None if it gives none.

    Args:
        lines: the suspicious lines, the most suspicious first.
        failing: the failing tests, each with its message and traceback.
    """
    where = Location(path=path, line=lines[0]) if lines else None
    issues = [
        Issue(f"{test}: {said}", severity=_SEVERITY, kind="test", rule=test, location=where) for test, said in failing
    ]
    rows = ", ".join(map(str, lines))
    critique = CritiqueResult(
        severity=_SEVERITY, issues=tuple(issues), feedback=f"these tests fail; suspicious lines of {path}: {rows}"
    )
    context = RunContext(run_id=new_id("fix_test"), prompt=f"make the failing tests pass by changing {path}")
    try:
        made = await LLMReviser(model, max_chars=_MAX_CHARS, path=path).revise(Candidate(text), critique, context)
    except Declined:
        return None
    return made if isinstance(made, str) else made.content
