"""ChainReviser: revisers in order."""

from __future__ import annotations

import pytest

from jido_ai.errors import ConfigurationError, Declined
from jido_ai.protocols import Reviser, RunContext
from jido_ai.revisers.chain_reviser import ChainReviser
from jido_ai.values import Candidate, CritiqueResult

CONTEXT = RunContext(run_id="run", prompt="prompt")
CRITIQUE = CritiqueResult(severity=0.5, issues=["wrong"])


class Says:
    """Returns a text, or declines with its reasons."""

    def __init__(self, *reasons: str, text: str | None = None) -> None:
        self.asked = 0
        self._reasons, self._text = reasons, text

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate | str:
        self.asked += 1
        if self._text is None:
            raise Declined(*self._reasons)
        return self._text


async def revise(*revisers: object) -> str:
    chain = ChainReviser(revisers)  # type: ignore[arg-type]
    assert isinstance(chain, Reviser)
    return (await chain.revise(Candidate("old"), CRITIQUE, CONTEXT)).content


async def test_the_first_that_does_not_decline_answers_and_the_others_are_not_asked() -> None:
    last = Says(text="c")
    assert await revise(Says("no"), Says(text="b"), last) == "b"
    assert last.asked == 0


async def test_when_all_decline_so_does_the_chain_with_all_reasons_each_once() -> None:
    with pytest.raises(Declined) as caught:
        await revise(Says("a", "b"), Says("b", "c"))
    assert caught.value.reasons == ("a", "b", "c")


async def test_an_error_is_not_a_decline() -> None:
    def broken(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        raise ZeroDivisionError

    last = Says(text="b")
    with pytest.raises(ZeroDivisionError):
        await revise(broken, last)
    assert last.asked == 0


async def test_plain_functions_are_revisers_too() -> None:
    assert await revise(Says("no"), lambda candidate, critique, context: candidate.content + "er") == "older"


@pytest.mark.parametrize("revisers", [[], "ab", [3], 3, None])
def test_a_chain_of_nothing_or_of_something_else_is_refused(revisers: object) -> None:
    with pytest.raises(ConfigurationError):
        ChainReviser(revisers)  # type: ignore[arg-type]
