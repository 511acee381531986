"""Another try for rejected hunks: a model revises the file, and the gate is the critic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from jido_ai.critics.scoring import with_verdict
from jido_ai.improve.patch_gate import PatchGate
from jido_ai.improve.patch_verdict import PatchVerdict
from jido_ai.loop.books import Books
from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import LanguageModel, RunContext
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.text.change import unified_diff
from jido_ai.values import Candidate, CritiqueResult, Issue, Location, LoopConfig

_MOST_FILES: Final = 10
_LONGEST: Final = 60_000  # characters of a file
_LONGEST_DIFF: Final = 8_000
_REJECTED: Final = 0.8  # severity of what the gate refuses


class _GateCritic:
    """Judges a text of a file as the gate does: with everything else that is kept."""

    name = "gate"

    def __init__(self, gate: PatchGate, path: str) -> None:
        self._gate = gate
        self._path = path

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        del context
        found = await self._gate.damage_of(self._path, candidate.content)
        issues = [
            Issue(message=one.text, severity=_REJECTED, source="gate", location=Location(one.path, one.line))
            for one in found
        ]
        return with_verdict(CritiqueResult(severity=_REJECTED if issues else 0.0, issues=issues, source="gate"))


async def revise_rejected(
    gate: PatchGate,
    verdict: PatchVerdict,
    model: LanguageModel,
    *,
    books: Books,
    config: LoopConfig,
    tell: Callable[[str], None],
) -> PatchVerdict:
    """Give the files with rejected hunks to a model, each in a run of its own, and return the verdict with its texts.

    A text is taken if it passes the gate and changes more than what is kept without it. At most 10 files are tried, of
    at most 60,000 characters each.
    """
    name = str(getattr(model, "name", "the model"))
    for path, (now, wanted, reasons) in list(gate.refused_files().items())[:_MOST_FILES]:
        if len(wanted) > _LONGEST:
            continue
        tell(f"asking {name} about {path}")
        pipeline = Pipeline(
            critiquer=_GateCritic(gate, path),
            reviser=LLMReviser(model, max_chars=_LONGEST, path=path),
            config=config,
            name="gate",
            recall_by="critique",
            **books.pipeline_options(model),
        )
        async with pipeline:
            result = await pipeline.run(_prompt(path, now, wanted, reasons), wanted)
        best = result.best_candidate
        if result.accepted and best is not None and best.content not in (now, wanted):
            verdict = gate.revise(path, best.content, name)
    return verdict


def _prompt(path: str, now: str, wanted: str, reasons: tuple[str, ...]) -> str:
    said = "\n".join(f"- {reason}" for reason in reasons)
    diff = unified_diff(now, wanted)[:_LONGEST_DIFF]
    return (
        f"The text is {path} after a change. Parts of the change were rejected, since they break something:\n{said}\n"
        f"Make the same improvement in a way that breaks nothing. The rejected parts of the change:\n{diff}"
    )
