// SPDX-License-Identifier: Apache-2.0
//
// A network as a module: a clock, a reset, and the links of its terminals as ports.

#ifndef ANNELID_SYSTEMC_NETWORK_H
#define ANNELID_SYSTEMC_NETWORK_H

#include <annelid/systemc/machine.h>

namespace annelid
{

// All happens when the clock rises: what is at the input ports then belongs to the cycle that ends,
// and what comes to the output ports behind it is that of the cycle that begins. So the ports are
// those of registers, whatever machine stands behind them. The reset is synchronous and active
// high, and must be 1 when the clock rises for the first time.
class network : public sc_core::sc_module
{
  public:
    sc_core::sc_in<bool> clk{"clk"}, rst{"rst"};
    // Injection links: line l of terminal t at t * lines + l, credits at t.
    sc_core::sc_vector<sc_core::sc_in<flit>> inj{"inj"};
    sc_core::sc_vector<sc_core::sc_out<uint32_t>> inj_credit{"inj_credit"};
    // Ejection links.
    sc_core::sc_vector<sc_core::sc_out<flit>> ej{"ej"};
    sc_core::sc_vector<sc_core::sc_in<uint32_t>> ej_credit{"ej_credit"};

    SC_HAS_PROCESS(network);
    network(sc_core::sc_module_name name, const scenario &of, machine_ptr behind)
        : sc_module(name), scenario_(of), machine_(std::move(behind))
    {
        const uint32_t terminals = of.terminals(), lines = terminals * of.lines();
        machine_->build(of);
        inj.init(lines);
        inj_credit.init(terminals);
        ej.init(lines);
        ej_credit.init(terminals);
        for (wires *side : {&in_, &out_}) {
            side->flits.resize(lines);
            side->credits.resize(terminals);
        }
        SC_METHOD(rise);
        sensitive << clk.pos();
        dont_initialize();
    }

    // Adds the links to waves, and the state that the machine has: call it before the simulation
    // begins. The file stays the caller's.
    void add_waves(sc_core::sc_trace_file *file) { waves_ = file; }

    const scenario &of() const { return scenario_; }
    machine &behind() { return *machine_; }

  private:
    void rise()
    {
        if (rst.read()) {
            machine_->reset(out_);
            was_reset_ = true;
        } else if (!was_reset_) {
            fail("/annelid/network",
                 std::string(name()) + ": found no reset when the clock rises for the first time, "
                                       "expected rst to be 1");
        } else {
            for (size_t i = 0; i < in_.flits.size(); i++)
                in_.flits[i] = inj[i].read();
            for (size_t t = 0; t < in_.credits.size(); t++)
                in_.credits[t] = ej_credit[t].read();
            machine_->clock(in_, out_);
        }
        for (size_t i = 0; i < out_.flits.size(); i++)
            ej[i].write(out_.flits[i]);
        for (size_t t = 0; t < out_.credits.size(); t++)
            inj_credit[t].write(out_.credits[t]);
    }

    // Waves show the wires from the rise of the clock on at which their cycle begins.
    void start_of_simulation() override
    {
        if (!waves_) return;
        const std::string own = name();
        const uint32_t lines = scenario_.lines();
        for (size_t i = 0; i < in_.flits.size(); i++) {
            std::string terminal = own + ".terminal" + std::to_string(i / lines);
            if (lines > 1) terminal += ".line" + std::to_string(i % lines);
            trace_flit(inj[i].read(), terminal + ".inj");
            trace_flit(ej[i].read(), terminal + ".ej");
        }
        for (size_t t = 0; t < in_.credits.size(); t++) {
            const std::string terminal = own + ".terminal" + std::to_string(t);
            const int vcs = int(scenario_.config().num_vcs);
            sc_core::sc_trace(waves_, inj_credit[t].read(), terminal + ".inj.credit", vcs);
            sc_core::sc_trace(waves_, ej_credit[t].read(), terminal + ".ej.credit", vcs);
        }
        machine_->trace(waves_, own);
    }

    void trace_flit(const flit &flit, const std::string &name)
    {
        sc_core::sc_trace(waves_, flit.valid, name + ".valid");
        sc_core::sc_trace(waves_, flit.head, name + ".head");
        sc_core::sc_trace(waves_, flit.tail, name + ".tail");
        sc_core::sc_trace(waves_, flit.vc, name + ".vc", 3);
        const uint32_t width = scenario_.config().flit_width_bits;
        for (uint32_t word = 0; 32 * word < width; word++)
            sc_core::sc_trace(waves_, flit.data[word], name + ".data" + std::to_string(word),
                              int(std::min(32u, width - 32 * word)));
    }

    scenario scenario_;
    machine_ptr machine_;
    wires in_, out_;
    bool was_reset_ = false;
    sc_core::sc_trace_file *waves_ = nullptr;
};

}  // namespace annelid

#endif
