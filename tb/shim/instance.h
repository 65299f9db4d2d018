// SPDX-License-Identifier: Apache-2.0
//
// The instance in which an assertion failed, from Verilator's C++ (anl_assert.svh of the
// lock-step). What its versions name differently is known here and in failure.c alone. The code of
// every verilated network begins with this file.

#ifndef ANL_TB_INSTANCE_H
#define ANL_TB_INSTANCE_H

#include <cstdint>

// Returns the name of a module's object: a function in older versions, a member in newer ones.
template <class Module> auto anl_name_of(const Module *module, int) -> decltype(module->name())
{
    return module->name();
}

template <class Module> auto anl_name_of(const Module *module, long) -> decltype(module->vlNamep)
{
    return module->vlNamep;
}

#define ANL_OUTER reinterpret_cast<uintptr_t>(anl_name_of(vlSelf, 0))
#define ANL_INNER(variable) reinterpret_cast<uintptr_t>(#variable)

#endif
