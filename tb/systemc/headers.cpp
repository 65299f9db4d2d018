// SPDX-License-Identifier: Apache-2.0
//
// What the headers for SystemC promise (docs/systemc.md), a trial for each word of the command
// line. SystemC simulates once in a program, so tb/unit/scripts/test_systemc.py runs them one by
// one.
//
//   headers links SCENARIO      all links driven at random; with WITH_RTL model and RTL compared
//
//   headers terminals SCENARIO  terminals of annelid/systemc.h beside those of the golden model
//
//   headers streams SCENARIO    packets of AXI4-Streams; with WITH_RTL model and RTL compared
//
//   headers responses           each kind of transaction, and what is refused
//
//   headers answers WAY         targets that answer by shorter ways
//
//   headers wrong WORD          an error, which is printed

#include <annelid/systemc.h>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <random>

#ifdef WITH_RTL
#include "Vnoc.h"
#endif

using namespace sc_core;

namespace
{

const sc_time period(10, SC_NS);

void expect(bool condition, const std::string &what)
{
    if (!condition) annelid::fail("/headers", sc_time_stamp().to_string() + ": expected " + what);
}

struct board {
    sc_clock clk{"clk", period};
    sc_signal<bool> rst{"rst", true};
    annelid::network noc;

    board(const annelid::scenario &of, annelid::machine_ptr machine)
        : noc("noc", of, std::move(machine))
    {
        noc.clk(clk);
        noc.rst(rst);
    }

    template <class Module> void connect(Module &module)
    {
        module.clk(clk);
        module.rst(rst);
    }

    void run(double cycles)
    {
        rst = true;
        sc_start(3 * period);
        rst = false;
        sc_start(cycles * period);
    }
};

// ---------------------------------------------------------------- all links at random

// Drives all links of a network: worms of any length in any lane that the rules allow, and credits
// whenever it likes.
struct chaos : sc_module {
    sc_in<bool> clk{"clk"}, rst{"rst"};
    sc_vector<sc_signal<annelid::flit>> inj{"inj"}, ej{"ej"};
    sc_vector<sc_signal<uint32_t>> inj_credit{"inj_credit"}, ej_credit{"ej_credit"};
    uint64_t sent = 0, come = 0;
    // If valid, terminal 0 sends this one in each cycle, and nobody else does anything.
    annelid::flit always;

    SC_HAS_PROCESS(chaos);
    chaos(sc_module_name name, annelid::network &noc)
        : sc_module(name), of_(noc.of()), config_(of_.config()),
          lanes_(of_.terminals() * config_.num_vcs)
    {
        inj.init(of_.terminals() * of_.lines());
        ej.init(inj.size());
        inj_credit.init(of_.terminals());
        ej_credit.init(of_.terminals());
        noc.inj(inj);
        noc.ej(ej);
        noc.inj_credit(inj_credit);
        noc.ej_credit(ej_credit);
        SC_METHOD(rise);
        sensitive << clk.pos();
        dont_initialize();
    }

  private:
    struct lane {
        unsigned credits = 0, left = 0, length = 0, here = 0;
        anl_worm worm = {};
    };

    // On chained links it waits until it sees the credits of the cycle that begins.
    void rise()
    {
        if (config_.credits == ANL_BYPASS && (behind_ = !behind_)) {
            next_trigger(SC_ZERO_TIME);
            return;
        }
        if (rst.read()) {
            for (lane &lane : lanes_) {
                lane = {};
                lane.credits = config_.depth;
            }
            for (auto &line : inj)
                line.write(annelid::flit());
            for (auto &credits : ej_credit)
                credits.write(0);
            return;
        }
        cycle_++;
        if (always.valid) {
            inj[0].write(always);
            return;
        }
        for (unsigned t = 0; t < of_.terminals(); t++) {
            take(t);
            for (unsigned line = 0; line < of_.lines(); line++)
                inj[t * of_.lines() + line].write(send(t, line));
        }
    }

    void take(unsigned t)
    {
        uint32_t credits = 0;
        for (unsigned line = 0; line < of_.lines(); line++) {
            const annelid::flit &flit = ej[t * of_.lines() + line].read();
            if (flit.valid) lanes_[t * config_.num_vcs + flit.vc].here++, come++;
        }
        for (unsigned v = 0; v < config_.num_vcs; v++) {
            lane &lane = lanes_[t * config_.num_vcs + v];
            lane.credits += inj_credit[t].read() >> v & 1;
            if (lane.here == 0 || random_() % 3 == 0) continue;
            lane.here--;
            credits |= 1u << v;
        }
        ej_credit[t].write(credits);
    }

