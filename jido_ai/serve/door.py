"""The OpenAI-compatible door: a request becomes a run, and the run's result an answer.

A run that only the door asked for ends when its callers are gone; one with an Idempotency-Key goes on.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from traceback import format_tb
from typing import Any, Final, Generic, Literal, Self, TypeVar

from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from jido_ai.argument_hints import nearest
from jido_ai.components.readings import read
from jido_ai.errors import ConfigurationError, StoreError, message_of
from jido_ai.graph.graph import Graph
from jido_ai.graph.orders import RunOrder
from jido_ai.loop.pipeline import Pipeline
from jido_ai.models.calls import CUT_AT
from jido_ai.serve.answers import described
from jido_ai.serve.bodies import OpenAIRequest
from jido_ai.serve.caller import HttpCaller, gone
from jido_ai.serve.conversation import Turn, prompt_of
from jido_ai.serve.entries import Entry
from jido_ai.serve.parameters import form_in, settings_in, warnings_of
from jido_ai.serve.problems import Problem, problem_of
from jido_ai.serve.routes.runs import check_order, check_run_id, run_id_of_key
from jido_ai.serve.served_run import ServedRun
from jido_ai.serve.served_runs import ServedRuns
from jido_ai.serve.state import ServerState
from jido_ai.serve.told_errors import told_error
from jido_ai.text.foreign_schema import check_foreign_schema
from jido_ai.text.json_schema_meeting import can_meet
from jido_ai.text.output_type import OutputType, output_type
from jido_ai.values import new_id

GONE: Final = 499
"""Status of the answer that nobody reads any more."""
_log: Final = logging.getLogger("jido_ai.serve")
_PING_S: Final = 15
LONGEST_S: Final = 3_600.0
R = TypeVar("R", bound=OpenAIRequest)


# -- the request -----------------------------------------------------------------------------------


def model_named(name: str, state: ServerState) -> Pipeline[Any] | Graph:
    """Return the pipeline or graph that a caller names as its model. Raises `Problem` ("not-found")."""
    served = state.served.get(name)
    if served is None:
        said = f"the model {name[:100]!r} does not exist; {nearest(name[:100], list(state.served))}"
        raise Problem("not-found", said, field="model")
    return served


@dataclass(frozen=True, slots=True)
class Asked(Generic[R]):
    """A request as its body says it.

    Attributes:
        form: JSON Schema of the answer; None for any text.
        form_field: name of the field that has it.
        settings: of models, by the fields of `CompletionRequest`.
        warnings: about parameters without effect.
    """

    request: R
    prompt: str
    form: Mapping[str, Any] | None
    form_field: str
    settings: Mapping[str, Any]
    warnings: list[str]


def asked_of(request: R, turns: Sequence[Turn], turns_field: str, form: object, form_field: str) -> Asked[R]:
    """Return a request with all that is read from its body; long conversations take long.

    Args:
        turns_field: name of the field that has the messages.
        form: as OpenAI writes it.

    Raises:
        Problem: the request can never work ("malformed").
    """
    given = {**request.model_dump(exclude={turns_field}, exclude_none=True), **(request.model_extra or {})}
    return Asked(
        request,
        prompt_of(turns, turns_field),
        form_in(form, form_field),
        form_field,
        settings_in(given),
        warnings_of(given, frozenset(type(request).model_fields)),
    )


async def order_of(
    found: Asked[Any], *, request: Request, caller: HttpCaller, state: ServerState
) -> tuple[RunOrder, list[str]]:
    """Return the run that a request asks for, and warnings about parameters without effect.

    Raises:
        Problem: the model is unknown ("not-found"), or the request can never work ("malformed", "impossible").
    """
    asked: OpenAIRequest = found.request
    served = model_named(asked.model, state)
    if found.form is not None:
        await _check_form(found.form, served, found.form_field)
    metadata = dict(asked.metadata or {})
    run_id, key = metadata.pop("run_id", None), request.headers.get("idempotency-key")
    if run_id is not None and not isinstance(run_id, str):
        raise Problem("malformed", "metadata.run_id must be a string", field="metadata.run_id")
    if run_id is None and key is not None:
        run_id = run_id_of_key(key)
    is_graph = isinstance(served, Graph)
    if not is_graph:
        metadata.setdefault("task_type", asked.model)
    wishes = {name: wish for name, wish in (("form", found.form), ("settings", found.settings)) if wish}
    order = RunOrder(
        run_id=new_id("run") if run_id is None else check_run_id(run_id),
        name=asked.model,
        prompt=None if is_graph else found.prompt,
        inputs={_only_input(asked.model, served): found.prompt} if is_graph else None,
        scope=caller.scope,
        metadata=metadata or None,
        token=caller.token_id,
        is_fresh=run_id is None,
        is_kept=key is not None,
        asked=wishes or None,
    )
    check_order(order, state.runs)
    return order, found.warnings


async def _check_form(form: Mapping[str, Any], served: Pipeline[Any] | Graph, field: str) -> None:
    try:
        wanted = await asyncio.to_thread(_foreign_type, form)
    except ConfigurationError as error:
        raise Problem("malformed", f"{field}: {message_of(error)}", field=field) from error
    own = served.output if isinstance(served, Pipeline) else None
    if own is not None and not can_meet(own.plain, wanted.plain):
        message = f"{field}: the answers of this model have a form of their own, which no answer of this form has"
        raise Problem("malformed", message, field=field)


def _foreign_type(form: Mapping[str, Any]) -> OutputType[Any]:
    check_foreign_schema(form)
    return output_type(form)


def _only_input(name: str, graph: Graph) -> str:
    if len(graph.inputs) != 1:
        inputs = ", ".join(graph.inputs) or "none"
        message = f"the graph {name!r} has the inputs {inputs}; only a graph with one input can be asked this way"
        raise Problem("malformed", message, field="model")
    return graph.inputs[0]


# -- waiting ---------------------------------------------------------------------------------------


async def start(order: RunOrder, caller: HttpCaller, state: ServerState) -> tuple[Entry, ServedRun | None]:
    """Accept a run, and count its caller as one that waits for it; see `ServedRuns.join`."""
    entry = await state.start(order, caller)
    return entry, await state.runs.join(order)


async def waited(request: Request, runs: ServedRuns, order: RunOrder, run: ServedRun | None) -> bool:
    """Wait for the end of a run, and return whether its caller has waited, too."""
    ended = asyncio.create_task(runs.wait(order.key, LONGEST_S), name=f"wait for {order.run_id}")
    left = asyncio.create_task(gone(request), name=f"caller of {order.run_id}")
    try:
        await asyncio.wait({ended, left}, return_when=asyncio.FIRST_COMPLETED)
        if ended.done():
            ended.result()
        return ended.done()
    finally:
        if run is not None:
            runs.leave(run, is_gone=left.done())
        for task in (ended, left):
            task.cancel()
        await asyncio.wait({ended, left})


class DoorStream(EventSourceResponse):
    """Sends an answer as server-sent events, with a comment every 15 s; its caller leaves the run at the end."""

    def __init__(self, events: AsyncGenerator[dict[str, str]], runs: ServedRuns, run: ServedRun | None) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - it takes any content
            events, ping=_PING_S, sep="\n", client_close_handler_callable=self._note_gone
        )
        self._events = events
        self._runs = runs
        self._run = run
        self._is_gone = False

    async def _note_gone(self, _: object) -> None:
        self._is_gone = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send everything."""
        try:
            async with aclosing(self._events):
                await super().__call__(scope, receive, send)
        except Exception:  # the caller does not read
            self._is_gone = True
            raise
        finally:
            if self._run is not None:
                self._runs.leave(self._run, is_gone=self._is_gone)


