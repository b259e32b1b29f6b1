#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "network/delay_line.h"
#include "network/port.h"
#include "network/way.h"

namespace p4abs {

// The way from a sender to a receiver: a delay, then ports one behind the other.
class Path final : public Way {
  public:
    using Receiver = std::function<void(ns3::Ptr<ns3::Packet>, Ecn)>;

    // `random` may be null if jitter is zero; `traffic` may be null: not counted then.
    Path(std::vector<Port*> ports, ns3::Time delay, ns3::Time jitter, Random* random,
         Traffic* traffic, Endpoints endpoints);

    void set_receiver(Receiver receiver) { receiver_ = std::move(receiver); }
    // Packets sent from now on take this long to the first port.
    void set_delay(ns3::Time delay) { delay_ = delay; }

    void send(ns3::Ptr<ns3::Packet> packet, Ecn ecn = Ecn::NOT_CAPABLE);
    void forward(Transit transit) override;
    // Lets no packet that was sent before reach the receiver.
    void abandon() { ++epoch_; }
    // Whether no packet is before the first port.
    bool access_is_empty() const { return access_.empty(); }

  private:
    void enter(Transit transit);
    void deliver(Transit transit);

    std::vector<Port*> ports_;
    ns3::Time delay_;
    ns3::Time jitter_;
    Random* random_;
    Receiver receiver_;
    uint32_t epoch_ = 0;
    DelayLine access_;
};

}  // namespace p4abs
