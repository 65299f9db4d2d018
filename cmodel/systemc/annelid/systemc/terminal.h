// SPDX-License-Identifier: Apache-2.0
//
// A terminal of a network as a module: source queues and sinks by the rules of docs/switch.md,
// "Terminals" and "Message classes". Whoever derives from it sends worms and gets worms.

#ifndef ANNELID_SYSTEMC_TERMINAL_H
#define ANNELID_SYSTEMC_TERMINAL_H

#include <annelid/systemc/network.h>
#include <deque>

namespace annelid
{

// A worm that is sent or has come.
struct worm {
    uint32_t source = 0, destination = 0;  // terminals
    uint32_t class_ = 0;                   // of messages
    // The bits of the user: those of the head behind its fields, then those of each other flit; in
    // words of 32 bits, the lowest first. A worm that has come is as long as its flits.
    std::vector<uint32_t> payload;
    uint32_t bits = 0;  // of payload
};

// Returns how many flits a worm with so many bits has.
inline uint32_t flits_for(const anl_config &config, uint32_t bits)
{
    const uint32_t width = config.flit_width_bits, head = width - anl_head_bits(&config);
    return bits <= head ? 1 : 1 + (bits - head + width - 1) / width;
}

// The terminal binds the links of its network and owns their signals. It is in the clock of the
// network. Links are shared, not wide.
class terminal : public sc_core::sc_module
{
  public:
    sc_core::sc_in<bool> clk{"clk"}, rst{"rst"};

    SC_HAS_PROCESS(terminal);
    terminal(sc_core::sc_module_name name, network &of, uint32_t number)
        : sc_module(name), network_(of), scenario_(of.of()), config_(scenario_.config()),
          number_(number), sources_(anl_num_classes(&config_)), lanes_(config_.num_vcs)
    {
        expect_below("terminal", number, scenario_.terminals());
        if (scenario_.lines() > 1)
            fail("/annelid/terminal",
                 std::string(this->name()) + ": found wide links, expected shared ones");
        of.inj[number](inj_);
        of.inj_credit[number](inj_credit_);
        of.ej[number](ej_);
        of.ej_credit[number](ej_credit_);
        SC_METHOD(rise);
        sensitive << clk.pos();
        dont_initialize();
        SC_METHOD(inject);
        sensitive << over_;
        dont_initialize();
    }

    // Queues a worm, whose source is this terminal. Called in work() of a cycle, it can send its
    // head in this cycle. An error is reported if the network has no such terminal or class, or
    // the payload not so many bits, or the worm is too long.
    void send(const worm &worm)
    {
        const uint32_t length = flits_for(config_, worm.bits);
        expect_below("destination", worm.destination, scenario_.terminals());
        expect_below("class", worm.class_, uint32_t(sources_.size()));
        if (32 * uint64_t(worm.payload.size()) < worm.bits)
            fail("/annelid/terminal", std::string(name()) + ": found a payload of " +
                                          std::to_string(worm.payload.size()) +
                                          " words, expected all " + std::to_string(worm.bits) +
                                          " bits");
        if (length > anl_longest_worm(&config_))
            fail("/annelid/terminal", std::string(name()) + ": found a worm of " +
                                          std::to_string(length) + " flits, expected at most " +
                                          std::to_string(anl_longest_worm(&config_)));
        sources_[worm.class_].worms.push_back({worm, length, cycle_, sent_worms_++});
    }

    uint32_t number() const { return number_; }
    const network &of() const { return network_; }
    // Returns the number of the cycle, which the network counts as well: the last edge with reset
    // begins cycle 0.
    uint64_t cycle() const { return cycle_; }

  protected:
    // Is called at the start of each cycle, in front of the flit of the cycle.
    virtual void work() {}
    // Returns whether sinks take flits in this cycle. Called in front of receive(); flits that are
    // not taken stay in their lanes, whose credits are then late.
    virtual bool takes() const { return true; }
    // A worm has come whole: its tail is taken in this cycle. Called in front of work().
    virtual void receive(worm &) {}
    // The reset is 1. What was queued is gone.
    virtual void reset() {}

