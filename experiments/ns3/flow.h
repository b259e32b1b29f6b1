#pragma once

#include <cstdint>
#include <optional>

namespace p4abs {

// What happens to the packets of one source on their way to the receiver, and what arrives.
struct Traffic {
    uint64_t sent_packets = 0;     // put on the access link
    uint64_t offered_packets = 0;  // arrivals at ports
    uint64_t offered_bytes = 0;
    uint64_t lost_packets = 0;  // drops at ports
    uint64_t lost_bytes = 0;
    uint64_t goodput_bytes = 0;  // got by the receiving application
};

// One source as its user sees it.
class Flow {
  public:
    virtual ~Flow() = default;

    const Traffic& traffic() const { return traffic_; }
    // From the start until everything was received; nothing if that has not happened.
    virtual std::optional<double> completion_s() const { return std::nullopt; }
    virtual uint32_t congestion_window_bytes() const { return 0; }

  protected:
    Traffic traffic_;
};

}  // namespace p4abs
