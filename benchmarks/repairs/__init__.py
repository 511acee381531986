"""Forty small programs with one wrong line each, in six kinds, to measure repairs that generalise.

The bugs were chosen before anyone looked at the operators of `jido_ai.revisers.mutation_operators`. The programs,
sorted by kind and name, go to the two halves in turn: `TUNE`, at which operators and order may be tuned, and `REPORT`,
which is only measured.
"""

from __future__ import annotations

from typing import Final

from repairs import arithmetic, graphs, recursion, state, strings, structures
from repairs.program import Program

__all__ = ["KINDS", "REPORT", "TUNE", "Program"]

KINDS: Final = {
    module.__name__.rpartition(".")[2]: module.PROGRAMS
    for module in (structures, recursion, strings, arithmetic, graphs, state)
}
_ORDERED: Final = [
    program for name in sorted(KINDS) for program in sorted(KINDS[name], key=lambda program: program.name)
]
TUNE: Final = tuple(_ORDERED[::2])
REPORT: Final = tuple(_ORDERED[1::2])
