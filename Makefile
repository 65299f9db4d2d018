# SPDX-License-Identifier: Apache-2.0
#
# The makefile of Annelid. `make help` lists the targets. All that is made goes to $(BUILD).

SHELL       := /bin/bash
.SHELLFLAGS := -e -o pipefail -c
BUILD       ?= build
COMMA       := ,
JOBS        ?= $(shell nproc)
export JOBS  # for scripts that are not told
PYTHON      ?= /usr/bin/python3
# Hundreds of scripts are started.
export PYTHONPYCACHEPREFIX := $(abspath $(BUILD))/python-cache
JUNIT       ?= $(BUILD)/junit
# Returns the path of a program, or nothing if there is none. No shell is started, as this file is read hundreds of times.
found        = $(firstword $(wildcard $(if $(findstring /,$1),$1,$(addsuffix /$1,$(subst :, ,$(PATH))))))
only         = $(if $(ONLY),--only $(ONLY))
# The folder of the project may have blanks in its name, but these names stand in lists, where a blank ends a name.
$(foreach name,BUILD COMMAND_OF JUNIT PREFIX LIBDIR,$(if $(word 2,x$($(name))),$(error $(name)="$($(name))" has a blank: expected a name without one)))

# What targets need: scripts/setup looks for it, once. SETUP is what most targets of developers need.
SETUP          := $(BUILD)/setup-core.ok
SETUP_MODEL    := $(BUILD)/setup-model.ok
SETUP_REGRESS  := $(BUILD)/setup-regress.ok
SETUP_VIEW     := $(BUILD)/setup-view.ok
SETUP_TEST     := $(BUILD)/setup-test.ok
SETUP_ALL      := $(BUILD)/setup-all.ok
SETUP_SYSTEMC  := $(BUILD)/setup-systemc.ok
SETUP_BROWSER  := $(BUILD)/setup-browser.ok
SETUP_WAVES    := $(BUILD)/setup-waves.ok
SETUP_INSTALL  := $(BUILD)/setup-install.ok
SETUP_COPY     := $(BUILD)/setup-copy.ok
SETUP_FPGA     := $(BUILD)/setup-fpga.ok
SETUP_PYTHON   := $(BUILD)/setup-python.ok
SETUP_STREAMS  := $(BUILD)/setup-streams.ok
SETUP_SCALE    := $(BUILD)/setup-scale.ok
SETUP_MPI      := $(BUILD)/setup-mpi.ok
SETUP_COVERAGE := $(BUILD)/setup-coverage.ok
SETUP_REFERENCE := $(BUILD)/setup-reference.ok
SETUP_DEB      := $(BUILD)/setup-deb.ok
SETUP_COUNTING := $(BUILD)/setup-counting.ok

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

# The papers that are built beside the product. PAPERS= builds the product alone.
PAPERS ?= $(filter-out common,$(patsubst papers/%/,%,$(wildcard papers/*/)))
SLICES := $(if $(PAPERS),common $(PAPERS))
export PAPERS  # for scripts that look for suites and scenarios
in_slices = $(wildcard $(foreach slice,$(SLICES),$(1:%=papers/$(slice)/%)))

# The lists of the RTL, that of the product before those of papers. They name files relative to themselves, so that -F takes
# them in any folder.
RTL_LISTS := rtl/annelid.f $(call in_slices,rtl/files.f)
in_list    = $(addprefix $(dir $1),$(filter %.sv,$(file < $1)))
RTL_SRC   := $(foreach list,$(RTL_LISTS),$(call in_list,$(list)))

include cmodel/cmodel.mk           # library, command, their unit tests and sanitizers, annelid-mpi and what is beyond one machine
include papers/papers.mk           # programs and unit tests of papers, the product without papers
include rtl/rtl.mk                 # front ends, synthesis, benches of modules, networks in four states, proofs
include install/install.mk         # the installed copy, the archive of a release
include python/python.mk            # the package for Python
include tb/tb.mk                   # lock-step of RTL and model: regressions, waves, DUT=, SystemC; tests of scripts around it
include $(call in_slices,*/*.mk)   # what a slice has of its own; it adds its targets to OWN_TARGETS
include tb/campaigns/campaigns.mk  # faults, dependency graphs, coverage, fuzzing, mutants, netlists, boards, parts, sign-off
include bench/bench.mk             # how fast the engine is

# Targets that compile what is in Verilator's folder. Make must know the folder when it has read its files, so Verilator is
# installed before, and then make reads them once more.
VERILATED := shared systemc test-c test-lockstep test-rtl $(OWN_TARGETS) $(OWN_TARGETS:%=test-%)
ifeq ($(VROOT),)
  include $(if $(filter $(VERILATED),$(MAKECMDGOALS)),$(SETUP_REGRESS))
endif

# The variables that every target takes. Which others a target takes is said in the comment behind its rule. Any other
# variable on the command line, and what looks misspelt in the environment, ends make before it builds anything. A make that
# another one has started is not asked again.
EVERYWHERE := BUILD COMMAND_OF JOBS JUNIT PAPERS PYTHON WERROR AR CC CFLAGS LDFLAGS CXX CLANG CLANGXX OBJCACHE VERILATOR VOPT VEXTRA IVERILOG VVP YOSYS
GIVEN       = $(foreach name,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $(name)))),$(name)))
refusal     = $(PYTHON) scripts/run variables $(EVERYWHERE) -- $(or $(MAKECMDGOALS),help) -- $(GIVEN)
ifeq ($(MAKELEVEL),0)
  # Where there is no Python yet, it is asked when scripts/setup has found it.
  ifneq ($(call found,$(firstword $(PYTHON))),)
    REFUSED := $(shell $(refusal))
    $(if $(REFUSED),$(error $(REFUSED)))
  else
    refuse_now = said=`$(refusal)`; [ -z "$$said" ] || { echo "$$said" >&2; exit 2; }
  endif
