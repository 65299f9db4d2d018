# SPDX-License-Identifier: Apache-2.0
#
# Beyond one machine (docs/scale.md): regressions on a Slurm of this machine, which the test starts in a directory of its own,
# and by GNU parallel; sweeps over ranks.

test-scale: $(SETUP) $(SETUP_SCALE) $(SETUP_MPI) $(CLI) $(ANNELID_MPI) ## regressions as jobs of a Slurm that is started here, sweeps over ranks
	@mkdir -p $(JUNIT)
	@$(PYTHON) tb/scale/test_scale.py $(BUILD) $(JUNIT)/scale.xml
	@$(PYTHON) tb/scale/test_mpi.py $(BUILD) $(JUNIT)/mpi.xml

.PHONY: test-scale
