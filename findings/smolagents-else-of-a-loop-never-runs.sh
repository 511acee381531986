#!/usr/bin/env bash
# smolagents 1.26.0, LocalPythonExecutor: the else of a for or while loop never runs, whether the loop ended by itself
# or by break. The search that found nothing so goes on as if there had been no answer to give. Guess: as in Python,
# or refused.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/pip" install -q --disable-pip-version-check "smolagents==1.26.0" 2>/dev/null
cat > "$folder/program.py" <<'PY'
from smolagents.local_python_executor import LocalPythonExecutor


def run(code):
    executor = LocalPythonExecutor(additional_authorized_imports=[])
    executor.send_tools({})
    return executor(code).output


print(run("""
said = "nothing said"
for number in [4, 6, 8]:
    if number % 2:
        said = "an odd one"
        break
else:
    said = "all even"
said
"""))
PY
seen=$("$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="nothing said"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
