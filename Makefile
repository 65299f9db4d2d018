# SPDX-License-Identifier: Apache-2.0
#
# Annelid. `make help` lists the targets; each area has its own .mk, everything generated goes to $(BUILD).

SHELL       := /bin/bash
.SHELLFLAGS := -e -o pipefail -c
BUILD       ?= build
JOBS        ?= $(shell nproc)
PYTHON      ?= python3

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

include cmodel/cmodel.mk
include rtl/rtl.mk
include tb/tb.mk

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | expand -t 16

clean: ## remove $(BUILD)
	rm -rf $(BUILD)

.PHONY: help clean
