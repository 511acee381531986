"""Every error: where it stands in the tree, what it carries, and that its message survives whatever came."""

from __future__ import annotations

import asyncio
import copy
import pickle
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai import errors
from jido_ai.actors.exit_reason import Crashed
from jido_ai.errors import (
    ActorDeadError,
    ActorError,
    AlreadyPresentError,
    AlreadyRegisteredError,
    AlreadyStartedError,
    AskTimeoutError,
    AuthenticationError,
    BadRequestError,
    BudgetExceededError,
    CallCycleError,
    CallError,
    ChildRunningError,
    CircuitOpenError,
    ComponentError,
    ConfigurationError,
    ContextLengthError,
    Declined,
    EditError,
    EmbeddingError,
    Ignore,
    JidoError,
    MailboxFullError,
    MaxChildrenError,
    ModelError,
    ModelNotFoundError,
    ModelTimeoutError,
    ModelUnavailableError,
    NameTakenError,
    NotFoundError,
    OtherQuestionError,
    ParseError,
    QuotaError,
    RateLimitError,
    RefusalError,
    ReplyError,
    RestartingError,
    RunClaimedError,
    StartError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
    StoreVersionError,
    SupervisorError,
    ToolError,
    ToolNotFoundError,
    TruncatedError,
    describe,
    message_of,
)

PARENTS: dict[type[Exception], tuple[type[Exception], ...]] = {
    ConfigurationError: (JidoError, ValueError),
    NotFoundError: (JidoError, LookupError),
    ActorError: (JidoError,),
    ActorDeadError: (ActorError,),
    AskTimeoutError: (ActorError, TimeoutError),
    CallError: (ActorError,),
    CallCycleError: (ActorError,),
    MailboxFullError: (ActorError,),
    AlreadyRegisteredError: (ActorError,),
    NameTakenError: (ActorError,),
    SupervisorError: (ActorError,),
    StartError: (SupervisorError,),
    AlreadyStartedError: (SupervisorError,),
    AlreadyPresentError: (SupervisorError,),
    ChildRunningError: (SupervisorError,),
    RestartingError: (SupervisorError,),
    MaxChildrenError: (SupervisorError,),
    ComponentError: (JidoError,),
    ParseError: (ComponentError,),
    EditError: (ParseError,),
    ModelError: (JidoError,),
    AuthenticationError: (ModelError,),
    QuotaError: (ModelError,),
    ModelNotFoundError: (ModelError,),
    ContextLengthError: (ModelError,),
    BadRequestError: (ModelError,),
    RateLimitError: (ModelError,),
    ModelUnavailableError: (ModelError,),
    ModelTimeoutError: (ModelError, TimeoutError),
    CircuitOpenError: (ModelError,),
    ReplyError: (ModelError,),
    TruncatedError: (ModelError,),
    RefusalError: (ModelError,),
    EmbeddingError: (JidoError,),
    BudgetExceededError: (JidoError,),
    ToolError: (JidoError,),
    OtherQuestionError: (ConfigurationError,),
    ToolNotFoundError: (ToolError, ConfigurationError),
    StoreError: (JidoError,),
    StoreDamagedError: (StoreError,),
    StoreVersionError: (StoreError,),
    StoreFullError: (StoreError,),
    StoreUnavailableError: (StoreError,),
    RunClaimedError: (JidoError,),
}


def public() -> set[type[Exception]]:
    found = {getattr(errors, name) for name in errors.__all__}
    return {one for one in found if isinstance(one, type)}


@pytest.mark.rows("M52", "C43")
@pytest.mark.parametrize(("error", "parents"), PARENTS.items(), ids=lambda one: getattr(one, "__name__", ""))
def test_errors_stand_where_the_tree_says(error: type[Exception], parents: tuple[type[Exception], ...]) -> None:
    assert error.__bases__ == parents
    assert error.__name__.endswith("Error")


def test_the_tree_is_complete_and_drawn_at_the_top() -> None:
    assert public() == {*PARENTS, JidoError, Declined, Ignore}
    for error in public():
        assert re.search(rf"\b{error.__name__}\b", errors.__doc__ or ""), error


def test_signals_are_no_errors() -> None:
    assert not issubclass(Declined, JidoError)
    assert not issubclass(Ignore, JidoError)


