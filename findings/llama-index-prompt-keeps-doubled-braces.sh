#!/usr/bin/env bash
# llama-index-core 0.14.25: PromptTemplate fills single braces that hold the name of a variable and leaves all others
# as they are; doubled braces, the escape of str.format, stay doubled in what the model reads. A template that was
# written for str.format shows the model invalid JSON. Guess: str.format.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/pip" install -q --disable-pip-version-check "llama-index-core==0.14.25" 2>/dev/null
cat > "$folder/program.py" <<'PY'
from llama_index.core.prompts import PromptTemplate

template = 'Answer like {{"sum": {number}}}'
print(PromptTemplate(template).format(number=1))
print(template.format(number=1))
PY
seen=$("$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="Answer like {{\"sum\": 1}}
Answer like {\"sum\": 1}"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
