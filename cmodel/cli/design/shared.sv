@SHARED_ORIGIN@`ifndef ANNELID_anl_shared
`define ANNELID_anl_shared

// SPDX-License-Identifier: Apache-2.0
//
// Refuses a network that was written for another version of the RTL that networks share than the
// one which is read with it. Each network has an instance, with the digest that it was written for.
// The module that it then wants is nowhere: this is an error in the elaboration of every tool.

module anl_shared #(
  parameter logic [63:0] Digest = 64'h@SHARED@
) ();

  if (Digest != 64'h@SHARED@) begin : g_refused
    this_network_was_written_for_another_version_of_the_shared_rtl u_refused ();
  end

endmodule

`endif
