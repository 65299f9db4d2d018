# SPDX-License-Identifier: Apache-2.0
#
@ORIGIN@#
# Paths between the clock of the network and those of the terminals. Each crossing (g_crossing[...].u_inj, .u_ej) has
# gray pointers, counts of credits in gray code, and a memory. Bits of two steps of a pointer must not mix, so its paths
# take at most a period of its clock; what is read from the memory takes at most a period of the reading clock.
# Write the shortest period of all clocks here, in the unit of time of your tool (ns). Clocks are defined elsewhere.

set annelid_period 10.0

set annelid_flits_from [get_cells -hierarchical *g_crossing*u_flits*u_writer*u_ptr*gray_q*]
set annelid_flits_to [get_cells -hierarchical *g_crossing*u_flits*u_reader*u_sync*stages_q*]
set annelid_credits_from [get_cells -hierarchical *g_crossing*u_credits*u_given*gray_q*]
set annelid_credits_to [get_cells -hierarchical *g_crossing*u_credits*u_taken*u_sync*stages_q*]
set annelid_memory [get_cells -hierarchical *g_crossing*u_flits*mem*]

set_max_delay $annelid_period -from $annelid_flits_from -to $annelid_flits_to
set_false_path -hold -from $annelid_flits_from -to $annelid_flits_to
set_max_delay $annelid_period -from $annelid_credits_from -to $annelid_credits_to
set_false_path -hold -from $annelid_credits_from -to $annelid_credits_to
set_max_delay $annelid_period -from $annelid_memory
set_false_path -hold -from $annelid_memory
