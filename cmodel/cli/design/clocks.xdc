# SPDX-License-Identifier: Apache-2.0
#
@ORIGIN@#
# Paths between the clocks of the network, its regions and terminals. Each crossing (anl_link_cdc in a g_crossing) has
# gray pointers, counts of credits in gray code, and a memory. Bits of two steps of a pointer must not mix, so its paths
# take at most a period of its clock; what is read from the memory takes at most a period of the reading clock. The skew
# of the clocks does not count (-datapath_only). The highest bit of a pointer and of its gray code are equal, and Vivado may
# keep either register: so ptr_q is named, too.
# Write the shortest period of all clocks here, in ns. Clocks are defined elsewhere.

set annelid_period 10.0

set_max_delay -datapath_only $annelid_period -from [get_cells -hierarchical -filter {NAME =~ *g_crossing*u_flits/*u_ptr/*_q_reg*}] -to [get_cells -hierarchical -filter {NAME =~ *g_crossing*u_flits/*u_sync/stages_q_reg*}]
set_max_delay -datapath_only $annelid_period -from [get_cells -hierarchical -filter {NAME =~ *g_crossing*u_credits/*u_given/*_q_reg*}] -to [get_cells -hierarchical -filter {NAME =~ *g_crossing*u_credits/*u_taken/u_sync/stages_q_reg*}]
set_max_delay -datapath_only $annelid_period -from [get_cells -hierarchical -filter {NAME =~ *g_crossing*u_flits/mem_reg*}]
