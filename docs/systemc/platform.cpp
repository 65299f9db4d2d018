// SPDX-License-Identifier: Apache-2.0
//
// Processors and memories on a mesh: a quarter of the terminals, at least one and at most four, are
// memories in its corners; all others are processors, which read and write at random and check what
// they read.
//
//   platform golden|rtl|compare SCENARIO [TRANSACTIONS] [TIMES] [WAVES]
//
// TIMES gets a line for each transaction: processor, its number there, and the times in ns of
// BEGIN_REQ, END_REQ, BEGIN_RESP and END_RESP. WAVES.vcd gets links and lanes.

#include <annelid/systemc.h>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <tlm_utils/peq_with_cb_and_phase.h>

#ifdef WITH_RTL
#include "Vnoc.h"
#endif

using namespace sc_core;

namespace
{

const sc_time period(10, SC_NS);

// Phases that a memory and a processor tell themselves.
TLM_DECLARE_EXTENDED_PHASE(REQUEST_ACCEPTED);
TLM_DECLARE_EXTENDED_PHASE(DATA_READY);
TLM_DECLARE_EXTENDED_PHASE(RESPONSE_READ);

// Payloads that a processor uses again and again.
class pool : public tlm::tlm_mm_interface
{
  public:
    tlm::tlm_generic_payload *take()
    {
        if (free_.empty()) {
            all_.emplace_back(new tlm::tlm_generic_payload(this));
            free_.push_back(all_.back().get());
        }
        tlm::tlm_generic_payload *payload = free_.back();
        free_.pop_back();
        payload->acquire();
        return payload;
    }
    void free(tlm::tlm_generic_payload *payload) override { free_.push_back(payload); }

  private:
    std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
    std::vector<tlm::tlm_generic_payload *> free_;
};

// A memory that takes a request every other cycle, and answers after a time that grows with the
// number of bytes. A response waits for the end of the one before.
struct memory : sc_module {
    tlm_utils::simple_target_socket<memory> socket{"socket"};

    memory(sc_module_name name, size_t bytes) : sc_module(name), bytes_(bytes)
    {
        socket.register_nb_transport_fw(this, &memory::nb_transport_fw);
    }

  private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_time &delay)
    {
        if (phase == tlm::BEGIN_REQ) payload.acquire();
        phases_.notify(payload, phase, delay);
        return tlm::TLM_ACCEPTED;
    }

    void next(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase)
    {
        const double cycles = payload.get_data_length() / 8.0 + 5.3;
        if (phase == tlm::BEGIN_REQ) {
            phases_.notify(payload, REQUEST_ACCEPTED, 1.5 * period);
        } else if (phase == REQUEST_ACCEPTED) {
            tell(payload, tlm::END_REQ);
            phases_.notify(payload, DATA_READY, cycles * period);
        } else if (phase == DATA_READY) {
            access(payload);
            waiting_.push_back(&payload);
            respond();
        } else if (phase == tlm::END_RESP) {
            responding_ = false;
            payload.release();
            respond();
        }
    }

    void access(tlm::tlm_generic_payload &payload)
    {
        const uint64_t address = payload.get_address();
        unsigned char *data = payload.get_data_ptr();
        for (unsigned i = 0; i < payload.get_data_length(); i++)
            (payload.is_write() ? bytes_.at(address + i) : data[i]) =
                payload.is_write() ? data[i] : bytes_.at(address + i);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    void respond()
    {
        if (responding_ || waiting_.empty()) return;
        responding_ = true;
        tlm::tlm_generic_payload *payload = waiting_.front();
        waiting_.pop_front();
        tell(*payload, tlm::BEGIN_RESP);
    }

    void tell(tlm::tlm_generic_payload &payload, tlm::tlm_phase phase)
    {
        sc_time delay = SC_ZERO_TIME;
        socket->nb_transport_bw(payload, phase, delay);
    }

    std::vector<unsigned char> bytes_;
    std::deque<tlm::tlm_generic_payload *> waiting_;
    bool responding_ = false;
    tlm_utils::peq_with_cb_and_phase<memory> phases_{this, &memory::next};
};

// What is known of a transaction when it is over.
struct record {
    unsigned processor, number;
    sc_time begin_req, end_req, begin_resp, end_resp;
};

enum { WINDOW = 64, SLOTS = 4 };

// A processor with up to four transactions under way, each in a window of its own of some memory.
struct processor : sc_module {
    tlm_utils::simple_initiator_socket<processor> socket{"socket"};

