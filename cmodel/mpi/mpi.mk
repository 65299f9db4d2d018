# SPDX-License-Identifier: Apache-2.0
#
# annelid-mpi: commands of annelid over the ranks of an MPI program (docs/scale.md). Nothing else needs MPI.

MPICC       ?= mpicc
MPI_OBJ     := $(patsubst cmodel/mpi/%.c,$(BUILD)/mpi/%.o,$(wildcard cmodel/mpi/*.c))
ANNELID_MPI := $(BUILD)/annelid-mpi
# METIS cuts graphs; without it they are cut as well (cmodel/mpi/cut.c).
METIS = $(if $(shell echo '\#include <metis.h>' | $(MPICC) -E -xc - 2> /dev/null),metis)
MPI_IF_THERE = $(if $(call found,$(MPICC)),$(ANNELID_MPI))

$(BUILD)/mpi/%.o: cmodel/mpi/%.c | $(SETUP_MPI)
	@mkdir -p $(@D)
	@$(MPICC) $(C17) $(PROGRAMS) $(CFLAGS) $(METIS:%=-DWITH_METIS) -c -o $@ $<

$(ANNELID_MPI): $(MPI_OBJ) $(CLI_LIB) $(COMMON) $(LIB)
	@$(MPICC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(GSL) -ljansson -lcgraph -lbz2 $(LIBS) $(METIS:%=-l%)

mpi: $(ANNELID_MPI) ## build annelid-mpi: a network, or a sweep, over the ranks of an MPI program

-include $(MPI_OBJ:.o=.d)

.PHONY: mpi
