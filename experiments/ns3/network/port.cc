#include "network/port.h"

#include <utility>

#include "network/way.h"

namespace p4abs {

namespace {

constexpr uint64_t NS_PER_S = 1'000'000'000;

}  // namespace

Port::Port(std::string name, uint64_t rate_bps)
    : name_(std::move(name)), rate_bps_(rate_bps), timer_(this) {}

ns3::Time Port::serialization_time(uint32_t frame_bytes) const {
    return ns3::NanoSeconds(8 * frame_bytes * NS_PER_S / rate_bps_);
}

void Port::set_rate_bps(uint64_t rate_bps) {
    rate_bps_ = rate_bps;
    remainder_ = 0;
}

void Port::set_stalled(bool stalled) {
    stalled_ = stalled;
    resume();
}

void Port::set_down(bool down) {
    down_ = down;
    resume();
}

void Port::receive(Transit transit) {
    transit.arrived = ns3::Simulator::Now();
    if (Traffic* traffic = transit.way->traffic()) {
        ++traffic->offered_packets;
        traffic->offered_bytes += transit.frame_bytes;
    }
    if (down_) {
        count_loss(transit);
        return;
    }
    const uint32_t frame_bytes = transit.frame_bytes;
    const bool was_idle = is_idle();
    backlog_window_.observe(backlog_bytes());
    if (enqueue(std::move(transit))) {
        occupancy_.change(frame_bytes);
        backlog_window_.observe(backlog_bytes());
        if (was_idle) {
            unsaturated_.end_idleness();
        }
        resume();
    }
}

BacklogWindow::Extremes Port::start_backlog_window() {
    return backlog_window_.restart(backlog_bytes());
}

bool Port::mark(Transit* transit) {
    if (transit->ecn == Ecn::NOT_CAPABLE) {
        return false;
    }
    Traffic* traffic = transit->way->traffic();
    if (traffic != nullptr && transit->ecn != Ecn::CONGESTION) {
        ++traffic->marked_packets;
    }
    transit->ecn = Ecn::CONGESTION;
    return true;
}

void Port::start_record() {
    recording_delays_ = true;
    delays_.clear();
    occupancy_.restart();
}

void Port::count_loss(const Transit& transit) {
    if (Traffic* traffic = transit.way->traffic()) {
        ++traffic->lost_packets;
        traffic->lost_bytes += transit.frame_bytes;
    }
}

void Port::count_loss_from_queue(const Transit& transit) {
    occupancy_.change(-static_cast<int64_t>(transit.frame_bytes));
    count_loss(transit);
}

uint64_t Port::now_us() {
    return static_cast<uint64_t>(ns3::Simulator::Now().GetMicroSeconds());
}

uint64_t Port::unsaturated_us() const {
    return static_cast<uint64_t>(unsaturated_.count(is_idle()).time.GetMicroSeconds());
}

uint64_t Port::unsaturated_bytes() const {
    return unsaturated_.count(is_idle()).bytes;
}

void Port::resume() {
    if (!sending_) {
        send_next();
    }
}

void Port::send_next() {
    std::optional<Transit> next = stalled_ || down_ ? std::nullopt : dequeue();
    sending_ = next.has_value();
    if (!sending_) {
        return;
    }
    in_transmission_ = *std::move(next);
    occupancy_.change(-static_cast<int64_t>(in_transmission_.frame_bytes));
    if (recording_delays_) {
        delays_.add((ns3::Simulator::Now() - in_transmission_.arrived).GetNanoSeconds());
    }
    const uint64_t dividend = 8 * in_transmission_.frame_bytes * NS_PER_S + remainder_;
    remainder_ = dividend % rate_bps_;
    const ns3::Time transmission = ns3::NanoSeconds(dividend / rate_bps_);
    unsaturated_.start_frame(in_transmission_.frame_bytes, transmission);
    timer_.start(transmission);
}

void Port::sent() {
    Transit transit = std::move(in_transmission_);
    send_next();
    Way* way = transit.way;
    way->forward(std::move(transit));
}

}  // namespace p4abs