    annelid::flit send(unsigned t, unsigned line)
    {
        const unsigned v = of_.lines() > 1 ? line : random_() % config_.num_vcs;
        lane &lane = lanes_[t * config_.num_vcs + v];
        annelid::flit flit;
        if (lane.credits == 0 || random_() % 8 == 0) return flit;
        if (lane.left == 0 && !begin(lane, t, v)) return flit;
        uint32_t words[ANL_FLIT_WORDS] = {0};
        anl_flit_data(&config_, &lane.worm, uint16_t(lane.length - lane.left),
                      anl_injection_link(&config_, t), words);
        flit.valid = true;
        flit.vc = uint8_t(v);
        flit.head = lane.left == lane.length;
        flit.tail = --lane.left == 0;
        std::copy(std::begin(words), std::end(words), flit.data);
        lane.credits--;
        sent++;
        return flit;
    }

    bool begin(lane &lane, unsigned t, unsigned v)
    {
        anl_worm worm = {};
        worm.id = id_++;
        worm.source = t;
        worm.destination = random_() % of_.terminals();
        worm.created = cycle_;
        worm.class_ = uint8_t(anl_class_of(&config_, v));
        worm.path = anl_worm_path(&config_, of_.get().run.seed, worm.id);
        worm.length = uint16_t(1 + random_() % std::min(8u, anl_longest_worm(&config_)));
        if (!(anl_injection_vcs(&config_, t, worm.destination) >> v & 1)) return false;
        if (config_.flow_control != ANL_WORMHOLE && lane.credits < worm.length) return false;
        lane.worm = worm;
        lane.left = lane.length = worm.length;
        return true;
    }

    const annelid::scenario of_;
    const anl_config &config_;
    std::vector<lane> lanes_;
    std::mt19937 random_{7};
    uint32_t id_ = 0;
    uint64_t cycle_ = 0;
    bool behind_ = false;  // the rise of the clock
};

annelid::machine_ptr both()
{
#ifdef WITH_RTL
    return annelid::compare(annelid::golden(), annelid::rtl<Vnoc>());
#else
    return annelid::compare(annelid::golden(), annelid::golden());
#endif
}

void links(const std::string &path)
{
    board board(annelid::scenario(path), both());
    chaos chaos("chaos", board.noc);
    board.connect(chaos);
    board.run(5000);
    board.run(100);  // once more behind a reset
    auto &compared = dynamic_cast<annelid::comparing_machine &>(board.noc.behind());
    expect(chaos.come > 0 && chaos.come <= chaos.sent && !compared.differs(),
           "flits, all the same");
    std::printf("links: %llu flits in, %llu out\n", static_cast<unsigned long long>(chaos.sent),
                static_cast<unsigned long long>(chaos.come));
}

// ---------------------------------------------------------------- terminals

// A terminal that sends worms at random, and tells who asks which ones.
struct talker : annelid::terminal {
    std::vector<anl_worm> created;  // in this cycle
    uint64_t come = 0;

    talker(sc_module_name name, annelid::network &of, uint32_t number)
        : terminal(name, of, number), of_(of.of()), random_(number)
    {
    }

  private:
    void work() override
    {
        created.clear();
        while (cycle() < 1500 && random_() % 10 == 0) {
            annelid::worm worm;
            worm.destination = random_() % of_.terminals();
            worm.class_ = random_() % anl_num_classes(&config());
            worm.bits = random_() % (config().flit_width_bits * 5);
            if (config().flow_control != ANL_WORMHOLE)
                worm.bits %= config().flit_width_bits * (config().depth - 1);
            for (unsigned i = 0; i <= worm.bits / 32; i++)
                worm.payload.push_back(check(number(), worm.bits, i));
            anl_worm same = {};
            same.source = number();
            same.destination = worm.destination;
            same.class_ = uint8_t(worm.class_);
            same.length = uint16_t(annelid::flits_for(config(), worm.bits));
            same.has_path = true;
            same.path =
                anl_worm_path(&config(), of_.get().run.seed, sent_++ * of_.terminals() + number());
            created.push_back(same);
            worm.payload[0] = number() | worm.bits << 16;
            send(worm);
        }
    }

    // What stands in a worm is a function of its source and of its length.
    static uint32_t check(uint32_t source, uint32_t bits, uint32_t i)
    {
        return anl_mix32(source << 20 | bits << 8 | i);
    }

    void receive(annelid::worm &worm) override
    {
        come++;
        if (worm.payload.empty()) return;
        const uint32_t source = worm.payload[0] & 0xffff, bits = worm.payload[0] >> 16;
        if (bits < 32) return;  // the first word was cut
        for (unsigned i = 1; i < bits / 32; i++)
            expect(worm.payload[i] == check(source, bits, i), "the words that were sent");
    }

    const annelid::scenario of_;
    std::mt19937 random_;
    uint32_t sent_ = 0;
};

// The golden model with terminals of its own, which gets the same worms.
struct watcher : sc_module {
    sc_in<bool> clk{"clk"}, rst{"rst"};
    uint64_t flits = 0;

