"""The kinds of nodes of a graph, as its author writes them. Pure.

Nodes are plain specifications; `Graph` checks them. What all of them take:

    after: nodes that must be done before, without an input from them.
    retries: how often a failed call is tried again, at least 0.
    fallback: a text that stands in for the output of the node if it failed; or the name of a node that runs only then
        and whose output stands in.
    timeout_s: seconds for one try; None is no limit.
    max_field_chars: most characters of one field in a prompt, 1 to 1,000,000.
    restart: "permanent" restarts the node's actor when it is killed, and tries its calls again; "temporary" does not,
        and its calls fail.
    max_restarts, max_seconds: restart intensity of the node's own actors; None counts them with the graph's.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, Protocol, TypedDict, Unpack, cast, overload

from pydantic import Field

from jido_ai.errors import ComponentError
from jido_ai.graph.template import MAX_FIELD_CHARS, as_text
from jido_ai.loop.named_components import AnyJudge
from jido_ai.loop.options import LearningOptions
from jido_ai.protocols import AnyGenerator, AnyModel, AnyReflector, AnyReviser, LanguageModel, RunContext
from jido_ai.values import SLACK, Budget, Candidate, Count, Iteration, LoopConfig, Positive, Value

Comparison = Literal["==", "!=", "<", "<=", ">", ">=", "contains"]
COMPARISONS: Final[tuple[Comparison, ...]] = ("==", "!=", "<", "<=", ">", ">=", "contains")
_NUMBER: Final = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Case:
    """A comparison of a template's value with a constant.

    Attributes:
        value: template of the value.
        comparison: one of ==, !=, <, <=, >, >=, contains. Two numbers, or texts that are numbers, compare as numbers,
            with a slack of 1e-9. "contains" looks for an element of a list or a part of a text.
        than: what it is compared with.
    """

    value: str
    comparison: Comparison
    than: Any


_ORDERS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
}


def compare(value: Any, comparison: str, than: Any) -> bool:
    """Compare two values that JSON can hold. Raises `ComponentError` if they have no order."""
    if comparison == "contains":
        if isinstance(value, list):
            return any(_are_equal(one, than) for one in cast("list[Any]", value))
        return as_text(than) in as_text(value)
    if comparison in ("==", "!="):
        return _are_equal(value, than) is (comparison == "==")
    one, other = _number(value), _number(than)
    if one is not None and other is not None:
        if abs(one - other) <= SLACK:
            return comparison in ("<=", ">=")
        return _ORDERS[comparison](one, other)
    if isinstance(value, str) and isinstance(than, str):
        return _ORDERS[comparison](value, than)
    error = ComponentError(f"a {_kind(value)} and a {_kind(than)} have no order: {comparison} needs two numbers")
    error.retryable = False
    raise error


def _are_equal(value: Any, than: Any) -> bool:
    one, other = _number(value), _number(than)
    if one is not None and other is not None:
        return one == other or abs(one - other) <= SLACK
    if isinstance(value, str) or isinstance(than, str):
        return as_text(value) == as_text(than)
    return type(value) is type(than) and value == than


def _number(value: Any) -> float | None:
    """Return a number, or a text that is one, as a float; None for anything else."""
    if isinstance(value, str):
        return float(value) if len(value) <= 400 and _NUMBER.fullmatch(value) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    return None if math.isnan(number) else number


def _kind(value: object) -> str:
    names: dict[type, str] = {str: "text", bool: "truth value", list: "list", dict: "map", type(None): "nothing"}
    return names.get(type(value), "number")


class GraphConfig(Value):
    """Limits of a graph's runs, and how its nodes are supervised.

    Attributes:
        timeout_s: seconds for a whole run; None is no limit.
        budget: of a whole run, all nodes together.
        max_concurrency: most steps, loops and checks at work at the same time, in all runs of the graph together; None
            is no limit.
        strategy: of the supervisor over the nodes.
        max_restarts, max_seconds: its restart intensity.
    """

    timeout_s: Positive | None = Field(default=None, kw_only=False)
    budget: Budget | None = Field(default=None, kw_only=False)
    max_concurrency: Annotated[int, Field(strict=True, ge=1)] | None = Field(default=None, kw_only=False)
    strategy: Literal["one_for_one", "one_for_all", "rest_for_one"] = Field(default="one_for_one", kw_only=False)
    max_restarts: Count = 200
    max_seconds: Positive = 1.0


class AnyGraph(Protocol):
    """A `Graph`, as far as its description goes."""

    @property
    def nodes(self) -> Mapping[str, Node]: ...

    @property
    def inputs(self) -> tuple[str, ...]: ...

    @property
    def trusted(self) -> tuple[str, ...]: ...

    @property
    def output(self) -> str: ...

    @property
    def config(self) -> GraphConfig: ...


class _NodeOptions(TypedDict, total=False):
    """The fields of `Node`."""

    after: Sequence[str]
    retries: int
    fallback: str | None
    timeout_s: float | None
    max_field_chars: int
    restart: Literal["permanent", "temporary"]
    max_restarts: int | None
    max_seconds: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Node:
    """Settings that all nodes take; see the module."""

    kind: ClassVar[str] = ""

    after: Sequence[str] = ()
    retries: int = 0
    fallback: str | None = None
    timeout_s: float | None = None
    max_field_chars: int = MAX_FIELD_CHARS
    restart: Literal["permanent", "temporary"] = "permanent"
    max_restarts: int | None = None
    max_seconds: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LoopNode(Node):
    """A critique-revise loop: a `Pipeline` of its own.

    Attributes:
        prompt: template of the prompt.
        critiquer: judges candidates; a list is a panel; a model or its name asks that model. May be left out with
            `output`.
        generator, reviser: components, models or names of models.
        initial: template of the first candidate; None generates it.
        config: limits of the loop and when it stops.
        task_type: of its lessons; None is the node's name.
        approve: as in `Pipeline`.
        reflector, mode, recall_by, max_lessons, max_lesson_tokens, learn_from, max_examples, max_examples_shown,
            holdout, reward_threshold, output: as in `Pipeline`.
    """

    kind: ClassVar[str] = "loop"

    prompt: str
    critiquer: AnyJudge | Sequence[AnyJudge] | None = field(default=None, kw_only=True)
    generator: AnyGenerator | LanguageModel | str | None = field(default=None, kw_only=True)
    reviser: AnyReviser | LanguageModel | str | None = field(default=None, kw_only=True)
    initial: str | None = field(default=None, kw_only=True)
    config: LoopConfig | None = field(default=None, kw_only=True)
    task_type: str | None = field(default=None, kw_only=True)
    approve: Callable[[Candidate, Iteration, RunContext], object] | None = field(default=None, kw_only=True)
    reflector: AnyReflector | bool | None = field(default=None, kw_only=True)
    mode: Literal["lite", "full"] = field(default="lite", kw_only=True)
    recall_by: Literal["prompt", "critique"] = field(default="prompt", kw_only=True)
    max_lessons: int | None = field(default=None, kw_only=True)
    max_lesson_tokens: int | None = field(default=None, kw_only=True)
    learn_from: Literal["known", "accepted", "nothing"] = field(default="known", kw_only=True)
    max_examples: int = field(default=50, kw_only=True)
    max_examples_shown: int = field(default=2, kw_only=True)
    holdout: float | None = field(default=None, kw_only=True)
    reward_threshold: float = field(default=0.3, kw_only=True)
    output: Any = field(default=None, kw_only=True)

    @property
    def learning(self) -> dict[str, Any]:
        """The arguments of its pipeline about learning: see `LearningOptions`."""
        return {one.name: getattr(self, one.name) for one in fields(LearningOptions)}


@dataclass(frozen=True, slots=True, eq=False)
class StepNode(Node):
    """One call that nobody judges.

    Attributes:
        what: a plain or async function of its inputs by keyword; or, with `prompt`, a generator, a model, or the name
            of a model. A plain function runs in a thread; with `prompt` it is a generator, or a model if its one
            parameter is called `request` or annotated as a `CompletionRequest`.
        prompt: template of the prompt for a generator or a model.
        inputs: by keyword, a template each; anything but a text is passed as it is.

    A function that was running when the process was killed is called again by `resume`: steps are at-least-once.
    """

    kind: ClassVar[str] = "step"

    what: Callable[..., object] | AnyGenerator | AnyModel
    prompt: str | None = field(default=None, kw_only=True)
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any], kw_only=True)

    if TYPE_CHECKING:  # a model's name needs a prompt

        @overload
        def __init__(
            self, what: Callable[..., object], *, inputs: Mapping[str, Any] = ..., **options: Unpack[_NodeOptions]
        ) -> None: ...
        @overload
        def __init__(
            self,
            what: AnyGenerator | AnyModel,
            *,
            prompt: str,
            inputs: Mapping[str, Any] = ...,
            **options: Unpack[_NodeOptions],
        ) -> None: ...
        def __init__(self, what: object, **options: Any) -> None: ...


@dataclass(frozen=True, slots=True, eq=False)
class CheckNode(Node):
    """Critics only; the output is the critique.

    Attributes:
        text: template of the text to judge.
        critiquer: judges it; a list is a panel; a model or its name asks that model.
        threshold: a lower severity is good enough, in [0, 1].
        when: "fail" makes the node fail if the text is not good enough; "record" only tells.
    """

    kind: ClassVar[str] = "check"

    text: str
    critiquer: AnyJudge | Sequence[AnyJudge] = field(kw_only=True)
    threshold: float = field(default=0.3, kw_only=True)
    when: Literal["record", "fail"] = field(default="record", kw_only=True)


@dataclass(frozen=True, slots=True, eq=False)
class MapNode(Node):
    """A node, or a graph, for each item of a list; `{item}` and `{index}` (from 0) are its fields.

    Attributes:
        over: template of the list: a list input, `{node.lines}`, `{node.texts}`, or a JSON list.
        node: a node, or a graph with inputs named `item` and `index`, either or both.
        max_concurrency: most items at the same time; None is no limit.
        on_error: "fail" makes the map fail if an item failed; "skip" leaves out the failed items.
    """

    kind: ClassVar[str] = "map"

    over: str
    node: Node | AnyGraph
    max_concurrency: int | None = field(default=None, kw_only=True)
    on_error: Literal["fail", "skip"] = field(default="fail", kw_only=True)


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceNode(Node):
    """Names the node that continues; the others that it could have named are skipped.

    Attributes:
        cases: in order, each with the name of a node. The first that holds counts; the last is None, which always
            holds. A function of the filled-in `value` may stand for a `Case`.
        value: template of what such a function gets.
    """

    kind: ClassVar[str] = "choice"

    cases: Sequence[tuple[Case | Callable[[Any], object] | None, str]]
    value: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ApprovalNode(Node):
    """Waits for a person; the output is the text as approved.

    Attributes:
        show: template of the text to approve.
        approve: called with (text, context). True passes the text, False refuses it, a text replaces it, `SUSPEND`
            waits for a decision given to `resume`. None suspends.
        timeout_s: seconds for the call of `approve`.
        on_timeout: what happens then: the run is suspended, the text passes, or it is refused.
    """

    kind: ClassVar[str] = "approval"

    show: str
    approve: Callable[..., object] | None = field(default=None, kw_only=True)
    on_timeout: Literal["suspend", "pass", "refuse"] = field(default="suspend", kw_only=True)


@dataclass(frozen=True, slots=True, eq=False)
class GraphNode(Node):
    """A graph inside of a graph.

    Attributes:
        graph: the inner graph.
        inputs: of the inner graph, a template each; anything but a text is passed as it is.
    """

    kind: ClassVar[str] = "graph"

    graph: AnyGraph
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
