# SPDX-License-Identifier: Apache-2.0
#
# Netlists, proved equal to the RTL and replayed against the golden model (docs/gates.md).

gates: $(SETUP) ## netlists of four families: proved equal to the RTL, replayed in lock-step, a fault in each caught; ONLY="set …"
	@$(PYTHON) scripts/run gates --build $(BUILD) --jobs $(JOBS) $(if $(ONLY),--only $(ONLY))

# Tests the proof itself, and then two small sets: one proved in all families, and one proved in iCE40's, replayed, and with
# a fault.
test-gates: $(SETUP)
	@$(PYTHON) tb/unit/scripts/test_gates.py $(BUILD) $(JUNIT)/gates-itself.xml
	@$(PYTHON) scripts/run gates --build $(BUILD) --jobs $(JOBS) --short --junit $(JUNIT)

.PHONY: gates test-gates
