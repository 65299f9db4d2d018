// SPDX-License-Identifier: Apache-2.0
//
// The C function that failing assertions call (tb/lockstep/probes/include/anl_assert.svh). No tool
// but Verilator reads this file.

package anl_lockstep_assertion;
  import "DPI-C" function void anl_lockstep_failed(
    input longint unsigned harness, input string name, input string condition,
    input longint unsigned instance_name, input longint unsigned inner_name);
endpackage
