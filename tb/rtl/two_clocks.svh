// SPDX-License-Identifier: Apache-2.0
//
// The two clocks of a bench cell (two_clocks.h): gated by what C puts in front of all other inputs. In the reset of the
// bench both have an edge in each cycle.

`define TWO_CLOCKS \
  wire a_clk = clk_i && (rst_i || in[0]); \
  wire b_clk = clk_i && (rst_i || in[1]); \
  wire a_rst = rst_i || in[2]; \
  wire b_rst = rst_i || in[3];
