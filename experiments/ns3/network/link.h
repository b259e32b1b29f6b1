#pragma once

#include <cstdint>
#include <memory>

#include "base/timer.h"
#include "network/scheduler.h"
#include "network/transit.h"

namespace p4abs {

// What sends a port's frames, one at a time. Its scheduler says which queue is next.
class Link {
  public:
    Link(uint64_t rate_bps, std::unique_ptr<Scheduler> scheduler);
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    void add(Queue* queue) { scheduler_->add(queue); }

    uint64_t rate_bps() const { return rate_bps_; }
    ns3::Time serialization_time(uint32_t frame_bytes) const;

    // Each holds from the next frame on; the one in transmission is finished.
    void set_rate_bps(uint64_t rate_bps);
    void set_stalled(bool stalled);
    void set_down(bool down);
    bool is_down() const { return down_; }

    // Whether a frame of this queue is in transmission.
    bool sends_of(const Queue* queue) const { return sending_ == queue; }
    // A queue may have something to send.
    void resume();

  private:
    void send_next();
    void sent();

    uint64_t rate_bps_;
    uint64_t remainder_ = 0;  // of the division by the rate, so that no time is lost by rounding
    const Queue* sending_ = nullptr;
    bool stalled_ = false;
    bool down_ = false;
    Transit in_transmission_;
    std::unique_ptr<Scheduler> scheduler_;
    Timer<Link, &Link::sent> timer_;
};

}  // namespace p4abs