    SC_HAS_PROCESS(watcher);
    watcher(sc_module_name name, annelid::network &noc, std::vector<std::unique_ptr<talker>> &of)
        : sc_module(name), noc_(noc), talkers_(of)
    {
        const anl_scenario &scenario = noc.of().get();
        expect(anl_engine_create(&scenario.network, &whole_) == ANL_OK, "an engine");
        anl_engine_reset(whole_, scenario.run.seed);
        anl_engine_record(whole_, true);
        SC_METHOD(fall);
        sensitive << clk.neg();
        dont_initialize();
    }
    ~watcher() override { anl_engine_destroy(whole_); }

  private:
    void fall()
    {
        if (rst.read()) return;
        while (anl_engine_cycle(whole_) < talkers_[0]->cycle())
            anl_engine_step(whole_);
        for (const auto &talker : talkers_)
            for (const anl_worm &worm : talker->created)
                expect(anl_engine_enqueue_worm(whole_, &worm, nullptr) == ANL_OK, "a worm");
        anl_engine_step(whole_);
        size_t count;
        const anl_flit *list = anl_engine_flits(whole_, &count);
        std::map<uint32_t, anl_flit> crossing;
        for (size_t i = 0; i < count; i++)
            crossing[list[i].link] = list[i];
        const anl_config *config = &noc_.of().config();
        for (uint32_t t = 0; t < noc_.of().terminals(); t++) {
            compare(crossing, anl_injection_link(config, t), noc_.inj[t].read());
            compare(crossing, anl_ejection_link(config, t), noc_.ej[t].read());
        }
    }

    void compare(const std::map<uint32_t, anl_flit> &crossing, uint32_t link,
                 const annelid::flit &seen)
    {
        const auto found = crossing.find(link);
        const bool same = found == crossing.end() ? !seen.valid
                                                  : seen.valid && seen.vc == found->second.vc &&
                                                        seen.head == found->second.head &&
                                                        seen.tail == found->second.tail;
        expect(same, "the same on link " + noc_.of().link_name(link));
        flits += seen.valid;
    }

    annelid::network &noc_;
    std::vector<std::unique_ptr<talker>> &talkers_;
    anl_engine *whole_ = nullptr;
};

void terminals(const std::string &path)
{
    board board(annelid::scenario(path), annelid::golden());
    std::vector<std::unique_ptr<talker>> talkers;
    for (uint32_t t = 0; t < board.noc.of().terminals(); t++) {
        talkers.emplace_back(new talker(("t" + std::to_string(t)).c_str(), board.noc, t));
        board.connect(*talkers.back());
    }
    watcher watcher("watcher", board.noc, talkers);
    board.connect(watcher);
    board.run(3000);
    uint64_t come = 0;
    for (const auto &talker : talkers)
        come += talker->come;
    std::printf("terminals: %llu flits, %llu worms\n",
                static_cast<unsigned long long>(watcher.flits),
                static_cast<unsigned long long>(come));
    expect(watcher.flits > 1000 && come > 100, "flits and worms");
}

// ---------------------------------------------------------------- streams

// What stands at both streams of a terminal: packets of any bytes to any terminals in any cycles,
// and a sink that is ready in any cycles, from one on.
struct packets : sc_module {
    using stream = annelid::stream_terminal<4>;
    sc_in<bool> clk{"clk"}, rst{"rst"};
    sc_signal<bool> s_tvalid{"s_tvalid"}, s_tlast{"s_tlast"}, m_tready{"m_tready"};
    sc_signal<bool> s_tready{"s_tready"}, m_tvalid{"m_tvalid"}, m_tlast{"m_tlast"};
    sc_signal<stream::tdata> s_tdata{"s_tdata"}, m_tdata{"m_tdata"};
    sc_signal<stream::tkeep> s_tkeep{"s_tkeep"}, m_tkeep{"m_tkeep"};
    sc_signal<uint32_t> s_tdest{"s_tdest"};
    uint64_t sent = 0, come = 0;
    std::string breach;  // of a rule, in the third beat

    SC_HAS_PROCESS(packets);
    packets(sc_module_name name, stream &port, uint64_t deaf, uint64_t end)
        : sc_module(name), number_(port.number()), terminals_(port.of().of().terminals()),
          deaf_(deaf), end_(end), random_(port.number()), next_(terminals_), seen_(terminals_)
    {
        port.s_tvalid(s_tvalid), port.s_tready(s_tready), port.s_tlast(s_tlast);
        port.s_tdata(s_tdata), port.s_tkeep(s_tkeep), port.s_tdest(s_tdest);
        port.m_tvalid(m_tvalid), port.m_tready(m_tready), port.m_tlast(m_tlast);
        port.m_tdata(m_tdata), port.m_tkeep(m_tkeep);
        SC_METHOD(rise);
        sensitive << clk.pos();
        dont_initialize();
    }

