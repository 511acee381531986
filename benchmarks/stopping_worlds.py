"""Worlds more for the simulation of `bench_stopping`.

Three in which what comes first says little about what comes later:

late bloomer   the first revision of a run closes little and breaks much; later ones are good
half hopeless  on every second task no finding can be closed, and a fresh draft repeats all defects
flaky tool     a tool that, once in five critiques, also reports a failure that is not there

And three in which a program alone judges, and sees every defect (`add_program_worlds`): one in which revisions and
drafts both help, and two in which

revisions never help   no defect goes by a revision
drafts never help      a fresh draft makes all defects of the first again
"""

from __future__ import annotations

from dataclasses import make_dataclass, replace
from typing import Any, Final

__all__ = ["add_program_worlds", "add_worlds"]

_FLAKES: Final = 0.2
_FLAKE_SEVERITY: Final = 0.6


def add_worlds(simulation: Any) -> list[Any]:
    """Return the worlds, made of the simulation's own; its functions are replaced by some that know them."""
    bloomer = make_dataclass("Bloomer", [], bases=(simulation.World,))
    flaky = make_dataclass("Flaky", [], bases=(simulation.World,))
    hopeless = make_dataclass("Hopeless", [], bases=(simulation.World,), namespace={"draw": _half})
    revise, critique = simulation.revise, simulation.critique

    def revise_in(world: Any, rng: Any, draft: Any, found: Any, false: Any, turn: int, first: Any = None) -> Any:  # noqa: PLR0917 - as in the simulation
        if isinstance(world, bloomer) and first is None and turn == 0:
            world = replace(world, fix=0.3, collateral=1.5)
        return revise(world, rng, draft, found, false, turn, first)

    def critique_in(world: Any, rng: Any, draft: Any, turn: int, change: float) -> Any:
        seen, found, false = critique(world, rng, draft, turn, change)
        if isinstance(world, flaky) and rng.random() < _FLAKES:
            false = [*false, _FLAKE_SEVERITY]
            seen.tool_issues += 1
            seen.n_issues += 1
            seen.severities.append(_FLAKE_SEVERITY)
            seen.ids.append(rng.getrandbits(40))
            seen.sum_sev += _FLAKE_SEVERITY
            seen.max_sev = max(_FLAKE_SEVERITY, seen.max_sev)
            seen.verdict = "revise"
        return seen, found, false

    simulation.revise, simulation.critique = revise_in, critique_in
    with_tests = {name: value for name, value in vars(simulation.WORLDS[0]).items() if name != "name"}
    return [
        bloomer(
            "late bloomer", recall=0.6, false_pos=0.3, fix=0.75, critique_quality=0.95, collateral=0.05, unfixable=0.05
        ),
        hopeless("half hopeless", recall=0.6, false_pos=0.3, fix=0.6, collateral=0.08),
        flaky("flaky tool", **with_tests),
    ]


def _half(world: Any, rng: Any) -> Any:
    return replace(world, unfixable=1.0, rho=1.0) if rng.random() < 0.5 else world


def add_program_worlds(simulation: Any) -> list[Any]:
    """Return the worlds in which a program alone judges: its score is the true quality."""
    program = make_dataclass("Program", [("is_program", bool, True)], bases=(simulation.World,))
    seen = {
        "tool_share": 1.0,
        "false_pos": 0.0,
        "score_noise": 0.0,
        "score_bias": 0.0,
        "premature": 0.0,
        "nitpick": 0.0,
    }
    seen |= {"mean_defects": 1.5, "reword": 0.0, "sev_noise": 0.0}
    return [
        program("a program judges", fix=0.5, **seen),
        program("revisions never help", fix=0.0, unfixable=1.0, rho=0.5, **seen),
        program("drafts never help", fix=0.6, unfixable=0.0, collateral=0.05, rho=1.0, **seen),
    ]
