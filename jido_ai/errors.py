"""Every exception this package raises on purpose.

    JidoError
    ├── ConfigurationError (ValueError)       the caller passed something that can never work
    │   └── OtherQuestionError                a decision names a question that is not open
    ├── NotFoundError (LookupError)           no child, entry or run of that id
    ├── RunClaimedError                       the run is in flight elsewhere
    ├── ActorError
    │   ├── ActorDeadError                    the target is gone; carries the reason it ended with
    │   ├── AskTimeoutError (TimeoutError)    no reply within timeout_s
    │   ├── CallError                         the target crashed on this message
    │   ├── CallCycleError                    the ask would wait for the asker itself
    │   ├── MailboxFullError                  a bounded mailbox has no room
    │   ├── NameTakenError                    another actor owns the name
    │   ├── AlreadyRegisteredError            another actor holds the key of a registry
    │   └── SupervisorError
    │       ├── StartError                    on_start (or a child's) failed
    │       ├── AlreadyStartedError, AlreadyPresentError
    │       └── ChildRunningError, RestartingError, MaxChildrenError
    ├── ComponentError                        a component returned something unusable
    │   └── ParseError                        a model's reply could not be parsed; carries it, truncated
    │       └── EditError                     an edit in the reply cannot be applied
    ├── ModelError                            a call of a language model failed; carries provider and model
    │   ├── AuthenticationError, QuotaError, ModelNotFoundError,
    │   │   ContextLengthError, BadRequestError      never retried
    │   ├── RateLimitError, ModelUnavailableError,
    │   │   ModelTimeoutError (TimeoutError), CircuitOpenError     may be retried later
    │   ├── ReplyError                        the response is not a completion
    │   └── TruncatedError, RefusalError      the completion is incomplete, or a refusal
    ├── EmbeddingError                        texts could not be turned into vectors
    ├── BudgetExceededError                   the next call would exceed a budget; nothing was sent
    ├── ToolError                             a tool could not be run
    │   └── ToolNotFoundError (ConfigurationError)
    └── StoreError
        ├── StoreDamagedError, StoreVersionError   file refused, and left untouched
        └── StoreFullError, StoreUnavailableError  refused for now

`Declined` and `Ignore` are signals, not errors: a reviser cannot fix the issues, an actor does not need to start.
"""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

__all__ = [
    "ActorDeadError",
    "ActorError",
    "AlreadyPresentError",
    "AlreadyRegisteredError",
    "AlreadyStartedError",
    "AskTimeoutError",
    "AuthenticationError",
    "BadRequestError",
    "BudgetExceededError",
    "CallCycleError",
    "CallError",
    "ChildRunningError",
    "CircuitOpenError",
    "ComponentError",
    "ConfigurationError",
    "ContextLengthError",
    "Declined",
    "EditError",
    "EmbeddingError",
    "Ignore",
    "JidoError",
    "MailboxFullError",
    "MaxChildrenError",
    "ModelError",
    "ModelNotFoundError",
    "ModelTimeoutError",
    "ModelUnavailableError",
    "NameTakenError",
    "NotFoundError",
    "OtherQuestionError",
    "ParseError",
    "QuotaError",
    "RateLimitError",
    "RefusalError",
    "ReplyError",
    "RestartingError",
    "RunClaimedError",
    "StartError",
    "StoreDamagedError",
    "StoreError",
    "StoreFullError",
    "StoreUnavailableError",
    "StoreVersionError",
    "SupervisorError",
    "ToolError",
    "ToolNotFoundError",
    "TruncatedError",
    "describe",
    "message_of",
    "name_at",
]

_SHOWN_CHARS = 500
_RAW_CHARS = 2_000
E = TypeVar("E", bound=BaseException)


def describe(thing: object) -> str:
    """Return `repr(thing)`, cut to 500 characters. Safe for objects whose repr raises anything, even SystemExit.

    Error messages quote arbitrary objects, such as exceptions with a broken `__str__`.
    """
    try:
        text = str.__str__(repr(thing))  # a plain str, also for subclasses of str
    except BaseException as error:  # noqa: BLE001 - a foreign __repr__ may raise anything; the report must survive
        text = f"<{type(thing).__name__} whose repr raises {type(error).__name__}>"
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"


def message_of(error: BaseException) -> str:
    """Return `str(error)`, or `describe(error)` if its `__str__` raises anything, even SystemExit."""
    try:
        return str.__str__(str(error))
    except BaseException:  # noqa: BLE001 - a foreign __str__ may raise anything; the report must survive
        return describe(error)


