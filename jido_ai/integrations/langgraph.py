"""LangGraph (the extra `langgraph`): a pipeline as a node or runnable, chat models and graphs as components."""
# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import aclosing
from datetime import datetime
from functools import partial
from itertools import count
from typing import Any, Final, cast

from jido_ai.errors import ConfigurationError, NotFoundError, describe
from jido_ai.extras import check_versions, missing
from jido_ai.graph.events import GraphEvent
from jido_ai.graph.graph import Graph
from jido_ai.graph.orders import DRAFT, inputs_of
from jido_ai.integrations.common import (
    AnyPipeline,
    Life,
    advance,
    answer_text,
    asking,
    check_journal,
    decisions_made,
    failure_of,
    is_suspended,
    schema_instruction,
    shown_question,
    summary_of,
    translated,
    usage_of,
    waiting_revision,
)
from jido_ai.integrations.parts import (
    FrameworkModel,
    asked_again,
    decision_in,
    ended_as,
    options_of,
    tokens_of,
    with_lessons,
)
from jido_ai.loop.pipeline import Approve, Pipeline
from jido_ai.memory.lessons import PUT
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.values import (
    Candidate,
    Completion,
    CompletionRequest,
    MemoryEntry,
    MemoryKind,
    Scope,
)

check_versions("langgraph")
try:
    from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, SystemMessage
    from langchain_core.runnables import RunnableConfig, RunnableLambda
    from langgraph.config import get_config, get_stream_writer
    from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, PutOp, SearchItem, SearchOp
    from langgraph.types import interrupt
except ImportError as error:
    raise missing("langgraph", "langgraph", error) from error
try:
    from langgraph.types import _interrupt_id  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
except ImportError:  # an older version, in which all questions of a task have one id
    _interrupt_id = None

__all__ = [
    "ChatModel",
    "GraphGenerator",
    "LessonsStore",
    "ReflectionNode",
    "reflection_node",
    "reflection_runnable",
]

_SYNC_S: Final = 60.0
_LESSON: Final = ("prompt", "mistake", "correction")
_Step = Any  # a function of no arguments that returns a coroutine, or a `_LastAnswer`


# -- in: a pipeline as a part of their graph ---------------------------------------------------------


