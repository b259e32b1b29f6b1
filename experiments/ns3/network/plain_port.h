#pragma once

#include <deque>
#include <memory>
#include <string>

#include "network/port.h"

namespace p4abs {

// Tail drop by bytes: the rule of p4src/adaptive/queue_limit.p4, written down a second time.
class PlainPort : public Port {
  public:
    PlainPort(std::string name, uint64_t rate_bps, uint64_t limit_bytes);
    PlainPort(std::string name, std::shared_ptr<Link> link, uint64_t limit_bytes);

    Snapshot snapshot() override;
    uint64_t marked_bytes() override { return marked_bytes_; }
    void set_limit_bytes(uint64_t limit) override;
    void set_ecn_marking(bool marking) override { ecn_marking_ = marking; }

    std::optional<Transit> dequeue() override;

  protected:
    bool enqueue(Transit transit) override;
    virtual uint64_t limit_bytes() const { return limit_bytes_; }
    // Whether an empty queue takes a frame that is longer than the limit, as the P4 program does.
    virtual bool admits_when_empty() const { return true; }

  private:
    uint64_t limit_bytes_;
    bool ecn_marking_ = false;
    uint64_t admitted_bytes_ = 0;
    uint64_t dropped_bytes_ = 0;
    uint64_t marked_bytes_ = 0;
    uint64_t departed_bytes_ = 0;
    std::deque<Transit> queue_;
};

}  // namespace p4abs
