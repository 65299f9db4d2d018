# SPDX-License-Identifier: Apache-2.0
#
# Annelid. `make help` lists the targets; each area has its own .mk, everything generated goes to $(BUILD).

SHELL       := /bin/bash
.SHELLFLAGS := -e -o pipefail -c
BUILD       ?= build
COMMA       := ,
JOBS        ?= $(shell nproc)
PYTHON      ?= /usr/bin/python3
JUNIT       ?= $(BUILD)/junit
SETUP       := $(BUILD)/setup.ok
SETUP_ALL   := $(BUILD)/setup-all.ok

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

include cmodel/cmodel.mk
include cmodel/papers/papers.mk
include rtl/rtl.mk
include tb/tb.mk
include tb/campaigns/fuzz/fuzz.mk
include tb/formal/formal.mk
include tb/campaigns/cdg/cdg.mk
include tb/campaigns/mutants/mutants.mk
include tb/campaigns/coverage/coverage.mk
include tb/campaigns/gates/gates.mk
include tb/campaigns/board/board.mk
include tb/campaigns/fpga/fpga.mk
include bench/bench.mk
include tb/campaigns/report/report.mk

help: ## list the targets
	@{ grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'; $(PAPERS_HELP) } | sort | expand -t 16

TESTS := model format lint synth-check test-c test-lockstep test-sanitized test-threads test-rtl test-four-state test-fuzz \
         test-determinism test-prove test-cdg test-faults test-mutate test-coverage test-mutate-model test-gates test-board test-fpga test-systemc test-same-blocking test-waves test-browser test-bench test-report

test: $(SETUP) ## every part tested: units, lint, synthesis, sanitizers, corpora, faults, SystemC
	@$(PYTHON) scripts/test $(BUILD) $(TESTS)

# pyflakes finds the Python files of a folder by their names and, of those without .py, by their first lines.
lint: lint-python

lint-python: $(SETUP)
	@pyflakes3 .ci $(filter-out build% $(BUILD)/,$(wildcard */))

setup: $(SETUP) ## install missing tools (Debian packages)

$(SETUP): scripts/setup
	@scripts/setup
	@mkdir -p $(@D) && touch $@

$(SETUP_ALL): scripts/setup
	@scripts/setup --all
	@mkdir -p $(@D) && touch $@

clean: ## remove $(BUILD)
	rm -rf $(BUILD)

.PHONY: help test lint-python setup clean
