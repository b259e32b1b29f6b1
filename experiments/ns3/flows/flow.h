#pragma once

#include <cstdint>
#include <optional>

#include "network/traffic.h"

namespace p4abs {

// One source as its user sees it.
class Flow {
  public:
    virtual ~Flow() = default;

    const Traffic& traffic() const { return traffic_; }
    // From the start until everything was received; nothing if that has not happened.
    virtual std::optional<double> completion_s() const { return std::nullopt; }
    virtual uint32_t congestion_window_bytes() const { return 0; }
    // A paused source has nothing to send; what was lost before is still sent again.
    virtual void set_paused(bool paused) = 0;

  protected:
    Traffic traffic_;
};

}  // namespace p4abs