def _rebuilt(kind: type[E], args: tuple[Any, ...], state: dict[str, Any]) -> E:
    """Return an error with these attributes, without the call of its `__init__`, whose arguments are its own."""
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


def _pickled(thing: object) -> object:
    """Return the pickled form of an attribute: itself, or its description if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(thing))  # a foreign error may be pickled and yet not be made again
    except Exception:  # noqa: BLE001 - a reference to an actor, or a foreign object; the report must survive
        return describe(thing)
    return thing


class _Portable(Exception):
    """An exception that can be copied and pickled, whatever its `__init__` takes.

    A copy shares the attributes. In a pickle, an attribute that cannot be pickled is a text that describes it.
    """

    def __copy__(self) -> Any:
        return _rebuilt(type(self), self.args, self.__dict__)

    def __reduce__(self) -> tuple[Any, ...]:
        state = {name: _pickled(value) for name, value in self.__dict__.items()}
        return _rebuilt, (type(self), tuple(_pickled(one) for one in self.args), state)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return copy.copy(self)


class JidoError(_Portable):
    """Anything this package raises on purpose. It can be copied and pickled.

    Attributes:
        retryable: False if a retry can never help; the loop then ends at once.
    """

    retryable: bool = True


class ConfigurationError(JidoError, ValueError):
    """The caller passed something that can never work. Raised before anything starts."""

    retryable = False


class OtherQuestionError(ConfigurationError):
    """A decision names a question that a run does not ask, or not any more. Nothing was changed."""


class NotFoundError(JidoError, LookupError):
    """There is no child, entry or run with that id."""

    retryable = False


class RunClaimedError(JidoError):
    """The run is already in flight, here or in another process. Nothing was called.

    Attributes:
        owner: host and pid of the process.
        expires_at: when processes on other machines may resume the run. On the owner's machine the claim holds while
            the owner works on the run, and is void as soon as that process has ended.
    """

    def __init__(self, run_id: str, owner: str, expires_at: datetime) -> None:
        super().__init__(
            f"run {describe(run_id)} is in flight: it is claimed by {owner} (until {expires_at:%H:%M:%S} UTC)"
        )
        self.run_id = run_id
        self.owner = owner
        self.expires_at = expires_at


# -- actors ----------------------------------------------------------------------------------------


class ActorError(JidoError):
    """An actor could not be reached, started or managed. Says nothing about the work it was asked to do."""


class ActorDeadError(ActorError):
    """The target ended before it could answer.

    Attributes:
        reason: the exit reason; `NoProc()` if it had ended before the message was sent.
    """

    def __init__(self, reason: object, target: str = "the actor") -> None:
        super().__init__(f"{target} is not alive: {describe(reason)}")
        self.reason = reason
        self.target = target


class AskTimeoutError(ActorError, TimeoutError):
    """No reply came in time. The target keeps running; a late reply is dropped."""

    def __init__(self, timeout_s: float, target: str, message: object) -> None:
        super().__init__(f"{target} did not answer {type(message).__name__} within {timeout_s} s")
        self.timeout_s = timeout_s
        self.target = target


class CallError(ActorError):
    """The target crashed on this message. The cause is chained; the target's supervisor decides about a restart.

    Attributes:
        reason: the exit reason of the target, `Crashed(error)`.
        target: the target's name or id.
        message: the message it crashed on.
    """

    def __init__(self, reason: object, target: str, message: object) -> None:
        super().__init__(f"{target} crashed on {type(message).__name__}: {describe(reason)}")
        self.reason = reason
        self.target = target
        self.message = message


class CallCycleError(ActorError):
    """The ask would wait, directly or through other actors, for the asker itself.

    Attributes:
        names: the actors in the cycle, the asker first.
    """

    retryable = False

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            "this ask would never end: " + " -> ".join([*names, names[0]]) + "; use tell, or answer with defer_reply()"
        )
        self.names = tuple(names)


class MailboxFullError(ActorError):
    """A bounded mailbox has no room for the message."""

    def __init__(self, target: str, capacity: int) -> None:
        super().__init__(f"the mailbox of {target} is full ({capacity} messages waiting)")
        self.target = target
        self.capacity = capacity


class NameTakenError(ActorError):
    """Another living actor owns the name.

    Attributes:
        ref: the owner.
    """

    retryable = False

    def __init__(self, name: str, ref: object) -> None:
        super().__init__(f"the name {name!r} is taken by {describe(ref)}")
        self.name = name
        self.ref = ref


class AlreadyRegisteredError(ActorError):
    """An actor, perhaps the same one, is registered under that key of a unique registry.

    Attributes:
        key: the key.
        ref: the holder.
    """

    retryable = False

    def __init__(self, key: object, ref: object) -> None:
        super().__init__(f"the key {describe(key)} is held by {describe(ref)}")
        self.key = key
        self.ref = ref


class SupervisorError(ActorError):
    """A supervisor refused a request; it keeps running."""


class StartError(SupervisorError):
    """An actor did not start.

    Attributes:
        id: the id of the child (or the class name) that failed.
        reason: the exit reason it failed with; its error is chained.
    """

    def __init__(self, id: str, reason: object) -> None:
        super().__init__(f"{id} did not start: {describe(reason)}")
        self.id = id
        self.reason = reason


class AlreadyStartedError(SupervisorError):
    """A child with that id is running.

    Attributes:
        ref: the running child.
    """

    def __init__(self, id: str, ref: object) -> None:
        super().__init__(f"child {id!r} is already running as {describe(ref)}")
        self.id = id
        self.ref = ref


class AlreadyPresentError(SupervisorError):
    """A child with that id has a spec but is not running: restart or delete it."""

    def __init__(self, id: str) -> None:
        super().__init__(f"child {id!r} is present but stopped; use RestartChild or DeleteChild")
        self.id = id


class ChildRunningError(SupervisorError):
    """The child is running: terminate it first."""

    def __init__(self, id: str) -> None:
        super().__init__(f"child {id!r} is running; use TerminateChild first")
        self.id = id


class RestartingError(SupervisorError):
    """The child is between two restart attempts."""

    def __init__(self, id: str) -> None:
        super().__init__(f"child {id!r} is being restarted; use TerminateChild to stop it")
        self.id = id


class MaxChildrenError(SupervisorError):
    """A dynamic supervisor has reached its `max_children`."""

    def __init__(self, max_children: int) -> None:
        super().__init__(f"the supervisor already has max_children={max_children} children")
        self.max_children = max_children


# -- components and tools --------------------------------------------------------------------------


class ComponentError(JidoError):
    """A component returned something unusable.

    Attributes:
        component: its name in the pipeline.
        run_id: the run it was called for; None if that is not known.
    """

    run_id: str | None = None

    def __init__(self, message: str, *, component: str = "component") -> None:
        super().__init__(message)
        self.component = component


class ParseError(ComponentError):
    """A model's reply could not be parsed, even after a second request.

    Attributes:
        raw: the reply, cut to 2,000 characters.
    """

    def __init__(self, message: str, *, raw: str = "", component: str = "component") -> None:
        super().__init__(message, component=component)
        self.raw = raw if len(raw) <= _RAW_CHARS else raw[: _RAW_CHARS - 1] + "…"


class EditError(ParseError):
    """An edit in a model's reply cannot be applied to the text it is meant for; no edit of the reply was applied.

    Attributes:
        number: of the edit, from 1.
    """

    def __init__(self, message: str, *, number: int, raw: str = "", component: str = "component") -> None:
        super().__init__(message, raw=raw, component=component)
        self.number = number


class ToolError(JidoError):
    """A tool could not be run."""


class ToolNotFoundError(ToolError, ConfigurationError):
    """A tool is not installed, or its program is not allowed. Raised before anything runs."""

    retryable = False


# -- language models -------------------------------------------------------------------------------


def name_at(provider: str, model: str | None, host: str) -> str:
    """Return a model and its host for messages, as in "openai:gpt-4o-mini at api.openai.com"."""
    return f"{provider}{f':{model}' if model else ''}{f' at {host}' if host else ''}"


class ModelError(JidoError):
    """A call of a language model failed, or returned no usable answer. Never carries a key.

    Attributes:
        provider: "openai", "anthropic", "ollama", "compatible", or a name given by the caller; "model" if unknown.
        model: the requested model, if one was named.
        host: of the server, with its port if it is not the usual one; "" if unknown.
        status: the status of the HTTP response, if there was one.
        retry_after_s: seconds to wait, as requested by the provider or the breaker, at least 0; None if unknown.
        tries: how often the call was made, if a wrapper retries it.
        gave_up: why the wrapper did not retry it again; "" without retries.
    """

    tries: int = 1
    gave_up: str = ""

    def __init__(
        self,
        message: str,
        *,
        provider: str = "model",
        model: str | None = None,
        host: str = "",
        status: int | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.provider = provider
        self.model = model
        self.host = host
        self.status = status
        self.retry_after_s = retry_after_s

    @property
    def message(self) -> str:
        """The failure, without the model and the tries."""
        return str(self.args[0]) if self.args else ""

    @property
    def origin(self) -> str:
        """The model and its host, as in "openai:gpt-4o-mini at api.openai.com"."""
        return name_at(self.provider, self.model, self.host)

    def __str__(self) -> str:
        return f"{self.origin}: {self.message}{f' ({self.gave_up})' if self.gave_up else ''}"


class AuthenticationError(ModelError):
    """The key is missing, was refused, or lacks a permission."""

    retryable = False


class QuotaError(ModelError):
    """The account is out of money or quota; waiting does not help."""

    retryable = False


class ModelNotFoundError(ModelError):
    """The provider does not know the model."""

    retryable = False


class ContextLengthError(ModelError):
    """The request is longer than the model's context."""

    retryable = False