    SC_HAS_PROCESS(processor);
    processor(sc_module_name name, unsigned number, unsigned memories, unsigned transactions,
              std::vector<record> &over)
        : sc_module(name), number_(number), memories_(memories), left_(transactions), over_(over),
          random_(number), known_(memories * SLOTS * WINDOW), slots_(SLOTS)
    {
        socket.register_nb_transport_bw(this, &processor::nb_transport_bw);
        SC_THREAD(live);
    }

    unsigned wrong() const { return wrong_; }

  private:
    struct slot {
        tlm::tlm_generic_payload *payload = nullptr;  // nullptr: it is free
        record times;
        unsigned at = 0;  // in known_
        unsigned char data[WINDOW];
    };

    void live()
    {
        wait(10.5 * period);
        for (unsigned number = 0; number < left_; number++) {
            wait((random_() % 8) * period + SC_ZERO_TIME);
            while (!free_slot())
                wait(done_);
            begin(*free_slot(), number);
            wait(accepted_);
        }
    }

    slot *free_slot()
    {
        for (slot &slot : slots_)
            if (!slot.payload) return &slot;
        return nullptr;
    }

    void begin(slot &slot, unsigned number)
    {
        const unsigned which = unsigned(&slot - slots_.data()), memory = random_() % memories_;
        const unsigned bytes = 1 + random_() % WINDOW, offset = random_() % (WINDOW - bytes + 1);
        const bool write = random_() % 2;
        slot.payload = pool_.take();
        slot.at = (memory * SLOTS + which) * WINDOW + offset;
        for (unsigned i = 0; i < bytes; i++)
            slot.data[i] = write ? known_[slot.at + i] = static_cast<unsigned char>(random_()) : 0;
        slot.payload->set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        slot.payload->set_address(0x10000ull * memory + (number_ * SLOTS + which) * WINDOW +
                                  offset);
        slot.payload->set_data_ptr(slot.data);
        slot.payload->set_data_length(bytes);
        slot.payload->set_streaming_width(bytes);
        slot.payload->set_byte_enable_ptr(nullptr);
        slot.payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        slot.times = {number_, number, sc_time_stamp(), {}, {}, {}};
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_time delay = SC_ZERO_TIME;
        socket->nb_transport_fw(*slot.payload, phase, delay);
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_time &delay)
    {
        phases_.notify(payload, phase, delay);
        return tlm::TLM_ACCEPTED;
    }

    void next(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase)
    {
        slot &slot = *std::find_if(slots_.begin(), slots_.end(),
                                   [&](const struct slot &one) { return one.payload == &payload; });
        if (phase == tlm::END_REQ) {
            slot.times.end_req = sc_time_stamp();
            accepted_.notify();
        } else if (phase == tlm::BEGIN_RESP) {
            slot.times.begin_resp = sc_time_stamp();
            look(slot);
            phases_.notify(payload, RESPONSE_READ, (random_() % 3) * period);
        } else {
            end(slot);
        }
    }

    void look(const slot &slot)
    {
        const bool same = std::equal(slot.data, slot.data + slot.payload->get_data_length(),
                                     known_.begin() + slot.at);
        wrong_ += !slot.payload->is_response_ok() || !same;
    }

    void end(slot &slot)
    {
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_time delay = SC_ZERO_TIME;
        slot.times.end_resp = sc_time_stamp();
        socket->nb_transport_fw(*slot.payload, phase, delay);
        slot.payload->release();
        slot.payload = nullptr;
        over_.push_back(slot.times);
        done_.notify();
    }