  private:
    void rise()
    {
        if (rst.read()) return;
        cycle_++;
        if (m_tvalid.read() && m_tready.read()) take();
        m_tready.write(cycle_ > deaf_ && random_() % 3 != 0);
        if (s_tvalid.read() && !s_tready.read()) {
            if (breach == "withdrawn") s_tvalid.write(false);
            return;
        }
        s_tvalid.write(false);
        if (at_ == packet_.size() && cycle_ < end_ && random_() % 4 == 0) begin();
        if (at_ < packet_.size() && random_() % 4 != 0) show();
    }

    // Source, number among those from there to here, and bytes that follow from both.
    static std::vector<unsigned char> packet(uint32_t source, uint32_t number)
    {
        std::vector<unsigned char> bytes(2 + anl_mix32(source << 16 | number) % 40);
        for (unsigned i = 0; i < bytes.size(); i++)
            bytes[i] = static_cast<unsigned char>(
                i == 0 ? source : anl_mix32(source << 24 | number << 8 | i));
        return bytes;
    }

    void begin()
    {
        destination_ = random_() % terminals_;
        packet_ = packet(number_, next_[destination_]++);
        at_ = 0;
        sent++;
    }

    void show()
    {
        stream::tdata data;
        stream::tkeep keep;
        for (int i = 0; i < 4 && at_ < packet_.size(); i++) {
            data.range(8 * i + 7, 8 * i) = packet_[at_++];
            keep[i] = true;
        }
        beats_++;
        if (breach == "hole" && beats_ == 3) keep = "1011";
        if (breach == "keep" && beats_ == 3) keep = "0000";
        if (breach == "dest" && at_ > 4) destination_++;
        s_tvalid.write(true);
        s_tlast.write(at_ == packet_.size());
        s_tdata.write(data);
        s_tkeep.write(keep);
        s_tdest.write(destination_);
    }

    void take()
    {
        for (int i = 0; i < 4 && m_tkeep.read()[i].to_bool(); i++)
            coming_.push_back(
                static_cast<unsigned char>(m_tdata.read().range(8 * i + 7, 8 * i).to_uint()));
        if (!m_tlast.read()) return;
        const uint32_t source = coming_[0];
        expect(source < terminals_ && coming_ == packet(source, seen_[source]++),
               "the packet that was sent");
        coming_.clear();
        come++;
    }

    const uint32_t number_, terminals_;
    const uint64_t deaf_, end_;
    std::mt19937 random_;
    std::vector<uint32_t> next_, seen_;
    std::vector<unsigned char> packet_, coming_;
    size_t at_ = 0, beats_ = 0;
    uint32_t destination_ = 0;
    uint64_t cycle_ = 0;
};

struct streams_of {
    board noc;
    std::vector<std::unique_ptr<packets::stream>> ports;
    std::vector<std::unique_ptr<packets>> ends;
    enum { DEAF = 2000, END = 4000 };

    streams_of(const annelid::scenario &of, annelid::machine_ptr machine)
        : noc(of, std::move(machine))
    {
        for (uint32_t t = 0; t < of.terminals(); t++) {
            const std::string number = std::to_string(t);
            ports.emplace_back(new packets::stream(("t" + number).c_str(), noc.noc, t));
            ends.emplace_back(new packets(("ends" + number).c_str(), *ports[t], DEAF, END));
            noc.connect(*ports[t]);
            noc.connect(*ends[t]);
        }
    }

    uint64_t sum(uint64_t packets::*count) const
    {
        uint64_t all = 0;
        for (const auto &end : ends)
            all += (*end).*count;
        return all;
    }
};

void streams(const std::string &path)
{
    streams_of made(annelid::scenario(path), both());
    made.noc.run(streams_of::DEAF);
    const uint64_t stuck = made.sum(&packets::sent);
    expect(stuck < 12 * made.ends.size() && made.sum(&packets::come) == 0,
           "few packets while nobody takes one, not " + std::to_string(stuck));
    sc_start(8000 * period);
    const uint64_t sent = made.sum(&packets::sent), come = made.sum(&packets::come);
    std::printf("streams: %llu packets\n", static_cast<unsigned long long>(come));
    expect(sent == come && come > 100, "all of " + std::to_string(sent) + " packets");
}

// ---------------------------------------------------------------- transactions

const char *const pair_text = "network: {topology: mesh, k: 3, n: 1}\n"
                              "switch: {num_vcs: 2, classes: 2, flit_width_bits: 40}\n";

enum way { FULL_WAY, COMPLETED, END_REQ_AT_ONCE, RESPONSE_AT_ONCE };

// A target that answers a request in one of the ways of the base protocol; the last request first
// if it has two.
struct target : sc_module {
    tlm_utils::simple_target_socket<target> socket{"socket"};
    unsigned ends = 0;

