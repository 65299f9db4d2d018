// SPDX-License-Identifier: Apache-2.0
//
// What stands behind the ports of a network: a machine, which is told in each cycle what terminals
// drive, and says what the network drives in the next one. Machines may be exchanged, and a machine
// may be two that are compared.

#ifndef ANNELID_SYSTEMC_MACHINE_H
#define ANNELID_SYSTEMC_MACHINE_H

#include <algorithm>
#include <annelid/systemc/scenario.h>
#include <iomanip>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <systemc>
#include <vector>

namespace annelid
{

// Copies `width` bits between arrays of words of 32 bits, the lowest word first.
inline void copy_bits(const uint32_t *from, uint32_t from_at, uint32_t *to, uint32_t to_at,
                      uint32_t width)
{
    while (width > 0) {
        const uint32_t step = std::min({width, 32 - from_at % 32, 32 - to_at % 32});
        const uint32_t mask = step == 32 ? ~0u : (1u << step) - 1;
        const uint32_t bits = from[from_at / 32] >> from_at % 32 & mask;
        to[to_at / 32] = (to[to_at / 32] & ~(mask << to_at % 32)) | bits << to_at % 32;
        from_at += step, to_at += step, width -= step;
    }
}

// The wires of a line in a cycle (docs/link.md). If valid is false the rest means nothing.
struct flit {
    bool valid = false;
    bool head = false, tail = false;
    uint8_t vc = 0;                       // lane, 0..num_vcs - 1
    uint32_t data[ANL_FLIT_WORDS] = {0};  // flit_width_bits bits, the lowest word first, 0 above

    bool operator==(const flit &other) const
    {
        return valid == other.valid &&
               (!valid || (head == other.head && tail == other.tail && vc == other.vc &&
                           std::equal(std::begin(data), std::end(data), other.data)));
    }
    bool operator!=(const flit &other) const { return !(*this == other); }
};

// Prints a flit as "lane 1 head 1f", data as a hexadecimal number; ". " if there is none.
inline std::ostream &operator<<(std::ostream &out, const flit &flit)
{
    if (!flit.valid) return out << "no flit";
    const char *kind =
        flit.head ? (flit.tail ? "head and tail" : "head") : (flit.tail ? "tail" : "body");
    std::ostringstream digits;
    digits << std::hex;
    int word = ANL_FLIT_WORDS - 1;
    while (word > 0 && flit.data[word] == 0)
        word--;
    digits << flit.data[word--];
    for (; word >= 0; word--)
        digits << std::setw(8) << std::setfill('0') << flit.data[word];
    return out << "lane " << unsigned(flit.vc) << " " << kind << " " << digits.str();
}

inline void sc_trace(sc_core::sc_trace_file *file, const flit &flit, const std::string &name)
{
    sc_core::sc_trace(file, flit.valid, name + ".valid");
    sc_core::sc_trace(file, flit.head, name + ".head");
    sc_core::sc_trace(file, flit.tail, name + ".tail");
    sc_core::sc_trace(file, flit.vc, name + ".vc", 3);
    for (int word = 0; word < ANL_FLIT_WORDS; word++)
        sc_core::sc_trace(file, flit.data[word], name + ".data" + std::to_string(word), 32);
}

// What one side of the links drives in a cycle: terminals the flits of injection links and the
// credits of ejection links, the network the others.
struct wires {
    std::vector<flit> flits;        // [terminals * lines], line l of terminal t at t * lines + l
    std::vector<uint32_t> credits;  // [terminals], bit v: a flit leaves lane v
};

class machine
{
  public:
    virtual ~machine() = default;
    // Is called once, before all others. An error is reported.
    virtual void build(const scenario &of) = 0;
    // The clock rises while the reset is 1: the next cycle may be the first one.
    virtual void reset(wires &out) = 0;
    // The clock rises at the end of a cycle in which terminals drove `in`. Fills `out`, which has
    // its size, with what the network drives in the cycle that begins.
    virtual void clock(const wires &in, wires &out) = 0;
    // Adds its state to waves, with names that begin with `name`.
    virtual void trace(sc_core::sc_trace_file *, const std::string &) {}
};

using machine_ptr = std::unique_ptr<machine>;

// Two machines that get the same and must drive the same. The network drives what the first one
// does. The first difference is reported, with time, cycle, link, and what both drive.
class comparing_machine : public machine
{
  public:
    comparing_machine(machine_ptr first, machine_ptr second)
        : first_(std::move(first)), second_(std::move(second))
    {
    }

    void build(const scenario &of) override
    {
        scenario_.reset(new scenario(of));
        first_->build(of);
        second_->build(of);
    }

    void reset(wires &out) override
    {
        first_->reset(out);
        other_ = out;
        second_->reset(other_);
        cycle_ = 0;
        look(out);
    }

    void clock(const wires &in, wires &out) override
    {
        first_->clock(in, out);
        second_->clock(in, other_);
        cycle_++;
        look(out);
    }

    void trace(sc_core::sc_trace_file *file, const std::string &name) override
    {
        first_->trace(file, name);
    }

    uint64_t compared_cycles() const { return cycles_; }
    uint64_t compared_flits() const { return flits_; }
    bool differs() const { return differs_; }

  private:
    template <class What> void differ(uint32_t link, const What &first, const What &second)
    {
        std::ostringstream text;
        text << sc_core::sc_time_stamp() << ", cycle " << cycle_ << ", link "
             << scenario_->link_name(link) << ": the first drives " << first << ", the second "
             << second;
        differs_ = true;
        SC_REPORT_ERROR("/annelid/compare", text.str().c_str());
    }

    static std::string lanes(uint32_t credits)
    {
        std::ostringstream text;
        text << "credits of lanes " << std::hex << credits << " (mask)";
        return text.str();
    }

    void look(const wires &out)
    {
        const uint32_t lines = scenario_->lines();
        const anl_config *config = &scenario_->config();
        cycles_++;
        for (size_t i = 0; i < out.flits.size() && !differs_; i++) {
            flits_ += out.flits[i].valid;
            if (out.flits[i] != other_.flits[i])
                differ(anl_ejection_link(config, uint32_t(i / lines)), out.flits[i],
                       other_.flits[i]);
        }
        for (size_t t = 0; t < out.credits.size() && !differs_; t++)
            if (out.credits[t] != other_.credits[t])
                differ(anl_injection_link(config, uint32_t(t)), lanes(out.credits[t]),
                       lanes(other_.credits[t]));
    }

    machine_ptr first_, second_;
    std::unique_ptr<scenario> scenario_;
    wires other_;
    uint64_t cycle_ = 0, cycles_ = 0, flits_ = 0;
    bool differs_ = false;
};

inline machine_ptr compare(machine_ptr first, machine_ptr second)
{
    return machine_ptr(new comparing_machine(std::move(first), std::move(second)));
}

}  // namespace annelid

#endif
