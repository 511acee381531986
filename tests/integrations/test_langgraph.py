"""A pipeline inside of LangGraph, and LangGraph's models and graphs inside of a pipeline."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from integration_helpers import CONFIG, PROMPT, USAGE, Parts, check_survival, graphed, lone, piped

pytest.importorskip("langgraph", reason="langgraph is not installed: make test-integrations")

from frameworks.langgraph import State, built
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.config import get_store
from langgraph.graph import START, StateGraph
from langgraph.types import Command
from model_contract import *  # noqa: F403 - the suite
from typing_extensions import TypedDict

from jido_ai.errors import AuthenticationError, ConfigurationError, ModelError, RateLimitError
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import ApprovalNode, StepNode
from jido_ai.integrations.langgraph import (
    ChatModel,
    GraphGenerator,
    LessonsStore,
    reflection_node,
    reflection_runnable,
)
from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.values import CompletionRequest, Message, Scope


def kept() -> ReflexionMemory:
    return ReflexionMemory(store=InProcessStore())


# -- in ----------------------------------------------------------------------------------------------


async def test_a_draft_in_the_state_is_judged_instead_of_a_generated_one() -> None:
    parts = Parts()
    async with reflection_node(piped(parts)) as node:
        state = await built(node).ainvoke({"prompt": PROMPT, "draft": "v2"})
    assert state["answer"] == "v3"
    assert parts.calls[0] == "critique v2"
    assert "generate" not in parts.calls


async def test_the_names_of_the_keys_can_be_chosen() -> None:
    class Other(TypedDict, total=False):
        question: str
        reply: str

    graph = StateGraph(Other)
    async with reflection_node(piped(), prompt="question", output="reply") as node:
        graph.add_node("judge", node)
        graph.add_edge(START, "judge")
        assert (await graph.compile().ainvoke({"question": PROMPT}))["reply"] == "v3"


async def test_the_custom_stream_carries_the_events_as_maps() -> None:
    async with reflection_node(piped()) as node:
        events = [event async for event in built(node).astream({"prompt": PROMPT}, stream_mode="custom")]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[0]["type"] == "RunStarted"
    assert events[-1]["type"] == "RunStopped"
    json.dumps(events)


def test_invoke_without_an_event_loop_gives_the_same_answer() -> None:
    node = reflection_node(piped())
    graph = built(node)
    assert graph.invoke({"prompt": PROMPT})["answer"] == "v3"
    events = list(graph.stream({"prompt": PROMPT}, stream_mode="custom"))
    assert events[-1]["type"] == "RunStopped"
    asyncio.run(node.aclose())


def test_approval_works_without_an_event_loop_too() -> None:
    node = reflection_node(piped(memory=kept()), approve=True)
    graph = built(node, checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    state, asked = graph.invoke({"prompt": PROMPT}, thread), 0
    while "__interrupt__" in state:
        state, asked = graph.invoke(Command(resume=True), thread), asked + 1
    assert (state["answer"], asked) == ("v3", 3)
    asyncio.run(node.aclose())


async def test_an_answer_to_an_interrupt_is_for_the_text_that_was_shown() -> None:
    def refund(text: str, draft: str) -> Graph:
        nodes = {
            draft: StepNode(lambda prompt: text, inputs={"prompt": "{prompt}"}),
            "sign": ApprovalNode(f"{{{draft}}}"),
        }
        return Graph(nodes, inputs=["prompt"], output="sign", memory=memory)

    saver, thread = InMemorySaver(), {"configurable": {"thread_id": "1"}}
    async with kept() as memory:
        async with refund("10 dollars", "draft") as before:
            host = built(reflection_node(before), checkpointer=saver)
            state = await host.ainvoke({"prompt": PROMPT}, thread)
            assert state["__interrupt__"][0].value["revision"] == "10 dollars"
        async with refund("9000 dollars", "draft_2") as after:
            host = built(reflection_node(after), checkpointer=saver)
            state = await host.ainvoke(Command(resume=True), thread)
            assert state["__interrupt__"][0].value["revision"] == "9000 dollars"
            assert (await host.ainvoke(Command(resume=True), thread))["answer"] == "9000 dollars"


async def _asked(given: Any, graph: Any, thread: Any) -> dict[str, Any]:
    """Return the question that is open after an input."""
    return (await graph.ainvoke(given, thread))["__interrupt__"][0].value


THREAD: Any = {"configurable": {"thread_id": "1"}}


@pytest.mark.parametrize("bad", ["", "  ", 5, {"approved": True, "by": "me"}, {"decision": True, "revision_id": "x"}])
async def test_an_answer_that_cannot_be_used_gets_the_question_again_and_the_next_one_counts(bad: Any) -> None:
    async with reflection_node(piped(memory=kept()), approve=True) as node:
        graph = built(node, checkpointer=InMemorySaver())
        first = await _asked({"prompt": PROMPT}, graph, THREAD)
        again = await _asked(Command(resume=bad), graph, THREAD)
        assert again["problem"]
        assert {name: value for name, value in again.items() if name != "problem"} == first
        assert (await _asked(Command(resume=True), graph, THREAD))["revision"] == "v2"
        again = await _asked(Command(resume=bad), graph, THREAD)
        assert again["problem"]
        assert again["revision"] == "v2"
        answer = {"decision": True, "revision_id": again["revision_id"]}
        assert (await _asked(Command(resume=answer), graph, THREAD))["revision"] == "v3"
        assert (await graph.ainvoke(Command(resume=True), THREAD))["answer"] == "v3"


@pytest.mark.parametrize("answer", [True, "v1"])
async def test_a_graph_that_is_continued_without_an_answer_asks_again(answer: Any) -> None:
    parts = Parts()
    async with reflection_node(piped(parts, memory=kept()), approve=True) as node:
        graph = built(node, checkpointer=InMemorySaver())
        await graph.ainvoke({"prompt": PROMPT}, THREAD)
        second = await _asked(Command(resume=answer), graph, THREAD)
        calls = list(parts.calls)
        for _ in range(2):
            again = await _asked(None, graph, THREAD)
            assert (again["revision"], parts.calls) == (second["revision"], calls)
        assert (await _asked(Command(resume=True), graph, THREAD))["revision"] == "v3"


def test_a_graph_without_an_event_loop_that_is_continued_without_an_answer_asks_again() -> None:
    node = reflection_node(piped(memory=kept()), approve=True)
    graph = built(node, checkpointer=InMemorySaver())
    graph.invoke({"prompt": PROMPT}, THREAD)
    second = graph.invoke(Command(resume=True), THREAD)["__interrupt__"][0].value
    again = graph.invoke(None, THREAD)["__interrupt__"][0].value
    assert again["revision"] == second["revision"] == "v2"
    asyncio.run(node.aclose())


async def test_two_approval_nodes_of_a_graph_each_need_an_answer() -> None:
    class Topic(TypedDict, total=False):
        task: str
        answer: str

    theirs = StateGraph(Topic)
    async with reflection_node(graphed(asks=True, memory=kept())) as node:
        theirs.add_node("ours", node)
        theirs.add_edge(START, "ours")
        app = theirs.compile(checkpointer=InMemorySaver())
        await app.ainvoke({"task": PROMPT}, THREAD)
        second = await _asked(Command(resume=True), app, THREAD)
        assert (await _asked(None, app, THREAD))["revision"] == second["revision"] == "v3!"
        assert (await app.ainvoke(Command(resume=True), THREAD))["answer"] == "v3!"


def test_approval_by_interrupt_needs_a_memory() -> None:
    with pytest.raises(ConfigurationError, match="needs a journal"):
        reflection_node(piped(), approve=True)


async def test_a_callable_is_asked_itself() -> None:
    async with reflection_node(piped(), approve=lambda revision, iteration, context: False) as node:
        assert (await built(node).ainvoke({"prompt": PROMPT}))["answer"] == "v0"


async def test_a_second_turn_of_a_thread_is_a_new_run() -> None:
    parts = Parts()
    async with reflection_node(piped(parts, memory=kept())) as node:
        graph = built(node, checkpointer=InMemorySaver())
        thread: Any = {"configurable": {"thread_id": "1"}}
        await graph.ainvoke({"prompt": PROMPT}, thread)
        await graph.ainvoke({"prompt": PROMPT}, thread)
    assert parts.calls.count("generate") == 2


async def test_a_runnable_answers_messages_and_reports_its_usage() -> None:
    async with reflection_runnable(piped()) as runnable:
        message = await runnable.ainvoke([AIMessage("before"), HumanMessage(PROMPT)])
        assert await (runnable | (lambda answer: answer.content)).ainvoke(PROMPT) == "v3"
    assert message.content == "v3"
    assert message.usage_metadata["total_tokens"] == 4 * (USAGE.input_tokens + USAGE.output_tokens)
    assert message.response_metadata["stop_reason"] == "accepted"


async def test_a_blocking_pipeline_can_replace_a_pipeline() -> None:
    with BlockingPipeline(piped()) as blocking:
        graph = built(reflection_node(blocking))
        assert (await graph.ainvoke({"prompt": PROMPT}))["answer"] == "v3"
        assert (await asyncio.to_thread(graph.invoke, {"prompt": PROMPT}))["answer"] == "v3"
        assert (await reflection_runnable(blocking).ainvoke(PROMPT)).content == "v3"


async def test_a_graph_of_ours_can_be_a_node() -> None:
    def shout(text: str) -> str:
        return text.upper()

    graph = Graph({"shout": StepNode(shout, inputs={"text": "{topic}"})}, inputs=["topic"], output="shout")

    class Topic(TypedDict, total=False):
        topic: str
        answer: str

    theirs = StateGraph(Topic)
    async with reflection_node(graph) as node:
        theirs.add_node("ours", node)
        theirs.add_edge(START, "ours")
        app = theirs.compile()
        assert (await app.ainvoke({"topic": "otp"}))["answer"] == "OTP"
    assert (await asyncio.to_thread(app.invoke, {"topic": "otp"}))["answer"] == "OTP", "in a thread of its own"
    await node.aclose()


async def test_without_a_key_of_its_name_the_only_input_of_a_graph_is_the_draft_else_the_prompt() -> None:
    async with reflection_node(lone(parts := Parts())) as node:
        assert (await built(node).ainvoke({"prompt": PROMPT, "draft": "v2"}))["answer"] == "v3"
        assert (await built(node).ainvoke({"prompt": "v1"}))["answer"] == "v3"
    assert [parts.calls[0], parts.calls[3]] == ["critique v2", "critique v1"]


@pytest.mark.parametrize(
    ("inputs", "lacking"), [(["topic"], "topic"), (["prompt", "reader", "draft"], "reader, draft")]
)
async def test_inputs_of_a_graph_that_the_state_does_not_have_are_named(inputs: list[str], lacking: str) -> None:
    step = StepNode(lambda **given: str(given), inputs={name: f"{{{name}}}" for name in inputs})
    node = reflection_node(Graph({"x": step}, inputs=inputs, output="x"), draft="none", prompt="task")
    async with node:
        with pytest.raises(ConfigurationError, match=f"no value for inputs of the graph: {lacking}\n"):
            await built(node).ainvoke({"prompt": PROMPT})


async def test_an_input_called_draft_is_empty_without_a_draft() -> None:
    step = StepNode(lambda task, draft: f"{task}:{draft}", inputs={"task": "{task}", "draft": "{draft}"})
    async with reflection_node(Graph({"x": step}, inputs=["task", "draft"], output="x")) as node:
        assert (await node.ainvoke({"task": "a"}))["answer"] == "a:"
        assert (await node.ainvoke({"prompt": "b", "draft": "v"}))["answer"] == "b:v"


async def test_a_graph_of_ours_can_be_a_runnable() -> None:
    async with reflection_runnable(graphed()) as runnable:
        assert (await runnable.ainvoke(PROMPT)).content == "v3"


class FileSaver(InMemorySaver):
    """LangGraph's own saver in memory, kept in a file."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = Path(path)
        if self.path.exists():
            import pickle

            storage, self.writes_, blobs = pickle.loads(self.path.read_bytes())
            for thread, spaces in storage.items():
                for space, saved in spaces.items():
                    self.storage[thread][space].update(saved)
            self.writes.update(self.writes_)
            self.blobs.update(blobs)

    def _save(self) -> None:
        import pickle

        plain = {
            thread: {space: dict(saved) for space, saved in spaces.items()} for thread, spaces in self.storage.items()
        }
        self.path.write_bytes(pickle.dumps((plain, dict(self.writes), dict(self.blobs))))

    def put(self, *args: Any, **options: Any) -> Any:
        done = super().put(*args, **options)
        self._save()
        return done

    def put_writes(self, *args: Any, **options: Any) -> None:
        super().put_writes(*args, **options)
        self._save()


