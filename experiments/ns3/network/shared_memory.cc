#include "network/shared_memory.h"

#include <algorithm>

namespace p4abs {

size_t SharedMemory::add(const Port* port, double alpha) {
    queues_.push_back({port, alpha, 0.0});
    return queues_.size() - 1;
}

uint64_t SharedMemory::limit_bytes(size_t queue) const {
    const auto threshold = static_cast<uint64_t>(threshold_bytes(queues_[queue]));
    const uint64_t reachable = queues_[queue].port->backlog_bytes() + free_bytes();
    return std::max<uint64_t>(std::min(threshold, reachable), 1);
}

void SharedMemory::arrival(size_t queue) {
    queues_[queue].threshold_bytes = threshold_bytes(queues_[queue]);
}

double SharedMemory::Queue::congestion() const {
    const auto backlog = static_cast<double>(port->backlog_bytes());
    return backlog > 0.0 ? std::min(backlog / threshold_bytes, 1.0) : 0.0;
}

uint64_t SharedMemory::free_bytes() const {
    uint64_t used_bytes = 0;
    for (const Queue& queue : queues_) {
        used_bytes += queue.port->backlog_bytes();
    }
    return size_bytes_ - used_bytes;
}

double SharedMemory::threshold_bytes(const Queue& queue) const {
    return queue.alpha * static_cast<double>(free_bytes()) / sharers();
}

double SharedMemory::sharers() const {
    if (sharing_ == Sharing::DYNAMIC_THRESHOLDS) {
        return 1.0;
    }
    double congested = 0.0;
    for (const Queue& queue : queues_) {
        congested += queue.congestion();
    }
    return std::max(congested, 1.0);
}

}  // namespace p4abs
