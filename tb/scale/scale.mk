# SPDX-License-Identifier: Apache-2.0
#
# Regressions on queues (docs/lockstep.md): a Slurm of this machine, which the test starts in a directory of its own.

test-scale: $(SETUP) $(SETUP_SCALE) ## regressions as jobs of a Slurm that is started here, and by GNU parallel
	@mkdir -p $(JUNIT)
	@$(PYTHON) tb/scale/test_scale.py $(BUILD) $(JUNIT)/scale.xml

.PHONY: test-scale
