#!/usr/bin/env bash
# openai-agents 0.24.0: a RunState with an approved tool call is a value. A client that repeats its request (the same
# saved JSON, the same approval) runs the tool once more; nothing tells that the call was made before.
# Guess: the second run is refused, or has the result of the first.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/pip" install -q --disable-pip-version-check "openai-agents==0.24.0" 2>/dev/null
cat > "$folder/program.py" <<'PY'
import asyncio
import json

from agents import Agent, Runner, RunState, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)
paid = []


@function_tool(needs_approval=True)
def pay(amount: int) -> str:
    paid.append(amount)
    return "paid"


async def main():
    model = ScriptedModel([[function_call("pay", {"amount": 5}, call_id="call-1")]])
    saved = json.dumps((await Runner.run(Agent("a", model=model, tools=[pay]), "go")).to_state().to_json())
    for _ in range(2):
        agent = Agent("a", model=ScriptedModel([[assistant_message("done")]]), tools=[pay])
        state = await RunState.from_json(agent, json.loads(saved))
        state.approve(state.get_interruptions()[0])
        print((await Runner.run(agent, state)).final_output, paid)


asyncio.run(main())
PY
seen=$("$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="done [5]
done [5, 5]"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