class ReflectionNode(RunnableLambda[Any, Any]):
    """A pipeline as a runnable. `async with` it, or `aclose`, to end the pipeline early.

    Attributes:
        life: the life of the pipeline; see `Life`.
    """

    def __init__(self, life: Life, talk: Callable[[Any], Generator[_Step, Any, Any]], name: str) -> None:
        def call(state: Any) -> Any:
            return _talked(talk(state), life)

        async def acall(state: Any) -> Any:
            return await _atalked(talk(state), life)

        super().__init__(call, afunc=acall, name=name)
        self.life = life

    async def __aenter__(self) -> ReflectionNode:
        await self.life.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Leave the pipeline if it was entered here."""
        await self.life.aclose()


def reflection_node(
    pipeline: AnyPipeline,
    *,
    prompt: str = "prompt",
    draft: str = "draft",
    output: str = "answer",
    approve: bool | Approve = False,
) -> ReflectionNode:
    """Return a node that has the draft of the state judged and revised, and writes the answer into the state.

    Events go to `stream_mode="custom"` as they are in `event.to_map()`. How the run ended is written under
    "{output}_report", JSON-ready, if the graph's state has that key. With a memory and a checkpointer, a node that is
    executed again after a fault or an interrupt continues its run.

    Args:
        pipeline: or a `Graph`, whose inputs are read from the keys of the state with their names; without such a key,
            its only input is the draft, else the prompt. Its approval nodes ask by `interrupt()`.
        prompt, draft: keys of the state to read; without a draft the pipeline's generator makes the first one.
        output: key to write.
        approve: True asks about every revision by `interrupt()`, with the question of `question_of` as a map; answer
            with `Command(resume=True)` or "yes", False or "no", or a text that replaces the revision. A callable is
            asked itself.

    Raises:
        ConfigurationError: `approve=True` without a memory.
    """
    life = Life(pipeline, takes_prompt=False)
    check_journal(life.pipeline, approve)

    def talk(state: Any) -> Generator[_Step, Any, Any]:
        asked, first, inputs = _text_in(state, prompt), _text_in(state, draft), None
        if isinstance(life.pipeline, Graph):
            inputs = _inputs_in(state, life.pipeline, asked, first)
        elif asked is None:
            raise ConfigurationError(f"the state has no {prompt!r}: set prompt= to the key of the prompt")
        result = yield from _run(life.pipeline, asked or "", first, approve, inputs)
        return {output: answer_text(result), **_report(output, result, state)}

    return ReflectionNode(life, talk, "reflection")


def reflection_runnable(pipeline: AnyPipeline, *, approve: bool | Approve = False) -> ReflectionNode:
    """Return a runnable from a prompt, as text, messages or prompt value, to the answer as an `AIMessage`.

    Its `usage_metadata` has the tokens of the run, `response_metadata` how it ended. It composes with `|`.

    Args:
        pipeline: or a graph, whose input is the prompt and whose approval nodes ask by `interrupt()`.
        approve: as in `reflection_node`.

    Raises:
        ConfigurationError: `approve=True` without a memory.
    """
    life = Life(pipeline)
    check_journal(life.pipeline, approve)

    def talk(given: Any) -> Generator[_Step, Any, Any]:
        result = yield from _run(life.pipeline, _text_of(given), None, approve)
        read, written, total = tokens_of(result.usage)
        return AIMessage(
            answer_text(result),
            response_metadata=summary_of(result),
            usage_metadata={"input_tokens": read, "output_tokens": written, "total_tokens": total},
        )

    return ReflectionNode(life, talk, "reflection")


def _run(
    pipeline: Pipeline | Graph,
    prompt: str,
    draft: str | None,
    approve: bool | Approve,
    inputs: Mapping[str, Any] | None = None,
) -> Generator[_Step, Any, Any]:
    """Yield the awaited steps of a run; between them, ask by `interrupt` in the context of the node."""
    run_id, write = _run_id(), _writer()
    emit = None if write is None else lambda event: write(cast("GraphEvent", event).to_map())
    ask = asking(approve)
    options: dict[str, Any] = {"inputs": inputs, "approve": ask, "emit": emit}
    asks, shown, made = approve is True or isinstance(pipeline, Graph), None, 0
    result: Any = None
    if asks and run_id is not None:  # what was shown when the node was left is asked first, as it was shown
        shown = yield partial(shown_question, pipeline, run_id)
    if shown is None:
        result = yield lambda: advance(pipeline, prompt, draft, run_id=run_id, **options)
        run_id = result.run_id
    if asks:
        made = yield lambda: decisions_made(pipeline, cast("str", run_id))
    problem: ConfigurationError | None = None
    for number in count():
        if made:  # answered before: returns at once
            question: dict[str, Any] = {"type": "approval", "run_id": run_id}
        elif shown is not None or is_suspended(result):
            question = shown or (yield partial(waiting_revision, pipeline, result))
            if number:
                yield _LastAnswer()
        else:
            break
        try:
            decision = _answer(
                question if problem is None else asked_again(question, problem), number, is_open=not made
            )
        except ConfigurationError as error:
            problem = error
            continue
        problem = None
        if made:
            made -= 1
        else:
            answer = {"decision": decision, "question": question["id"]}
            result = yield partial(advance, pipeline, prompt, run_id=run_id, **answer, **options)
            shown = None
    failure = failure_of(result)
    if failure is not None:
        raise failure
    return result


_NO_ANSWER: Final = {"jido_ai": "no answer"}


def _answer(question: dict[str, Any], number: int, *, is_open: bool) -> bool | str:
    """Return the decision of the answer with a number in this task.

    An answer to the open question that is refused is replaced where LangGraph keeps it, as it gives the answers again
    whenever the task is executed.

    Raises:
        ConfigurationError: it is none, or is not meant for the question.
    """
    said = interrupt(question)
    if said == _NO_ANSWER:
        raise ConfigurationError("the graph was continued without an answer")
    if not is_open:
        return decision_in(said)
    try:
        if _is_for_an_earlier_question(number):
            raise ConfigurationError("the answer has the id of an earlier question")
        return decision_in(said, question)
    except ConfigurationError:
        configured: Mapping[str, Any] = get_config().get("configurable", {})
        kept = configured["__pregel_scratchpad"].resume
        kept[number] = _NO_ANSWER
        configured["__pregel_send"]([("__resume__", kept)])
        raise


def _is_for_an_earlier_question(number: int) -> bool:
    """Tell whether the newest answer names the first question of this task, which has another one open.

    LangGraph takes it for the open one, as its older versions gave all questions of a task the same id.
    """
    configured: Mapping[str, Any] = get_config().get("configurable", {})
    answered, place = configured.get("__pregel_resume_map"), configured.get("checkpoint_ns", "")
    if not answered or not number or _interrupt_id is None:
        return False
    return _interrupt_id(place, 0) in answered and _interrupt_id(place, number) not in answered


class _LastAnswer:
    """Step that makes LangGraph forget the last answer to `Command(resume=...)`.

    It would give that answer to the next question when the graph is continued without one, as `ainvoke(None)` does.
    """

    def __init__(self) -> None:
        configured: Mapping[str, Any] = get_config().get("configurable", {})
        root = configured.get("checkpoint_map", {}).get("")
        self._saver = None if root is None else configured.get("__pregel_checkpointer")
        place = {"thread_id": configured.get("thread_id"), "checkpoint_ns": "", "checkpoint_id": root}
        self._writes = ({"configurable": place}, [("__resume__", _NO_ANSWER)], "00000000-0000-0000-0000-000000000000")

    def forget(self) -> None:
        if self._saver is not None:
            self._saver.put_writes(*self._writes)

    async def aforget(self) -> None:
        if self._saver is not None:
            await self._saver.aput_writes(*self._writes)


def _talked(talk: Generator[_Step, Any, Any], life: Life) -> Any:
    try:
        step = next(talk)
        while True:
            step = talk.send(step.forget() if isinstance(step, _LastAnswer) else life.wait(step))
    except StopIteration as over:
        return over.value


async def _atalked(talk: Generator[_Step, Any, Any], life: Life) -> Any:
    try:
        step = next(talk)
        while True:
            step = talk.send(await (step.aforget() if isinstance(step, _LastAnswer) else life.run(step)))
    except StopIteration as over:
        return over.value


def _run_id() -> str | None:
    """Return an id that is the same when this task is executed again; None without a checkpointer."""
    try:
        configured: Mapping[str, Any] = get_config().get("configurable", {})
    except RuntimeError:
        return None
    thread, place = configured.get("thread_id"), configured.get("checkpoint_ns")
    return f"{thread}/{place}" if thread and place else None


def _writer() -> Callable[[Any], None] | None:
    try:
        write = get_stream_writer()
    except (RuntimeError, KeyError):
        return None
    return None if getattr(write, "__name__", "") == "_no_op_stream_writer" else write


def _read(state: Any, key: str) -> Any:
    return state.get(key) if isinstance(state, Mapping) else getattr(state, key, None)


def _text_in(state: Any, key: str) -> str | None:
    value = _read(state, key)
    return None if value is None else _text_of(value)


def _inputs_in(state: Any, graph: Graph, prompt: str | None, draft: str | None) -> dict[str, Any]:
    """Return the inputs of a graph from the keys with their names, and the others as `inputs_of`, where these fit."""
    others = [name for name in graph.inputs if name != DRAFT]
    mapped: dict[str, Any] = inputs_of(graph, cast("str", prompt), draft) if len(others) < 2 else {}
    inputs = {name: mapped.get(name) if (value := _read(state, name)) is None else value for name in graph.inputs}
    lacking = [name for name, value in inputs.items() if value is None]
    if lacking:
        raise ConfigurationError(f"the state has no value for inputs of the graph: {', '.join(lacking)}")
    return inputs


def _report(output: str, result: Any, state: Any) -> dict[str, Any]:
    return {f"{output}_report": summary_of(result)} if _has(state, f"{output}_report") else {}


def _has(state: Any, key: str) -> bool:
    return key in state if isinstance(state, Mapping) else hasattr(state, key)


def _text_of(value: Any) -> str:
    """Return a text, a message's text, or the text of the last message of a list or prompt value."""
    if isinstance(value, str):
        return value
    if hasattr(value, "to_messages"):
        value = value.to_messages()
    if isinstance(value, list) and value:
        value = value[-1]
    content = getattr(value, "content", value)
    if isinstance(content, list):
        parts = [part if isinstance(part, str) else part.get("text", "") for part in content]
        content = "".join(parts)
    if not isinstance(content, str):
        raise ConfigurationError(f"a prompt or draft must be a string or a message, got {describe(value)}")
    return content