async def survive(pipeline: Pipeline, saved: str) -> str:
    thread: Any = {"configurable": {"thread_id": "1"}}
    graph = built(reflection_node(pipeline), checkpointer=FileSaver(saved))
    given = None if (await graph.aget_state(thread)).next else {"prompt": PROMPT}
    return (await graph.ainvoke(given, thread, durability="sync"))["answer"]


@pytest.mark.parametrize("step", ["critique v0", "revise v1", "critique v3"])
def test_after_a_kill_only_the_step_in_flight_is_repeated(tmp_path: Path, step: str) -> None:
    check_survival("test_langgraph", step, tmp_path)


# -- out ---------------------------------------------------------------------------------------------


class Answering(GenericFakeChatModel):
    """LangChain's fake chat model, which answers by the request as the contract suite wants it."""

    messages: Iterator[Any] = iter(())

    def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **settings: Any) -> ChatResult:
        asks_json = "JSON" in messages[-1].content
        text = '{"score": 7, "verdict": "accept"}' if asks_json else "well then"
        usage: Any = {"input_tokens": 7, "output_tokens": 2, "total_tokens": 9}
        return ChatResult(generations=[ChatGeneration(message=AIMessage(text, usage_metadata=usage))])

    def _stream(self, messages: Any, stop: Any = None, run_manager: Any = None, **settings: Any) -> Any:
        message = self._generate(messages).generations[0].message
        for piece in message.content.partition(" "):
            chunk = ChatGenerationChunk(message=AIMessageChunk(piece))
            if run_manager is not None:
                run_manager.on_llm_new_token(piece, chunk=chunk)
            yield chunk