    SC_HAS_PROCESS(target);
    target(sc_module_name name, way way) : sc_module(name), way_(way)
    {
        socket.register_nb_transport_fw(this, &target::nb_transport_fw);
        socket.register_transport_dbg(this, &target::transport_dbg);
        SC_THREAD(live);
    }

  private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_time &delay)
    {
        if (phase == tlm::END_RESP) {
            ends++;
            ended_.notify();
            return tlm::TLM_COMPLETED;
        }
        expect(phase == tlm::BEGIN_REQ, "BEGIN_REQ");
        if (way_ == COMPLETED || way_ == RESPONSE_AT_ONCE) access(payload);
        delay += 2.5 * period;
        if (way_ == COMPLETED) return tlm::TLM_COMPLETED;
        if (way_ != RESPONSE_AT_ONCE) waiting_.push_back(&payload);
        came_.notify(delay);
        phase = way_ == RESPONSE_AT_ONCE ? tlm::BEGIN_RESP : tlm::END_REQ;
        return way_ == FULL_WAY ? tlm::TLM_ACCEPTED : tlm::TLM_UPDATED;
    }

    void live()
    {
        for (;;) {
            wait(came_);
            if (way_ == FULL_WAY) tell(*waiting_.back(), tlm::END_REQ);
            wait(20 * period);
            while (!waiting_.empty()) {
                tlm::tlm_generic_payload &payload = *waiting_.back();
                waiting_.pop_back();
                access(payload);
                tell(payload, tlm::BEGIN_RESP);
                wait(ended_);
            }
        }
    }

    void tell(tlm::tlm_generic_payload &payload, tlm::tlm_phase phase)
    {
        sc_time delay = SC_ZERO_TIME;
        expect(socket->nb_transport_bw(payload, phase, delay) == tlm::TLM_ACCEPTED, "TLM_ACCEPTED");
    }

    void access(tlm::tlm_generic_payload &payload)
    {
        transport_dbg(payload);
        payload.set_response_status(payload.get_address() == 0xf00 ? tlm::TLM_GENERIC_ERROR_RESPONSE
                                                                   : tlm::TLM_OK_RESPONSE);
    }

    unsigned transport_dbg(tlm::tlm_generic_payload &payload)
    {
        for (unsigned i = 0; i < payload.get_data_length(); i++) {
            unsigned char &byte = bytes_.at(payload.get_address() + i);
            (payload.is_write() ? byte : payload.get_data_ptr()[i]) =
                payload.is_write() ? payload.get_data_ptr()[i] : byte;
        }
        return payload.get_data_length();
    }

    const way way_;
    std::vector<unsigned char> bytes_ = std::vector<unsigned char>(0x1000);
    std::deque<tlm::tlm_generic_payload *> waiting_;
    sc_event came_, ended_;
};

// An initiator whose program is a function.
struct initiator : sc_module {
    tlm_utils::simple_initiator_socket<initiator> socket{"socket"};
    bool over = false;
    // What it answers to a phase, and with which one.
    std::map<tlm::tlm_phase, std::pair<tlm::tlm_sync_enum, tlm::tlm_phase>> answers;

    SC_HAS_PROCESS(initiator);
    initiator(sc_module_name name, std::function<void(initiator &)> program)
        : sc_module(name), program_(std::move(program))
    {
        socket.register_nb_transport_bw(this, &initiator::nb_transport_bw);
        SC_THREAD(live);
    }

    // Returns the response of a transaction by b_transport().
    tlm::tlm_response_status transact(tlm::tlm_command command, uint64_t address,
                                      unsigned char *data, unsigned bytes, unsigned streaming = ~0u,
                                      unsigned char *enables = nullptr)
    {
        tlm::tlm_generic_payload payload;
        sc_time delay = 0.3 * period;
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(data);
        payload.set_data_length(bytes);
        payload.set_streaming_width(streaming == ~0u ? bytes : streaming);
        payload.set_byte_enable_ptr(enables);
        socket->b_transport(payload, delay);
        wait(delay);
        return payload.get_response_status();
    }

  private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &phase, sc_time &)
    {
        const auto answer = answers.find(phase);
        if (answer == answers.end()) return tlm::TLM_ACCEPTED;
        phase = answer->second.second;
        return answer->second.first;
    }

    void live()
    {
        wait(5.2 * period);
        program_(*this);
        over = true;
    }

    std::function<void(initiator &)> program_;
};

