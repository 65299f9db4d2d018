// SPDX-License-Identifier: Apache-2.0
//
// What a library of a part has beside the verilated module, Vpart.

#include "part.h"

#include <type_traits>
#include <utility>

#include "Vpart.h"
#if VM_TRACE
#include <verilated_vcd_c.h>
#endif

namespace
{

// Returns the words or bytes of a port. Verilator keeps bits 0 to 31 in the lowest word, and
// elements side by side.
template <class Word, class Port> Word *at(Port &port) { return reinterpret_cast<Word *>(&port); }

template <class Port>
constexpr size_t words = sizeof(std::remove_reference_t<Port>) / sizeof(uint32_t);

#ifdef ANL_PART_terminal
void own_ports(Vpart *part, part_ports *ports)
{
    ports->src_valid = at<uint8_t>(part->src_valid_i);
    ports->src_vcs = at<uint8_t>(part->src_vcs_i);
    ports->src_ready = at<uint8_t>(part->src_ready_o);
    ports->src_flit = at<uint32_t>(part->src_flit_i);
    ports->snk_valid = at<uint8_t>(part->snk_valid_o);
    ports->snk_vc = at<uint8_t>(part->snk_vc_o);
    ports->snk_ready = at<uint8_t>(part->snk_ready_i);
    ports->snk_flit = at<uint32_t>(part->snk_flit_o);
}
#elif defined ANL_PART_switch
void own_ports(Vpart *part, part_ports *ports)
{
    ports->seed = at<uint32_t>(part->seed_i);
    ports->here = at<uint64_t>(part->here_i);
#ifdef ANL_TABLES
    ports->load = at<uint8_t>(part->load_i);
    ports->table = at<uint32_t>(part->table_i);
    ports->lanes = at<uint32_t>(part->lanes_i);
    ports->straight = at<uint32_t>(part->straight_i);
    ports->terminals = at<uint32_t>(part->terminals_i);
    ports->table_words = words<decltype(Vpart::table_i)>;
    ports->lanes_words = words<decltype(Vpart::lanes_i)>;
    ports->straight_words = words<decltype(Vpart::straight_i)>;
#endif
}
#elif defined ANL_PART_crossing
void own_ports(Vpart *part, part_ports *ports)
{
    ports->receiver_toggle = at<uint8_t>(part->receiver_toggle_i);
    ports->receiver_rst = at<uint8_t>(part->receiver_rst_i);
}
#else
void own_ports(Vpart *, part_ports *) {}
#endif

void *create(VerilatedContext *context, const char *name, part_ports *ports)
{
    auto *part = new Vpart(context, name);
    *ports = part_ports{};
    ports->toggle = at<uint8_t>(part->toggle_i);
    ports->rst = at<uint8_t>(part->rst_i);
    ports->harness = at<uint64_t>(part->harness_i);
    ports->valid_in = at<uint8_t>(part->valid_i);
    ports->vc_in = at<uint8_t>(part->vc_i);
    ports->flit_in = at<uint32_t>(part->flit_i);
    ports->credit_out = at<uint8_t>(part->credit_o);
    ports->valid_out = at<uint8_t>(part->valid_o);
    ports->vc_out = at<uint8_t>(part->vc_o);
    ports->flit_out = at<uint32_t>(part->flit_o);
    ports->credit_in = at<uint8_t>(part->credit_i);
    ports->state = at<uint32_t>(part->state_o);
    own_ports(part, ports);
    return part;
}

void eval(void *part) { static_cast<Vpart *>(part)->eval(); }

void end(void *part) { static_cast<Vpart *>(part)->final(); }

void destroy(void *part) { delete static_cast<Vpart *>(part); }

#if VM_TRACE
void trace(void *part, VerilatedVcdC *waves) { static_cast<Vpart *>(part)->trace(waves, 99); }
#else
void (*const trace)(void *, VerilatedVcdC *) = nullptr;
#endif

// Verilator's versions have arrays of C, or of a class of their own.
constexpr size_t num_ports = sizeof(std::remove_reference_t<decltype(Vpart::valid_i)>);
constexpr size_t flit_bytes = sizeof(std::declval<Vpart &>().flit_i[0]);
constexpr size_t num_flits = sizeof(std::remove_reference_t<decltype(Vpart::flit_i)>) / flit_bytes;

const part_type type = {
    num_ports,
    num_flits / num_ports,
    flit_bytes / sizeof(uint32_t),
    words<decltype(Vpart::state_o)>,
    create,
    eval,
    end,
    destroy,
    trace,
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const part_type *anl_lockstep_part()
{
    return &type;
}