@pytest.fixture(params=["langchain"])
def model(request: pytest.FixtureRequest) -> ChatModel:
    return ChatModel(Answering())


def test_a_bound_model_keeps_its_name() -> None:
    assert ChatModel(Answering().bind(stop=["x"])).model == "Answering"


class Refusing(GenericFakeChatModel):
    messages: Iterator[Any] = iter(())
    status: int = 429
    asked: list[int] = []

    def _generate(self, *args: Any, **settings: Any) -> ChatResult:
        self.asked.append(1)
        error = RuntimeError("no")
        error.status_code = self.status  # type: ignore[attr-defined]
        raise error


@pytest.mark.parametrize(("status", "kind"), [(429, RateLimitError), (401, AuthenticationError), (418, ModelError)])
async def test_a_refusal_of_the_model_is_a_refusal_error_after_one_call(status: int, kind: type[Exception]) -> None:
    refusing = Refusing(status=status, asked=[])
    with pytest.raises(kind):
        await ChatModel(refusing).complete(CompletionRequest((Message("user", "hi"),)))
    assert len(refusing.asked) == 1


async def test_a_model_call_inside_of_a_node_reaches_stream_mode_messages_token_by_token() -> None:
    def good(candidate: Any, context: Any) -> Any:
        from jido_ai.values import CritiqueResult

        return CritiqueResult(severity=0.0)

    pipeline = Pipeline(LLMGenerator(ChatModel(Answering())), good, None, config=CONFIG)
    async with reflection_node(pipeline) as node:
        tokens = [
            message.content
            async for message, _ in built(node).astream({"prompt": PROMPT}, stream_mode="messages")
            if message.content
        ]
    assert "".join(tokens).startswith("well then")