# -- out: their models and graphs as parts of a pipeline ----------------------------------------------


class ChatModel(FrameworkModel):
    """A LangChain chat model as a `LanguageModel`.

    Temperature, max_tokens, seed and stop are passed on as the model's own settings. A schema is written into the
    messages: the structured output of LangChain returns objects, and is not used. To have the provider enforce it, bind
    its own setting: `ChatModel(chat.bind(response_format=...))`. Callbacks of the caller's run see the call. It retries
    nothing itself.

    Args:
        chat: a `BaseChatModel`, or a runnable from messages to a message.

    Raises:
        ConfigurationError: it cannot be invoked.
    """

    def __init__(self, chat: Any) -> None:
        if not callable(getattr(chat, "ainvoke", None)):
            raise ConfigurationError(f"need a chat model of LangChain, got {describe(chat)}")
        self._chat = chat
        self.provider = "langchain"
        inner = getattr(chat, "bound", chat)
        name = getattr(inner, "model_name", None) or getattr(inner, "model", None)
        self.model = name if isinstance(name, str) else type(inner).__name__

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. See `LanguageModel`."""
        with translated(self.provider, self.model):
            answer = await self._chat.ainvoke(_messages(request), **options_of(request))
            return self._completion(answer, request)

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[str | Completion]:
        """Yield the pieces of the text, and last the whole `Completion`. See `StreamingModel`."""
        whole: Any = None
        pieces: list[str] = []
        with translated(self.provider, self.model):
            async with aclosing(self._chat.astream(_messages(request), **options_of(request))) as items:
                async for item in items:
                    whole = item if whole is None or not isinstance(item, AIMessageChunk) else whole + item
                    text = _text_of(item)
                    if text:
                        pieces.append(text)
                        yield text
            yield self._completion(whole if whole is not None else AIMessage(""), request, "".join(pieces))

    def _completion(self, answer: Any, request: CompletionRequest, text: str | None = None) -> Completion:
        told = getattr(answer, "usage_metadata", None) or {}
        about = getattr(answer, "response_metadata", None) or {}
        ended = about.get("finish_reason") or about.get("stop_reason") or about.get("done_reason")
        return Completion(
            _text_of(answer) if text is None else text,
            model=str(about.get("model_name") or request.model or self.model),
            usage=usage_of(
                input_tokens=told.get("input_tokens"),
                output_tokens=told.get("output_tokens"),
                cached=(told.get("input_token_details") or {}).get("cache_read"),
                reasoning=(told.get("output_token_details") or {}).get("reasoning"),
            ),
            **ended_as(ended, provider=self.provider, model=self.model),
            response_id=getattr(answer, "id", None),
        )


class GraphGenerator:
    """A compiled LangGraph graph as a generator: the prompt goes into its state, the answer comes out of it.

    Args:
        graph: compiled; a graph that interrupts cannot be used.
        prompt, answer: keys of its state. For a graph over "messages", pass "messages" for both.
        config: of each invocation.

    Raises:
        ConfigurationError: it cannot be invoked.
    """

    def __init__(
        self, graph: Any, *, prompt: str = "prompt", answer: str = "answer", config: RunnableConfig | None = None
    ) -> None:
        if not callable(getattr(graph, "ainvoke", None)):
            raise ConfigurationError(f"need a compiled graph, got {describe(graph)}")
        self._graph, self._prompt, self._answer, self._config = graph, prompt, answer, config

    async def generate(self, prompt: str, context: RunContext) -> Candidate:
        """Invoke the graph once. See `Generator`."""
        asked = with_lessons(prompt, context)
        given = [HumanMessage(asked)] if self._prompt == "messages" else asked
        with translated("langgraph"):
            state = await self._graph.ainvoke({self._prompt: given}, self._config)
        answer = _read(state, self._answer)
        if answer is None:
            raise ConfigurationError(f"the graph's state has no {self._answer!r} at its end; set answer= to its key")
        return Candidate(_text_of(answer))


def _messages(request: CompletionRequest) -> list[Any]:
    kinds = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
    return [kinds[message.role](message.content) for message in schema_instruction(request)]


# -- lessons -----------------------------------------------------------------------------------------


class LessonsStore(BaseStore):
    """The lessons of a `ReflexionMemory` as the store of a graph: `builder.compile(store=LessonsStore(memory))`.

    A namespace is a scope: `(tenant, project)`. `(tenant,)` is another name of `(tenant, "default")`: an item has the
    namespace that it was put under, is found under both, and one key cannot be put under both. A value has the texts
    "prompt" (what the lesson is for), "mistake" and "correction", at least one of the last two; a key is the id of an
    entry. A value that is put is kept as it is, also beside an equal one: it is never merged, and never removed to make
    room.

    Not as in other stores: a search with a query finds lessons for similar prompts, as the memory does: those below its
    threshold are left out, and of several with the same prompt or the same lesson one is found. Refused are other
    fields of a value, longer namespaces, `filter`, `index` (all lessons can be searched, by their prompt) and `ttl` (a
    lesson expires as the memory says). Texts are stored as the memory redacts them.

    The methods without "a" work from other threads than that of the memory's event loop, as in sync nodes of an async
    graph.

    Args:
        memory: open while the graph runs; it belongs to the caller.

    Raises:
        ConfigurationError: it is not a `ReflexionMemory`. By the methods: an operation is not possible here.
    """

    def __init__(self, memory: ReflexionMemory) -> None:
        if not isinstance(memory, ReflexionMemory):
            raise ConfigurationError(f"LessonsStore needs a ReflexionMemory, got {describe(memory)}")
        self._memory = memory
        self._loop = asyncio.get_running_loop()

    def batch(self, ops: Any) -> list[Any]:
        """Do operations from another thread; see `BaseStore`."""
        try:
            here = asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run_coroutine_threadsafe(self.abatch(ops), self._loop).result(_SYNC_S)
        raise ConfigurationError(f"in the event loop {here!r} use the async methods: aget, aput, asearch")

    async def abatch(self, ops: Any) -> list[Any]:
        """Do operations in order; see `BaseStore`."""
        return [await self._do(op) for op in ops]

    async def _do(self, op: Any) -> Any:
        match op:
            case GetOp(namespace=namespace, key=key):
                try:
                    return _item(await self._memory.get(key, scope=_scope_of(namespace)))
                except NotFoundError:
                    return None
            case PutOp(namespace=namespace, key=key, value=None):
                try:
                    await self._memory.forget(key, scope=_scope_of(namespace))
                except NotFoundError:
                    pass  # to delete what is not there is no error in a store
                return None
            case PutOp(namespace=namespace, key=key, value=value):
                if op.ttl is not None:
                    raise ConfigurationError("a lesson expires as the memory says (retention_days=); omit ttl")
                if op.index is not None:
                    raise ConfigurationError("a lesson is always searched by its prompt; omit index")
                await self._put(_entry_of(key, value, namespace))
                return None
            case SearchOp(namespace_prefix=namespace):
                if op.filter:
                    raise ConfigurationError("a search for lessons has a query and no filter")
                return await self._search(op, await self._scopes_in(namespace))
            case ListNamespacesOp():
                names = sorted({_namespace(entry) async for entry in self._memory.entries()})
                met = [
                    name for name in names if all(_meets(name, condition) for condition in op.match_conditions or ())
                ]
                short = list(dict.fromkeys(name[: op.max_depth] for name in met))
                return short[op.offset : op.offset + op.limit]
            case _:
                raise ConfigurationError(f"unknown operation {describe(op)}")

    async def _put(self, entry: MemoryEntry) -> None:
        """Store an entry; the time of its first version stays."""
        try:
            old = await self._memory.get(entry.id, scope=entry.scope)
        except NotFoundError:
            pass
        else:
            if old.source == PUT and _namespace(old) != _namespace(entry):
                raise ConfigurationError(
                    f"{entry.id!r} is stored under {_namespace(old)}, another name of this namespace"
                )
            entry = entry.replace(metadata={**entry.metadata, _CREATED: _created(old).isoformat()})
        await self._memory.store(entry)

    async def _scopes_in(self, namespace: Any) -> list[Scope]:
        """Return the scopes whose names begin with a namespace."""
        whole = _scope_of(namespace)  # refuses what can be none
        if len(namespace) == _PARTS:
            return [whole]
        scopes = await self._memory.scopes()
        return [scope for scope in scopes if (scope.tenant, scope.project)[: len(namespace)] == tuple(namespace)]

    async def _search(self, op: Any, scopes: list[Scope]) -> list[SearchItem]:
        end = op.offset + op.limit
        if not op.query:
            listed = [entry for scope in scopes for entry in await self._memory.list_entries(scope, limit=end)]
            listed.sort(key=lambda entry: entry.timestamp, reverse=True)
            return [_item(entry, SearchItem) for entry in listed[op.offset : end]]
        found = [one for scope in scopes for one in await self._memory.retrieve_similar(op.query, end, scope=scope)]
        found.sort(key=lambda one: one.similarity, reverse=True)
        return [_item(one.entry, SearchItem, score=one.similarity) for one in found[op.offset : end]]


_CREATED: Final = "created_at"
_FIELDS: Final = "fields"
_DEPTH: Final = "depth"
_PARTS: Final = 2
"""Parts of a whole namespace: tenant and project."""


def _created(entry: MemoryEntry) -> datetime:
    """Return when the first version of an entry was put."""
    noted: object = entry.metadata.get(_CREATED)
    return datetime.fromisoformat(noted) if isinstance(noted, str) else entry.timestamp


def _namespace(entry: MemoryEntry) -> tuple[str, ...]:
    """Return the namespace under which an entry was put; that of its scope if it was made otherwise."""
    parts: object = entry.metadata.get(_DEPTH)
    return (entry.scope.tenant, entry.scope.project)[: parts if isinstance(parts, int) else _PARTS]


def _meets(name: tuple[str, ...], condition: Any) -> bool:
    """Tell whether a namespace begins or ends as a condition says; "*" stands for any name."""
    path = tuple(condition.path)
    if len(path) > len(name):
        return False
    part = name[: len(path)] if condition.match_type == "prefix" else name[len(name) - len(path) :]
    return all(wanted in ("*", one) for one, wanted in zip(part, path, strict=True))


def _scope_of(namespace: Any) -> Scope:
    if len(namespace) > 2:
        raise ConfigurationError(f"a namespace of lessons is (tenant, project), got {describe(namespace)}")
    return Scope(*namespace)


def _entry_of(key: str, value: Any, namespace: Any) -> MemoryEntry:
    if not isinstance(key, str) or not key.strip():
        raise ConfigurationError(f"a key must be a string that is not blank, got {describe(key)}")
    told = cast("Mapping[str, Any]", value if isinstance(value, Mapping) else {})
    unknown = [name for name in told if name not in _LESSON]
    texts = [told.get(name, "") for name in _LESSON]
    if unknown or not all(isinstance(text, str) for text in texts) or not (texts[0] and (texts[1] or texts[2])):
        raise ConfigurationError(f"a lesson has the texts prompt, mistake and correction, got {describe(value)}")
    about = {_FIELDS: [*told], _DEPTH: len(namespace)}
    return MemoryEntry(*texts, id=key, kind=MemoryKind.SEMANTIC, scope=_scope_of(namespace), source=PUT, metadata=about)


def _item(entry: MemoryEntry, kind: Any = Item, **more: Any) -> Any:
    fields: object = entry.metadata.get(_FIELDS)
    put = cast("list[object]", fields) if isinstance(fields, list) else _LESSON
    value = {name: getattr(entry, name) for name in _LESSON if name in put or getattr(entry, name)}
    times = {"created_at": _created(entry), "updated_at": entry.timestamp}
    return kind(namespace=_namespace(entry), key=entry.id, value=value, **times, **more)
