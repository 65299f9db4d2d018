# SPDX-License-Identifier: Apache-2.0
#
@ORIGIN@#
# Paths between the clocks of the network, its regions and terminals. Each crossing (anl_link_cdc in a g_crossing) has
# gray pointers, counts of credits in gray code, and a memory. Bits of two steps of a pointer must not mix, so its paths
# take at most a period of its clock; what is read from the memory takes at most a period of the reading clock.
# The highest bit of a pointer and of its gray code are equal, and a tool may keep either register: so ptr_q is named, too.
# Write the shortest period of all clocks here, in the unit of time of your tool (ns). Clocks are defined elsewhere.
# Names are whole ones, those of a flat netlist. Quartus compares them with -compatibility_mode alone.

set annelid_period 10.0

set annelid_match [expr {[info exists ::TimeQuestInfo] ? "-compatibility_mode" : "-hierarchical"}]
set annelid_flits_from [get_cells $annelid_match *g_crossing*u_flits*u_ptr*_q*]
set annelid_flits_to [get_cells $annelid_match *g_crossing*u_flits*u_sync*stages_q*]
set annelid_credits_from [get_cells $annelid_match *g_crossing*u_credits*u_given*_q*]
set annelid_credits_to [get_cells $annelid_match *g_crossing*u_credits*u_taken*u_sync*stages_q*]
set annelid_memory [get_cells $annelid_match *g_crossing*u_flits*mem*]

set_max_delay $annelid_period -from $annelid_flits_from -to $annelid_flits_to
set_false_path -hold -from $annelid_flits_from -to $annelid_flits_to
set_max_delay $annelid_period -from $annelid_credits_from -to $annelid_credits_to
set_false_path -hold -from $annelid_credits_from -to $annelid_credits_to
set_max_delay $annelid_period -from $annelid_memory
set_false_path -hold -from $annelid_memory
