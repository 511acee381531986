#!/usr/bin/env bash
# crewai 1.15.30: a step of a flow that is made from a function has the name of its attribute, and listen(step) waits for
# the name of the function. If these differ, the listener is never called, without an error; listen("attribute") works.
# Guess: listen(step) listens to that step, or the flow refuses a listener of nothing.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/pip" install -q --disable-pip-version-check "crewai==1.15.30" 2>/dev/null
cat > "$folder/program.py" <<'PY'
import os

os.environ["CREWAI_DISABLE_TELEMETRY"] = os.environ["OTEL_SDK_DISABLED"] = os.environ["CREWAI_TESTING"] = "true"
from crewai.flow.flow import Flow, listen, start

told = []


def shared(self):
    return "written"


class Writing(Flow[dict]):
    write = start()(shared)

    @listen(write)
    def by_object(self, text):
        told.append("by object")

    @listen("write")
    def by_name(self, text):
        told.append("by name")


Writing(suppress_flow_events=True).kickoff()
print("told:", told)
PY
seen=$("$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="told: ['by name']"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
