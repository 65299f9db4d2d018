# SPDX-License-Identifier: Apache-2.0
#
# Both commands of the README on other systems, each from nothing in a folder of its own (docs/install.md).

systems: ## make regress and make test from nothing on Debian 12, 13 and unstable, as root; SYSTEM="trixie …" ACCOUNT="guest …" TARGETS="regress …" KEEP=1
	@$(PYTHON) scripts/run systems --build $(BUILD) --jobs $(JOBS) $(if $(SYSTEM),--systems $(SYSTEM)) \
	  $(if $(ACCOUNT),--accounts $(ACCOUNT)) $(if $(TARGETS),--targets $(TARGETS)) $(if $(filter-out 0,$(KEEP)),--keep)

.PHONY: systems
