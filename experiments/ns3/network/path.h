#pragma once

#include <ns3/ipv4-address.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "network/delay_line.h"
#include "network/traffic.h"

namespace p4abs {

class Port;

// The way from a sender to a receiver: a delay, then ports one behind the other.
class Path {
  public:
    using Receiver = std::function<void(ns3::Ptr<ns3::Packet>)>;

    // What the IPv4 header says.
    struct Endpoints {
        ns3::Ipv4Address source;
        ns3::Ipv4Address destination;
        uint8_t protocol;
    };

    // `random` may be null if jitter is zero; `traffic` may be null: not counted then.
    Path(std::vector<Port*> ports, ns3::Time delay, ns3::Time jitter, Random* random,
         Traffic* traffic, Endpoints endpoints);
    Path(const Path&) = delete;
    Path& operator=(const Path&) = delete;

    void set_receiver(Receiver receiver) { receiver_ = std::move(receiver); }
    // Packets sent from now on take this long to the first port.
    void set_delay(ns3::Time delay) { delay_ = delay; }

    void send(ns3::Ptr<ns3::Packet> packet);
    // Called by the port that has sent the packet.
    void forward(Transit transit);
    // Lets no packet that was sent before reach the receiver.
    void abandon() { ++epoch_; }
    // Whether no packet is before the first port.
    bool access_is_empty() const { return access_.empty(); }

    const Endpoints& endpoints() const { return endpoints_; }
    Traffic* traffic() const { return traffic_; }

  private:
    void enter(Transit transit);
    void deliver(Transit transit);

    std::vector<Port*> ports_;
    ns3::Time delay_;
    ns3::Time jitter_;
    Random* random_;
    Traffic* traffic_;
    Endpoints endpoints_;
    Receiver receiver_;
    uint32_t epoch_ = 0;
    DelayLine access_;
};

}  // namespace p4abs
