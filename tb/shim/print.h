// SPDX-License-Identifier: Apache-2.0
//
// What Verilator's runtime prints goes through this function, so that a program can tell what the
// RTL says. It is defined beside the network, where vl_stop() is.

#ifndef ANL_PRINT_H
#define ANL_PRINT_H

extern "C" int anl_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
