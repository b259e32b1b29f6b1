#include "network/scheduler.h"

#include <algorithm>
#include <utility>

namespace p4abs {

namespace {

// What a weight of 1 adds at each turn: a full Ethernet frame.
constexpr int64_t QUANTUM_BYTES = 1514;

}  // namespace

std::optional<Departure> StrictPriority::next() {
    for (auto queue = queues_.rbegin(); queue != queues_.rend(); ++queue) {
        if (auto transit = (*queue)->dequeue()) {
            return Departure{*queue, *std::move(transit)};
        }
    }
    return std::nullopt;
}

DeficitRoundRobin::DeficitRoundRobin(std::vector<uint32_t> weights)
    : weights_(std::move(weights)), credits_bytes_(weights_.size()), turn_(weights_.size() - 1) {}

std::optional<Departure> DeficitRoundRobin::next() {
    while (!nothing_waits()) {
        int64_t& credit_bytes = credits_bytes_[turn_];
        if (credit_bytes > 0) {
            if (auto transit = queues_[turn_]->dequeue()) {
                credit_bytes -= transit->frame_bytes;
                return Departure{queues_[turn_], *std::move(transit)};
            }
            credit_bytes = 0;
        }
        turn_ = (turn_ + 1) % queues_.size();
        credits_bytes_[turn_] += weights_[turn_] * QUANTUM_BYTES;
    }
    return std::nullopt;
}

bool DeficitRoundRobin::nothing_waits() const {
    return std::all_of(queues_.begin(), queues_.end(),
                       [](const Queue* queue) { return queue->is_empty(); });
}

}  // namespace p4abs
