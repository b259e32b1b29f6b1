#include "network/delay_line.h"

#include <algorithm>
#include <utility>

namespace p4abs {

DelayLine::DelayLine(Output output) : output_(std::move(output)), timer_(this) {}

void DelayLine::push(Transit transit, ns3::Time delay) {
    const ns3::Time now = ns3::Simulator::Now();
    if (entries_.empty()) {
        entries_.push_back({std::move(transit), now + delay});
        timer_.start(delay);
    } else {
        entries_.push_back({std::move(transit), std::max(now + delay, entries_.back().due)});
    }
}

void DelayLine::expired() {
    Transit transit = std::move(entries_.front().transit);
    entries_.pop_front();
    if (!entries_.empty()) {
        timer_.start(entries_.front().due - ns3::Simulator::Now());
    }
    output_(std::move(transit));
}

}  // namespace p4abs
