#pragma once

#include <algorithm>
#include <cstdint>

namespace p4abs {

// The least and the greatest backlog of a queue, in bytes, since a moment of the user's choice.
class BacklogWindow {
  public:
    struct Extremes {
        uint64_t least_bytes;
        uint64_t greatest_bytes;
    };

    void observe(uint64_t backlog_bytes) {
        extremes_.least_bytes = std::min(extremes_.least_bytes, backlog_bytes);
        extremes_.greatest_bytes = std::max(extremes_.greatest_bytes, backlog_bytes);
    }
    // Ends the window and begins the next one; the present backlog belongs to both.
    Extremes restart(uint64_t backlog_bytes) {
        observe(backlog_bytes);
        const Extremes ended = extremes_;
        extremes_ = {backlog_bytes, backlog_bytes};
        return ended;
    }

  private:
    Extremes extremes_{};
};

}  // namespace p4abs
