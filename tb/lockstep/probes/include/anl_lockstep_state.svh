// SPDX-License-Identifier: Apache-2.0
//
// The registers of a switch that are compared, packed as tb/lockstep/compare/observed.c unpacks them, and their bits.
// ANL_STATE_OF(core) is for a place that sees an instance `core` of anl_switch; ANL_STATE_BITS is for one where the sizes
// of a switch have the names that its header gives them. With ANL_CLASSES defined there are several classes of messages,
// with ANL_WIDE links are wide.

`ifndef ANL_LOCKSTEP_STATE_SVH
`define ANL_LOCKSTEP_STATE_SVH

`ifdef ANL_CLASSES
`define ANL_STATE_OF_CLASSES(core) core.quota, core.favoured,
`define ANL_STATE_BITS_OF_CLASSES + NumPorts * (anl_pkg::index_width(NumVcs / ClassVcs) + anl_pkg::WeightW)
`else
`define ANL_STATE_OF_CLASSES(core)
`define ANL_STATE_BITS_OF_CLASSES
`endif

`ifdef ANL_WIDE
`define ANL_OUT_PTR_BITS anl_pkg::index_width(NumLanes)
`else
`define ANL_OUT_PTR_BITS anl_pkg::index_width(NumPorts)
`endif

`define ANL_STATE_OF(core) { \
    `ANL_STATE_OF_CLASSES(core) \
    core.random, core.out_ptr, core.in_ptr, core.owner_vc, core.owner_port, core.owned, core.credit, core.bound_vc, \
    core.bound_port, core.bound, core.count }

`define ANL_STATE_BITS \
    (NumLanes * 2 * ($clog2(Depth + 1) + 1 + anl_pkg::index_width(NumPorts) + VcW) \
     + NumPorts * `ANL_OUT_PTR_BITS + 32 `ANL_STATE_BITS_OF_CLASSES \
     + NumPorts * (NumVcs / ClassVcs) * anl_pkg::index_width(ClassVcs))

`endif