# -- the answer ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DoorAnswer:
    """The answer of a run.

    Attributes:
        failure: why there is none; None if there is one.
        finish: "length" for a text that was cut off where its caller asked.
        usage: tokens read and written, by all calls of the run.
        about: the field `jido`.
    """

    entry: Entry
    text: str
    failure: Problem | None
    finish: Literal["stop", "length"]
    usage: tuple[int, int]
    about: dict[str, Any]

    @classmethod
    def failed(cls, entry: Entry, failure: Problem) -> Self:
        """Return the answer of a run without one."""
        return cls(entry, "", failure, "stop", (0, 0), {"run_id": entry.order.run_id})


async def answer_of(runs: ServedRuns, order: RunOrder, warnings: Sequence[str] = ()) -> DoorAnswer:
    """Return the answer of a run that has ended, or why there is none."""
    entry = await runs.find(order.key)
    result = await runs.result_of(entry)
    text = _text_of(result)
    failure = _failure(entry, text)
    if failure is not None or text is None or result is None:
        return DoorAnswer.failed(entry, failure or Problem("failed", f"run {order.run_id}: there is no answer"))
    about = _about(entry, result)
    form = (order.asked or {}).get("form")
    if form is not None:
        wanted: OutputType[Any] = await asyncio.to_thread(output_type, form)
        reading = await read(wanted, text)
        text, about["valid"] = reading.text, reading.fits
    best: Any = result.get("best_candidate")
    notes: Mapping[str, Any] = {} if best is None else best["metadata"]
    told = [*warnings, *(f"a model refused {name}, and answered without it" for name in notes.get("dropped", ()))]
    if told:
        about["warnings"] = told
    usage: Mapping[str, Any] = result.get("usage") or {}
    spent = int(usage.get("input_tokens", 0)), int(usage.get("output_tokens", 0))
    return DoorAnswer(entry, text, None, "length" if notes.get(CUT_AT) else "stop", spent, about)


