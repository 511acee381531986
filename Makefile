# Needs Python 3.11 or newer and make. Every target sets itself up in $(V) from pinned, hashed requirements.
PY ?= python3
V ?= .venv
BIN := $(V)/bin
.PHONY: demo demo-model test test-bare test-floor test-ceiling test-slow test-all test-hosts test-integrations integration-envs docs lint bench format lock release clean

# Without its compiled files, each of the many programs that tests start would compile the whole package again.
unexport PYTHONDONTWRITEBYTECODE

$(V)/.ok: requirements.lock pyproject.toml
	@$(PY) -c 'import sys; sys.exit("need Python 3.11 or newer, got " + sys.version.split()[0] + "; try: make PY=python3.12") if sys.version_info < (3, 11) else None'
	@echo "setting up $(V) (once) ..."
	@$(PY) -m venv $(V)
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# The program of the README needs few packages, so the first run is short.
NEEDED := annotated-types|cachetools|pydantic|pydantic-core|pykka|typing-extensions|typing-inspection
$(V)/.demo: requirements.lock
	@echo "setting up $(V) for the demo (once) ..."
	@$(PY) -m venv $(V)
	@awk '/^[a-z]/ {keep = /^($(NEEDED))==/} keep' requirements.lock > $(V)/demo.txt
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-compile --no-deps --require-hashes -r $(V)/demo.txt
	@touch $@

demo: $(if $(wildcard $(V)/.ok),,$(V)/.demo)  ## the program of the README with a file in the place of a model, without a key
	@PYTHONPATH=. $(BIN)/python examples/invoice.py

demo-model: $(V)/.ok  ## watch a loop with a small real model on this machine; downloads 90 MB the first time
	@$(BIN)/python benchmarks/real_model/demo.py

PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal
test: $(V)/.ok  ## pass the tests that take little time; ARGS=tests/ROOM for those of a room
	$(PYTEST) -m "not slow" $(ARGS)

# As on a fresh machine: programs that some tests use are hidden from PATH, the home is empty, git has no identity.
BARE := $(CURDIR)/.cache/bare
test-bare: $(V)/.ok  ## pass the tests that could miss bubblewrap, PostgreSQL, pgbouncer or Chromium, without these
	@rm -rf $(BARE) && mkdir -p $(BARE)/bin $(BARE)/home
	@for file in /usr/local/bin/* /usr/bin/* /bin/*; do \
		case "$${file##*/}" in bwrap|pg*|psql|initdb|postgres*|chrom*|google-chrome*) ;; *) ln -sf "$$file" $(BARE)/bin/ ;; esac; \
	done
	env -i HOME=$(BARE)/home LANG=C.UTF-8 PATH=$(CURDIR)/$(BIN):$(BARE)/bin $(PYTEST) -m "not slow" tests/cli tests/improve tests/tools $(ARGS)

# The lowest version of each direct dependency (tests/hosts/lowest.txt), and the newest, on a part of the tests that takes little time.
FLOORS := tests/hosts tests/runs tests/memory/stores tests/loop/test_pipeline.py tests/loop/test_blocking_pipeline.py tests/text/test_small_libraries.py
test-floor:  ## pass some tests with the lowest versions that pyproject.toml allows
	@$(PY) -m venv .venv-floor
	@.venv-floor/bin/python -m pip install -q --disable-pip-version-check --no-compile -r tests/hosts/lowest.txt "flit_core>=3.11,<5"
	@.venv-floor/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	.venv-floor/bin/python -m pytest -n 2 -m "not slow" $(FLOORS)

test-ceiling:  ## pass the same tests with the newest versions
	@$(PY) -m venv .venv-ceiling
	@.venv-ceiling/bin/python -m pip install -q --disable-pip-version-check --no-compile --upgrade "flit_core>=3.11,<5" -e ".[test]"
	.venv-ceiling/bin/python -m pytest -n 2 -m "not slow" $(FLOORS)

test-slow: $(V)/.ok  ## pass the tests that `make test` leaves out
	$(PYTEST) -m slow $(ARGS)

test-all: $(V)/.ok  ## pass all tests
	$(PYTEST) $(ARGS)

