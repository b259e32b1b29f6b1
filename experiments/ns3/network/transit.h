#pragma once

#include <ns3/nstime.h>
#include <ns3/packet.h>
#include <ns3/ptr.h>

#include <cstdint>

namespace p4abs {

class Way;

// Ethernet and IPv4 headers, which exist as bytes only while a P4 program sees the packet.
constexpr uint32_t ETHERNET_HEADER_BYTES = 14;
constexpr uint32_t IPV4_HEADER_BYTES = 20;
constexpr uint32_t NETWORK_HEADER_BYTES = ETHERNET_HEADER_BYTES + IPV4_HEADER_BYTES;

// The ECN field of the IPv4 header (RFC 3168, section 5).
enum class Ecn : uint8_t { NOT_CAPABLE = 0, CAPABLE_1 = 1, CAPABLE_0 = 2, CONGESTION = 3 };

// A packet somewhere on a path. ns-3's packet begins with the transport header.
struct Transit {
    ns3::Ptr<ns3::Packet> packet;
    Way* way = nullptr;
    uint32_t frame_bytes = 0;
    uint32_t hop = 0;    // index of the port on its way
    uint32_t epoch = 0;  // the way's, when the packet was sent
    Ecn ecn = Ecn::NOT_CAPABLE;
    ns3::Time arrived;   // at the present port
};

}  // namespace p4abs
