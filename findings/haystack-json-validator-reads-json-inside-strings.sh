#!/usr/bin/env bash
# haystack-ai 3.4.1: JsonSchemaValidator parses texts inside of the answer that hold JSON before it validates. An
# answer that fits its schema, with a string property that carries a JSON text (a payload, a query), is sent back to
# the model as a fault, again and again. Guess: valid.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/pip" install -q --disable-pip-version-check "haystack-ai==3.4.1" "jsonschema==4.26.0" 2>/dev/null
cat > "$folder/program.py" <<'PY'
import json

from haystack.components.validators import JsonSchemaValidator
from haystack.dataclasses import ChatMessage
from jsonschema import Draft202012Validator

schema = {"type": "object", "properties": {"payload": {"type": "string"}}}
for payload in ("plain", json.dumps({"id": 1})):
    answer = {"payload": payload}
    found = JsonSchemaValidator().run([ChatMessage.from_assistant(json.dumps(answer))], schema)
    print(payload, Draft202012Validator(schema).is_valid(answer), sorted(found))
PY
seen=$(HAYSTACK_TELEMETRY_ENABLED=False "$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="plain True ['validated']
{\"id\": 1} True ['validation_error']"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