async def test_a_compiled_graph_can_generate() -> None:
    async def write(state: State) -> State:
        return {"answer": "v2"}

    parts = Parts()
    async with Pipeline(GraphGenerator(built(write)), parts, parts, config=CONFIG) as pipeline:
        result = await pipeline.run(PROMPT)
    assert result.best_candidate is not None
    assert result.best_candidate.content == "v3"
    assert parts.calls[0] == "critique v2"


async def test_a_graph_without_the_key_says_which_to_set() -> None:
    async def write(state: State) -> State:
        return {"draft": "v2"}

    parts = Parts()
    async with Pipeline(GraphGenerator(built(write)), parts, parts, config=CONFIG) as pipeline:
        result = await pipeline.run(PROMPT)
    assert result.error is not None
    assert "set answer=" in result.error.message


# -- lessons ---------------------------------------------------------------------------------------


async def test_lessons_are_the_store_of_a_graph_in_async_and_in_sync_nodes() -> None:
    found: list[Any] = []

    async def learn(state: Any) -> Any:
        await get_store().aput(("acme", "p"), "l1", {"prompt": "parse a date", "correction": "check the year"})
        return {}

    def recall(state: Any) -> Any:
        found.extend(get_store().search(("acme", "p"), query="parse a date"))
        return {}

    async with ReflexionMemory() as memory:
        builder = StateGraph(dict)
        builder.add_node("learn", learn)
        builder.add_node("recall", recall)
        builder.add_edge(START, "learn")
        builder.add_edge("learn", "recall")
        graph = builder.compile(store=LessonsStore(memory))
        await graph.ainvoke({})
        assert [(one.key, one.value["correction"]) for one in found] == [("l1", "check the year")]
        assert found[0].score == pytest.approx(1.0)
        assert (await memory.get("l1", scope=Scope("acme", "p"))).correction == "check the year"


