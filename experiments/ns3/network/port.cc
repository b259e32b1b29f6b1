#include "network/port.h"

#include <utility>

#include "network/way.h"

namespace p4abs {

Port::Port(std::string name, uint64_t rate_bps)
    : Port(std::move(name), std::make_shared<Link>(rate_bps, std::make_unique<StrictPriority>())) {}

Port::Port(std::string name, std::shared_ptr<Link> link)
    : name_(std::move(name)), link_(std::move(link)) {
    link_->add(this);
}

void Port::receive(Transit transit) {
    transit.arrived = ns3::Simulator::Now();
    if (Traffic* traffic = transit.way->traffic()) {
        ++traffic->offered_packets;
        traffic->offered_bytes += transit.frame_bytes;
    }
    if (link_->is_down()) {
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
        link_->resume();
    }
}

void Port::note_departure(const Transit& transit, ns3::Time transmission) {
    occupancy_.change(-static_cast<int64_t>(transit.frame_bytes));
    if (recording_delays_) {
        delays_.add((ns3::Simulator::Now() - transit.arrived).GetNanoSeconds());
    }
    unsaturated_.start_frame(transit.frame_bytes, transmission);
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

}  // namespace p4abs
