#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/port.h"

namespace p4abs {

// A memory that the queues of several ports share, and the limit that each queue is held to.
class SharedMemory {
  public:
    enum class Sharing {
        // Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches",
        // 1998: alpha times the memory that is free.
        DYNAMIC_THRESHOLDS,
        // Addanki et al., "ABM: Active buffer management in datacenters", SIGCOMM 2022: that, divided
        // by the number of congested queues. A queue counts by how near it is to its threshold; a
        // step there lets n jump between two values at every packet. The paper's third factor, the
        // share of the port's rate that a queue gets, is 1: here a port has one queue.
        ACTIVE_BUFFER_MANAGEMENT,
    };

    SharedMemory(uint64_t size_bytes, Sharing sharing) : size_bytes_(size_bytes), sharing_(sharing) {}

    // Returns the number of the port's queue.
    size_t add(const Port* port, double alpha);
    // At least 1, because 0 would be no limit.
    uint64_t limit_bytes(size_t queue) const;
    // A packet arrives for the queue.
    void arrival(size_t queue);

  private:
    struct Queue {
        const Port* port;
        double alpha;
        double threshold_bytes;  // that the last arrival met

        double congestion() const;
    };

    uint64_t free_bytes() const;
    double threshold_bytes(const Queue& queue) const;
    double sharers() const;

    uint64_t size_bytes_;
    Sharing sharing_;
    std::vector<Queue> queues_;
};

}  // namespace p4abs
