#!/usr/bin/env bash
# tenacity 9.1.4: retry accepts an async generator function, such as a stream of a model, and a plain generator function.
# It never tries again: the function is called once, and its error is raised where the stream is read.
# Guess: tried again while nothing has been yielded, or refused with a TypeError.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/pip" install -q --disable-pip-version-check "tenacity==9.1.4" 2>/dev/null
cat > "$folder/program.py" <<'PY'
import asyncio

from tenacity import retry, stop_after_attempt, wait_none

calls = {"async": 0, "plain": 0, "function": 0}


def fail_twice(kind):
    calls[kind] += 1
    if calls[kind] < 3:
        raise OSError("away")


again = retry(stop=stop_after_attempt(3), wait=wait_none())


@again
async def stream():
    fail_twice("async")
    yield "fine"


@again
def pieces():
    fail_twice("plain")
    yield "fine"


@again
def whole():
    fail_twice("function")
    return "fine"


async def read():
    return [piece async for piece in stream()]


for work in (lambda: asyncio.run(read()), lambda: list(pieces()), whole):
    try:
        print(work())
    except OSError as error:
        print(repr(error))
print(calls)
PY
seen=$("$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="OSError('away')
OSError('away')
fine
{'async': 1, 'plain': 1, 'function': 3}"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