def test_errors_that_a_retry_cannot_fix_are_not_retryable() -> None:
    final = {error for error in PARENTS if not error.retryable}  # type: ignore[attr-defined]
    assert final == {
        AlreadyRegisteredError,
        ConfigurationError,
        OtherQuestionError,
        NotFoundError,
        CallCycleError,
        NameTakenError,
        ToolNotFoundError,
        StoreDamagedError,
        StoreVersionError,
        AuthenticationError,
        QuotaError,
        ModelNotFoundError,
        ContextLengthError,
        BadRequestError,
        RefusalError,
        BudgetExceededError,
    }


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ActorDeadError("gone", "counter"), ["counter", "gone"]),
        (AskTimeoutError(2.5, "counter", 3), ["counter", "int", "2.5 s"]),
        (CallError("crash", "counter", 3), ["counter", "int", "crash"]),
        (CallCycleError(["a", "b"]), ["a -> b -> a"]),
        (MailboxFullError("counter", 10), ["counter", "10"]),
        (NameTakenError("counter", 3), ["'counter'", "3"]),
        (StartError("child", "boom"), ["child", "boom"]),
        (AlreadyStartedError("child", 3), ["'child'", "3"]),
        (AlreadyPresentError("child"), ["'child'", "RestartChild"]),
        (ChildRunningError("child"), ["'child'", "TerminateChild"]),
        (RestartingError("child"), ["'child'", "TerminateChild"]),
        (MaxChildrenError(7), ["max_children=7"]),
        (ModelError("is down", provider="openai", model="m", status=503), ["openai:m", "is down"]),
        (RateLimitError("wait", provider="ollama"), ["ollama: wait"]),
        (AuthenticationError("refused"), ["model: refused"]),
        (BudgetExceededError("max_calls", allowed=3, spent=3), ["max_calls=3", "3 spent"]),
    ],
    ids=lambda one: type(one).__name__,
)
def test_messages_name_the_source_the_value_and_the_fix(error: Exception, says: list[str]) -> None:
    for words in says:
        assert words in str(error)


def test_errors_carry_their_data() -> None:
    assert ActorDeadError("why", "who").reason == "why"
    assert (AskTimeoutError(1.0, "who", 3).timeout_s, AskTimeoutError(1.0, "who", 3).target) == (1.0, "who")
    call = CallError("why", "who", "what")
    assert (call.reason, call.target, call.message) == ("why", "who", "what")
    assert CallCycleError(["a", "b"]).names == ("a", "b")
    assert (NameTakenError("n", 3).name, NameTakenError("n", 3).ref) == ("n", 3)
    assert (StartError("c", "why").id, StartError("c", "why").reason) == ("c", "why")
    assert ComponentError("x", component="critiquer").component == "critiquer"
    assert ComponentError("x").component == "component"


def test_a_parse_error_carries_the_reply_cut_to_2000_characters() -> None:
    assert ParseError("no JSON", raw="x" * 2_000).raw == "x" * 2_000
    assert ParseError("no JSON", raw="x" * 5_000).raw == "x" * 1_999 + "…"


def test_declined_carries_a_sentence_per_issue() -> None:
    assert Declined("no rule", "no idea").reasons == ("no rule", "no idea")
    assert str(Declined("no rule", "no idea")) == "no rule; no idea"
    assert str(Declined()) == "declined without a reason"
    assert Declined(["no rule", "no idea"]).reasons == ("no rule", "no idea")
    assert Declined(ValueError("no parse"), "no idea").reasons == ("no parse", "no idea")


# -- describe --------------------------------------------------------------------------------------


@given(st.text() | st.integers() | st.lists(st.text()))
def test_describe_is_the_repr_cut_to_500_characters(thing: Any) -> None:
    assert describe(thing) == (repr(thing) if len(repr(thing)) <= 500 else repr(thing)[:499] + "…")


def test_a_huge_value_is_described_in_500_characters() -> None:
    assert len(describe("x" * 1_000_000)) == 500


class Stop(BaseException):
    """Not even an Exception."""


RUDE = [ValueError, RecursionError, SystemExit, KeyboardInterrupt, GeneratorExit, asyncio.CancelledError, Stop]


@pytest.mark.parametrize("fault", RUDE)
def test_a_value_whose_repr_raises_is_described_too(fault: type[BaseException]) -> None:
    class Rude:
        def __repr__(self) -> str:
            raise fault("no")

    assert describe(Rude()) == f"<Rude whose repr raises {fault.__name__}>"


@pytest.mark.parametrize("fault", RUDE)
def test_an_error_whose_str_raises_says_its_repr_or_its_type(fault: type[BaseException]) -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise fault("no")

    class Muter(Mute):
        __repr__ = Mute.__str__

    assert message_of(Mute("x")) == "Mute('x')"
    assert message_of(Muter("x")) == f"<Muter whose repr raises {fault.__name__}>"
    assert Declined(Muter(), "said").reasons == (f"<Muter whose repr raises {fault.__name__}>", "said")


def test_message_of_returns_the_text_of_an_error() -> None:
    assert message_of(ValueError("x")) == "x"
    assert message_of(ValueError()) == ""


def test_describe_returns_a_plain_string() -> None:
    class Text(str):
        __slots__ = ()

        def __len__(self) -> int:
            raise SystemExit

    class Odd(Exception):
        def __repr__(self) -> str:
            return Text("odd")

        __str__ = __repr__

    assert [type(text) for text in (describe(Odd()), message_of(Odd()))] == [str, str]


def test_describe_survives_a_repr_that_returns_no_string() -> None:
    class Odd:
        def __repr__(self) -> Any:
            return 3

    assert "Odd" in describe(Odd())


