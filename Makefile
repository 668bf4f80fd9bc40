# What needs .venv sets it up first. PYTHON chooses the interpreter, CORES the number of cores: else all that are there.
PYTHON ?= python3
CORES ?= $(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
BIN := .venv/bin
READY := .venv/.ready
TOOLS := .venv/.tools
# pip would compile modules on one core. Those of torch that are for a newer Python can't be, and are not needed.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
COMPILE = $(BIN)/python -m compileall -qq -j $(CORES) .venv/lib || true
FREEZE := pip list --format=freeze --exclude pip --exclude setuptools --exclude sinobench | sed 's/+cpu$$//'

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: all full lm cluster report speed test lint bench lock config-docs table-docs cluster-docs tidy clean clean-all help

all: $(READY) ## evaluate on the bundled sample corpora: results/sinobench.duckdb, figures, submissions
	$(BIN)/snakemake --cores $(CORES) all

full: $(READY) ## evaluate on the public text and speech: downloaded, or copied from SINOBENCH_MIRROR
	$(BIN)/snakemake --cores $(CORES) all --configfile config/full.yaml config/speech.yaml

lm: $(READY) ## add kenlm, which is compiled here and needs a C++ compiler: for the spelling model ngram
	$(PIP) "$$(sed -n 's/^ *"\(kenlm==[^"]*\)".*/\1/p' pyproject.toml)"

cluster: $(READY) ## add Snakemake's plug-ins for clusters and object storage, which take it a while to load in each run
	$(PIP) --constraint envs/requirements.txt --constraint envs/development.txt --editable ".[cluster]"
	@$(COMPILE)

report: $(READY) ## the pages of the sample's run anew: results/report/index.html
	$(BIN)/snakemake --cores $(CORES) report

speed: $(READY) ## measure how fast the sample's models are, one at a time; then the pages with it
	$(BIN)/snakemake --cores $(CORES) speed
	$(BIN)/snakemake --cores $(CORES) report

# One worker more than there are cores: tests of the cluster wait for most of their time.
test: $(TOOLS) lint ## check the format and run the tests
	$(BIN)/python -m pytest --numprocesses $$(($(CORES) + 1)) --dist loadfile --no-loadscope-reorder

lint: $(TOOLS) ## ruff, snakefmt and Snakemake's own lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile rules
	$(BIN)/snakemake --lint

bench: $(TOOLS) ## run every benchmark; ratios against their peers go to docs/performance.md
	$(BIN)/python benchmarks/run

config-docs: $(READY) ## write config/README.md from the schemas
	$(BIN)/python -m sinobench.config_docs config/schema config/README.md

table-docs: $(READY) ## write docs/tables.md from the words of tables and views
	$(BIN)/python -m sinobench.tables_docs docs/tables.md

cluster-docs: $(READY) ## write the table of docs/cluster.md from the rules
	$(BIN)/python -m sinobench.cluster_docs rules docs/cluster.md

lock: ## pin what pyproject.toml asks for: for runs in envs/requirements.txt, what else its extras have in envs/development.txt
	$(PYTHON) -m venv --clear .venv-lock
	.venv-lock/bin/python -m pip install --quiet "$$(grep '^torch==' envs/requirements.txt)"
	.venv-lock/bin/python -m pip install --quiet ".[hub,speech]"
	.venv-lock/bin/python -m $(FREEZE) > envs/requirements.txt
	.venv-lock/bin/python -m pip install --quiet --constraint envs/requirements.txt ".[cluster,dev]"
	.venv-lock/bin/python -m $(FREEZE) | grep -vxFf envs/requirements.txt > envs/development.txt
	rm -rf .venv-lock build

tidy: $(READY) ## remove what the sample's run made of models and corpora that are no longer in its config
	$(BIN)/snakemake --cores 1 tidy

clean: ## remove all results and what Snakemake noted of them; the environment stays
	rm -rf results .snakemake

clean-all: clean ## remove the environment too
	rm -rf .venv

help: ## list these targets; `make` alone does
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

# The stamp comes last: after an interruption the set-up starts again, and a half-made .venv is made anew.
$(READY): envs/requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "sinobench needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1)." \
	    "Name another one: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	$(PIP) "$$(grep '^torch==' envs/requirements.txt)"
	$(PIP) --requirement envs/requirements.txt
	$(PIP) --no-deps --editable .
	@# Numba compiles it at its first import, which takes 20 s.
	@$(BIN)/python -c 'import librosa.core.pitch' & librosa=$$!; $(COMPILE); wait $$librosa
	@touch $@

$(TOOLS): $(READY) envs/development.txt
	$(PIP) --requirement envs/requirements.txt --requirement envs/development.txt
	@$(COMPILE)
	@touch $@
