#!/usr/bin/env bash
# haystack-ai 3.4.1: a component that leaves out one of its outputs (here a critic without a score) leaves a component
# that needs it without an input. Pipeline.run returns an empty result; there is a line in the log, and no error to
# catch. Guess: an exception that names the input.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/pip" install -q --disable-pip-version-check "haystack-ai==3.4.1" "jsonschema==4.26.0" 2>/dev/null
cat > "$folder/program.py" <<'PY'
from haystack import Pipeline, component


@component
class Critic:
    @component.output_types(text=str, score=float)
    def run(self, draft: str):
        return {"text": draft}


@component
class Decide:
    @component.output_types(accepted=bool)
    def run(self, text: str, score: float):
        return {"accepted": score > 0.5}


pipeline = Pipeline()
pipeline.add_component("critic", Critic())
pipeline.add_component("decide", Decide())
pipeline.connect("critic.text", "decide.text")
pipeline.connect("critic.score", "decide.score")
print(pipeline.run({"critic": {"draft": "hello"}}))
PY
seen=$(HAYSTACK_TELEMETRY_ENABLED=False "$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="{}"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