    const anl_config &config() const { return config_; }
    // Returns how many worms of a class wait, of which the first one may be on its way.
    size_t waiting(uint32_t class_) const { return sources_.at(class_).worms.size(); }
    // Reports an error if a number that the user gives is none.
    void expect_below(const char *what, uint32_t found, uint32_t end) const
    {
        if (found >= end)
            fail("/annelid/terminal", std::string(name()) + ": found " + what + " " +
                                          std::to_string(found) + ", expected one below " +
                                          std::to_string(end));
    }

  private:
    struct queued {
        worm what;
        uint32_t length;
        uint64_t created;
        uint32_t number;
    };
    // A source queue: the worm at its front, of which some flits may have been sent.
    struct source {
        std::deque<queued> worms;
        uint32_t sent = 0, lane = 0;
    };
    // Of both links.
    struct lane {
        uint32_t credits = 0;    // of the injection lane
        std::deque<flit> flits;  // of the ejection lane
        worm coming;             // whose flits are being taken from there
    };

    void rise()
    {
        if (rst.read()) {
            restart();
            return;
        }
        // The cycle that is over: what has come counts in the one that begins.
        if (const flit &come = ej_.read(); come.valid) {
            expect_below("lane", come.vc, config_.num_vcs);
            lanes_[come.vc].flits.push_back(come);
        }
        cycle_++;
        take();
        work();
        over_.notify(sc_core::SC_ZERO_TIME);
    }

    void restart()
    {
        for (source &source : sources_)
            source = {};
        for (lane &lane : lanes_) {
            lane = {};
            lane.credits = config_.depth;
        }
        favoured_ = 0;
        quota_ = anl_class_weight(&config_, 0);
        cycle_ = sent_worms_ = 0;
        inj_.write(flit());
        ej_credit_.write(0);
        reset();
    }

    // ---- ejection

    // The sink of each class takes a flit out of the lowest lane that holds one.
    void take()
    {
        uint32_t credits = 0;
        const uint32_t each = anl_class_lanes(&config_);
        const uint32_t end = takes() ? uint32_t(lanes_.size()) : 0;
        for (uint32_t first = 0; first < end; first += each)
            for (uint32_t v = first; v < first + each; v++) {
                if (lanes_[v].flits.empty()) continue;
                credits |= 1u << v;
                take_flit(lanes_[v], v);
                break;
            }
        ej_credit_.write(credits);
    }

    void take_flit(lane &from, uint32_t vc)
    {
        const flit flit = from.flits.front();
        from.flits.pop_front();
        if (flit.head) from.coming = {};
        const uint32_t skip = flit.head ? anl_head_bits(&config_) : 0;
        worm &coming = from.coming;
        const uint32_t more = config_.flit_width_bits - skip;
        coming.payload.resize((coming.bits + more + 31) / 32);
        copy_bits(flit.data, skip, coming.payload.data(), coming.bits, more);
        coming.bits += more;
        if (!flit.tail) return;
        coming.destination = number_;
        coming.class_ = anl_class_of(&config_, vc);
        receive(coming);
    }

    // ---- injection

    // Returns the lane that the worm at the front of a source may enter now; num_vcs: none.
    uint32_t lane_for(const source &source, uint32_t class_) const
    {
        const uint32_t none = config_.num_vcs;
        if (source.worms.empty()) return none;
        if (source.sent > 0) return lanes_[source.lane].credits > 0 ? source.lane : none;
        const queued &front = source.worms.front();
        const uint32_t need = config_.flow_control == ANL_WORMHOLE ? 1 : front.length;
        const uint32_t set = anl_injection_vcs(&config_, number_, front.what.destination) &
                             anl_class_vcs(&config_, class_);
        uint32_t found = none;
        for (uint32_t v = 0; v < none; v++) {
            if (!(set >> v & 1) || lanes_[v].credits < need) continue;
            if (lanes_[v].credits == config_.depth) return v;
            if (found == none) found = v;
        }
        return found;
    }

