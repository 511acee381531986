#!/usr/bin/env bash
# httpx 0.28.1: params={} removes the query of the address, such as the api-version of a model server; params with one
# name replace the whole query, those of a client too. Without params, or with None, it stays, and with a client whose
# params are {}.
# Guess: params are added to the query, and no params change nothing.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/pip" install -q --disable-pip-version-check "httpx==0.28.1" 2>/dev/null
cat > "$folder/program.py" <<'PY'
import httpx

address = "http://model.example/chat?api-version=2"
for params in (None, {}, {"trace": "1"}):
    print(httpx.Request("GET", address, params=params).url)
print(httpx.Client(params={"trace": "1"}).build_request("GET", address).url)
print(httpx.Client(params={}).build_request("GET", address).url)
PY
seen=$("$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="http://model.example/chat?api-version=2
http://model.example/chat
http://model.example/chat?trace=1
http://model.example/chat?trace=1
http://model.example/chat?api-version=2"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
