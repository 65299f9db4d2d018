// SPDX-License-Identifier: Apache-2.0
//
// The base protocol of TLM-2.0, approximately timed, over a network. A transaction becomes a worm
// to the terminal of a memory and a worm back, and all of it crosses the network: command, address,
// data, response. What is taken and what is refused: docs/systemc.md.
//
//   annelid::address_map map;
//   annelid::tlm_memory_port memory("memory", noc, 15);        // a memory is bound to its socket
//   map.add(0x0000, 0x1000, memory);
//   annelid::tlm_processor_port processor("processor", noc, 0, map);   // and here an initiator

#ifndef ANNELID_SYSTEMC_TLM_H
#define ANNELID_SYSTEMC_TLM_H

#include <annelid/systemc/terminal.h>
#include <deque>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace annelid
{

// Fields of a worm, one behind the other.
class fields
{
  public:
    fields() = default;
    explicit fields(const worm &from) : words_(from.payload), end_(from.bits) {}

    void put(uint64_t value, uint32_t width)
    {
        const uint32_t both[2] = {uint32_t(value), uint32_t(value >> 32)};
        words_.resize((at_ + width + 31) / 32);
        copy_bits(both, 0, words_.data(), at_, width);
        at_ += width;
    }

    uint64_t get(uint32_t width)
    {
        uint32_t both[2] = {0, 0};
        if (at_ + width > end_) fail("/annelid/tlm", "a worm is shorter than what it carries");
        copy_bits(words_.data(), at_, both, 0, width);
        at_ += width;
        return both[0] | uint64_t(both[1]) << 32;
    }

    worm to(uint32_t destination, uint32_t class_) const
    {
        worm made;
        made.destination = destination;
        made.class_ = class_;
        made.payload = words_;
        made.bits = at_;
        return made;
    }

    void put_bytes(const unsigned char *bytes, unsigned count)
    {
        for (unsigned i = 0; i < count; i++)
            put(bytes[i], 8);
    }
    void get_bytes(unsigned char *bytes, unsigned count)
    {
        for (unsigned i = 0; i < count; i++)
            bytes[i] = static_cast<unsigned char>(get(8));
    }

  private:
    std::vector<uint32_t> words_;
    uint32_t at_ = 0, end_ = 0;
};

// Bits of a request: command, tag, source, bytes, address, and the data of a write; of a reply:
// tag, response, and the data of a read.
enum field_widths {
    COMMAND_BITS = 2,
    TAG_BITS = 8,
    TERMINAL_BITS = 22,
    BYTES_BITS = 16,
    ADDRESS_BITS = 64,
    RESPONSE_BITS = 8
};

// A phase that was told with a delay. It counts at the first rise of the clock behind its time, so
// it does not matter who runs first at an edge.
struct due {
    tlm::tlm_generic_payload *transaction = nullptr;  // nullptr: no phase was told
    sc_core::sc_time at;

    due() = default;
    due(tlm::tlm_generic_payload &of, const sc_core::sc_time &delay)
        : transaction(&of), at(sc_core::sc_time_stamp() + delay)
    {
    }
    bool is_over() const { return at < sc_core::sc_time_stamp(); }
};

// Reports what the other side of a socket does against the base protocol.
[[noreturn]] inline void refuse_phase(const char *port, const tlm::tlm_phase &phase,
                                      const char *side, const std::string &expected)
{
    std::ostringstream text;
    text << port << ": found phase " << phase << " from the " << side << ", expected " << expected;
    fail("/annelid/tlm", text.str());
}

// A terminal with an initiator socket, to which a memory or another target is bound. It gives one
// request at a time (BEGIN_REQ to END_REQ), and takes responses in any order.
class tlm_memory_port : public terminal, public tlm::tlm_mm_interface
{
  public:
    tlm_utils::simple_initiator_socket<tlm_memory_port> socket{"socket"};

    tlm_memory_port(sc_core::sc_module_name name, network &of, uint32_t number)
        : terminal(name, of, number)
    {
        socket.register_nb_transport_bw(this, &tlm_memory_port::nb_transport_bw);
    }

    // Is for the socket's memory management: a transaction is not used any more.
    void free(tlm::tlm_generic_payload *payload) override
    {
        free_.push_back(static_cast<carried *>(payload));
    }

  protected:
    void receive(worm &request) override
    {
        carried &payload = take();
        fields from(request);
        payload.set_command(static_cast<tlm::tlm_command>(from.get(COMMAND_BITS)));
        payload.tag = from.get(TAG_BITS);
        payload.source = uint32_t(from.get(TERMINAL_BITS));
        const unsigned bytes = unsigned(from.get(BYTES_BITS));
        payload.data.assign(bytes, 0);
        payload.set_address(from.get(ADDRESS_BITS));
        if (payload.is_write()) from.get_bytes(payload.data.data(), bytes);
        payload.set_data_ptr(payload.data.data());
        payload.set_data_length(bytes);
        payload.set_streaming_width(bytes);
        payload.set_byte_enable_ptr(nullptr);
        payload.set_dmi_allowed(false);
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        requests_.push_back(&payload);
    }

    void work() override
    {
        if (!responses_.empty() && responses_.front().is_over()) reply();
        if (request_ && request_end_.transaction && request_end_.is_over()) request_ = nullptr;
        if (!request_ && !requests_.empty()) ask();
    }

    void reset() override
    {
        if (!asked_.empty() || !requests_.empty())
            fail("/annelid/tlm", std::string(name()) + ": reset while transactions are under way");
    }

  private:
    struct carried : tlm::tlm_generic_payload {
        explicit carried(tlm::tlm_mm_interface *owner) : tlm_generic_payload(owner) {}
        std::vector<unsigned char> data;
        uint64_t tag = 0;
        uint32_t source = 0;
        bool responded = false;
    };

    // A response that the target has begun; completed: it wants no END_RESP.
    struct response : due {
        bool completed;
        response(const due &begun, bool is_completed) : due(begun), completed(is_completed) {}
    };

    carried &take()
    {
        if (free_.empty()) {
            all_.emplace_back(new carried(this));
            free_.push_back(all_.back().get());
        }
        carried *payload = free_.back();
        free_.pop_back();
        payload->acquire();
        payload->responded = false;
        return *payload;
    }

    void ask()
    {
        request_ = requests_.front();
        requests_.pop_front();
        asked_.push_back(request_);
        request_end_ = due();
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        const tlm::tlm_sync_enum sync = socket->nb_transport_fw(*request_, phase, delay);
        if (sync == tlm::TLM_COMPLETED)
            note(*request_, tlm::BEGIN_RESP, delay, true);
        else if (sync == tlm::TLM_UPDATED)
            note(*request_, phase, delay, false);
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &transaction, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay)
    {
        note(transaction, phase, delay, false);
        return tlm::TLM_ACCEPTED;
    }

    // A phase of the target. BEGIN_RESP says END_REQ as well. The target may complete transactions
    // while another one responds.
    void note(tlm::tlm_generic_payload &transaction, const tlm::tlm_phase &phase,
              const sc_core::sc_time &delay, bool completed)
    {
        const auto known = std::find(asked_.begin(), asked_.end(), &transaction);
        if (known == asked_.end()) refuse_phase(name(), phase, "target", "a request that it has");
        carried &payload = **known;
        const bool is_request = request_ == &payload && !request_end_.transaction;
        if (phase == tlm::END_REQ && is_request) {
            request_end_ = due(transaction, delay);
        } else if (phase == tlm::BEGIN_RESP && !payload.responded) {
            if (!completed && responds())
                refuse_phase(name(), phase, "target", "to be told END_RESP of the one before");
            if (is_request) request_end_ = due(transaction, delay);
            payload.responded = true;
            responses_.emplace_back(due(transaction, delay), completed);
        } else {
            refuse_phase(
                name(), phase, "target",
                "END_REQ or BEGIN_RESP of a transaction under way, once and in this order");
        }
    }

    // Returns whether a response waits for its END_RESP.
    bool responds() const
    {
        return std::any_of(responses_.begin(), responses_.end(),
                           [](const response &begun) { return !begun.completed; });
    }

    // The reply leaves for its source, and the target may respond again.
    void reply()
    {
        const response over = responses_.front();
        auto &payload = static_cast<carried &>(*over.transaction);
        responses_.pop_front();
        if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
            refuse_phase(name(), tlm::BEGIN_RESP, "target", "a response other than INCOMPLETE");
        if (payload.get_data_length() != payload.data.size())
            refuse_phase(name(), tlm::BEGIN_RESP, "target", "the data length of the request");
        fields to;
        to.put(payload.tag, TAG_BITS);
        to.put(uint32_t(payload.get_response_status()) & 0xff, RESPONSE_BITS);
        if (payload.is_read()) to.put_bytes(payload.data.data(), payload.get_data_length());
        send(to.to(payload.source, anl_num_classes(&config()) > 1 ? 1 : 0));
        if (!over.completed) {
            tlm::tlm_phase phase = tlm::END_RESP;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            if (socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_UPDATED)
                refuse_phase(name(), phase, "target", "no phase behind END_RESP");
        }
        asked_.erase(std::find(asked_.begin(), asked_.end(), &payload));
        if (request_ == &payload) request_ = nullptr;
        payload.release();
    }

    std::vector<std::unique_ptr<carried>> all_;
    std::vector<carried *> free_;
    std::deque<carried *> requests_;
    carried *request_ = nullptr;  // from BEGIN_REQ to END_REQ
    due request_end_;             // END_REQ of it
    std::deque<response> responses_;
    std::vector<carried *> asked_;  // by requests without a reply
};

// Which addresses belong to which memory. A memory sees addresses from the beginning of its region.
class address_map
{
  public:
    struct region {
        uint64_t base, bytes;
        tlm_memory_port *memory;
    };

    // An error is reported if the region is empty, ends behind the last address, or has an address
    // that another one has.
    void add(uint64_t base, uint64_t bytes, tlm_memory_port &memory)
    {
        std::ostringstream text;
        text << std::hex << "region 0x" << base << " of 0x" << bytes << " bytes: ";
        if (bytes == 0 || base + (bytes - 1) < base)
            fail("/annelid/tlm", text.str() + "expected some bytes, below 2^64");
        for (const region &other : regions_)
            if (base <= other.base + (other.bytes - 1) && other.base <= base + (bytes - 1)) {
                text << "overlaps region 0x" << other.base << " of 0x" << other.bytes << " bytes";
                fail("/annelid/tlm", text.str());
            }
        regions_.push_back({base, bytes, &memory});
    }

    const std::vector<region> &regions() const { return regions_; }

    // Returns the region that has all of these bytes; nullptr: none has.
    const region *find(uint64_t address, uint64_t bytes) const
    {
        for (const region &region : regions_)
            if (address >= region.base && address - region.base < region.bytes &&
                bytes <= region.bytes - (address - region.base))
                return &region;
        return nullptr;
    }

  private:
    std::vector<region> regions_;
};

// A terminal with a target socket, to which a processor or another initiator is bound. It accepts a
// request (END_REQ) when it queues the worm, and has at most `outstanding` transactions under way.
// b_transport() works as well: the socket makes the phases.
class tlm_processor_port : public terminal
{
  public:
    tlm_utils::simple_target_socket<tlm_processor_port> socket{"socket"};

    // The map must outlive the port; memories may be added until the simulation begins.
    tlm_processor_port(sc_core::sc_module_name name, network &of, uint32_t number,
                       const address_map &map, unsigned outstanding = 4)
        : terminal(name, of, number), map_(map), tags_(outstanding)
    {
        if (outstanding == 0 || outstanding > 1u << TAG_BITS)
            fail("/annelid/tlm", std::string(this->name()) + ": found " +
                                     std::to_string(outstanding) +
                                     " transactions at a time, expected 1..256");
        socket.register_nb_transport_fw(this, &tlm_processor_port::nb_transport_fw);
        socket.register_transport_dbg(this, &tlm_processor_port::transport_dbg);
    }

  protected:
    void work() override
    {
        if (response_end_.transaction && response_end_.is_over()) end_response();
        if (request_.transaction && request_.is_over()) begin();
        if (!response_ && !replies_.empty()) respond();
    }

    void receive(worm &reply) override
    {
        fields from(reply);
        const uint64_t tag = from.get(TAG_BITS);
        if (tag >= tags_.size() || !tags_[tag])
            fail("/annelid/tlm", std::string(name()) + ": found a worm that no memory's port sent, "
                                                       "expected a reply");
        tlm::tlm_generic_payload *&transaction = tags_[tag];
        transaction->set_response_status(
            static_cast<tlm::tlm_response_status>(int8_t(from.get(RESPONSE_BITS))));
        if (transaction->is_read())
            from.get_bytes(transaction->get_data_ptr(), transaction->get_data_length());
        replies_.push_back(transaction);
        transaction = nullptr;
    }

    void reset() override
    {
        if (under_way_)
            fail("/annelid/tlm", std::string(name()) + ": reset while transactions are under way");
    }

  private:
    // Memories are reached over the network of the port alone.
    void end_of_elaboration() override
    {
        for (const address_map::region &region : map_.regions())
            if (&region.memory->of() != &of())
                fail("/annelid/tlm", std::string(name()) + ": found memory " +
                                         region.memory->name() + " of network " +
                                         region.memory->of().name() + " in its map, expected " +
                                         "memories of network " + of().name());
    }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &transaction, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay)
    {
        if (phase == tlm::BEGIN_REQ) {
            if (request_.transaction) refuse_phase(phase, "END_REQ of the one before");
            if (!transaction.has_mm()) refuse_phase(phase, "a transaction with a memory manager");
            if (has_data(transaction) && !transaction.get_data_ptr())
                refuse_phase(phase, "a transaction with a data pointer");
            if (is_under_way(transaction)) refuse_phase(phase, "END_RESP of this transaction");
            transaction.acquire();
            request_ = due(transaction, delay);
            return tlm::TLM_ACCEPTED;
        }
        if (phase != tlm::END_RESP || response_ != &transaction || response_end_.transaction)
            refuse_phase(phase, "BEGIN_REQ, or END_RESP of the transaction that responds");
        response_end_ = due(transaction, delay);
        return tlm::TLM_COMPLETED;
    }

    // A command other than read and write has no data, whatever its length.
    static bool has_data(const tlm::tlm_generic_payload &transaction)
    {
        return (transaction.is_read() || transaction.is_write()) &&
               transaction.get_data_length() > 0;
    }

    bool is_under_way(const tlm::tlm_generic_payload &transaction) const
    {
        return std::find(tags_.begin(), tags_.end(), &transaction) != tags_.end() ||
               std::find(replies_.begin(), replies_.end(), &transaction) != replies_.end() ||
               (response_ == &transaction && !response_end_.transaction);
    }

    [[noreturn]] void refuse_phase(const tlm::tlm_phase &phase, const std::string &expected) const
    {
        annelid::refuse_phase(name(), phase, "initiator", expected);
    }

    // Returns what is wrong with a transaction; TLM_OK_RESPONSE: nothing.
    tlm::tlm_response_status wrong_with(const tlm::tlm_generic_payload &transaction) const
    {
        const uint64_t bytes = transaction.get_data_length();
        if (!transaction.is_read() && !transaction.is_write())
            return tlm::TLM_COMMAND_ERROR_RESPONSE;
        if (transaction.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
        if (bytes == 0 || bytes >= 1u << BYTES_BITS || transaction.get_streaming_width() < bytes)
            return tlm::TLM_BURST_ERROR_RESPONSE;
        const uint32_t most = COMMAND_BITS + TAG_BITS + TERMINAL_BITS + BYTES_BITS + ADDRESS_BITS;
        if (flits_for(config(), most + uint32_t(8 * bytes)) > anl_longest_worm(&config()))
            return tlm::TLM_BURST_ERROR_RESPONSE;
        if (!map_.find(transaction.get_address(), bytes)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        return tlm::TLM_OK_RESPONSE;
    }

    // Takes the request that waits, if a tag is free.
    void begin()
    {
        tlm::tlm_generic_payload *transaction = request_.transaction;
        const tlm::tlm_response_status wrong = wrong_with(*transaction);
        if (wrong == tlm::TLM_OK_RESPONSE) {
            const auto tag = std::find(tags_.begin(), tags_.end(), nullptr);
            if (tag == tags_.end()) return;
            *tag = transaction;
            ask(*transaction, uint64_t(tag - tags_.begin()));
        } else {
            transaction->set_response_status(wrong);
            replies_.push_back(transaction);
        }
        under_way_++;
        request_ = due();
        tlm::tlm_phase phase = tlm::END_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        if (socket->nb_transport_bw(*transaction, phase, delay) != tlm::TLM_ACCEPTED)
            refuse_phase(phase, "TLM_ACCEPTED as answer to END_REQ");
    }

    void ask(const tlm::tlm_generic_payload &transaction, uint64_t tag)
    {
        const unsigned bytes = transaction.get_data_length();
        const address_map::region &region = *map_.find(transaction.get_address(), bytes);
        fields to;
        to.put(transaction.get_command(), COMMAND_BITS);
        to.put(tag, TAG_BITS);
        to.put(number(), TERMINAL_BITS);
        to.put(bytes, BYTES_BITS);
        to.put(transaction.get_address() - region.base, ADDRESS_BITS);
        if (transaction.is_write()) to.put_bytes(transaction.get_data_ptr(), bytes);
        send(to.to(region.memory->number(), 0));
    }

    void respond()
    {
        response_ = replies_.front();
        replies_.pop_front();
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        const tlm::tlm_sync_enum sync = socket->nb_transport_bw(*response_, phase, delay);
        if (sync == tlm::TLM_UPDATED && phase != tlm::END_RESP)
            refuse_phase(phase, "END_RESP as answer to BEGIN_RESP");
        if (sync != tlm::TLM_ACCEPTED) response_end_ = due(*response_, delay);
    }

    void end_response()
    {
        tlm::tlm_generic_payload *over = response_;
        response_ = nullptr;
        response_end_ = due();
        under_way_--;
        over->release();
    }

    unsigned transport_dbg(tlm::tlm_generic_payload &transaction)
    {
        const address_map::region *region =
            map_.find(transaction.get_address(), transaction.get_data_length());
        if (!region) return 0;
        const uint64_t address = transaction.get_address();
        transaction.set_address(address - region->base);
        const unsigned bytes = region->memory->socket->transport_dbg(transaction);
        transaction.set_address(address);
        return bytes;
    }

    const address_map &map_;
    std::vector<tlm::tlm_generic_payload *> tags_;  // transactions whose reply has not come
    due request_;                                   // from BEGIN_REQ to END_REQ
    std::deque<tlm::tlm_generic_payload *> replies_;
    tlm::tlm_generic_payload *response_ = nullptr;  // from BEGIN_RESP to END_RESP
    due response_end_;                              // END_RESP of it
    unsigned under_way_ = 0;
};

}  // namespace annelid

#endif
