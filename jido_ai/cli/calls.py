"""The calls of models of a run, as the commands print them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TextIO

from jido_ai.errors import ConfigurationError
from jido_ai.text.plain_json import dumped
from jido_ai.text.printable import printable
from jido_ai.text.wording import columns, counted
from jido_ai.values import ModelCall

_HEAD = ("#", "who", "model", "took", "first token", "tokens", "cost", "")


def show_calls(calls: Sequence[ModelCall], number: int | None, out: TextIO, *, as_json: bool = False) -> None:
    """Print the calls of a run, one line each, or all of one call.

    Args:
        number: of the call; None lists all.
        as_json: one JSON object per line.

    Raises:
        ConfigurationError: there is no call with that number.
    """
    found = [call for call in calls if number in (None, call.seq)]
    if number is not None and not found:
        known = f"1 to {calls[-1].seq}" if calls else "none"
        raise ConfigurationError(f"the run has no call {number}; its calls: {known}")
    if as_json:
        out.writelines(f"{json.dumps(dumped(call))}\n" for call in found)
    elif number is not None:
        show_call(found[0], out)
    elif not calls:
        out.write("no model calls were kept for this run\n")
    else:
        rows = [_HEAD, *map(_row, calls)]
        out.writelines(f"{printable(line)}\n" for line in columns(rows, right=(0, 3, 4)))


def call_line(call: ModelCall) -> str:
    """Return a call in one line."""
    _, who, model, took, first, tokens, cost, notes = _row(call)
    first = "" if first == "-" else f" (first token {first})"
    return printable(f"call {call.seq}: {who}, {model}: {took}{first}, {tokens} tokens, {cost}{notes and f'; {notes}'}")


def show_call(call: ModelCall, out: TextIO) -> None:
    """Print all of a call."""
    out.writelines(f"{printable(line)}\n" for line in _lines(call))


def _row(call: ModelCall) -> tuple[str, ...]:
    return (
        str(call.seq),
        " ".join(filter(None, (call.path, call.role, f"iteration {call.iteration + 1}"))),
        " at ".join(filter(None, (call.model or "unknown", call.host))),
        _seconds(call.duration_s),
        "-" if call.first_token_s is None else _seconds(call.first_token_s),
        f"{call.usage.input_tokens:,} in, {call.usage.output_tokens:,} out",
        "cost unknown" if call.cost_usd is None else f"${call.cost_usd:.4f}",
        "; ".join(_notes(call)),
    )


def _notes(call: ModelCall) -> Iterator[str]:
    failed = len(call.tries) - (call.reply is None)
    if failed > 0:
        yield counted(failed, "failed try", "failed tries")
    if call.error is not None:
        yield f"failed: {call.error}"
    if call.cached:
        yield "cached"
    if call.finish_reason not in (None, "stop"):
        yield f"ended by {call.finish_reason}"
    if call.dropped:
        yield f"without {', '.join(call.dropped)}"
    if call.truncated:
        yield "texts are cut"


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1.0 else f"{seconds * 1000:.0f} ms"


def _lines(call: ModelCall) -> Iterator[str]:
    yield call_line(call)
    for name, value in call.parameters.items():
        yield f"  {name}: {json.dumps(value, ensure_ascii=False)}"
    if call.lessons_shown:
        yield f"  lessons: {', '.join(call.lessons_shown)}"
    for number, one in enumerate(call.tries, 1):
        waited = f"; waited {_seconds(one.waited_s)}" if one.waited_s else ""
        yield f"  try {number} failed: {one.error}{waited}"
    parts = [(message.role, message.content) for message in call.messages]
    parts += [("thoughts", call.thoughts)] * bool(call.thoughts)
    parts += [("reply", call.reply)] if call.reply is not None else []
    for role, text in parts:
        yield f"--- {role}"
        yield from text.splitlines() or [""]
    yield ""
