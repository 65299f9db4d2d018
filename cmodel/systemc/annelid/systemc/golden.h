// SPDX-License-Identifier: Apache-2.0
//
// The golden model as a machine (annelid/rim.h), with the state of its lanes in waves.

#ifndef ANNELID_SYSTEMC_GOLDEN_H
#define ANNELID_SYSTEMC_GOLDEN_H

#include <annelid/rim.h>
#include <annelid/systemc/machine.h>

namespace annelid
{

class golden_machine : public machine
{
  public:
    void build(const scenario &of) override
    {
        anl_error error = {};
        anl_rim *made = nullptr;
        scenario_.reset(new scenario(of));
        const anl_status status = anl_rim_create(&of.get(), &made, &error);
        rim_ = std::unique_ptr<anl_rim, void (*)(anl_rim *)>(made, anl_rim_destroy);
        check(status, "/annelid/golden", error);
        injected_.resize(size_t(of.terminals()) * of.lines());
    }

    void reset(wires &out) override
    {
        anl_rim_reset(rim_.get());
        show(out);
    }

    void clock(const wires &in, wires &out) override
    {
        const uint32_t width = scenario_->config().flit_width_bits;
        for (size_t i = 0; i < in.flits.size(); i++)
            if ((injected_[i].valid = in.flits[i].valid)) put(in.flits[i], width, injected_[i]);
        const anl_rim_drive drive = {injected_.data(), in.credits.data()};
        anl_error error = {};
        check(anl_rim_cycle(rim_.get(), &drive, &error), "/annelid/golden", error);
        show(out);
    }

    // Lane v of input port p of switch s is s.p.v: its flits and the output lane of its worm, and
    // credits and owner of the output lane with these numbers (docs/switch.md, "State that is
    // compared").
    void trace(sc_core::sc_trace_file *file, const std::string &name) override
    {
        const anl_shape shape = anl_shape_of(&scenario_->config());
        const uint32_t vcs = scenario_->config().num_vcs;
        lanes_.resize(size_t(shape.switches) * shape.ports * vcs);
        ports_.resize(size_t(shape.switches) * shape.ports);
        random_.resize(shape.switches);
        ends_.resize(size_t(shape.terminals) * vcs);
        for (size_t i = 0; i < lanes_.size(); i++) {
            const size_t port = i / vcs;
            const std::string lane = name + ".switch" + std::to_string(port / shape.ports) +
                                     ".port" + std::to_string(port % shape.ports) + ".lane" +
                                     std::to_string(i % vcs);
            sc_core::sc_trace(file, lanes_[i].count, lane + ".count", 7);
            sc_core::sc_trace(file, lanes_[i].bound, lane + ".bound", 1);
            sc_core::sc_trace(file, lanes_[i].bound_port, lane + ".bound_port", 5);
            sc_core::sc_trace(file, lanes_[i].bound_vc, lane + ".bound_vc", 3);
            sc_core::sc_trace(file, lanes_[i].credit, lane + ".credit", 7);
            sc_core::sc_trace(file, lanes_[i].owned, lane + ".owned", 1);
            sc_core::sc_trace(file, lanes_[i].owner_port, lane + ".owner_port", 5);
            sc_core::sc_trace(file, lanes_[i].owner_vc, lane + ".owner_vc", 3);
        }
    }

  private:
    static void put(const flit &from, uint32_t width, anl_rim_line &to)
    {
        const uint32_t marks = uint32_t(from.tail) | uint32_t(from.head) << 1;
        to.vc = from.vc;
        copy_bits(from.data, 0, to.flit, 0, width);
        copy_bits(&marks, 0, to.flit, width, 2);
    }

    static void get(const anl_rim_line &from, uint32_t width, flit &to)
    {
        uint32_t marks = 0;
        copy_bits(from.flit, width, &marks, 0, 2);
        to.vc = from.vc;
        to.tail = marks & 1;
        to.head = marks >> 1;
        copy_bits(from.flit, 0, to.data, 0, width);
    }

    void show(wires &out)
    {
        const uint32_t width = scenario_->config().flit_width_bits;
        for (uint32_t i = 0; i < out.flits.size(); i++) {
            const anl_rim_line *line = anl_rim_flit(rim_.get(), i);
            if ((out.flits[i].valid = line->valid)) get(*line, width, out.flits[i]);
        }
        for (uint32_t t = 0; t < out.credits.size(); t++)
            out.credits[t] = anl_rim_credits(rim_.get(), t);
        if (lanes_.empty()) return;
        anl_state state = {};
        state.lanes = lanes_.data();
        state.ports = ports_.data();
        state.random = random_.data();
        state.terminal_lanes = ends_.data();
        anl_engine_state(anl_rim_engine(rim_.get()), &state);
    }

    std::unique_ptr<scenario> scenario_;
    std::unique_ptr<anl_rim, void (*)(anl_rim *)> rim_{nullptr, anl_rim_destroy};
    std::vector<anl_rim_line> injected_;
    std::vector<anl_lane_state> lanes_;  // empty: no waves
    std::vector<anl_port_state> ports_;
    std::vector<uint32_t> random_;
    std::vector<anl_terminal_lane_state> ends_;
};

inline machine_ptr golden() { return machine_ptr(new golden_machine); }

}  // namespace annelid

#endif
