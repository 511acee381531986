#!/usr/bin/env bash
# llama-index-core 0.14.25: ChatMemoryBuffer drops the oldest messages when the history is longer than its limit, the
# system message among them: it goes first. A single message above the limit is returned whole all the same. Guess:
# the system message stays.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/pip" install -q --disable-pip-version-check "llama-index-core==0.14.25" 2>/dev/null
cat > "$folder/program.py" <<'PY'
from llama_index.core.llms import ChatMessage
from llama_index.core.memory import ChatMemoryBuffer


def kept(limit, *messages):
    memory = ChatMemoryBuffer.from_defaults(token_limit=limit, tokenizer_fn=str.split)
    for role, content in messages:
        memory.put(ChatMessage(role=role, content=content))
    return [(message.role.value, message.content) for message in memory.get()]


print(kept(6, ("system", "be kind"), ("user", "one two"), ("assistant", "three"), ("user", "four five")))
print(kept(3, ("user", "one two three four five")))
PY
seen=$("$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="[('user', 'one two'), ('assistant', 'three'), ('user', 'four five')]
[('user', 'one two three four five')]"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
