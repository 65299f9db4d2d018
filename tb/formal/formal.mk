# SPDX-License-Identifier: Apache-2.0
#
# Proofs of the RTL for all inputs, and the mutants that show what the proofs are worth
# (docs/proofs.md).

prove: $(SETUP) ## properties of every RTL module proved for all inputs, covers, and mutants that break them; ONLY="mux …"
	@$(PYTHON) scripts/run prove --build $(BUILD) --jobs $(JOBS) $(if $(ONLY),--only $(ONLY))

test-prove: $(SETUP)
	@$(PYTHON) scripts/run prove --build $(BUILD) --jobs $(JOBS) --short --junit $(JUNIT)

.PHONY: prove test-prove
