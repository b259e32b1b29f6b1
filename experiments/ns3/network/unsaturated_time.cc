#include "network/unsaturated_time.h"

#include <ns3/simulator.h>

namespace p4abs {

void UnsaturatedTime::start_frame(uint32_t frame_bytes, ns3::Time transmission) {
    frame_started_ = ns3::Simulator::Now();
    frame_bytes_ = frame_bytes;
    frame_transmission_ = transmission;
}

void UnsaturatedTime::end_idleness() {
    ended_ = count(true);
    start_frame(0, {});  // if the queue drops the frame after all, idleness goes on from here
}

UnsaturatedTime::Count UnsaturatedTime::count(bool link_is_idle) const {
    if (!link_is_idle) {
        return ended_;
    }
    return {ended_.time + (ns3::Simulator::Now() - frame_started_),
            ended_.sending + frame_transmission_, ended_.bytes + frame_bytes_};
}

}  // namespace p4abs
