#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/histogram.h"
#include "base/time_mean.h"
#include "network/backlog_window.h"
#include "network/link.h"
#include "network/scheduler.h"
#include "network/transit.h"
#include "network/unsaturated_time.h"

namespace p4abs {

// A port's cumulative counts at one instant, in bytes of Ethernet frames without FCS.
struct Snapshot {
    uint64_t timestamp_us;
    uint64_t admitted_bytes;
    uint64_t dropped_bytes;
    uint64_t departed_bytes;
    uint64_t limit_bytes;  // 0: none
    // The link has been idle for unsaturated_us less the time that it takes to send
    // unsaturated_bytes. With the idle time under way.
    uint64_t unsaturated_us;
    uint64_t unsaturated_bytes;
};

// What a P4 program has counted of flows (p4src/flows), cumulative.
struct FlowCounts {
    uint64_t active_flow_us;
    uint64_t long_flow_us;
    uint64_t untracked_bytes;
    uint64_t timed_bytes;
    uint64_t timed_byte_us;
};

// A queue in front of a link; what the buffer admits is up to the subclass. Most links have one: then
// it is a port. A packet has departed once the link has started to send it.
class Port : public Queue {
  public:
    // With a link of its own.
    Port(std::string name, uint64_t rate_bps);
    // The next queue of a link that has several.
    Port(std::string name, std::shared_ptr<Link> link);
    ~Port() override = default;
    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;

    const std::string& name() const { return name_; }
    uint64_t rate_bps() const { return link_->rate_bps(); }
    ns3::Time serialization_time(uint32_t frame_bytes) const {
        return link_->serialization_time(frame_bytes);
    }

    // Each holds from the next frame on; the one in transmission is finished.
    void set_rate_bps(uint64_t rate_bps) { link_->set_rate_bps(rate_bps); }
    // A stalled port admits what fits and sends nothing.
    void set_stalled(bool stalled) { link_->set_stalled(stalled); }
    // Of a link that is down nothing leaves, and what arrives is lost before the buffer sees it.
    void set_down(bool down) { link_->set_down(down); }

    void receive(Transit transit);
    void note_departure(const Transit& transit, ns3::Time transmission) override;

    bool is_empty() const override { return backlog_bytes() == 0; }
    uint64_t backlog_bytes() const { return static_cast<uint64_t>(occupancy_.value()); }

    virtual Snapshot snapshot() = 0;
    virtual void set_limit_bytes(uint64_t limit) = 0;
    // Packets above the limit whose transport understands marks (ECN) are marked instead of
    // dropped, up to twice the limit.
    virtual void set_ecn_marking(bool marking) = 0;

    // Of the backlog since this was called last, as arrivals found and left it.
    BacklogWindow::Extremes start_backlog_window();

    // Admitted bytes that the limit has marked instead of dropped; a queue disc's marks are its own.
    virtual uint64_t marked_bytes() { return 0; }

    // None where nothing counts flows.
    virtual std::optional<FlowCounts> flow_counts() { return std::nullopt; }

    // Marks the packet; false if its transport does not understand that.
    static bool mark(Transit* transit);

    // Of delays from arrival to start of transmission, and of the occupancy.
    void start_record();
    const Histogram& delays() const { return delays_; }
    double mean_occupancy_bytes() const { return occupancy_.mean(); }
    // In which the queue had nothing to send, neither waiting nor in transmission.
    ns3::Time idle_time() const { return unsaturated_.count(is_idle()).idle(); }

  protected:
    // Takes the packet into the buffer; false if it is dropped.
    virtual bool enqueue(Transit transit) = 0;

    // To be called once for every packet that is dropped: on arrival, or out of the queue.
    static void count_loss(const Transit& transit);
    void count_loss_from_queue(const Transit& transit);
    static uint64_t now_us();
    uint64_t unsaturated_us() const;
    uint64_t unsaturated_bytes() const;

  private:
    bool is_idle() const { return !link_->sends_of(this) && is_empty(); }

    std::string name_;
    std::shared_ptr<Link> link_;
    TimeMean occupancy_;
    BacklogWindow backlog_window_;
    UnsaturatedTime unsaturated_;
    bool recording_delays_ = false;
    Histogram delays_;
};

}  // namespace p4abs
