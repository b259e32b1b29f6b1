#pragma once

#include <ns3/ipv4-address.h>

#include <cstdint>

#include "network/traffic.h"
#include "network/transit.h"

namespace p4abs {

// What a port knows of the path that a packet is on.
class Way {
  public:
    // What the IPv4 header says.
    struct Endpoints {
        ns3::Ipv4Address source;
        ns3::Ipv4Address destination;
        uint8_t protocol;
    };

    // `traffic` may be null: not counted then.
    Way(Traffic* traffic, Endpoints endpoints) : traffic_(traffic), endpoints_(endpoints) {}
    virtual ~Way() = default;
    Way(const Way&) = delete;
    Way& operator=(const Way&) = delete;

    // Called by the port that has sent the packet.
    virtual void forward(Transit transit) = 0;

    const Endpoints& endpoints() const { return endpoints_; }
    Traffic* traffic() const { return traffic_; }

  private:
    Traffic* traffic_;
    Endpoints endpoints_;
};

}  // namespace p4abs
