// SPDX-License-Identifier: Apache-2.0
// FlooNoC's package calls these functions of pulp-platform/axi where it computes the widths of AXI channels, which
// no router does. So they only have to be declared, and that repository is not needed.
package axi_pkg;
  function automatic int unsigned aw_width(int unsigned addr, int unsigned id, int unsigned user);
    return addr + id + user;
  endfunction
  function automatic int unsigned w_width(int unsigned data, int unsigned user);
    return data + user;
  endfunction
  function automatic int unsigned b_width(int unsigned id, int unsigned user);
    return id + user;
  endfunction
  function automatic int unsigned ar_width(int unsigned addr, int unsigned id, int unsigned user);
    return addr + id + user;
  endfunction
  function automatic int unsigned r_width(int unsigned data, int unsigned id, int unsigned user);
    return data + id + user;
  endfunction
endpackage
