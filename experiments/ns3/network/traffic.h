#pragma once

#include <cstdint>

namespace p4abs {

// What happens to the packets of one source on their way to the receiver, and what arrives.
struct Traffic {
    uint64_t sent_packets = 0;     // put on the access link
    uint64_t offered_packets = 0;  // arrivals at ports
    uint64_t offered_bytes = 0;
    uint64_t lost_packets = 0;  // drops at ports
    uint64_t lost_bytes = 0;
    uint64_t marked_packets = 0;  // marks at ports, each packet's first
    uint64_t goodput_bytes = 0;  // got by the receiving application
};

}  // namespace p4abs
