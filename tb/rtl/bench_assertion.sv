// SPDX-License-Identifier: Apache-2.0
//
// Receives the failing assertions of modules under test. Only Verilator reads this file.

package bench_assertion;
  import "DPI-C" function void bench_failed(input string name, input string file, input int line);
endpackage
