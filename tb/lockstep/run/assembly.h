// SPDX-License-Identifier: Apache-2.0
//
// The instances of a network by switches, and where their links lead: a verilated part for each
// switch and each terminal, and one for each link of several cycles. by_switches.cpp runs them.

#ifndef ANL_LOCKSTEP_ASSEMBLY_H
#define ANL_LOCKSTEP_ASSEMBLY_H

#include "part.h"

#include <annelid/network.h>

#include <string>
#include <vector>

// A port of an instance, or no port.
struct port {
    uint32_t instance, number;

    bool exists() const { return instance != UINT32_MAX; }
};

struct instance {
    const part_type *type = nullptr;
    void *part = nullptr;
    part_ports at{};
    uint32_t first = 0;           // its ports are first, first + 1, … of all ports
    uint32_t link = 0;            // the number of the link that leaves by its port 0
    uint32_t rest = 1;            // cycles in which nothing happens, before it sleeps
    uint32_t quiet = 0;           // cycles in which nothing has happened
    std::vector<uint32_t> known;  // registers, as they were told last
    bool awake = true;
    bool touched = false;  // something comes in this cycle
    bool fresh = true;     // its registers are yet to be told, also if they are as before

    void eval() const { type->eval(part); }
};

struct assembly {
    anl_config config;
    anl_shape shape;
    std::vector<void *> libraries;
    std::vector<instance>
        instances;  // the switches, then the terminals, then the links of several cycles
    std::vector<port> to, from;  // of each port: where its link leads, and whose link comes in

    // Makes all instances, for a context of Verilator's runtime and DPI calls with the address
    // harness, and connects them as the network of the model is. The libraries of the parts are in
    // folders beside the program. Returns false with *error if one of them cannot be loaded. The
    // caller calls destroy() in any case, destroys the context, and closes the libraries.
    bool create(const anl_config *network, VerilatedContext *runtime, uint64_t harness,
                anl_error *error);
    void destroy();

    size_t links() const { return shape.switches + shape.terminals; }  // the first of the links
    bool is_terminal(size_t number) const { return number >= shape.switches && number < links(); }

  protected:
    const part_type *load(const char *name, anl_error *error);
    void add(const part_type *type, const std::string &name, uint32_t link);
    void connect(const port &a, const port &b);

  private:
    bool add_switches(anl_error *error);
    bool add_terminals(anl_error *error);
    void connect_link(const port &a, const part_type *slices);
    bool connect_all(anl_error *error);

    VerilatedContext *context = nullptr;
    uint64_t address = 0;
};

#endif
