// SPDX-License-Identifier: Apache-2.0
//
// Stands in for the interface of this name of tbcm, which contains itself: to_onehot keeps the lowest bit that is 1.
// A Verilator of 2026 ends with an internal error on an interface that contains itself.
interface tbcm_onehot #(
  parameter int WIDTH = 2
);
  function automatic logic [WIDTH-1:0] to_onehot(logic [WIDTH-1:0] bits);
    return bits & (~bits + 1'b1);
  endfunction
endinterface
