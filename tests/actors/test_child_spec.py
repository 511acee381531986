"""Child specs: defaults are OTP's, and everything is checked before anything starts."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import builds, floats, integers

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import Backoff, ChildSpec
from jido_ai.actors.mailbox import Bounded
from jido_ai.errors import ConfigurationError


def test_the_defaults_are_those_of_otp() -> None:
    spec = ChildSpec(id="a", start=Actor)
    assert (spec.restart, spec.type, spec.significant, spec.shutdown_s) == ("permanent", "worker", False, 5.0)
    assert ChildSpec(id="a", start=Actor, type="supervisor").shutdown_s == math.inf
    assert ChildSpec("a", Actor) == spec


@pytest.mark.parametrize(
    ("shutdown", "seconds"), [(0, 0.0), (2, 2.0), (0.5, 0.5), ("brutal_kill", 0.0), ("infinity", math.inf)]
)
def test_shutdown_is_seconds_from_0_or_a_word(shutdown: Any, seconds: float) -> None:
    assert ChildSpec(id="a", start=Actor, shutdown=shutdown).shutdown_s == seconds


WRONG: list[tuple[str, Any]] = [
    ("id", ""),
    ("id", 7),
    ("id", None),
    ("start", "Actor"),
    ("start", None),
    ("start", (Actor,)),
    ("start", (Actor, (), {}, 1)),
    ("start", (Actor, "abc", {})),
    ("start", (Actor, (), ())),
    ("start", ("Actor", (), {})),
    ("start", (Actor, b"ab", {})),
    ("start", (Actor, (), {1: 2})),
    ("id", b"a"),
    ("restart", ["permanent"]),
    ("shutdown", ["infinity"]),
    ("type", 1),
    ("name", b"a"),
    ("restart", "always"),
    ("restart", None),
    ("shutdown", -1),
    ("shutdown", math.nan),
    ("shutdown", 10**400),
    ("shutdown", True),
    ("shutdown", "soon"),
    ("type", "boss"),
    ("significant", 1),
    ("backoff", 0.5),
    ("name", ""),
    ("name", 5),
    ("mailbox", 100),
]


@pytest.mark.parametrize(("field", "value"), WRONG)
def test_a_wrong_field_is_refused_by_its_name_and_its_value(field: str, value: Any) -> None:
    fields: dict[str, Any] = {"id": "a", "start": Actor, field: value}
    with pytest.raises(ConfigurationError) as refusal:
        ChildSpec(**fields)
    assert field in str(refusal.value)
    assert repr(value) in str(refusal.value)


class Rude:
    """Cannot be compared, and cannot say what it is."""

    def __eq__(self, other: object) -> bool:
        raise SystemExit

    def __repr__(self) -> str:
        raise SystemExit

    __hash__ = None  # type: ignore[assignment]


FIELDS = ("id", "start", "restart", "shutdown", "type", "significant", "backoff", "name", "mailbox")


@pytest.mark.parametrize("field", FIELDS)
def test_a_value_that_cannot_be_compared_or_shown_is_refused_by_the_name_of_its_field(field: str) -> None:
    fields: dict[str, Any] = {"id": "a", "start": Actor, field: Rude()}
    with pytest.raises(ConfigurationError, match=rf"\b{field} .*<Rude whose repr raises SystemExit>"):
        ChildSpec(**fields)


class RudeText(str):
    """Text by its type alone."""

    __slots__ = ()

    def __repr__(self) -> str:
        raise SystemExit

    __str__ = __len__ = __repr__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise SystemExit

    def __hash__(self) -> int:
        raise SystemExit


def test_an_id_and_a_name_are_plain_strings_whatever_they_are_derived_from() -> None:
    spec = ChildSpec(id=RudeText("a"), start=Actor, name=RudeText("b"))
    assert (type(spec.id), type(spec.name), spec.id, spec.name) == (str, str, "a", "b")


def test_a_significant_child_may_not_be_permanent() -> None:
    with pytest.raises(ConfigurationError, match="significant"):
        ChildSpec(id="a", start=Actor, significant=True)
    assert ChildSpec(id="a", start=Actor, significant=True, restart="transient").significant


def test_start_is_a_class_with_arguments_or_a_factory_without() -> None:
    assert ChildSpec(id="a", start=(dict, ([("x", 1)],), {"y": 2})).build() == {"x": 1, "y": 2}
    assert ChildSpec(id="a", start=lambda: "built").build() == "built"


def test_specs_are_values() -> None:
    one, other = (ChildSpec(id="a", start=Actor, mailbox=Bounded(5)) for _ in range(2))
    assert one == other
    with pytest.raises(AttributeError):
        one.id = "b"  # type: ignore[misc]


def test_the_default_backoff_is_none_first_then_50_ms_doubling_up_to_5_s() -> None:
    backoff = Backoff()
    assert [backoff.delay_s(attempt) for attempt in range(1, 10)] == [0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0]
    assert backoff.delay_s(10**9) == 5.0


@given(
    builds(Backoff, base_s=floats(0, 10), factor=floats(1, 10), cap_s=floats(0, 10), jitter=floats(0, 1)),
    integers(1, 200),
    floats(0, 1),
)
def test_a_delay_is_never_negative_nor_above_the_cap_nor_lengthened_by_jitter(
    backoff: Backoff, attempt: int, chance: float
) -> None:
    cap_s = backoff.cap_s
    assert 0.0 <= backoff.delay_s(attempt, chance) <= backoff.delay_s(attempt) <= cap_s
    assert backoff.delay_s(attempt) <= backoff.delay_s(attempt + 1)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("base_s", -0.1),
        ("factor", 0.5),
        ("cap_s", math.inf),
        ("jitter", 1.5),
        ("jitter", math.nan),
        ("base_s", "1"),
        ("factor", 10**400),
    ],
)
def test_a_wrong_backoff_is_refused(field: str, value: Any) -> None:
    fields: dict[str, Any] = {field: value}
    with pytest.raises(ConfigurationError, match=field):
        Backoff(**fields)
