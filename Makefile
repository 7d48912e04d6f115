PYTHON ?= python3
CORES ?= all
PRESET ?= default
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install -q --no-deps
PRESETS := $(basename $(notdir $(wildcard config/*.yaml)))
UNIT := $(addprefix tests/,cards betting games api cfr store abstraction blueprint cli test_*.py)
export PATH := $(CURDIR)/$(BIN):$(PATH)
# A run is many short jobs: each would compile all modules again, half a second.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help run serve warm test test-slow test-cluster test-unit lint shape bench publish-bench claims pictures api schema lock clean
run: config/$(PRESET).yaml .venv/.installed ## set up, then run a preset: make run [PRESET=tiny] [CORES=2]
	$(BIN)/snakemake --cores $(CORES) --configfile config/$(PRESET).yaml

serve: .venv/.installed ## set up, then play and look in the browser, against the run that the repository carries
	$(BIN)/sixmax serve --run starter.sixmax

warm: .venv/.installed ## compile ahead the kernels of a run for six players and of a hand of play
	folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	  $(BIN)/snakemake --cores $(CORES) --configfile config/tiny.yaml --directory "$$folder" && \
	  yes c | $(BIN)/sixmax play --run "$$folder/results/tiny" --seed 5 --hands 1 > "$$folder/hand"

help: ## this list
	@echo "make TARGET [PRESET=…] [CORES=2]"
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16
	@echo "presets: $(PRESETS)"

config/%.yaml:
	@echo "no preset $*; presets: $(PRESETS)" >&2; exit 2

test: .venv/.installed ## set up, then the tests
	$(BIN)/python -m pytest -rs -n auto --dist loadscope --no-loadscope-reorder

test-slow: .venv/.installed ## the tests that take minutes
	$(BIN)/python -m pytest -m slow

test-cluster: .venv/.installed ## shards through schedulers: five minutes of waiting
	$(BIN)/python -m pytest -rs -m slow tests/workflow/test_cluster.py

test-unit: .venv/.installed ## the tests that want no browser, no scheduler and no whole run
	$(BIN)/python -m pytest -rs -n auto --dist loadscope $(UNIT)

lint: .venv/.installed ## style of Python and of the workflow
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint --config run=lint

shape: .venv/.installed ## count config keys, commands, parameters and lines, beside the most there may be
	$(BIN)/python -m tests.repository.test_shape

bench: .venv/.installed ## measure this machine: every stage, then how cost grows (a quarter of an hour)
	$(BIN)/python -m benchmarks

publish-bench: .venv/.installed ## put what was measured into docs/notebook/performance and its page
	$(BIN)/python -m benchmarks publish

claims: .venv/.installed ## measure the results of the README again, print them, write its table (two minutes)
	$(BIN)/python -m benchmarks.claims

pictures: .venv/.installed ## draw the pictures of docs/results anew from the records and tables there
	$(BIN)/python docs/results/pictures.py

api: .venv/.installed ## write docs/api anew from docstrings
	$(BIN)/python docs/api/make.py

schema: .venv/.installed ## write config/schema.json anew from the sections and the comments of default.yaml
	$(BIN)/python docs/api/schema.py

lock: ## resolve requirements.lock anew (needs uv)
	uv pip compile --universal --generate-hashes --no-emit-index-url --group dev \
	  --python-version 3.11 -q pyproject.toml -o requirements.lock

clean:
	rm -rf .venv .snakemake .pytest_cache .ruff_cache

.venv/.installed: pyproject.toml requirements.lock
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
# Half of the packages beside the other half, for unpacking takes one core. Most of their modules are
# never imported: Python compiles the others when they are.
	for k in 0 1; do awk "/^[a-z]/ { n++ } n % 2 == $$k" requirements.lock > .venv/half-$$k.txt; done
	$(INSTALL) --no-compile --require-hashes -r .venv/half-0.txt & half=$$!; \
	  $(INSTALL) --no-compile --require-hashes -r .venv/half-1.txt && wait $$half
	$(INSTALL) --no-build-isolation -e .
	touch $@