async def test_each_operation_of_a_store_is_carried_out_or_refused() -> None:
    async with ReflexionMemory() as memory:
        store = LessonsStore(memory)
        lesson = {"prompt": "parse a date", "mistake": "the year", "correction": "check it"}
        await store.aput(("acme",), "l1", lesson)
        item = await store.aget(("acme",), "l1")
        assert item is not None
        assert item.value == lesson
        assert await store.aget(("other",), "l1") is None
        assert [one.key for one in await store.asearch(("acme",))] == ["l1"]
        assert item.namespace == ("acme",)
        assert await store.alist_namespaces() == [("acme",)]
        assert await store.aget(("acme", Scope().project), "l1") == item
        with pytest.raises(ConfigurationError, match="stored under"):
            await store.aput(("acme", Scope().project), "l1", lesson)
        await store.adelete(("acme",), "l1")
        await store.adelete(("acme",), "l1")
        assert await store.asearch(("acme",)) == []
        for wrong in ({"text": "a"}, {"prompt": "a"}, {"prompt": "a", "correction": 1}, ["prompt"]):
            with pytest.raises(ConfigurationError, match="a lesson has the texts"):
                await store.aput(("acme",), "l2", wrong)
        with pytest.raises(ConfigurationError, match="a key must be"):
            await store.aput(("acme",), " ", lesson)
        with pytest.raises(ConfigurationError, match="has a query and no filter"):
            await store.asearch(("acme",), filter={"a": 1})
        with pytest.raises(ConfigurationError, match=r"is \(tenant, project\)"):
            await store.aget(("a", "b", "c"), "l1")
        with pytest.raises(ConfigurationError, match="use the async methods"):
            store.get(("acme",), "l1")
    with pytest.raises(ConfigurationError, match="needs a ReflexionMemory"):
        LessonsStore("memory.db")  # type: ignore[arg-type]


