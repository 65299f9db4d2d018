# SPDX-License-Identifier: Apache-2.0
#
# Beyond one machine (docs/scale.md): regressions on a Slurm of this machine, which the test starts in a directory of its own,
# and by GNU parallel; sweeps, and one network, over ranks; checkpoints.

test-scale: $(SETUP_SCALE) $(SETUP_MPI) $(CLI) $(ANNELID_MPI) ## regressions as jobs of a Slurm that is started here, sweeps over ranks
	@mkdir -p $(JUNIT)
	@$(PYTHON) tb/scale/test_scale.py $(BUILD) $(JUNIT)/scale.xml
	@$(PYTHON) tb/scale/test_mpi.py $(BUILD) $(JUNIT)/mpi.xml

# Without MPI the test is skipped.
test-ranks: $(SETUP) $(CLI) $(MPI_IF_THERE) ## one network over MPI ranks against one process; MPICC=mpicc FULL=1: all scenarios
	@mkdir -p $(JUNIT)
	@FULL=$(FULL) $(PYTHON) tb/scale/test_ranks.py $(BUILD) $(JUNIT)/ranks.xml

# Without MPI all runs are of one process.
test-checkpoint: $(SETUP) $(CLI) $(MPI_IF_THERE) ## runs that are killed and go on, over other numbers of ranks; MPICC=mpicc FULL=1: all scenarios
	@mkdir -p $(JUNIT)
	@FULL=$(FULL) $(PYTHON) tb/scale/test_checkpoint.py $(BUILD) $(JUNIT)/checkpoint.xml

.PHONY: test-scale test-ranks test-checkpoint
