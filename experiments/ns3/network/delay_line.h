#pragma once

#include <deque>
#include <functional>

#include "base/timer.h"
#include "network/transit.h"

namespace p4abs {

// Hands packets over after a delay of their own, in the order in which they came. However many
// are on their way, only the first has an event in the simulator's queue.
class DelayLine {
  public:
    using Output = std::function<void(Transit)>;

    explicit DelayLine(Output output);

    void push(Transit transit, ns3::Time delay);
    bool empty() const { return entries_.empty(); }

  private:
    struct Entry {
        Transit transit;
        ns3::Time due;
    };

    void expired();

    Output output_;
    std::deque<Entry> entries_;
    Timer<DelayLine, &DelayLine::expired> timer_;
};

}  // namespace p4abs
