# Needs Python 3.11 or newer and make. Every target sets itself up in $(V) from pinned, hashed requirements.
PY ?= python3
V ?= .venv
BIN := $(V)/bin
.PHONY: demo test lint bench format lock clean

$(V)/.ok: requirements.lock pyproject.toml
	@$(PY) -c 'import sys; sys.exit("need Python 3.11 or newer, got " + sys.version.split()[0] + "; try: make PY=python3.12") if sys.version_info < (3, 11) else None'
	@echo "setting up $(V) (once) ..."
	@$(PY) -m venv $(V)
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: $(V)/.ok  ## improve real files, supervised, without a key or a network
	@$(BIN)/python examples/demo.py

test: $(V)/.ok  ## pass the tests
	$(BIN)/python -m pytest -n auto $(ARGS)

lint: $(V)/.ok  ## ruff, ruff format, basedpyright in strict mode
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright

format: $(V)/.ok
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: $(V)/.ok  ## every figure we claim, beside its anchor
	$(BIN)/python benchmarks/bench_import.py
	$(BIN)/python benchmarks/bench_loop.py

lock:  ## renew requirements.lock (needs uv)
	uv pip compile pyproject.toml --extra dev --universal --generate-hashes --no-emit-index-url \
		--python-version 3.11 -o requirements.lock -q --upgrade

clean:
	rm -rf $(V) dist build