template <class Target> struct system_of {
    board noc;
    annelid::tlm_memory_port memory_port;
    Target memory;
    annelid::address_map map;
    annelid::tlm_processor_port processor_port;
    initiator processor;

    template <class Way>
    system_of(Way way, std::function<void(initiator &)> program, unsigned outstanding = 4)
        : noc(annelid::scenario::of_text(pair_text), annelid::golden()),
          memory_port("memory_port", noc.noc, 2), memory("memory", way),
          processor_port("processor_port", noc.noc, 0, map, outstanding),
          processor("processor", std::move(program)), idle_("idle", noc.noc, 1)
    {
        map.add(0x8000, 0x1000, memory_port);
        memory_port.socket.bind(memory.socket);
        processor.socket.bind(processor_port.socket);
        noc.connect(memory_port);
        noc.connect(processor_port);
        noc.connect(idle_);
    }

    void run()
    {
        noc.run(20000);
        expect(processor.over, "the end of the program");
    }

  private:
    annelid::terminal idle_;
};
using system = system_of<target>;

// Writes and reads, of each length up to a worm of many flits.
void access_all(initiator &processor)
{
    unsigned char written[200], read[200];
    for (unsigned bytes = 1; bytes <= sizeof written; bytes += 1 + bytes / 3) {
        for (unsigned i = 0; i < bytes; i++)
            written[i] = static_cast<unsigned char>(anl_mix32(bytes << 8 | i));
        std::memset(read, 0, sizeof read);
        expect(processor.transact(tlm::TLM_WRITE_COMMAND, 0x8000 + 3 * bytes, written, bytes) ==
                   tlm::TLM_OK_RESPONSE,
               "a write");
        expect(processor.transact(tlm::TLM_READ_COMMAND, 0x8000 + 3 * bytes, read, bytes) ==
                   tlm::TLM_OK_RESPONSE,
               "a read");
        expect(std::memcmp(written, read, bytes) == 0, "the data that were written");
    }
}

void responses()
{
    system made(FULL_WAY, [](initiator &processor) {
        unsigned char data[16] = {0}, enables[16] = {0};
        access_all(processor);
        const auto asks = [&](tlm::tlm_response_status expected, uint64_t address, unsigned bytes,
                              unsigned streaming, tlm::tlm_command command, bool some) {
            const auto seen = processor.transact(command, address, data, bytes, streaming,
                                                 some ? enables : nullptr);
            expect(seen == expected, "response " + std::to_string(expected) + " at " +
                                         std::to_string(address) + ", not " + std::to_string(seen));
        };
        const tlm::tlm_command read = tlm::TLM_READ_COMMAND;
        asks(tlm::TLM_ADDRESS_ERROR_RESPONSE, 0x7fff, 2, 2, read, false);
        asks(tlm::TLM_ADDRESS_ERROR_RESPONSE, 0x8fff, 2, 2, read, false);
        asks(tlm::TLM_ADDRESS_ERROR_RESPONSE, ~UINT64_C(0), 2, 2, read, false);
        asks(tlm::TLM_OK_RESPONSE, 0x8ffe, 2, 8, read, false);
        asks(tlm::TLM_BURST_ERROR_RESPONSE, 0x8000, 8, 4, read, false);
        asks(tlm::TLM_BURST_ERROR_RESPONSE, 0x8000, 0, 4, read, false);
        asks(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, 0x8000, 8, 8, read, true);
        asks(tlm::TLM_COMMAND_ERROR_RESPONSE, 0x8000, 8, 8, tlm::TLM_IGNORE_COMMAND, false);
        expect(processor.transact(tlm::TLM_IGNORE_COMMAND, 0x8000, nullptr, 8, 8, nullptr) ==
                   tlm::TLM_COMMAND_ERROR_RESPONSE,
               "the same without data");
        asks(tlm::TLM_GENERIC_ERROR_RESPONSE, 0x8f00, 8, 8, read, false);  // of the target itself
        tlm::tlm_generic_payload payload;
        unsigned char first = 0;
        payload.set_command(read);
        payload.set_address(0x8003);
        payload.set_data_ptr(&first);
        payload.set_data_length(1);
        expect(processor.socket->transport_dbg(payload) == 1 && payload.get_address() == 0x8003 &&
                   first == static_cast<unsigned char>(anl_mix32(1 << 8)),
               "the first byte");
        payload.set_address(0x7000);
        expect(processor.socket->transport_dbg(payload) == 0, "no byte");
        tlm::tlm_dmi direct;
        expect(!processor.socket->get_direct_mem_ptr(payload, direct), "no direct interface");
    });
    made.run();
    std::puts("responses: all");
}

void answers(const std::string &word)
{
    const std::map<std::string, way> ways = {{"full", FULL_WAY},
                                             {"completed", COMPLETED},
                                             {"end_req", END_REQ_AT_ONCE},
                                             {"begin_resp", RESPONSE_AT_ONCE}};
    system made(ways.at(word), access_all);
    made.run();
    expect((made.memory.ends > 0) == (word != "completed"), "END_RESP unless it was completed");
    std::puts("answers: all");
}

// ---------------------------------------------------------------- errors

struct manager : tlm::tlm_mm_interface {
    void free(tlm::tlm_generic_payload *) override {}
};

