"""The table of mutation operators: what each changes, and how often it was right. Pure.

A row holds for small changes of one idea. An operator stays as long as it makes at least 1 % of the right repairs of
`benchmarks/bench_repairs.py`, which prints their shares: docs/planning/archive/0046.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from jido_ai.improve.repair import call_edits, condition_edits, name_edits, number_edits, statement_edits, value_edits
from jido_ai.improve.repair.site import Edits, Site


@dataclass(frozen=True, slots=True)
class Operator:
    """A row of the table.

    Attributes:
        name: unique, in lower case.
        matches: the code that it changes.
        writes: its replacement.
        share: of the right repairs that it made, in percent; its probability before any test.
        edits: proposes its replacements in a statement without its block.
        is_of_statement: True if it adds whole statements.
    """

    name: str
    matches: str
    writes: str
    share: float
    edits: Callable[[Site], Edits]
    is_of_statement: bool = False


_ROWS: Final = (
    Operator("boundary", "< <= > >=", "the same with or without equality", 12.5, condition_edits.boundary),
    Operator("variable", "a variable", "another one of the function, or of the file", 12.0, name_edits.variable),
    Operator("counterpart", "one of a pair: min, append", "the other: max, extend", 8.0, call_edits.counterpart),
    Operator("off-by-one", "an index, bound, argument or sum", "one more or less", 7.5, number_edits.off_by_one),
    Operator("constant", "a number, True, []", "one more or less, the other, [x]", 5.5, number_edits.constant),
    Operator("argument", "a call", "with or without an optional argument", 5.0, call_edits.argument),
    Operator("order", "neighbours; sides of - / %", "swapped; f(x.m()) for f(x).m()", 4.5, call_edits.order),
    Operator("wrap", "a value", "abs(x), x.strip(), max(x, limit), a helper of the file", 4.0, call_edits.wrap),
    Operator("copied", "a value that others share", "x.copy(), list(x), one for each row", 3.5, call_edits.copied),
    Operator("conjunct", "a condition", "and, or: another one, x.attribute", 3.0, condition_edits.conjunct),
    Operator(
        "element",
        "an index, slice or key",
        "the last for the first, the rest, reversed; none",
        3.0,
        value_edits.element,
    ),
    Operator("widen", "a value", "a larger expression of the file with it", 3.0, value_edits.widen),
    Operator(
        "step",
        "a statement",
        "return before it; after it the same the other way round",
        2.5,
        statement_edits.step,
        True,
    ),
    Operator("attribute", "an attribute or function", "another one of the file", 2.5, name_edits.attribute),
    Operator("operand", "a value", "plus or minus a variable", 2.5, number_edits.operand),
    Operator("parameter", "a constant", "an argument, an attribute of self, x[k]", 2.5, name_edits.parameter),
    Operator("arithmetic", "+ - * / // % =", "another one: - for +, += for =", 2.0, number_edits.arithmetic),
    Operator("factor", "a value", "multiplied or divided by a variable; % len(x)", 2.0, number_edits.factor),
    Operator("opposite", "and, or; < == is in", "the other one; > != is not, not in", 1.5, condition_edits.opposite),
    Operator("keyed", "d[k] = v", "d.setdefault(k, []).append(v), d[k] = d.get(k, 0) + v", 1.5, value_edits.keyed),
    Operator("await", "a call in a coroutine", "await before it", 1.0, call_edits.awaited),
    Operator("value", "an assigned value", "what the variable gets elsewhere", 1.0, value_edits.value),
)

OPERATORS: Final = {one.name: one for one in _ROWS}
"""The operators by name."""