# -- copies ----------------------------------------------------------------------------------------


def _made(kind: type[Exception]) -> Exception:
    """Return an error of the kind as it is raised, with every attribute set."""
    reason = Crashed(ValueError("boom"))
    special: dict[type[Exception], Exception] = {
        ActorDeadError: ActorDeadError(reason, "counter"),
        AskTimeoutError: AskTimeoutError(2.5, "counter", ("a", "message")),
        CallError: CallError(reason, "counter", ("a", "message")),
        CallCycleError: CallCycleError(["a", "b"]),
        MailboxFullError: MailboxFullError("counter", 10),
        NameTakenError: NameTakenError("counter", "a ref"),
        StartError: StartError("child", reason),
        AlreadyStartedError: AlreadyStartedError("child", "a ref"),
        AlreadyPresentError: AlreadyPresentError("child"),
        ChildRunningError: ChildRunningError("child"),
        RestartingError: RestartingError("child"),
        MaxChildrenError: MaxChildrenError(7),
        ParseError: ParseError("no JSON", raw="{", component="critiquer"),
        EditError: EditError("no such line", number=2, raw="{", component="reviser"),
        ComponentError: ComponentError("junk", component="critiquer"),
        EmbeddingError: EmbeddingError("hashing", "too long"),
        BudgetExceededError: BudgetExceededError("max_calls", allowed=3, spent=3, wanted=1, note="no price"),
        AlreadyRegisteredError: AlreadyRegisteredError("topic", "a ref"),
        RunClaimedError: RunClaimedError("run_1", "host:12", datetime(2026, 11, 27, tzinfo=UTC)),
        Declined: Declined("no rule", ["no idea", "no time"]),
        Ignore: Ignore("nothing to do"),
    }
    if kind in special:
        return special[kind]
    if issubclass(kind, ModelError):
        error = kind("too many requests", provider="openai", model="m", host="box:80", status=429, retry_after_s=2.0)
        error.tries, error.gave_up, error.retryable = 3, "gave up after 3 tries", False
        return error
    return kind("what happened")


@pytest.mark.parametrize("kind", sorted(public(), key=lambda one: one.__name__))
@pytest.mark.parametrize(
    "act",
    [copy.copy, copy.deepcopy, *(lambda error, n=n: pickle.loads(pickle.dumps(error, n)) for n in range(2, 6))],
)
def test_every_error_and_signal_is_the_same_after_a_copy_and_a_pickle(
    kind: type[Exception], act: Callable[[Exception], Exception]
) -> None:
    error = _made(kind)
    error.add_note("seen twice")
    same = act(error)
    assert same is not error
    assert type(same) is kind
    assert (str(same), repr(same), same.args) == (str(error), repr(error), error.args)
    assert repr(vars(same)) == repr(vars(error))
    assert same.__notes__ == ["seen twice"]


def test_an_attribute_that_cannot_be_pickled_is_described_in_the_pickle_and_kept_in_a_copy() -> None:
    error = NameTakenError("counter", lambda: None)
    assert copy.copy(error).ref is error.ref
    assert pickle.loads(pickle.dumps(error)).ref == repr(error.ref)


def test_an_error_of_a_users_own_class_can_be_pickled() -> None:
    error = pickle.loads(pickle.dumps(Mine(3, colour="red")))
    assert (str(error), error.number, error.colour) == ("number 3", 3, "red")


class Mine(JidoError):
    """An error whose arguments are not those of Exception."""

    def __init__(self, number: int, *, colour: str) -> None:
        super().__init__(f"number {number}")
        self.number = number
        self.colour = colour


def test_a_model_error_names_the_model_its_host_and_the_tries() -> None:
    error = ModelUnavailableError("status 500: 'internal'", provider="openai", model="m", host="box:80", status=500)
    assert str(error) == "openai:m at box:80: status 500: 'internal'"
    error.gave_up = "gave up after 3 tries"
    assert str(error) == "openai:m at box:80: status 500: 'internal' (gave up after 3 tries)"
    assert (error.message, error.origin) == ("status 500: 'internal'", "openai:m at box:80")


class Foreign(Exception):
    """An error that can be pickled and not be made again from its pickle."""

    def __init__(self, *, status: int) -> None:
        super().__init__(f"status {status}")


@pytest.mark.parametrize("act", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
@pytest.mark.parametrize("inside", [Foreign(status=3), lambda: None, Crashed(Foreign(status=3)), asyncio.Lock()])
@pytest.mark.parametrize("kind", sorted(public(), key=lambda one: one.__name__))
def test_every_error_is_copied_and_pickled_whatever_is_in_it(
    kind: type[Exception], inside: object, act: Callable[[Exception], Exception]
) -> None:
    error = _made(kind)
    error.args = (*error.args, inside)
    error.reason = inside  # type: ignore[attr-defined]
    same = act(error)
    assert (type(same), same.args[:-1]) == (kind, error.args[:-1])
