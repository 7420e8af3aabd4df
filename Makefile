# Needs Python >= 3.11, make and git. Everything else comes into .venv by itself, once.
PYTHON ?= python3

BIN := .venv/bin
PY := $(BIN)/python
READY := .venv/.ready

# Without compiled modules every cold start of the command would be several times slower.
unexport PYTHONDONTWRITEBYTECODE
unexport PYTHONPATH
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help demo run test check format mutants faults bench bench-tools screens lock clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 24

demo: $(READY) ## a scratch project with scripted agents at work, and the panel on it
	@$(BIN)/sublation-panel demo

run: $(READY) ## the panel on the project of this folder
	@$(BIN)/sublation-panel

test: check ## format, lint, types, import contracts, then every test
	$(PY) -m pytest -n 2 --dist worksteal

check: $(READY) ## format, lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(READY) ## put the code into its one format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

mutants: $(READY) ## break each rule in a scratch copy and see its tests fail
	@$(PY) -m tools.mutants $(ARGS)

faults: $(READY) ## the long fault campaign: deaths, power cuts, changed bytes, random commands
	FAULTS=long $(PY) -m pytest -n 2 --dist worksteal -o faulthandler_timeout=1800 \
	  tests/faults tests/model tests/soak

bench: $(READY) ## the figures of the README, as ratios in one run
	@$(PY) -m benchmarks $(ARGS)

bench-tools: .bench/tools/.ready ## toolong in an environment of its own, to compare with

screens: $(READY) ## pictures of every mode, into docs/screens
	@$(PY) -m tools.screens

lock: .bench/lock/.ready ## resolve the dependencies anew into requirements.lock
	CUSTOM_COMPILE_COMMAND="make lock" .bench/lock/bin/pip-compile -q --generate-hashes \
	  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options \
	  --strip-extras --extra dev --allow-unsafe --upgrade -o requirements.lock pyproject.toml

clean: ## remove the environments and every cache
	rm -rf .venv .bench .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A wrong Python is said in one line, before anything is made with it.
define NEW_VENV
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
  || { echo "$(PYTHON) is not Python 3.11 or newer: say which one is, as in make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
@$(1)/bin/python -c pass 2>/dev/null || $(PYTHON) -m venv --clear $(1) \
  || { echo "$(PYTHON) can't make environments: install its venv module (Debian and Ubuntu: python3-venv)" >&2; exit 1; }
endef

$(READY): requirements.lock pyproject.toml
	$(call NEW_VENV,.venv)
	@echo "building .venv from requirements.lock (once, it takes a while)"
	@$(PY) -m pip install -qq --require-hashes -r requirements.lock
	@$(PY) -m pip install -qq --no-build-isolation --no-deps -e .
	@touch $@

.bench/tools/.ready:
	$(call NEW_VENV,.bench/tools)
	@.bench/tools/bin/python -m pip install -qq toolong
	@touch $@

.bench/lock/.ready:
	$(call NEW_VENV,.bench/lock)
	@.bench/lock/bin/python -m pip install -qq pip-tools
	@touch $@