class BadRequestError(ModelError):
    """The provider refuses the request as it is."""

    retryable = False


class RateLimitError(ModelError):
    """The provider refused the request for now; retry later."""


class ModelUnavailableError(ModelError):
    """The provider could not be reached, broke the connection, or reported that it is down."""


class ModelTimeoutError(ModelError, TimeoutError):
    """The model did not answer in time, or fell silent."""


class CircuitOpenError(ModelError):
    """The provider failed too often; nothing is sent until it has had time to recover.

    The message tells the last failure. `status` is the status of that failure.
    """


class ReplyError(ModelError):
    """The response is not a completion: not JSON, a missing or mistyped field, an incomplete stream, or too long."""


class TruncatedError(ModelError):
    """The completion was cut off at max_tokens, and only a complete one can be used."""


class RefusalError(ModelError):
    """The model refused, or the provider's filter stopped it."""

    retryable = False


class BudgetExceededError(JidoError):
    """The next call would exceed a budget; it was not made.

    Attributes:
        limit: "max_calls", "max_tokens", "max_cost_usd" or "max_wall_s".
        allowed: the limit.
        spent: the part of it that is spent or reserved.
        wanted: the most the call may take; 0 if unknown.
        note: why the call is refused although something may be left, such as an unknown price.
    """

    retryable = False

    def __init__(self, limit: str, *, allowed: float, spent: float, wanted: float = 0, note: str = "") -> None:
        call = f"the next call may take {wanted}, which" if 0 < wanted < math.inf else "the next call"
        taken = f"{call} would exceed the budget's {limit}={allowed} ({spent} spent or reserved)"
        super().__init__(f"{taken}{f': {note}' if note else ''}")
        self.limit = limit
        self.allowed = allowed
        self.spent = spent
        self.wanted = wanted
        self.note = note


