# SPDX-License-Identifier: Apache-2.0
#
# Netlists: proved equal to the RTL, replayed against the golden model (docs/gates.md).

gates: $(SETUP) ## netlists of four families: proved equal to the RTL, replayed in lock-step, a fault in each caught; ONLY="set …"
	@$(PYTHON) scripts/gates --build $(BUILD) --jobs $(JOBS) $(if $(ONLY),--only $(ONLY))

test-gates: $(SETUP)
	@$(PYTHON) scripts/gates --build $(BUILD) --jobs $(JOBS) --short --junit $(JUNIT)

.PHONY: gates test-gates
