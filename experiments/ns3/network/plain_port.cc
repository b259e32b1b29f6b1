#include "network/plain_port.h"

#include <utility>

namespace p4abs {

PlainPort::PlainPort(std::string name, uint64_t rate_bps, uint64_t limit_bytes)
    : Port(std::move(name), rate_bps), limit_bytes_(limit_bytes) {}

PlainPort::PlainPort(std::string name, std::shared_ptr<Link> link, uint64_t limit_bytes)
    : Port(std::move(name), std::move(link)), limit_bytes_(limit_bytes) {}

Snapshot PlainPort::snapshot() {
    return {now_us(), admitted_bytes_, dropped_bytes_, departed_bytes_, limit_bytes(),
            unsaturated_us(), unsaturated_bytes()};
}

void PlainPort::set_limit_bytes(uint64_t limit) {
    limit_bytes_ = limit;
}

bool PlainPort::enqueue(Transit transit) {
    const uint64_t backlog = admitted_bytes_ - departed_bytes_;
    const uint64_t needed = backlog + transit.frame_bytes;
    const uint64_t limit = limit_bytes();
    const bool has_room = backlog == 0 && admits_when_empty();
    const bool above = limit != 0 && needed > limit && !has_room;
    const bool may_be_marked = ecn_marking_ && needed <= 2 * limit;
    if (above && !(may_be_marked && mark(&transit))) {
        dropped_bytes_ += transit.frame_bytes;
        count_loss(transit);
        return false;
    }
    marked_bytes_ += above ? transit.frame_bytes : 0;
    admitted_bytes_ += transit.frame_bytes;
    queue_.push_back(std::move(transit));
    return true;
}

std::optional<Transit> PlainPort::dequeue() {
    if (queue_.empty()) {
        return std::nullopt;
    }
    Transit transit = std::move(queue_.front());
    queue_.pop_front();
    departed_bytes_ += transit.frame_bytes;
    return transit;
}

}  // namespace p4abs