// A target that breaks the base protocol in one of these ways, and its last transaction.
enum breach {
    FOREIGN,
    END_REQ_TWICE,
    END_REQ_LAST,
    BEGIN_RESP_TWICE,
    BEGIN_RESP_OF_TWO,
    NO_SUCH_ANSWER,
    BEHIND_END_RESP,
    INCOMPLETE,
    LONGER
};
struct rogue : sc_module {
    tlm_utils::simple_target_socket<rogue> socket{"socket"};

    rogue(sc_module_name name, breach how) : sc_module(name), how_(how)
    {
        socket.register_nb_transport_fw(this, &rogue::nb_transport_fw);
    }

  private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_time &)
    {
        if (phase == tlm::END_RESP) return tlm::TLM_UPDATED;
        tlm::tlm_generic_payload own;
        if (how_ != INCOMPLETE) payload.set_response_status(tlm::TLM_OK_RESPONSE);
        if (how_ == LONGER) payload.set_data_length(payload.get_data_length() + 1);
        const bool ends = how_ == END_REQ_TWICE || how_ == BEGIN_RESP_OF_TWO;
        if (ends) tell(payload, tlm::END_REQ);
        if (how_ == END_REQ_TWICE) tell(payload, tlm::END_REQ);
        if (how_ == FOREIGN) tell(own, tlm::BEGIN_RESP);
        if (how_ == NO_SUCH_ANSWER) phase = tlm::END_RESP;
        if (how_ == NO_SUCH_ANSWER) return tlm::TLM_UPDATED;
        if (how_ != BEGIN_RESP_OF_TWO || last_) tell(payload, tlm::BEGIN_RESP);
        if (how_ == END_REQ_LAST) tell(payload, tlm::END_REQ);
        if (how_ == BEGIN_RESP_TWICE) tell(payload, tlm::BEGIN_RESP);
        if (how_ == BEGIN_RESP_OF_TWO && last_) tell(*last_, tlm::BEGIN_RESP);
        last_ = &payload;
        return tlm::TLM_ACCEPTED;
    }

    void tell(tlm::tlm_generic_payload &payload, tlm::tlm_phase phase)
    {
        sc_time delay = SC_ZERO_TIME;
        socket->nb_transport_bw(payload, phase, delay);
    }

    const breach how_;
    tlm::tlm_generic_payload *last_ = nullptr;
};

// Sends two transactions, the second one after the END_REQ of the first one if it waits.
template <class Target, class Way>
void phases(Way way, const std::string &word, double waits = 0,
            std::pair<tlm::tlm_phase, std::pair<tlm::tlm_sync_enum, tlm::tlm_phase>> answer = {})
{
    manager owner;
    unsigned char data[4] = {0};
    tlm::tlm_generic_payload one(&owner), two(&owner), bare;
    for (tlm::tlm_generic_payload *payload : {&one, &two}) {
        payload->set_command(tlm::TLM_READ_COMMAND);
        payload->set_address(0x8000);
        payload->set_data_ptr(word == "no_data" ? nullptr : data);
        payload->set_data_length(sizeof data);
        payload->set_streaming_width(sizeof data);
        payload->acquire();
    }
    system_of<Target> made(way, [&](initiator &processor) {
        tlm::tlm_phase phase = word == "end_resp" ? tlm::END_RESP : tlm::BEGIN_REQ;
        sc_time delay = SC_ZERO_TIME;
        processor.answers.insert(answer);
        processor.socket->nb_transport_fw(word == "no_manager" ? bare : one, phase, delay);
        wait(waits * period);
        phase = tlm::BEGIN_REQ;
        processor.socket->nb_transport_fw(word == "again" ? one : two, phase, delay);
    });
    made.run();
}

// Breaks the base protocol if the word is one of these.
void protocol(const std::string &word)
{
    const std::map<std::string, breach> breaches = {{"foreign", FOREIGN},
                                                    {"end_req_twice", END_REQ_TWICE},
                                                    {"end_req_last", END_REQ_LAST},
                                                    {"begin_resp_twice", BEGIN_RESP_TWICE},
                                                    {"begin_resp_of_two", BEGIN_RESP_OF_TWO},
                                                    {"no_such_answer", NO_SUCH_ANSWER},
                                                    {"behind_end_resp", BEHIND_END_RESP},
                                                    {"incomplete", INCOMPLETE},
                                                    {"longer", LONGER}};
    if (breaches.count(word)) phases<rogue>(breaches.at(word), word, 3);
    if (word == "begin_req" || word == "end_resp" || word == "no_manager" || word == "no_data")
        phases<target>(FULL_WAY, word);
    if (word == "again") phases<target>(FULL_WAY, word, 3);
    if (word == "end_req_answer")
        phases<target>(FULL_WAY, word, 3, {tlm::END_REQ, {tlm::TLM_UPDATED, tlm::END_RESP}});
    if (word == "begin_resp_answer")
        phases<target>(FULL_WAY, word, 3, {tlm::BEGIN_RESP, {tlm::TLM_UPDATED, tlm::END_REQ}});
}

