"""PytestCritiquer: turns the results of tests into one critique.

Source: the reflexion loop of HelixAgent (SPEC H39 to H54), here a configuration of the one loop:

    config = driven_by_tests(max_attempts=3, timeout_s=300.0)
    Pipeline(generator, PytestCritiquer(run_tests), reviser, memory, config, reflector=Reflector())

Every failed attempt is reflected on before the next; generator and reviser see the lessons of memory and of all earlier
attempts of the run in `context.lessons`. However the run ends, the result holds the best attempt so far.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final, Protocol, cast

from pydantic import BeforeValidator, Field, model_validator

from jido_ai.components.component import method_of
from jido_ai.critics.acceptance import accepted
from jido_ai.errors import ComponentError, ConfigurationError, describe
from jido_ai.protocols import RunContext
from jido_ai.text.numbers import is_number
from jido_ai.tools.reports.linters import clean
from jido_ai.values import SLACK, Candidate, CritiqueResult, Issue, LoopConfig, NotNegative, Outcome, Value

_THRESHOLD: Final = 0.95
_ATTEMPTS: Final = 3
_TIMEOUT_S: Final = 300.0
_NOT_ACCEPTED: Final = 0.3
_WEIGHT: Final = 0.8
_MOST: Final = 1_000
_IN_FEEDBACK: Final = 20
_FEEDBACK_CHARS: Final = 500
_ON_THE_LOOP: Final = 50


_Text = Annotated[str, BeforeValidator(lambda text: "" if text is None else text)]


class PytestResult(Value):
    """The result of one test.

    Attributes:
        output: what the test printed.
        error: why it failed; may be empty.

    None is accepted for an empty text and, in a mapping, `duration` for `duration_s`, as in SPEC H43.
    """

    name: str = Field(kw_only=False)
    passed: bool = Field(strict=True, kw_only=False)
    output: _Text = ""
    error: _Text = ""
    duration_s: NotNegative = 0.0

    @model_validator(mode="before")
    @classmethod
    def _read_duration(cls, data: object) -> object:
        if not isinstance(data, Mapping) or "duration" not in data or "duration_s" in data:
            return cast("object", data)
        fields = dict(cast("Mapping[str, object]", data))
        return fields | {"duration_s": fields.pop("duration")}


class TestExecutor(Protocol):
    """Runs the tests of a candidate. A plain (async) function with the same arguments also qualifies."""

    async def run_tests(
        self, candidate: Candidate, context: RunContext
    ) -> Sequence[PytestResult] | Sequence[Mapping[str, Any]]:
        """Return one result per test that ran, as `PytestResult`s or as mappings of their fields."""
        ...


class PytestCritiquer:
    """Judges a candidate by the tests it passes.

    The score is the pass rate. A candidate is accepted if all tests passed and min(pass rate, confidence) reaches
    `confidence_threshold`; then the outcome is success and the severity 0.0. Otherwise the outcome is failure, the
    severity is 1 - pass rate but at least 0.3, so that no usual threshold accepts it, and there is an issue "[name]
    error" for each failed test, or one that reports the missing confidence.

    No tests at all is an issue of kind "cannot-run", severity 1.0, outcome error, unless `allow_empty`.

    `feedback` counts the failures and quotes the first 20. `metadata` has `pass_rate`, `tests`, `passed` and
    `test_results`, failed tests first. Only the first 1,000 tests are listed; texts longer than 10,000 characters are
    visibly cut.

    Args:
        executor: a `TestExecutor`, or a function; one that is not async runs in a thread.
        confidence_threshold: in [0, 1].
        confidence: how reliable a candidate is that passes these tests, in [0, 1]; or a function of the results that
            returns it, e.g. from a measured coverage.
        allow_empty: an empty test run counts as passed.

    Raises:
        ConfigurationError: a number is out of range, or the executor is not callable.

    Source: SPEC H43 to H46; X-H1: both all tests and the threshold.
    """

    name = "tests"

    def __init__(
        self,
        executor: object,
        *,
        confidence_threshold: float = _THRESHOLD,
        confidence: float | Callable[[Sequence[PytestResult]], float] = 1.0,
        allow_empty: bool = False,
    ) -> None:
        self._run_tests = method_of(executor, "run_tests")
        self._threshold = _share("confidence_threshold", confidence_threshold, ConfigurationError)
        self._confidence = confidence if callable(confidence) else _share("confidence", confidence, ConfigurationError)
        self._allow_empty = allow_empty
        limit: object = getattr(executor, "max_concurrency", None)
        self.max_concurrency = cast("int | None", limit)

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Run the tests and judge.

        Raises:
            ComponentError: the executor returned something other than results, or the confidence is not in [0, 1].
        """
        answer = await self._run_tests(candidate, context)
        if not isinstance(answer, Sequence) or isinstance(answer, str | bytes):
            raise ComponentError(f"a test executor must return a sequence of TestResults, got {describe(answer)}")
        several = cast("Sequence[object]", answer)
        if len(several) <= _ON_THE_LOOP:
            return self._judge(several)
        return await asyncio.to_thread(self._judge, several)

    def _judge(self, answer: Sequence[object]) -> CritiqueResult:
        results = [_as_result(one) for one in answer]
        failed = [result for result in results if not result.passed]
        if not results and not self._allow_empty:
            issue = Issue("no test ran: nothing was shown to work", severity=1.0, kind="cannot-run", source="tests")
            return CritiqueResult(
                severity=1.0,
                issues=(issue,),
                feedback=issue.message,
                source="tests",
                outcome=Outcome.ERROR,
                metadata=_metadata(0.0, results, failed),
            )
        rate = 1.0 - len(failed) / len(results) if failed else 1.0
        confidence = self._confidence
        if callable(confidence):
            confidence = _share("the confidence", confidence(tuple(results)), ComponentError)
        issues = [_issue(result) for result in failed[:_MOST]]
        is_sure = min(rate, confidence) >= self._threshold - SLACK
        if not failed and not is_sure:
            text = f"all tests passed, but the confidence in them is {confidence:.2f}, below {self._threshold:.2f}"
            issues.append(Issue(text, severity=_NOT_ACCEPTED, kind="confidence", source="tests"))
        return CritiqueResult(
            severity=max(1.0 - rate, _NOT_ACCEPTED) if issues else 0.0,
            score=rate,
            issues=tuple(issues),
            feedback=_analysis(results, failed, issues),
            source="tests",
            confidence=confidence,
            outcome=Outcome.FAILURE if issues else Outcome.SUCCESS,
            metadata=_metadata(rate, results, failed),
            checks={f"tests:{clean(result.name)}": "passed" if result.passed else "failed" for result in results},
        )


