#pragma once

#include "network/transit.h"

namespace p4abs {

constexpr uint32_t TCP_HEADER_BYTES = 20;
constexpr uint32_t TIMESTAMP_OPTION_BYTES = 12;

// Headers and one byte.
constexpr uint32_t MINIMUM_TCP_PACKET_BYTES =
    NETWORK_HEADER_BYTES + TCP_HEADER_BYTES + TIMESTAMP_OPTION_BYTES + 1;

// A receiver's window that hinders nobody here.
constexpr uint32_t DEFAULT_WINDOW_BYTES = 64 << 20;

// RFC 6928.
constexpr uint32_t DEFAULT_INITIAL_WINDOW_SEGMENTS = 10;

// Sets what all connections of a simulation have in common.
void apply_tcp_settings(uint32_t delayed_ack_segments);

}  // namespace p4abs
