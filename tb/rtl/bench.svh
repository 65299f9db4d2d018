// SPDX-License-Identifier: Apache-2.0
//
// A bench cell: one instance of a module under test, driven and checked by C (bench.h).
//
// `BENCH(Name, Index, Parameters) declares the vectors in and out. At the falling edge C puts in;
// at the rising edge, before registers change, C takes in and out. Parameters is a concatenation of
// ints; in and out are concatenations of ports. In all three the first field that C reads is at the
// right. Only Verilator reads this file.
//
// The bench of a module x at one corner is the module tb_x. It has the ports clk_i and rst_i, and the
// parameters that [bench] in tb/corners.toml gives x, after Index: the number of the corner, for `BENCH.
// scripts/annelid/benches.py writes tb_x where ports and parameters of x say all, and what has all corners.

`ifndef ANL_BENCH_SVH
`define ANL_BENCH_SVH

import "DPI-C" function void bench_drive(input string name, input int index,
  input bit [511:0] parameters, output bit [2047:0] in);
import "DPI-C" function void bench_check(input string name, input int index,
  input bit [511:0] parameters, input bit [2047:0] in, input bit [2047:0] out);

`define BENCH(Name, Index, Parameters) \
  bit [2047:0] in, out; \
  always @(negedge clk_i) bench_drive(Name, Index, 512'(Parameters), in); \
  always @(posedge clk_i) if (!rst_i) bench_check(Name, Index, 512'(Parameters), in, out);

// Outputs that say that something is taken, sent or shown are 0 in reset.
`define BENCH_IN_RESET(Outputs) \
  always @(posedge clk_i) \
    if (rst_i && (Outputs) != '0) bench_assertion::bench_failed("IsZeroInReset", `__FILE__, `__LINE__);

`endif
