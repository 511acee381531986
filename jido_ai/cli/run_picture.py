"""A recorded run as a picture for the terminal, and as a transcript."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from typing import Final, cast

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jido_ai.cli.again import DECISION, command
from jido_ai.cli.pictures import WIDTH
from jido_ai.critics.findings import gone_issues, new_issues
from jido_ai.loop.record import RecordedRun
from jido_ai.text.printable import clip, printable
from jido_ai.text.wording import counted, money, scale
from jido_ai.values import Candidate, CritiqueResult, Finding, Issue, LoopConfig, ModelCall, Usage
from jido_ai.values.model_call import failed_free

_BAR: Final = 8
_MOST_FINDINGS: Final = 20
_STATUS_COLOURS: Final = {"accepted": "green", "error": "red", "interrupted": "yellow"}
_FINDING_COLOURS: Final = {"open": "yellow", "fixed": "green", "regressed": "red", "disputed": "magenta"}


def draw_run(recorded: RecordedRun, memory: str | None = None, calls: Sequence[ModelCall] = ()) -> RenderableType:
    """Return a picture of a run: one row per iteration, then its findings, then its result.

    Args:
        calls: of models, as they are kept.
        memory: as the command line said it, for the commands that resume the run and show more of it.
    """
    parts: list[RenderableType] = [_head(recorded)]
    if recorded.iterations or recorded.pending:
        parts += [_rows(recorded), _scale(recorded)]
    result = recorded.result()
    if result is not None and result.findings:
        parts.append(_findings(result.findings))
    parts.append(_foot(recorded, memory, calls))
    return Group(*parts)


def _head(recorded: RecordedRun) -> Text:
    prompt = " ".join(printable(recorded.prompt).split())
    cut = prompt if len(prompt) <= WIDTH else prompt[: WIDTH - 1] + "…"
    when = f"  {recorded.started_at:%Y-%m-%d %H:%M:%S}\n"
    return Text.assemble((printable(recorded.run_id), "bold"), when, (cut, "dim"))


def _scale(recorded: RecordedRun) -> Text:
    """Return how the two bars are read."""
    default = LoopConfig()
    threshold = recorded.config.get("severity_threshold", default.severity_threshold)
    read = scale(threshold, recorded.config.get("accept", default.accept))
    return Text(f"score: 1 is best, * is the best candidate; severity: {read}", "dim")


def _rows(recorded: RecordedRun) -> Table:
    best = None if recorded.stopped is None else recorded.stopped.best
    has_calls = recorded.spent.calls > 0
    columns = [*_COLUMNS, *(("calls", "cost") if has_calls else ())]
    table = _table(*columns, right=[column for column in columns if column not in ("score", "severity")])
    by_id = {iteration.candidate.id: iteration for iteration in recorded.iterations}
    for iteration in recorded.iterations:
        before = by_id.get(iteration.candidate.parent_id or "")
        score = iteration.candidate.score if iteration.candidate.score is not None else iteration.critique.score
        cells: list[str | Text] = [
            f"{'*' if iteration.index == best else ''}{iteration.index + 1}",
            _bar(score, "green"),
            _bar(iteration.critique.severity, "red"),
            str(len(iteration.critique.issues)),
            "" if before is None else str(len(new_issues(before.critique, iteration.critique))),
            "" if before is None else str(len(gone_issues(before.critique, iteration.critique))),
            "" if iteration.change is None else f"{iteration.change:.0%}",
            "" if iteration.gain is None else f"{iteration.gain:+.2f}",
            f"{iteration.duration_s:.1f} s",
        ]
        table.add_row(*cells, *((str(iteration.usage.calls), _cost(iteration.usage)) if has_calls else ()))
    for _ in recorded.pending:
        table.add_row("?", Text("made, not judged", "yellow"))
    return table


_COLUMNS: Final = ("", "score", "severity", "open", "new", "gone", "change", "gain", "time")


def _table(*columns: str, right: Sequence[str] = ()) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        justify = "right" if column in right else "left"
        table.add_column(column, no_wrap=True, justify=justify)
    return table


def _bar(share: float, colour: str) -> Text:
    full = round(share * _BAR)
    return Text.assemble(("█" * full, colour), ("░" * (_BAR - full), "dim"), f" {share:.2f}")


def _cost(usage: Usage) -> str:
    if usage.unpriced_calls and not usage.cost_usd:
        return "unknown" if usage.calls else ""
    more = "+" if usage.unpriced_calls else ""
    return f"${usage.cost_usd:.4f}{more}" if usage.cost_usd else ""


def _findings(findings: Sequence[Finding]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in findings[:_MOST_FINDINGS]:
        seen = f"{finding.first_iteration + 1}-{finding.last_iteration + 1}"
        rule = finding.issue.rule or finding.issue.kind
        text = " ".join(printable(finding.issue.message).split())
        status = Text(finding.status, _FINDING_COLOURS[finding.status])
        table.add_row(status, seen, Text(f"{rule}: {text}" if rule else text))
    if len(findings) > _MOST_FINDINGS:
        table.add_row("", "", f"… {len(findings) - _MOST_FINDINGS} more")
    return table


def _foot(recorded: RecordedRun, memory: str | None, calls: Sequence[ModelCall]) -> Text:
    spent, stopped = recorded.spent, recorded.stopped
    status = Text(recorded.status, f"bold {_STATUS_COLOURS.get(recorded.status, '')}".strip())
    tokens = spent.input_tokens + spent.output_tokens
    failed = failed_free(calls)
    used = f"  {counted(spent.calls, 'call')}, {tokens} tokens, {money(spent)}" if spent.calls else ""
    used += f"{',' if used else ' '} {counted(failed, 'failed call')}" if failed else ""
    text = Text.assemble("stopped: ", status, used)
    if stopped is not None:
        text.append(f"  {stopped.duration_s:.1f} s")
        if stopped.evidence:
            text.append(printable(f"\nevidence: {_in_words(stopped.evidence)}"), "dim")
        if stopped.error is not None:
            error = stopped.error
            text.append(printable(f"\n{error.component}: {error.kind}: {error.message}"), "red")
    shown = command("runs", "show", recorded.run_id, memory=memory)
    if recorded.iterations:
        text.append(f"\nwhat the critics said: {shown} --transcript", "dim")
    if calls:
        text.append(f"\nprompts and replies: {shown} --calls  (of one: --calls 1)", "dim")
    unjudged = recorded.unjudged
    if unjudged is not None:
        text.append(f"\nnot judged: {clip(' '.join(printable(unjudged.content).split()), WIDTH)}", "yellow")
    if not recorded.is_over:
        text.append(f"\nresume it {_how_to_resume(recorded, memory)}", "dim")
    return text


def _in_words(value: object) -> str:
    """Return evidence as it is read: "change 0.02, change threshold 0.1"; iterations count from 1."""
    match value:
        case Mapping():
            pairs = cast("Mapping[str, object]", value).items()
            return ", ".join(f"{name.replace('_', ' ')} {_in_words(_counted(name, one))}" for name, one in pairs)
        case list() | tuple():
            return "; ".join(map(_in_words, cast("Sequence[object]", value))) or "none"
        case float():
            return f"{value:.3g}"
        case None:
            return "unknown"
        case _:
            return str(value)


def _counted(name: str, value: object) -> object:
    return value + 1 if name in ("iteration", "equals") and isinstance(value, int) else value


def _how_to_resume(recorded: RecordedRun, memory: str | None) -> str:
    if recorded.metadata.get("command") not in ("improve", "ask"):
        decision = "" if recorded.waiting is None else ", decision=True"
        run = f"{printable(recorded.run_id)!r}{decision}"
        return f"on the page of its server, or in Python: await pipeline.resume({run})"
    decide = "" if recorded.waiting is None else f" --decide {DECISION}"
    return f"with: {command('runs', 'resume', recorded.run_id, memory=memory)}{decide}"


def transcript(recorded: RecordedRun) -> Iterator[str]:
    """Yield the run as lines of text: each candidate, whole or as a diff, and its critique."""
    by_id: dict[str, Candidate] = {}
    for iteration in recorded.iterations:
        candidate, critique = iteration.candidate, iteration.critique
        by_id[candidate.id] = candidate
        parent = by_id.get(candidate.parent_id or "")
        made = "candidate" if parent is None else f"revision of {_number(recorded, parent)}"
        issues = counted(len(critique.issues), "issue")
        yield f"-- {iteration.index + 1}: {made}, severity {critique.severity:.2f}, {issues}"
        lines = candidate.content.splitlines()
        if parent is not None:
            lines = list(unified_diff(parent.content.splitlines(), lines, "before", "after", lineterm=""))
        yield from (f"   {printable(line)}" for line in lines)
        if parent is not None and not lines:
            yield "   (the same text)"
        for part in critique.parts or (critique,):
            yield from _verdict(part)
        yield from (f"   below the floor: {printable(name)}" for name in iteration.broken)
    for pending in recorded.pending:
        yield "-- ?: made, not judged"
        yield from (f"   {printable(line)}" for line in pending.candidate.content.splitlines())


def _verdict(critique: CritiqueResult) -> Iterator[str]:
    """Yield what one critic said."""
    name = "critic" if critique.source == "unknown" else printable(critique.source)
    yield f"   {name}: severity {critique.severity:.2f}"
    yield from (f"   feedback: {printable(line)}" for line in (critique.feedback or "").splitlines())
    for issue in critique.issues:
        rule = f"{issue.rule or issue.kind}: " if issue.rule or issue.kind else ""
        yield f"   issue: {_place(issue)}{rule}{printable(' '.join(issue.message.split()))}"


def _place(issue: Issue) -> str:
    line, path = (None, None) if issue.location is None else (issue.location.line, issue.location.path)
    if line is not None:
        return f"line {line}: "
    return f"{printable(path)}: " if path and not issue.message.startswith(f"{path}: ") else ""


def _number(recorded: RecordedRun, candidate: Candidate) -> int:
    return next(iteration.index + 1 for iteration in recorded.iterations if iteration.candidate.id == candidate.id)
