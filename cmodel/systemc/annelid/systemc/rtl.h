// SPDX-License-Identifier: Apache-2.0
//
// A verilated network as a machine: the class that Verilator makes of a design of
// `annelid rtl --ports links`, or of any module with the same ports (docs/integrate.md). The header
// of the class is included behind this one.

#ifndef ANNELID_SYSTEMC_RTL_H
#define ANNELID_SYSTEMC_RTL_H

#include <annelid/systemc/machine.h>
#include <type_traits>

// Headers of Verilator that come behind those of SystemC use this name as a global one.
using sc_core::sc_time_stamp;

namespace annelid
{

// Verilated is a class of C++ (verilator --cc). Its ports may have any widths.
template <class Verilated> class rtl_machine : public machine
{
  public:
    void build(const scenario &of) override
    {
        scenario_.reset(new scenario(of));
        vcs_ = of.config().num_vcs;
        width_ = of.config().flit_width_bits;
        for (vc_width_ = 1; 1u << vc_width_ < vcs_;)
            vc_width_++;
        top_.reset(new Verilated);
        const uint32_t terminals = of.terminals(), lines = terminals * of.lines();
        expect("inj_valid_i", bits(top_->inj_valid_i), lines);
        expect("inj_vc_i", bits(top_->inj_vc_i), lines * vc_width_);
        expect("inj_flit_i", bits(top_->inj_flit_i), lines * (width_ + 2));
        expect("inj_credit_o", bits(top_->inj_credit_o), terminals * vcs_);
        none_.flits.resize(lines);
        none_.credits.resize(terminals);
    }

    void reset(wires &out) override
    {
        top_->rst_i = 1;
        tick(none_, out);
    }

    void clock(const wires &in, wires &out) override
    {
        top_->rst_i = 0;
        tick(in, out);
    }

    // Is the verilated class, for those who want waves or signals of it.
    Verilated &top() { return *top_; }

  private:
    // A port of up to 64 bits is a number, a wider one an array of words.
    template <class Port> using number = typename std::is_integral<Port>::type;

    template <class Port> static uint32_t *words(Port &port, std::false_type) { return &port[0]; }

    template <class Port> static constexpr size_t bits(const Port &) { return 8 * sizeof(Port); }

    // The class is of a network with other sizes if a port is too small, or a word or more too
    // wide.
    void expect(const char *port, size_t found, uint32_t needed) const
    {
        const size_t least = needed <= 8    ? 8
                             : needed <= 16 ? 16
                             : needed <= 32 ? 32
                             : needed <= 64 ? 64
                                            : (needed + 31) / 32 * 32;
        if (found == least) return;
        fail("/annelid/rtl", std::string("port ") + port + ": found " + std::to_string(found) +
                                 " bits of C++, expected " + std::to_string(least) + " for " +
                                 std::to_string(needed) +
                                 " bits of this scenario: the class is of another network");
    }

    template <class Port>
    static void put(Port &port, uint32_t at, const uint32_t *from, uint32_t width)
    {
        put(port, at, from, width, number<Port>());
    }
    template <class Port>
    static void put(Port &port, uint32_t at, const uint32_t *from, uint32_t width, std::false_type)
    {
        copy_bits(from, 0, words(port, std::false_type()), at, width);
    }
    template <class Port>
    static void put(Port &port, uint32_t at, const uint32_t *from, uint32_t width, std::true_type)
    {
        uint32_t both[2] = {uint32_t(port), uint32_t(uint64_t(port) >> 32)};
        copy_bits(from, 0, both, at, width);
        port = Port(both[0] | uint64_t(both[1]) << 32);
    }

    template <class Port> static void get(Port &port, uint32_t at, uint32_t *to, uint32_t width)
    {
        get(port, at, to, width, number<Port>());
    }
    template <class Port>
    static void get(Port &port, uint32_t at, uint32_t *to, uint32_t width, std::false_type)
    {
        copy_bits(words(port, std::false_type()), at, to, 0, width);
    }
    template <class Port>
    static void get(Port &port, uint32_t at, uint32_t *to, uint32_t width, std::true_type)
    {
        const uint32_t both[2] = {uint32_t(port), uint32_t(uint64_t(port) >> 32)};
        copy_bits(both, at, to, 0, width);
    }

    void tick(const wires &in, wires &out)
    {
        top_->clk_i = 0;
        drive(in);
        top_->eval();
        top_->clk_i = 1;
        top_->eval();
        read(out);
    }

    void drive(const wires &in)
    {
        const uint32_t link_width = width_ + 2;
        for (uint32_t i = 0; i < in.flits.size(); i++) {
            const flit &flit = in.flits[i];
            const uint32_t valid = flit.valid, vc = flit.vc;
            put(top_->inj_valid_i, i, &valid, 1);
            if (!valid) continue;
            const uint32_t marks = uint32_t(flit.tail) | uint32_t(flit.head) << 1;
            put(top_->inj_vc_i, i * vc_width_, &vc, vc_width_);
            put(top_->inj_flit_i, i * link_width, flit.data, width_);
            put(top_->inj_flit_i, i * link_width + width_, &marks, 2);
        }
        for (uint32_t t = 0; t < in.credits.size(); t++)
            put(top_->ej_credit_i, t * vcs_, &in.credits[t], vcs_);
    }

    void read(wires &out)
    {
        const uint32_t link_width = width_ + 2;
        for (uint32_t i = 0; i < out.flits.size(); i++) {
            flit &flit = out.flits[i];
            uint32_t valid = 0, vc = 0, marks = 0;
            get(top_->ej_valid_o, i, &valid, 1);
            if (!(flit.valid = valid != 0)) continue;
            get(top_->ej_vc_o, i * vc_width_, &vc, vc_width_);
            get(top_->ej_flit_o, i * link_width, flit.data, width_);
            get(top_->ej_flit_o, i * link_width + width_, &marks, 2);
            flit.vc = uint8_t(vc);
            flit.tail = marks & 1;
            flit.head = marks >> 1;
        }
        for (uint32_t t = 0; t < out.credits.size(); t++) {
            out.credits[t] = 0;
            get(top_->inj_credit_o, t * vcs_, &out.credits[t], vcs_);
        }
    }

    std::unique_ptr<scenario> scenario_;
    std::unique_ptr<Verilated> top_;
    uint32_t vcs_ = 0, vc_width_ = 0, width_ = 0;
    wires none_;
};

template <class Verilated> machine_ptr rtl() { return machine_ptr(new rtl_machine<Verilated>); }

}  // namespace annelid

#endif
