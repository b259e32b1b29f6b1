#pragma once

#include <ns3/nstime.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "network/transit.h"

namespace p4abs {

// What a link takes its packets from.
class Queue {
  public:
    virtual ~Queue() = default;

    virtual bool is_empty() const = 0;
    // The packet that the link is to send next, if any.
    virtual std::optional<Transit> dequeue() = 0;
    // The link begins to send what dequeue() gave.
    virtual void note_departure(const Transit& transit, ns3::Time transmission) = 0;
};

// A packet that its queue has given to the link.
struct Departure {
    Queue* queue;
    Transit transit;
};

// The order in which a link serves its queues. They are numbered from 0 as they are added.
class Scheduler {
  public:
    virtual ~Scheduler() = default;

    void add(Queue* queue) { queues_.push_back(queue); }
    // None: nothing waits.
    virtual std::optional<Departure> next() = 0;

  protected:
    std::vector<Queue*> queues_;
};

// The highest number first; a frame in transmission is finished.
class StrictPriority final : public Scheduler {
  public:
    std::optional<Departure> next() override;
};

// Deficit round robin (Shreedhar and Varghese, "Efficient fair queueing using deficit round-robin",
// 1995), in bytes, lowest queue first. A queue sends as long as it has credit, its last frame on
// credit of its next turn: so no frame is looked at before it is sent, and the shares are the same.
class DeficitRoundRobin final : public Scheduler {
  public:
    // One weight of at least 1 for each queue.
    explicit DeficitRoundRobin(std::vector<uint32_t> weights);

    std::optional<Departure> next() override;

  private:
    bool nothing_waits() const;

    std::vector<uint32_t> weights_;
    std::vector<int64_t> credits_bytes_;
    size_t turn_;
};

}  // namespace p4abs
