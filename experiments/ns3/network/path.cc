#include "network/path.h"

namespace p4abs {

Path::Path(std::vector<Port*> ports, ns3::Time delay, ns3::Time jitter, Random* random,
           Traffic* traffic, Endpoints endpoints)
    : Way(traffic, endpoints),
      ports_(std::move(ports)),
      delay_(delay),
      jitter_(jitter),
      random_(random),
      access_([this](Transit transit) { enter(std::move(transit)); }) {}

void Path::send(ns3::Ptr<ns3::Packet> packet, Ecn ecn) {
    if (traffic() != nullptr) {
        ++traffic()->sent_packets;
    }
    ns3::Time delay = delay_;
    if (jitter_.IsStrictlyPositive()) {
        const double jitter_ns = static_cast<double>(jitter_.GetNanoSeconds());
        delay += ns3::NanoSeconds(static_cast<int64_t>(random_->uniform(0.0, jitter_ns)));
    }
    Transit transit;
    transit.frame_bytes = NETWORK_HEADER_BYTES + packet->GetSize();
    transit.packet = std::move(packet);
    transit.way = this;
    transit.epoch = epoch_;
    transit.ecn = ecn;
    access_.push(std::move(transit), delay);
}

void Path::forward(Transit transit) {
    if (++transit.hop < ports_.size()) {
        ports_[transit.hop]->receive(std::move(transit));
    } else {
        deliver(std::move(transit));
    }
}

void Path::enter(Transit transit) {
    if (ports_.empty()) {
        deliver(std::move(transit));
    } else {
        ports_.front()->receive(std::move(transit));
    }
}

void Path::deliver(Transit transit) {
    if (transit.epoch == epoch_) {
        receiver_(std::move(transit.packet), transit.ecn);
    }
}

}  // namespace p4abs