def lesson_about(what: str) -> dict[str, str]:
    return {"prompt": f"work on {what}", "correction": "check it twice"}


async def test_equal_values_under_two_keys_both_stay_and_an_update_keeps_the_time_of_the_first_put() -> None:
    async with ReflexionMemory(max_entries=2) as memory:
        store = LessonsStore(memory)
        for key in ("a", "b", "c"):
            await store.aput(("acme", "p"), key, lesson_about("dates"))
        assert {one.key for one in await store.asearch(("acme", "p"))} == {"a", "b", "c"}
        before = await store.aget(("acme", "p"), "a")
        await store.aput(("acme", "p"), "a", lesson_about("times"))
        after = await store.aget(("acme", "p"), "a")
    assert before is not None
    assert after is not None
    assert after.created_at == before.created_at
    assert after.updated_at > before.updated_at
    assert after.value == lesson_about("times")


async def test_a_search_finds_what_is_below_a_prefix() -> None:
    async with ReflexionMemory() as memory:
        store = LessonsStore(memory)
        await store.aput(("acme", "p"), "a", lesson_about("dates"))
        await store.aput(("acme", "q"), "b", lesson_about("times"))
        await store.aput(("other", "p"), "c", lesson_about("dates"))
        assert {one.key for one in await store.asearch(("acme",))} == {"a", "b"}
        assert {one.key for one in await store.asearch(())} == {"a", "b", "c"}
        assert await store.asearch(("nobody",)) == []
        found = await store.asearch(("acme",), query="work on dates")
        assert [(one.key, one.namespace) for one in found] == [("a", ("acme", "p"))]
        assert {one.key for one in await store.asearch((), query="work on dates")} == {"a", "c"}
        pages = [await store.asearch((), limit=2, offset=offset) for offset in (0, 2)]
        assert sorted(one.key for page in pages for one in page) == ["a", "b", "c"]


async def test_namespaces_are_listed_by_conditions_and_depth_without_empty_ones() -> None:
    async with ReflexionMemory() as memory:
        store = LessonsStore(memory)
        for namespace in (("acme", "p"), ("acme", "q"), ("other", "p")):
            await store.aput(namespace, "a", lesson_about("dates"))
        assert await store.alist_namespaces(max_depth=1) == [("acme",), ("other",)]
        assert await store.alist_namespaces(prefix=("acme",)) == [("acme", "p"), ("acme", "q")]
        assert await store.alist_namespaces(suffix=("p",)) == [("acme", "p"), ("other", "p")]
        assert await store.alist_namespaces(prefix=("*", "q")) == [("acme", "q")]
        assert await store.alist_namespaces(limit=1, offset=1) == [("acme", "q")]
        await store.adelete(("other", "p"), "a")
        assert await store.alist_namespaces(suffix=("p",)) == [("acme", "p")]


@pytest.mark.parametrize("index", [False, ["prompt"]])
async def test_an_index_of_its_own_is_refused(index: Any) -> None:
    async with ReflexionMemory() as memory:
        with pytest.raises(ConfigurationError, match="omit index"):
            await LessonsStore(memory).aput(("acme", "p"), "a", lesson_about("dates"), index=index)