# -- memory ----------------------------------------------------------------------------------------


class EmbeddingError(JidoError):
    """Texts could not be turned into vectors, now or ever. Stored entries are not affected.

    Attributes:
        embedder: the name of the embedder.
    """

    def __init__(self, embedder: str, message: str) -> None:
        super().__init__(f"{embedder}: {message}")
        self.embedder = embedder


# -- stores ----------------------------------------------------------------------------------------


class StoreError(JidoError):
    """A store refused a request or failed. Errors of database libraries are translated to this tree."""


class StoreDamagedError(StoreError):
    """The file is damaged or belongs to something else. It was left untouched."""

    retryable = False


class StoreVersionError(StoreError):
    """The file was written by a newer version. It was left untouched."""

    retryable = False


class StoreFullError(StoreError):
    """No space left to write. Reading still works; writing works again once there is space."""


class StoreUnavailableError(StoreError):
    """The store cannot be used now: locked, missing or not permitted."""


# -- signals ---------------------------------------------------------------------------------------


class Declined(_Portable):
    """Raised by a reviser that cannot fix the issues of a critique.

    Attributes:
        reasons: one sentence per issue that it did not fix. Pass them as separate arguments or in lists; an error
            stands for its message.
    """

    def __init__(self, *reasons: str | Exception | Iterable[str]) -> None:
        several = [[reason] if isinstance(reason, str | Exception) else reason for reason in reasons]
        self.reasons = tuple(
            message_of(reason) if isinstance(reason, BaseException) else str(reason)
            for one in several
            for reason in one
        )
        super().__init__("; ".join(self.reasons) or "declined without a reason")


class Ignore(_Portable):
    """Raised in on_start if there is nothing to do: the actor does not start, and that is not a failure."""
