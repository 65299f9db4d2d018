// SPDX-License-Identifier: Apache-2.0
//
// Where failing assertions go (tb/lockstep/probes/include/anl_assert.svh). Read by Verilator alone.

package anl_lockstep_assertion;
  import "DPI-C" function void anl_lockstep_failed(
      input longint unsigned harness, input string name);
endpackage
