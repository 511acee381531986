#!/usr/bin/env bash
# langgraph 1.2.24: a node asks twice with interrupt(); each question has an id of its own. An answer that names the id of
# the first question, sent again while the second one is open, is taken for the second: the node runs on. A client that
# repeats its request after a lost response so approves what it has not seen. Guess: refused, or ignored.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/pip" install -q --disable-pip-version-check "langgraph==1.2.24" 2>/dev/null
cat > "$folder/program.py" <<'PY'
from typing import TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command, interrupt


class State(TypedDict, total=False):
    answers: list


def node(state: State) -> State:
    return {"answers": [interrupt("publish the draft?"), interrupt("delete the old page?")]}


builder = StateGraph(State)
builder.add_node("node", node)
builder.add_edge(START, "node")
graph = builder.compile(checkpointer=InMemorySaver())
thread = {"configurable": {"thread_id": "1"}}
first = graph.invoke({}, thread)["__interrupt__"][0]
second = graph.invoke(Command(resume={first.id: "yes"}), thread)["__interrupt__"][0]
print("two ids:", first.id != second.id, "- open:", second.value)
print("after the first id once more:", graph.invoke(Command(resume={first.id: "yes"}), thread))
PY
seen=$("$folder/v/bin/python" "$folder/program.py")
expected="two ids: True - open: delete the old page?
after the first id once more: {'answers': ['yes', 'yes']}"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