    unsigned number_, memories_, left_, wrong_ = 0;
    std::vector<record> &over_;
    std::mt19937 random_;
    pool pool_;
    std::vector<unsigned char> known_;  // what is in the memories
    std::vector<slot> slots_;
    sc_event accepted_, done_;
    tlm_utils::peq_with_cb_and_phase<processor> phases_{this, &processor::next};
};

// The line that chooses what stands behind the ports.
annelid::machine_ptr machine_of(const std::string &word)
{
    if (word == "golden") return annelid::golden();
#ifdef WITH_RTL
    if (word == "rtl") return annelid::rtl<Vnoc>();
    if (word == "compare") return annelid::compare(annelid::golden(), annelid::rtl<Vnoc>());
    const char *const known = "golden, rtl or compare";
#else
    const char *const known = "golden (rtl and compare if it is built with WITH_RTL)";
#endif
    annelid::fail("/platform", "found machine " + word + ", expected " + known);
}

uint64_t nanoseconds(const sc_time &time) { return time / sc_time(1, SC_NS); }

// FNV-1a of the lines of all transactions.
std::string digest_of(const std::vector<std::string> &lines)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (const std::string &line : lines)
        for (const char letter : line)
            hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

int run(int argc, char **argv)
{
    const unsigned transactions = argc > 3 ? unsigned(std::atoi(argv[3])) : 1200;
    const annelid::scenario mesh(argv[2]);
    const unsigned k = mesh.config().k, memories = std::clamp(mesh.terminals() / 4, 1u, 4u);
    const std::vector<unsigned> corners = {0, k - 1, k * (k - 1), k * k - 1};
    sc_clock clk("clk", period);
    sc_signal<bool> rst{"rst", true};
    annelid::network noc("noc", mesh, machine_of(argv[1]));
    noc.clk(clk);
    noc.rst(rst);

    annelid::address_map map;
    std::vector<record> over;
    std::vector<std::unique_ptr<sc_module>> modules;
    std::vector<processor *> processors;
    const unsigned sources = mesh.terminals() - memories;
    const auto clocked = [&](annelid::terminal *port) {
        port->clk(clk);
        port->rst(rst);
        modules.emplace_back(port);
    };
    for (unsigned m = 0; m < memories; m++) {
        auto *port = new annelid::tlm_memory_port(("memory_port" + std::to_string(m)).c_str(), noc,
                                                  corners[m]);
        auto *chip = new memory(("memory" + std::to_string(m)).c_str(), 0x10000);
        port->socket.bind(chip->socket);
        map.add(0x10000 * m, 0x10000, *port);
        clocked(port);
        modules.emplace_back(chip);
    }
    for (unsigned t = 0; t < mesh.terminals(); t++) {
        if (std::count(corners.begin(), corners.begin() + memories, t)) continue;
        const unsigned number = unsigned(processors.size());
        auto *port = new annelid::tlm_processor_port(
            ("processor_port" + std::to_string(number)).c_str(), noc, t, map);
        auto *chip =
            new processor(("processor" + std::to_string(number)).c_str(), number, memories,
                          transactions / sources + (number < transactions % sources), over);
        chip->socket.bind(port->socket);
        clocked(port);
        modules.emplace_back(chip);
        processors.push_back(chip);
    }

    sc_trace_file *waves = argc > 5 ? sc_create_vcd_trace_file(argv[5]) : nullptr;
    if (waves) noc.add_waves(waves);
    sc_start(4 * period);
    rst = false;
    while (over.size() < transactions &&
           sc_time_stamp() < period * (10000.0 + 100.0 * transactions))
        sc_start(1000 * period);
    if (waves) sc_close_vcd_trace_file(waves);

    uint64_t sum = 0, most = 0;
    unsigned wrong = 0;
    std::vector<std::string> lines;
    std::sort(over.begin(), over.end(), [](const record &a, const record &b) {
        return std::make_pair(a.processor, a.number) < std::make_pair(b.processor, b.number);
    });
    for (const record &one : over) {
        const uint64_t latency = nanoseconds(one.begin_resp - one.begin_req);
        sum += latency;
        most = std::max(most, latency);
        std::ostringstream line;
        line << one.processor << ' ' << one.number;
        for (const sc_time &time : {one.begin_req, one.end_req, one.begin_resp, one.end_resp})
            line << ' ' << nanoseconds(time);
        lines.push_back(line.str() + "\n");
    }
    for (const processor *one : processors)
        wrong += one->wrong();
    if (argc > 4) {
        std::ofstream file(argv[4]);
        for (const std::string &line : lines)
            file << line;
    }
    std::cout << "transactions  " << over.size() << " over, " << wrong << " wrong\n"
              << "latency       mean " << (over.empty() ? 0 : sum / over.size()) << " ns, max "
              << most << " ns\n"
              << "times         digest " << digest_of(lines) << std::endl;
    return over.size() == transactions && wrong == 0 ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char **argv)
{
    if (argc < 3) {
        std::cerr << "usage: platform golden|rtl|compare SCENARIO [TRANSACTIONS] [TIMES] [WAVES]\n";
        return 2;
    }
    try {
        return run(argc, argv);
    } catch (const std::exception &error) {
        std::cerr << error.what() << std::endl;
        return 1;
    }
}
