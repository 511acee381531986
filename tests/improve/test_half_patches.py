"""No part of a harmless patch that may be kept alone does harm: random programs, by running them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jido_ai.improve.patch_gate import PatchGate
from jido_ai.improve.patches import parse_patch, patch_of_texts

Step = tuple[tuple[str, ...], tuple[str, ...]]
"""Lines of a function with the variable `x`, and other lines that do the same."""

STEPS: tuple[Step, ...] = (
    (("y = x * 2", "z = y", "x = y + 1"), ("x = x * 2 + 1",)),
    (("y = f'{x}'", "seen.append(x)", "x = len(y)"), ("seen.append(x)", "x = len(str(x))")),
    (("if x > 3:", "    y = 1", "else:", "    y = 2", "seen.append(y)"), ("y = 1 if x > 3 else 2", "seen.append(y)")),
    (("value = x + 1", "seen.append(value)", "x = value"), ("total = x + 1", "seen.append(total)", "x = total")),
    (
        ("if x > 40:", "    raise ValueError(f'{x} is large')", "seen.append(0)"),
        ("if x > 40:", "    message = f'{x} is large'", "    raise ValueError(message)", "seen.append(0)"),
    ),
    (
        ("for i in range(3):", "    seen.append(i)", "    x += i"),
        ("for j in range(3):", "    seen.append(j)", "    x += j"),
    ),
    (("x = x - 1", "seen.append(x)"), ("seen.append(x - 1)", "x = x - 1")),
    (("try:", "    x = 10 // x", "except ZeroDivisionError:", "    x = 7"), ("x = 7 if x == 0 else 10 // x",)),
    (("seen.append(x)",), ("seen.append(x)",)),
)
ENDS: tuple[Step, ...] = (
    (("result = [x, *seen]", "# as a list", "return result"), ("# as a list", "return [x, *seen]")),
    (("if x:", "    return [x]", "else:", "    return seen"), ("if x:", "    return [x]", "return seen")),
    (("return [x, *seen]",), ("return [x, *seen]",)),
)


def program(steps: Sequence[Step], end: Step, side: int) -> str:
    lines = ["seen = []", *(line for step in steps for line in step[side]), *end[side]]
    return "def f(x):\n" + "".join(f"    {line}\n" for line in lines)


def behaviour(text: str) -> list[object]:
    names: dict[str, Any] = {}
    exec(compile(text, "program", "exec"), names)
    found: list[object] = []
    for x in (0, 1, 2, 5, 50):
        try:
            found.append(names["f"](x))
        except Exception as error:
            found.append(repr(error))
    return found


def parts_that_may_stand_alone(root: Path, before: str, after: str) -> list[str]:
    """Return the texts with each set of groups of hunks that has what it needs."""
    (root / "m.py").write_text(before)
    gate = PatchGate(root)
    gate._read(parse_patch(patch_of_texts("m.py", before, after)), {})
    groups = gate._groups(gate._units)[:6]
    needs = gate._needs_of_units
    found: list[str] = []
    for chosen in product((False, True), repeat=len(groups)):
        units = {number for group, is_in in zip(groups, chosen, strict=True) if is_in for number in group}
        if all(needs[number] <= units for number in units):
            found.append(gate._texts(units).get("m.py") or before)
    return found


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.sampled_from(STEPS), min_size=1, max_size=4), end=st.sampled_from(ENDS))
def test_no_part_of_a_harmless_patch_does_something_else(tmp_path: Path, steps: list[Step], end: Step) -> None:
    before, after = program(steps, end, 0), program(steps, end, 1)
    wanted = behaviour(before)
    assert behaviour(after) == wanted
    for text in parts_that_may_stand_alone(tmp_path, before, after):
        assert behaviour(text) == wanted, text