    // Runs when the credits of the cycle that has begun are at the port: on a chained link they
    // count in it, on others in the next one.
    void inject()
    {
        const bool chained = config_.credits == ANL_BYPASS;
        if (chained) take_credits();
        inj_.write(choose_flit());
        if (!chained) take_credits();
    }

    void take_credits()
    {
        for (uint32_t v = 0; v < lanes_.size(); v++)
            lanes_[v].credits += inj_credit_.read() >> v & 1;
    }

    // The scan over classes chooses one of those that could send a flit.
    flit choose_flit()
    {
        const uint32_t classes = uint32_t(sources_.size());
        for (uint32_t i = 0; i < classes; i++) {
            const uint32_t class_ = (favoured_ + i) % classes;
            const uint32_t vc = lane_for(sources_[class_], class_);
            if (vc == config_.num_vcs) continue;
            const flit chosen = next_flit(sources_[class_], vc);
            if (--quota_ == 0) {
                favoured_ = (favoured_ + 1) % classes;
                quota_ = anl_class_weight(&config_, favoured_);
            }
            return chosen;
        }
        return flit();
    }

    flit next_flit(source &source, uint32_t vc)
    {
        const queued &front = source.worms.front();
        flit flit;
        flit.valid = true;
        flit.head = source.sent == 0;
        flit.tail = source.sent + 1 == front.length;
        flit.vc = uint8_t(vc);
        const uint32_t fields = anl_head_bits(&config_), width = config_.flit_width_bits;
        if (flit.head) put_fields(front, flit);
        const uint32_t begin = flit.head ? 0 : source.sent * width - fields;
        const uint32_t skip = flit.head ? fields : 0;
        if (begin < front.what.bits)
            copy_bits(front.what.payload.data(), begin, flit.data, skip,
                      std::min(width - skip, front.what.bits - begin));
        lanes_[vc].credits--;
        source.lane = vc;
        if (++source.sent == front.length) {
            source.worms.pop_front();
            source.sent = 0;
        }
        return flit;
    }

    // The fields of a head (docs/link.md); the bits behind them are 0.
    void put_fields(const queued &front, flit &flit) const
    {
        anl_worm worm = {};
        uint32_t data[ANL_FLIT_WORDS] = {0};
        worm.id = front.number * scenario_.terminals() + number_;
        worm.source = number_;
        worm.destination = front.what.destination;
        worm.class_ = uint8_t(front.what.class_);
        worm.length = uint16_t(front.length);
        worm.created = front.created;
        worm.path = anl_worm_path(&config_, scenario_.get().run.seed, worm.id);
        anl_flit_data(&config_, &worm, 0, anl_injection_link(&config_, number_), data);
        copy_bits(data, 0, flit.data, 0, anl_head_bits(&config_));
    }

    const network &network_;
    const scenario scenario_;
    const anl_config &config_;
    const uint32_t number_;
    std::vector<source> sources_;  // of each class
    std::vector<lane> lanes_;
    uint32_t favoured_ = 0, quota_ = 1;  // of the scan over classes
    uint64_t cycle_ = 0;
    uint32_t sent_worms_ = 0;
    sc_core::sc_event over_{"over"};  // the rise of the clock, by what ports show behind it
    sc_core::sc_signal<flit, sc_core::SC_MANY_WRITERS> inj_{"inj"};  // rise() and inject()
    sc_core::sc_signal<flit> ej_{"ej"};
    sc_core::sc_signal<uint32_t> inj_credit_{"inj_credit"}, ej_credit_{"ej_credit"};
};

}  // namespace annelid

#endif
