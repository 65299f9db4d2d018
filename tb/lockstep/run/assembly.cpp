// SPDX-License-Identifier: Apache-2.0

#include "assembly.h"

extern "C" {
#include "parts.h"
#include "tables.h"
}

#include <cstring>
#include <dlfcn.h>
#include <unistd.h>
#include <utility>

namespace
{

const port nowhere = {UINT32_MAX, 0};

std::string folder_of_program()
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    const std::string whole(path, length > 0 ? static_cast<size_t>(length) : 0);
    return whole.substr(0, whole.rfind('/'));
}

// Returns a port of an instance, whose bits were random, as bits that are 0.
bits zero(uint32_t *words, size_t size)
{
    std::memset(words, 0, size * sizeof *words);
    return {words, size};
}

// Nothing comes in by a port that has no link.
void clear_links(const instance &one)
{
    const part_type &type = *one.type;
    std::memset(one.at.valid_in, 0, type.ports);
    std::memset(one.at.vc_in, 0, type.ports);
    std::memset(one.at.credit_in, 0, type.ports);
    zero(one.at.flit_in, type.ports * type.lines * type.flit_words);
}

// Gives a switch of a graph its routes.
void load_tables(const anl_config &config, uint32_t switch_, const instance &one)
{
    if (!one.at.load) return;
    tables_routes(&config, switch_, zero(one.at.table, one.at.table_words));
    tables_lanes(&config, zero(one.at.lanes, one.at.lanes_words));
    tables_straight(&config, zero(one.at.straight, one.at.straight_words));
    tables_terminals(&config, switch_, zero(one.at.terminals, 1));
    for (const bool level : {false, true}) {
        *one.at.load = level;
        one.eval();
    }
}

}  // namespace

// Returns the part of a name, or a null pointer with *error.
const part_type *assembly::load(const char *name, anl_error *error)
{
    const std::string path = folder_of_program() + "/" + name + "/part.so";
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void *function = library ? dlsym(library, PART_FUNCTION) : nullptr;
    if (!function) {
        anl_fail(error, ANL_ERR_IO, path.c_str(), 0,
                 "the library of this part cannot be loaded: %s", dlerror());
        return nullptr;
    }
    libraries.push_back(library);
    return reinterpret_cast<const part_type *(*)()>(function)();
}

void assembly::add(const part_type *type, const std::string &name, uint32_t link)
{
    instance one;
    one.type = type;
    one.part = type->create(context, name.c_str(), &one.at);
    *one.at.harness = address;
    *one.at.toggle = 0;
    clear_links(one);
    one.eval();
    one.first = static_cast<uint32_t>(to.size());
    one.link = link;
    one.known.resize(type->state_words);
    to.resize(to.size() + type->ports, nowhere);
    from.resize(to.size(), nowhere);
    instances.push_back(std::move(one));
}

bool assembly::add_switches(anl_error *error)
{
    std::vector<const part_type *> types;
    for (uint32_t part = 0; part < parts_count(&config); part++) {
        char name[PART_BYTES];
        parts_name_switch(&config, part, name);
        types.push_back(load(name, error));
        if (!types.back()) return false;
    }
    for (uint32_t s = 0; s < shape.switches; s++) {
        const std::string name = "TOP.anl_lockstep_top.dut.g_switch[" + std::to_string(s) + "]";
        add(types[parts_of_switch(&config, s)], name, s * shape.ports);
        *instances.back().at.here = parts_here(&config, s);
        load_tables(config, s, instances.back());
    }
    return true;
}

bool assembly::add_terminals(anl_error *error)
{
    char name[PART_BYTES];
    parts_name_terminal(&config, name);
    const part_type *type = load(name, error);
    for (uint32_t t = 0; type && t < shape.terminals; t++)
        add(type, "TOP.anl_lockstep_top.g_node[" + std::to_string(t) + "]",
            anl_injection_link(&config, t));
    return type;
}

void assembly::connect(const port &a, const port &b)
{
    to[instances[a.instance].first + a.number] = b;
    from[instances[b.instance].first + b.number] = a;
}

// Connects a port with the other end of the link that leaves by it, if it has one; with slices
// between two switches.
void assembly::connect_link(const port &a, const part_type *slices)
{
    const uint32_t link = instances[a.instance].link + a.number;
    const anl_end end = anl_end_of(&config, link);
    if (!end.exists) return;
    const port b = {end.is_terminal ? shape.switches + end.node : end.node, end.port};
    if (!slices || a.instance >= shape.switches || b.instance >= shape.switches)
        return connect(a, b);
    add(slices, "TOP.anl_lockstep_top.dut.g_link[" + std::to_string(link) + "]", link);
    instances.back().rest = anl_link_cycles(&config);
    const port between = {static_cast<uint32_t>(instances.size() - 1), 0};
    connect(a, between);
    connect(between, b);
}

bool assembly::connect_all(anl_error *error)
{
    char name[PART_BYTES];
    parts_name_link(&config, name);
    const part_type *slices = name[0] ? load(name, error) : nullptr;
    if (name[0] && !slices) return false;
    for (uint32_t i = 0; i < links(); i++)
        for (uint32_t p = 0; p < instances[i].type->ports; p++)
            connect_link({i, p}, slices);
    return true;
}

bool assembly::create(const anl_config *network, VerilatedContext *runtime, uint64_t harness,
                      anl_error *error)
{
    config = *network;
    shape = anl_shape_of(network);
    context = runtime;
    address = harness;
    return add_switches(error) && add_terminals(error) && connect_all(error);
}

void assembly::destroy()
{
    for (const instance &one : instances)
        one.type->destroy(one.part);
}