def driven_by_tests(max_attempts: int = _ATTEMPTS, timeout_s: float = _TIMEOUT_S, **changes: Any) -> LoopConfig:
    """Return the configuration of a loop that runs until all tests pass, or attempts or time run out.

    Args:
        max_attempts: including the first one; 0 or less is the default (SPEC H39).
        timeout_s: time limit of the whole run, which one attempt may use up; 0 or less is the default.
        changes: other fields of `LoopConfig`.

    Raises:
        ConfigurationError: a field has a value that can never work.
    """
    limit_s = _TIMEOUT_S if is_number(timeout_s) and timeout_s <= 0 else timeout_s
    fields: dict[str, Any] = {
        "max_iterations": _ATTEMPTS if is_number(max_attempts) and max_attempts <= 0 else max_attempts,
        "timeout_s": limit_s,
        "step_timeout_s": limit_s,
        "accept": "clean",
        "stop_rules": (accepted,),
    }
    return LoopConfig(**(fields | changes))


def _share(name: str, value: object, error: type[ComponentError | ConfigurationError]) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
        raise error(f"{name} must be a number in [0, 1], got {describe(value)}")
    return float(value)


def _as_result(one: object) -> PytestResult:
    try:
        return one if isinstance(one, PytestResult) else PytestResult.model_validate(one)
    except ConfigurationError as error:
        raise ComponentError(f"a test executor must return TestResults: {error}") from error


def _issue(result: PytestResult) -> Issue:
    text = result.error.strip() or "failed without a message"
    name = clean(result.name)
    return Issue(clean(f"[{name}] {text}"), severity=_WEIGHT, kind="test", rule=name, source="tests")


def _analysis(results: Sequence[PytestResult], failed: Sequence[PytestResult], issues: Sequence[Issue]) -> str:
    """Return the number of failed tests and their messages (SPEC H46)."""
    if not results:
        return "no test ran, which is allowed here"
    if not failed:
        return issues[0].message if issues else f"all {len(results)} tests passed"
    lines = [f"{len(failed)} of {len(results)} tests failed:"]
    if not any(result.error.strip() for result in failed):
        lines.append("no error was captured")
    for result, issue in zip(failed[:_IN_FEEDBACK], issues, strict=False):
        if result.error.strip():
            text = issue.message
            lines.append(text if len(text) <= _FEEDBACK_CHARS else text[: _FEEDBACK_CHARS - 1] + "…")
    if len(failed) > _IN_FEEDBACK:
        lines.append(f"and {len(failed) - _IN_FEEDBACK} more")
    return "\n".join(lines)


def _metadata(rate: float, results: Sequence[PytestResult], failed: Sequence[PytestResult]) -> dict[str, Any]:
    shown = [*failed, *(result for result in results if result.passed)][:_MOST]
    return {
        "pass_rate": rate,
        "tests": len(results),
        "passed": len(results) - len(failed),
        "test_results": [
            {
                "name": clean(result.name),
                "passed": result.passed,
                "output": clean(result.output),
                "error": clean(result.error),
                "duration_s": result.duration_s,
            }
            for result in shown
        ],
    }
