#pragma once

#include <ns3/nstime.h>

#include <cstdint>

namespace p4abs {

// The time in which a link was not busy throughout, and the bytes that it sent in it. A stretch of
// such time lasts from the start of the last frame before the link falls idle to the next arrival:
// of it, the link has been idle for all but the frame's own transmission.
class UnsaturatedTime {
  public:
    struct Count {
        ns3::Time time;
        ns3::Time sending;
        uint64_t bytes;

        ns3::Time idle() const { return time - sending; }
    };

    // The link starts to send a frame.
    void start_frame(uint32_t frame_bytes, ns3::Time transmission);
    // A frame is admitted while the link is idle.
    void end_idleness();
    // So far; with the stretch under way if the link is idle now.
    Count count(bool link_is_idle) const;

  private:
    Count ended_{};
    ns3::Time frame_started_;
    ns3::Time frame_transmission_;
    uint32_t frame_bytes_ = 0;
};

}  // namespace p4abs