# Each group of frameworks that fits into one environment has one; dspy and crewai need older versions of its libraries.
INTEGRATIONS := frameworks dspy crewai
.venv-integrations-%/.ok: tests/integrations/requirements/%.txt
	@echo "setting up .venv-integrations-$* (once) ..."
	@$(PY) -m venv .venv-integrations-$*
	@.venv-integrations-$*/bin/python -m pip install -q --disable-pip-version-check --no-compile --no-deps --require-hashes -r $<
	@.venv-integrations-$*/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

integration-envs:  ## the environments of test-integrations; one that cannot be made is reported and left out
	@for group in $(INTEGRATIONS); do $(MAKE) --no-print-directory .venv-integrations-$$group/.ok || echo "skipped: $$group"; done

test-integrations: integration-envs  ## pass the tests of integrations with the real frameworks
	@for group in $(INTEGRATIONS); do \
		test -e .venv-integrations-$$group/.ok || continue; \
		echo "== $$group"; \
		case $$group in frameworks) files="tests/integrations" ;; *) files="tests/integrations/test_$$group.py tests/integrations/test_framework_contract.py tests/integrations/test_framework_pages.py" ;; esac; \
		.venv-integrations-$$group/bin/python -m pytest -n 2 --dist worksteal -W default $$files $(ARGS) || exit 1; \
	done

.venv-hosts/.ok: tests/hosts/requirements.txt
	@echo "setting up .venv-hosts (once) ..."
	@$(PY) -m venv .venv-hosts
	@.venv-hosts/bin/python -m pip install -q --disable-pip-version-check --no-compile --no-deps --require-hashes -r $<
	@.venv-hosts/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

test-hosts: .venv-hosts/.ok  ## pass the tests of hosts: Django, Jupyter, Celery, gunicorn, trio, uvloop
	.venv-hosts/bin/python -m pytest -n 2 --dist worksteal tests/hosts $(ARGS)

.venv-docs/.ok: tests/docs/requirements.txt
	@echo "setting up .venv-docs (once) ..."
	@$(PY) -m venv .venv-docs
	@.venv-docs/bin/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r $<
	@touch $@

docs: .venv-docs/.ok  ## build the documentation into build/site, without a network; warnings and broken links are errors
	@.venv-docs/bin/python tests/docs/documentation.py

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
	$(BIN)/python benchmarks/run_cost.py
	$(BIN)/python benchmarks/run_shape.py
	$(BIN)/python benchmarks/many_runs.py
	$(BIN)/python benchmarks/bench_calls.py
	$(BIN)/python benchmarks/bench_pipelines.py --modes alone --calls 8
	$(BIN)/python benchmarks/telemetry/run.py
	$(BIN)/python benchmarks/serve/load.py
	$(BIN)/python benchmarks/actors/run.py
	$(BIN)/python benchmarks/memory/run.py --entries 100000 --only index
	$(BIN)/python benchmarks/bench_improve_speed.py --reach

release:  ## build and check a release from a clean clone, and say how to publish it; ARGS=--skip-tests after CI
	@$(PY) tests/release.py $(ARGS)

COMPILE := uv pip compile pyproject.toml --universal --generate-hashes --no-emit-index-url --python-version 3.11 -q --upgrade
lock:  ## renew all locked requirements (needs uv)
	$(COMPILE) --extra dev -o requirements.lock
	$(COMPILE) $(addprefix --extra ,integration-tests openapi-tests store-tests langgraph pydantic-ai autogen agent-framework openai-agents google-adk \
		mcp a2a ag-ui dbos) -o tests/integrations/requirements/frameworks.txt
	$(COMPILE) --extra integration-tests --extra dspy -o tests/integrations/requirements/dspy.txt
	$(COMPILE) --extra integration-tests --extra crewai -o tests/integrations/requirements/crewai.txt
	$(COMPILE) --extra host-tests -o tests/hosts/requirements.txt
	$(subst pyproject.toml,--group docs,$(COMPILE)) -o tests/docs/requirements.txt
	uv pip compile pyproject.toml --resolution lowest-direct --no-emit-index-url --no-header --no-annotate --python-version 3.11 -q --upgrade \
		--extra test -o tests/hosts/lowest.txt
	$(subst pyproject.toml,--group release,$(COMPILE)) -o tests/release_requirements.txt

clean:
	rm -rf $(V) .venv-docs .venv-hosts .venv-floor .venv-ceiling .venv-integrations-* .cache dist build
