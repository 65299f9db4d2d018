# SPDX-License-Identifier: Apache-2.0
#
# The sign-off page (docs/report.md).

report: $(SETUP_ALL) ## the sign-off page: all that must hold (SHORT=1, ONLY="lint proofs", SHOW=1, AGAIN=1, RESULTS=1)
	@$(PYTHON) scripts/run report --build $(BUILD) $(if $(filter-out 0,$(SHORT)),--short) $(if $(filter-out 0,$(SHOW)),--show) \
	  $(if $(filter-out 0,$(AGAIN)),--again) $(if $(filter-out 0,$(RESULTS)),--results) $(if $(ONLY),--only $(ONLY))

targets: $(SETUP_ALL) ## every documented target that no other row runs, in a short form, each in a clone; ONLY="clean …"
	@$(PYTHON) scripts/run targets --build $(BUILD) --jobs $(JOBS) $(if $(ONLY),--only $(ONLY))

test-targets: $(SETUP)
	@$(PYTHON) scripts/run targets --build $(BUILD) --jobs $(JOBS) --short --junit $(JUNIT)

test-report: $(SETUP) $(LIB)
	@$(PYTHON) tb/unit/scripts/test_signoff.py $(BUILD) $(JUNIT)/signoff.xml
	@$(PYTHON) tb/unit/scripts/test_targets.py $(BUILD) $(JUNIT)/targets.xml
	@$(PYTHON) tb/unit/scripts/test_pages.py $(BUILD) $(JUNIT)/pages.xml
	@$(PYTHON) tb/unit/scripts/test_results.py $(BUILD) $(JUNIT)/results.xml
	@$(PYTHON) tb/unit/scripts/test_variables.py $(BUILD) $(JUNIT)/variables.xml
	@$(PYTHON) tb/unit/scripts/test_rooms.py $(BUILD) $(JUNIT)/rooms.xml
	@$(PYTHON) tb/unit/scripts/test_systems.py $(BUILD) $(JUNIT)/systems.xml
	@$(PYTHON) tb/unit/scripts/test_steps.py $(BUILD) $(JUNIT)/steps.xml

.PHONY: report targets test-targets test-report