endif

# What `make help` shows in its first two parts; all other targets are in the third.
EVERY_DAY      := help worm model regress waves cdg shrink golden lint format test setup clean
BEFORE_A_MERGE := test-rtl test-clocks test-four-state test-sanitized test-threads test-browser test-ranks test-checkpoint synth-check prove faults \
                  mutate mutate-model gates fuzz coverage functional systemc board $(KINDS) $(OWN_TARGETS) bench bench-compare \
                  bench-ab bench-instructions targets
help: ## list the targets
	@{ grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'; $(PAPERS_HELP) $(KINDS_HELP) $(COSTS_HELP) } | sort | \
	  awk -F'\t *' -v day=' $(EVERY_DAY) ' -v merge=' $(BEFORE_A_MERGE) ' \
	    '{ part = index(day, " " $$1 " ") ? 1 : index(merge, " " $$1 " ") ? 2 : 3; lines[part] = lines[part] sprintf("  %-27s %s\n", $$1, $$2) } \
	     END { printf "every day\n%s\nbefore a merge\n%s\nbefore a release, and now and then\n%s", lines[1], lines[2], lines[3] }'

# Builds what several steps of `make test` use, so that no two of them build it at once.
shared: QUICK := -O0
shared: model $(BUILD)/lockstep/all $(BUILD)/lockstep/run/assembly.o $(BENCH_HELP) $(BENCH_DRIVERS) $(BENCH_TOOLS) $(FUZZ_OBJECTS) $(COVERAGE)/points \
        $(BUILD)/paper-bock $(MPI_IF_THERE) # MPICC=

# The steps of `make test`. Those of TESTS_FIRST come before all others. Those of TESTS_IN_TURN use the same directories and
# run one after the other. The rest, the longest first, run beside them. test-sanitized makes test-c and test-lockstep.
TESTS_FIRST   := model shared
TESTS_IN_TURN := test-fuzz test-waves test-faults test-coverage test-same-blocking test-bench test-random-graphs
TESTS         := test-sanitized test-prove test-rtl test-design test-judge test-mutate-model test-four-state test-synth test-gates \
                 test-threads test-cdg test-browser test-determinism test-report test-systemc test-fpga test-random test-checker \
                 test-lint test-install test-mutate test-board test-ranks $(OWN_TARGETS:%=test-%) $(KINDS:%=test-%) test-cocotb \
                 test-clocks test-python test-wires test-alone test-targets test-graph test-checkpoint test-predict format

test: $(SETUP_TEST) ## every part tested: units, lint, synthesis, sanitizers, corpora, faults, SystemC; FULL=1: all random trials
	@$(PYTHON) scripts/run steps --build $(BUILD) --jobs $(JOBS) --first $(TESTS_FIRST) --in-turn $(TESTS_IN_TURN) --steps $(TESTS)

# pyflakes finds the Python files of a folder by their names and, of those without .py, by their first lines.
lint test-lint: lint-python

lint-python: $(SETUP)
	@pyflakes3 .ci $(filter-out build% $(BUILD)/,$(wildcard */))

setup: $(SETUP_TEST) ## look for the tools that make test and make regress need; on Debian install those that are missing

$(BUILD)/setup-%.ok: scripts/setup
	@scripts/setup --$*
	@$(refuse_now)
	@mkdir -p $(@D) && touch $@

clean: ## remove $(BUILD)
	rm -rf $(BUILD)

.PRECIOUS: $(BUILD)/setup-%.ok

.PHONY: help shared test lint-python setup clean