// A terminal that sends one worm.
struct once : annelid::terminal {
    annelid::worm worm;
    once(sc_module_name name, annelid::network &of, annelid::worm what)
        : terminal(name, of, 1), worm(std::move(what))
    {
    }
    void work() override
    {
        if (cycle() == 1) send(worm);
    }
};

// Sends a worm from terminal 1 to the port of the processor.
void stray(const annelid::worm &worm)
{
    board made(annelid::scenario::of_text(pair_text), annelid::golden());
    annelid::address_map map;
    annelid::tlm_processor_port port("processor_port", made.noc, 0, map);
    initiator processor("processor", [](initiator &) {});
    once from("from", made.noc, worm);
    annelid::terminal idle("idle", made.noc, 2);
    processor.socket.bind(port.socket);
    made.connect(port);
    made.connect(from);
    made.connect(idle);
    made.run(100);
}

void wrong(const std::string &word)
{
    const annelid::scenario line = annelid::scenario::of_text(pair_text);
    if (word == "text") annelid::scenario::of_text("network: {topology: mesh, k: 0}\n");
    if (word == "wide") {
        board made(annelid::scenario::of_text("network: {topology: mesh, k: 2, n: 1}\n"
                                              "switch: {num_vcs: 2, link: wide}\n"),
                   annelid::golden());
        annelid::terminal port("port", made.noc, 0);
    }
    if (word == "terminal") {
        board made(line, annelid::golden());
        annelid::terminal port("port", made.noc, 3);
    }
    if (word == "destination") stray({0, 3, 0, {0}, 8});
    if (word == "class") stray({0, 0, 2, {0}, 8});
    if (word == "payload") stray({0, 0, 0, {0}, 33});
    if (word == "stray") stray({0, 0, 1, {1}, 32});
    if (word == "no_reset") {
        board made(line, annelid::golden());
        chaos all("all", made.noc);
        made.connect(all);
        made.rst = false;
        sc_start(100 * period);
    }
    if (word == "network") {
        system made(FULL_WAY, access_all);
        annelid::network other("other", line, annelid::golden());
        other.clk(made.noc.clk);
        other.rst(made.noc.rst);
        annelid::terminal zero("zero", other, 0), one("one", other, 1);
        annelid::tlm_memory_port far("far", other, 2);
        target far_memory("far_memory", FULL_WAY);
        far.socket.bind(far_memory.socket);
        for (annelid::terminal *terminal : {&zero, &one, static_cast<annelid::terminal *>(&far)})
            made.noc.connect(*terminal);
        made.map.add(0, 0x1000, far);
        made.run();
    }
    if (word == "credit" || word == "label") {
        board made(line, annelid::golden());
        chaos all("all", made.noc);
        made.connect(all);
        all.always.valid = all.always.head = all.always.tail = true;
        all.always.data[0] = word == "label" ? 3 : 2;
        made.run(100);
    }
    if (word == "overlap" || word == "empty" || word == "outstanding" || word == "reset") {
        system made(FULL_WAY, access_all, word == "outstanding" ? 0 : 4);
        if (word == "overlap") made.map.add(0x8fff, 2, made.memory_port);
        if (word == "empty") made.map.add(0, 0, made.memory_port);
        made.noc.run(20);
        made.noc.run(20);
    }
    if (word == "withdrawn" || word == "hole" || word == "keep" || word == "dest") {
        streams_of made(line, annelid::golden());
        made.ends[0]->breach = word;
        made.noc.run(streams_of::DEAF);
    }
    if (word == "no_bytes" || word == "stream_class") {
        board made(line, annelid::golden());
        packets::stream to("t0", made.noc, 0, word == "stream_class" ? 2 : 0);
        packets end("end", to, 0, 0);
        once from("from", made.noc, {0, 0, 0, {0, 0}, 64});
        annelid::terminal idle("idle", made.noc, 2);
        made.connect(to);
        made.connect(end);
        made.connect(from);
        made.connect(idle);
        made.run(100);
    }
    protocol(word);
    expect(false, "an error");
}

void run(int argc, char **argv)
{
    const std::string what = argc > 1 ? argv[1] : "", word = argc > 2 ? argv[2] : "";
    if (what == "links") return links(word);
    if (what == "terminals") return terminals(word);
    if (what == "streams") return streams(word);
    if (what == "responses") return responses();
    if (what == "answers") return answers(word);
    if (what == "wrong") return wrong(word);
    annelid::fail("/headers",
                  "found " + what +
                      ", expected links, terminals, streams, responses, answers or wrong");
}

}  // namespace

int sc_main(int argc, char **argv)
{
    try {
        run(argc, argv);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
