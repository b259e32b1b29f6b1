#include "network/link.h"

#include <optional>
#include <utility>

#include "network/way.h"

namespace p4abs {

namespace {

constexpr uint64_t NS_PER_S = 1'000'000'000;

}  // namespace

Link::Link(uint64_t rate_bps, std::unique_ptr<Scheduler> scheduler)
    : rate_bps_(rate_bps), scheduler_(std::move(scheduler)), timer_(this) {}

ns3::Time Link::serialization_time(uint32_t frame_bytes) const {
    return ns3::NanoSeconds(8 * frame_bytes * NS_PER_S / rate_bps_);
}

void Link::set_rate_bps(uint64_t rate_bps) {
    rate_bps_ = rate_bps;
    remainder_ = 0;
}

void Link::set_stalled(bool stalled) {
    stalled_ = stalled;
    resume();
}

void Link::set_down(bool down) {
    down_ = down;
    resume();
}

void Link::resume() {
    if (sending_ == nullptr) {
        send_next();
    }
}

void Link::send_next() {
    std::optional<Departure> next = stalled_ || down_ ? std::nullopt : scheduler_->next();
    sending_ = next ? next->queue : nullptr;
    if (!next) {
        return;
    }
    in_transmission_ = std::move(next->transit);
    const uint64_t dividend = 8 * in_transmission_.frame_bytes * NS_PER_S + remainder_;
    remainder_ = dividend % rate_bps_;
    const ns3::Time transmission = ns3::NanoSeconds(dividend / rate_bps_);
    next->queue->note_departure(in_transmission_, transmission);
    timer_.start(transmission);
}

void Link::sent() {
    Transit transit = std::move(in_transmission_);
    send_next();
    Way* way = transit.way;
    way->forward(std::move(transit));
}

}  // namespace p4abs