async def streamed_answer(runs: ServedRuns, entry: Entry, order: RunOrder, warnings: Sequence[str]) -> DoorAnswer:
    """Wait for the end of a run, and return its answer; an error is its failure, as the response has begun."""
    try:
        await runs.wait(order.key, LONGEST_S)
        return await answer_of(runs, order, warnings)
    except Exception as error:  # noqa: BLE001 - the caller is told, and the log has it
        if not isinstance(error, Problem):  # code only: the text of an unexpected error may quote a prompt
            why = message_of(error) if isinstance(error, StoreError) else "".join(format_tb(error.__traceback__))
            _log.error("run %s has no answer: %s: %s", order.run_id, type(error).__name__, why)
        return DoorAnswer.failed(entry, problem_of(error))


def _text_of(result: Mapping[str, Any] | None) -> str | None:
    """Return the output of a graph, or the best or else the unjudged candidate of a loop; None if there is none."""
    if result is None:
        return None
    if "nodes" in result:
        output = result["output"]
        return output if output is None or isinstance(output, str) else json.dumps(output, ensure_ascii=False)
    answer = result["best_candidate"] or result.get("unjudged")
    return None if answer is None else str(answer["content"])


def _failure(entry: Entry, text: str | None) -> Problem | None:
    """Return why there is no answer; None if there is one."""
    run_id = entry.order.run_id
    if entry.status == "suspended":
        return Problem("conflict", f"run {run_id} waits for a decision: POST /v1/runs/{run_id}/resume")
    if entry.is_open:
        return Problem("busy", f"run {run_id} has not ended yet; ask again with metadata.run_id", retry_after_s=5)
    if text is None:
        error = told_error(entry.error) or {}
        message = f"{error.get('kind', entry.status)}: {error.get('message', 'there is no answer')}"
        return Problem("model-failed" if entry.status == "failed" else "failed", f"run {run_id}: {message}")
    return None


def _about(entry: Entry, result: Mapping[str, Any]) -> dict[str, Any]:
    summary = entry.summary or {}
    findings = [one for one in result.get("findings", ()) if one["status"] != "fixed"]
    notes = {"judged": False} if result.get("unjudged") else {}
    return {
        "run_id": entry.order.run_id,
        "stop_reason": summary.get("stop_reason"),
        "iterations": summary.get("iterations", 0),
        "score": summary.get("score"),
        "open_issues": [finding["issue"] for finding in findings],
        **notes,
        **({"error": told_error(entry.error)} if entry.error else {}),
    }


# -- described -------------------------------------------------------------------------------------


def described_door(schema: str, *codes: int) -> dict[int | str, dict[str, Any]]:
    """Return the responses of a route of the door for OpenAPI."""
    responses = described(schema)
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/OpenAIError"}}}
    for code in (400, 401, 403, 421, 500, 503, *codes):
        responses[code] = {"description": "An error in OpenAI's form.", "content": error}
    return responses
