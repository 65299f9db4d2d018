// SPDX-License-Identifier: Apache-2.0
//
// A terminal with AXI4-Streams as ports: packets of bytes, each of which crosses the network as a
// worm.

#ifndef ANNELID_SYSTEMC_STREAM_H
#define ANNELID_SYSTEMC_STREAM_H

#include <annelid/systemc/terminal.h>
#include <deque>

namespace annelid
{

// TDATA has Bytes bytes, the first one lowest. In the last beat of a packet (TLAST) the lowest bits
// of TKEEP say which of them there are, at least one; in all others all are. TDEST is the terminal
// to which a packet goes, the same in all of its beats. What comes in is s_, what goes out m_.
// Ports of outputs are functions of registers. A source that breaks a rule of its stream is an
// error. Each side holds two packets, and one more for each further class: then TREADY is 0, or
// flits stay in the network.
template <unsigned Bytes> class stream_terminal : public terminal
{
  public:
    using tdata = sc_dt::sc_bv<8 * Bytes>;
    using tkeep = sc_dt::sc_bv<Bytes>;

    sc_core::sc_in<bool> s_tvalid{"s_tvalid"}, s_tlast{"s_tlast"}, m_tready{"m_tready"};
    sc_core::sc_in<tdata> s_tdata{"s_tdata"};
    sc_core::sc_in<tkeep> s_tkeep{"s_tkeep"};
    sc_core::sc_in<uint32_t> s_tdest{"s_tdest"};
    sc_core::sc_out<bool> s_tready{"s_tready"}, m_tvalid{"m_tvalid"}, m_tlast{"m_tlast"};
    sc_core::sc_out<tdata> m_tdata{"m_tdata"};
    sc_core::sc_out<tkeep> m_tkeep{"m_tkeep"};

    // Packets are sent in a class of messages. They may come in any; those of two are not mixed.
    stream_terminal(sc_core::sc_module_name name, network &of, uint32_t number, uint32_t class_ = 0)
        : terminal(name, of, number), class_(class_)
    {
        expect_below("class", class_, anl_num_classes(&config()));
    }

  protected:
    bool takes() const override { return packets_.size() < MOST_PACKETS; }

    void receive(worm &come) override
    {
        if (come.bits < 32 || come.payload[0] == 0 ||
            come.bits - 32 < 8 * uint64_t(come.payload[0]))
            refuse("a worm that no stream sent", "a packet");
        std::vector<unsigned char> bytes(come.payload[0]);
        for (size_t i = 0; i < bytes.size(); i++)
            bytes[i] = static_cast<unsigned char>(come.payload[1 + i / 4] >> 8 * (i % 4));
        packets_.push_back(std::move(bytes));
    }

    void work() override
    {
        hear();
        show();
    }

    void reset() override
    {
        packet_ = {};
        before_ = {};
        packets_.clear();
        at_ = shown_ = 0;
        s_tready.write(ready_ = false);
        m_tvalid.write(false);
    }

  private:
    static constexpr size_t MOST_PACKETS = 2;

    struct beat {
        bool valid = false, last = false;
        tdata data;
        tkeep keep;
        uint32_t destination = 0;

        bool operator==(const beat &other) const
        {
            return valid == other.valid && last == other.last && data == other.data &&
                   keep == other.keep && destination == other.destination;
        }
    };

    [[noreturn]] void refuse(const char *found, const char *expected) const
    {
        fail("/annelid/stream",
             std::string(name()) + ": found " + found + ", expected " + expected);
    }

    // The beat of the cycle that is over.
    void hear()
    {
        beat now;
        now.valid = s_tvalid.read();
        now.last = s_tlast.read();
        now.data = s_tdata.read();
        now.keep = s_tkeep.read();
        now.destination = s_tdest.read();
        if (before_.valid && !(now == before_))
            refuse("another beat than in the cycle before", "the same one until TREADY");
        if (now.valid && ready_) take_beat(now);
        before_ = ready_ ? beat() : now;
        s_tready.write(ready_ = waiting(class_) < MOST_PACKETS);
    }

    void take_beat(const beat &now)
    {
        const uint32_t first = packet_.payload.empty() ? now.destination : packet_.destination;
        unsigned count = 0;
        while (count < Bytes && now.keep[int(count)].to_bool())
            count++;
        for (unsigned i = count; i < Bytes; i++)
            if (now.keep[int(i)].to_bool()) refuse("a hole in TKEEP", "the lowest bytes");
        if (count == 0 || (count < Bytes && !now.last))
            refuse("a byte that TKEEP leaves out", "it behind the last one of a packet");
        if (now.destination != first) refuse("another TDEST", "that of the first beat");
        if (packet_.payload.empty()) packet_.payload.push_back(0);
        packet_.destination = first;
        for (unsigned i = 0; i < count; i++)
            put_byte(now.data.range(int(8 * i + 7), int(8 * i)).to_uint());
        if (!now.last) return;
        packet_.class_ = class_;
        packet_.bits = 32 + 8 * packet_.payload[0];
        send(packet_);
        packet_ = {};
    }

    // The first word counts the bytes behind it.
    void put_byte(uint32_t byte)
    {
        const uint32_t at = packet_.payload[0]++;
        if (at % 4 == 0) packet_.payload.push_back(0);
        packet_.payload.back() |= byte << 8 * (at % 4);
    }

    // The beat of the cycle that begins.
    void show()
    {
        if (shown_ > 0 && m_tready.read()) {
            at_ += shown_;
            if (at_ == packets_.front().size()) packets_.pop_front(), at_ = 0;
            shown_ = 0;
        }
        m_tvalid.write(!packets_.empty());
        if (packets_.empty()) return;
        const std::vector<unsigned char> &packet = packets_.front();
        shown_ = std::min(size_t(Bytes), packet.size() - at_);
        tdata data;
        tkeep keep;
        for (size_t i = 0; i < shown_; i++) {
            data.range(int(8 * i + 7), int(8 * i)) = packet[at_ + i];
            keep[int(i)] = true;
        }
        m_tdata.write(data);
        m_tkeep.write(keep);
        m_tlast.write(at_ + shown_ == packet.size());
    }

    const uint32_t class_;
    worm packet_;  // that is coming in
    beat before_;  // that was not taken
    bool ready_ = false;
    std::deque<std::vector<unsigned char>> packets_;  // that go out
    size_t at_ = 0, shown_ = 0;  // bytes of the first one that are out, and that show
};

}  // namespace annelid

#endif
