// SPDX-License-Identifier: Apache-2.0
//
// Where failing assertions of modules under test go. Read by Verilator alone.

package bench_assertion;
  import "DPI-C" function void bench_failed(input string name, input string file, input int line);
endpackage
